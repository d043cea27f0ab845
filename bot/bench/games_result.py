"""How a game of `knightshift bench games` ended, and what its clock came to. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import chess

from bot.bench.games_schedule import Fixture
from bot.bench.verdict import lost_to_plumbing
from bot.local_lichess import GameSnapshot
from bot.local_lichess.clocks import Realtime

#: As the rules of chess have it; the last is Lichess's own, for games without an end.
ENDINGS = (
    "checkmate",
    "stalemate",
    "insufficient material",
    "repetition",
    "fifty moves",
    "600 plies",
)
OUR_FLAG, THEIR_FLAG, GAVE_UP = "our flag fell", "the opponent's flag fell", "the opponent gave up"
_MOST_PLIES = 600
_NO_RESULT = ("aborted", "noStart", "unknownFinish")

Result = Literal["won", "drawn", "lost"]
RESULTS: tuple[Result, ...] = ("won", "drawn", "lost")


@dataclass(frozen=True, slots=True)
class Played:
    """`ending`: one of ENDINGS, or what went wrong. `result`: the bot's; None where the game had none.
    `least_ms`: the least that it had on its clock after a move of its own, before the increment; None without
    moves."""

    fixture: Fixture
    game: GameSnapshot
    ending: str
    result: Result | None
    least_ms: int | None


def judge(
    fixture: Fixture, game: GameSnapshot, left_ms: tuple[int, ...], control: Realtime, bot_id: str
) -> Played:
    """`left_ms`: what the mover had left after each ply, with its increment."""
    result: Result | None = None
    if game.winner is not None:
        result = "won" if game.winner == fixture.bots_side else "lost"
    elif game.is_over and game.status not in _NO_RESULT:
        result = "drawn"
    return Played(
        fixture,
        game,
        ending_of(fixture.opening, game, bot_id),
        result,
        least_left_ms(fixture, left_ms, control),
    )


def ending_of(opening: str, game: GameSnapshot, bot_id: str) -> str:
    """One of ENDINGS, or why it was none."""
    if (why := lost_to_plumbing(game, bot_id)) is not None:
        return why
    match game.status:
        case "mate":
            return "checkmate"
        case "stalemate":
            return "stalemate"
        case "draw":
            return _draw(opening, game)
        case "outoftime":
            return THEIR_FLAG
        case "resign":
            return GAVE_UP
    return game.status


def least_left_ms(fixture: Fixture, left_ms: tuple[int, ...], control: Realtime) -> int | None:
    """The least on the bot's clock, in milliseconds. The first move of each side costs and earns nothing, and
    the last of a game earns nothing."""
    white_began = fixture.opening.split()[1] == "w"
    first = 0 if white_began == (fixture.bots_side == "white") else 1
    last = len(left_ms) - 1
    return min(
        (
            left_ms[ply] - (control.increment_ms if 1 < ply < last else 0)
            for ply in range(first, len(left_ms), 2)
        ),
        default=None,
    )


def _draw(opening: str, game: GameSnapshot) -> str:
    board = chess.Board(opening, chess960=game.variant == "fromPosition")
    for uci in game.moves:
        board.push_uci(uci)
    if board.is_insufficient_material():
        return "insufficient material"
    if board.is_repetition(3):
        return "repetition"
    if board.is_fifty_moves():
        return "fifty moves"
    return "600 plies" if len(game.moves) >= _MOST_PLIES else "a draw by no rule"
