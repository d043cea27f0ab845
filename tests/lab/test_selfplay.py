"""Games in this process end as the rules say."""

from __future__ import annotations

import chess
import pytest

from bot.lab.selfplay import MOST_PLIES, play_game
from bot.strategies.contract import Strategy, Turn
from bot.strategies.registry import load, parse_spec


def scripted(*moves: str) -> Strategy:
    """Plays `moves` in turn, over and over."""
    left: list[str] = []

    def play(turn: Turn) -> None:
        if not left:
            left.extend(moves)
        turn.play_move(left.pop(0))

    return play


def test_mate_ends_it() -> None:
    game = play_game(scripted("f2f3", "g2g4"), scripted("e7e5", "d8h4"), chess.STARTING_FEN, "fools-mate")
    assert (game.result, game.why) == ("0-1", "checkmate")
    assert game.moves == ("f2f3", "e7e5", "g2g4", "d8h4")


@pytest.mark.parametrize(
    ("fen", "white", "black", "result", "why"),
    [
        (chess.STARTING_FEN, ("g1f3", "f3g1"), ("g8f6", "f6g8"), "1/2-1/2", "threefold repetition"),
        ("7k/8/8/8/8/8/R7/K7 w - - 99 90", ("a2a3",), (), "1/2-1/2", "fifty moves"),
        ("7k/8/8/6K1/8/8/8/5Q2 w - - 0 1", ("f1f7",), (), "1/2-1/2", "stalemate"),
        ("7k/8/8/8/8/1q6/K7/8 w - - 0 1", ("a2b3",), (), "1/2-1/2", "insufficient material"),
    ],
)
def test_draws(fen: str, white: tuple[str, ...], black: tuple[str, ...], result: str, why: str) -> None:
    game = play_game(scripted(*white), scripted(*black), fen, "draw")
    assert (game.result, game.why) == (result, why)


def test_a_strategy_that_fails_has_lost() -> None:
    game = play_game(scripted("e2e4"), scripted("e7e4"), chess.STARTING_FEN, "illegal")
    assert (game.result, game.failed) == ("1-0", True)
    assert "e7e4" in game.why


def test_a_game_without_end_is_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.lab.selfplay.MOST_PLIES", 10)
    assert MOST_PLIES > 10
    players = [load(parse_spec(f"random:seed={seed}")) for seed in (1, 2)]
    game = play_game(players[0], players[1], chess.STARTING_FEN, "long")
    assert (game.result, game.why, len(game.moves)) == ("1/2-1/2", "10 plies", 10)


def test_it_is_the_same_game_again() -> None:
    def once() -> tuple[str, ...]:
        return play_game(
            load(parse_spec("greedy")), load(parse_spec("random:seed=4")), chess.STARTING_FEN, "game"
        ).moves

    assert once() == once()
