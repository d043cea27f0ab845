"""The weakest player: legal, spread over all moves, and the same again."""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest

from bot.position import BOARDS, new_board
from bot.strategies.contract import TurnFacts
from bot.strategies.random_move import RandomMove
from bot.strategies.turn_tools import facts_from_fen, take_turn


def facts(game_id: str = "Ab3dEf7h", moves: tuple[str, ...] = (), variant: str = "standard") -> TurnFacts:
    return replace(facts_from_fen("startpos", variant), game_id=game_id, moves=moves)


def play_game(strategy: RandomMove, game_id: str, plies: int, moves: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The game that `strategy` plays with itself, going on from `moves`."""
    board = new_board("standard", "startpos")
    for move in moves:
        board.push_uci(move)
    while len(moves) < plies and not board.is_game_over():
        turn = replace(facts(game_id, moves), fen=board.fen(), color="white" if board.turn else "black")
        moves = (*moves, take_turn(strategy, turn).move)
        board.push_uci(moves[-1])
    return moves


def test_every_legal_move_is_drawn_sooner_or_later() -> None:
    drawn = {take_turn(RandomMove(), facts(f"game{n}")).move for n in range(400)}
    assert drawn == {move.uci() for move in chess.Board().legal_moves}


def test_a_restart_plays_on_as_if_nothing_had_happened() -> None:
    whole = play_game(RandomMove(seed=3), "game", 40)
    assert play_game(RandomMove(seed=3), "game", 40, whole[:17]) == whole


def test_games_and_seeds_differ() -> None:
    games = {
        play_game(RandomMove(), "one", 20),
        play_game(RandomMove(), "two", 20),
        play_game(RandomMove(seed=1), "one", 20),
    }
    assert len(games) == 3
    assert play_game(RandomMove(), "one", 20) == play_game(RandomMove(seed=0), "one", 20)


@pytest.mark.parametrize("variant", tuple(BOARDS))
def test_it_plays_every_variant(variant: str) -> None:
    board = new_board(variant, "startpos")
    assert board.parse_uci(take_turn(RandomMove(), facts(variant=variant)).move)
