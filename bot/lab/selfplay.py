"""One game between two strategies in this process: no clock, no wire, and the same again each time.

Draws that can be claimed are claimed. A strategy that fails its turn loses the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import chess

from bot.errors import StrategyError
from bot.events import Player
from bot.strategies.contract import Clocks, Strategy, TimeLimit, TurnFacts
from bot.strategies.turn_tools import take_turn

#: Nobody is hurried: the strategies have limits of their own.
UNLIMITED = TimeLimit(soft_ms=3_600_000, hard_ms=3_600_000)
MOST_PLIES = 400

Result = Literal["1-0", "0-1", "1/2-1/2"]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """How a game ended. `why`: "checkmate", "threefold repetition" ..., or what a strategy did wrong: then
    it `failed`."""

    result: Result
    why: str
    moves: tuple[str, ...]
    failed: bool = False


def play_game(white: Strategy, black: Strategy, opening: str, game_id: str) -> PlayedGame:
    """Play on from the position `opening` (a FEN of standard chess) to the end, for `MOST_PLIES` at most."""
    board = chess.Board(opening)
    moves: list[str] = []
    while len(moves) < MOST_PLIES:
        over = _over(board)
        if over is not None:
            return PlayedGame(*over, tuple(moves))
        facts = TurnFacts(
            game_id=game_id,
            fen=board.fen(),
            color="white" if board.turn == chess.WHITE else "black",
            variant="standard",
            initial_fen=opening,
            moves=tuple(moves),
            clocks=Clocks(),
            limit=UNLIMITED,
            opponent=Player(id=None, name="the other"),
            speed="correspondence",
        )
        try:
            move = take_turn(white if board.turn == chess.WHITE else black, facts).move
        except StrategyError as error:
            lost: Result = "0-1" if board.turn == chess.WHITE else "1-0"
            return PlayedGame(lost, str(error), tuple(moves), failed=True)
        board.push_uci(move)
        moves.append(move)
    return PlayedGame("1/2-1/2", f"{MOST_PLIES} plies", tuple(moves))


def _over(board: chess.Board) -> tuple[Result, str] | None:
    outcome = board.outcome()
    if outcome is not None:
        why = outcome.termination.name.lower().replace("_", " ")
        if outcome.winner is None:
            return "1/2-1/2", why
        return "1-0" if outcome.winner == chess.WHITE else "0-1", why
    if board.is_repetition(3):
        return "1/2-1/2", "threefold repetition"
    return ("1/2-1/2", "fifty moves") if board.is_fifty_moves() else None
