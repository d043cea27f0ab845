"""Positions rebuilt from an initial FEN and the full move list, in every Lichess variant.

Castling is read in both notations (`e1g1`, `e1h1`). It is written king-takes-rook on chess960 and
fromPosition boards and king-to-square on all others, which is what Lichess accepts there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import chess
import chess.variant

from bot.errors import PositionError
from bot.move_list import FromMoves

#: The rules of each Lichess variant.
BOARDS: Mapping[str, type[chess.Board]] = MappingProxyType(
    {
        "standard": chess.Board,
        "chess960": chess.Board,
        "fromPosition": chess.Board,
        "crazyhouse": chess.variant.CrazyhouseBoard,
        "antichess": chess.variant.AntichessBoard,
        "atomic": chess.variant.AtomicBoard,
        "horde": chess.variant.HordeBoard,
        "kingOfTheHill": chess.variant.KingOfTheHillBoard,
        "racingKings": chess.variant.RacingKingsBoard,
        "threeCheck": chess.variant.ThreeCheckBoard,
    }
)

#: Variants whose king and rooks may start anywhere, so that only king-takes-rook names castling for sure.
CASTLING_ANYWHERE = frozenset({"chess960", "fromPosition"})

#: Faults that no game can be played with. Others, such as nine queens, are merely unusual.
_UNPLAYABLE = {
    chess.STATUS_EMPTY: "the board is empty",
    chess.STATUS_NO_WHITE_KING: "White has no king",
    chess.STATUS_NO_BLACK_KING: "Black has no king",
    chess.STATUS_TOO_MANY_KINGS: "there are too many kings",
    chess.STATUS_OPPOSITE_CHECK: "the side that is not to move is in check",
    chess.STATUS_PAWNS_ON_BACKRANK: "a pawn stands on the first or last rank",
}
#: Where Lichess says that there is a game, there is one, however odd its position.
_TOLERATED = {"fromPosition": chess.STATUS_PAWNS_ON_BACKRANK}


def new_board(variant: str, initial_fen: str) -> chess.Board:
    """The board of `variant` (a Lichess key) at `initial_fen`, with an empty move stack.

    "startpos" is the variant's own start. A FEN may come in Lichess's dialect or in python-chess's: X-FEN or
    Shredder-FEN castling, pockets behind a slash or in brackets, `Q~` for promoted pieces, checks given as
    `+1+0` at the end or checks to go as `2+3` before the counters. Fields after the side to move may be
    missing.

    Raises PositionError, in one line, for a variant or FEN that cannot be played.
    """
    rules = BOARDS.get(variant)
    if rules is None:
        raise PositionError(f"unknown variant {variant!r}: the known ones are {', '.join(BOARDS)}")
    chess960 = variant in CASTLING_ANYWHERE
    if initial_fen == "startpos":
        return rules(chess960=chess960)
    if not isinstance(initial_fen, str) or len(initial_fen.split()) < 2:
        raise _unreadable(variant, initial_fen, "it needs at least a board and a side to move")
    try:
        board = rules(initial_fen, chess960=chess960)
    except (ValueError, IndexError) as error:
        # python-chess quotes the FEN in most of its messages; once is enough. Of a pocket it says nothing.
        reason = str(error).split(": ", maxsplit=1)[0]
        reason = "unknown piece in the pocket" if reason.endswith("not in list") else reason
        raise _unreadable(variant, initial_fen, reason) from None
    status = board.status() & ~_TOLERATED.get(variant, chess.STATUS_VALID)
    for flag, reason in _UNPLAYABLE.items():
        if status & flag:
            raise _unreadable(variant, initial_fen, reason)
    if status & chess.STATUS_INVALID_EP_SQUARE:
        board.ep_square = None  # nothing can be captured there, and FENs by hand are often careless about it
    return board


def replay(variant: str, initial_fen: str, moves: Sequence[str]) -> chess.Board:
    """The board after all of `moves` (UCI) from `initial_fen`, with the whole move stack.

    Raises PositionError, naming the ply (from 1), the move and the FEN, at the first move that is not legal;
    null moves are not.
    """
    board = new_board(variant, initial_fen)
    for ply, uci in enumerate(moves, start=1):
        try:
            board.push(parse_move(board, uci))
        except PositionError as error:
            raise PositionError(f"ply {ply}: {error}") from None
    return board


def position_after(variant: str, initial_fen: str, moves: tuple[str, ...]) -> chess.Board:
    """What `replay` gives, without the move stack; in a known game only the new plies cost anything."""
    return _positions(variant, initial_fen, moves).copy(stack=False)


def whole_game(variant: str, initial_fen: str, moves: tuple[str, ...]) -> chess.Board:
    """What `replay` gives; in a known game only the new plies cost anything. It is the caller's own."""
    return _games(variant, initial_fen, moves).copy()


def _one_ply_on(board: chess.Board, uci: str) -> chess.Board:
    board = board.copy()
    board.push(parse_move(board, uci))
    return board


def _after(board: chess.Board, uci: str) -> chess.Board:
    board = board.copy(stack=False)
    board.push(parse_move(board, uci))
    return board


#: As many as can be played at once, and some more.
_positions: FromMoves[chess.Board] = FromMoves(new_board, _after, games=128)
#: A strategy's process plays one game; a scripted player may play several.
_games: FromMoves[chess.Board] = FromMoves(new_board, _one_ply_on, games=16)


def parse_move(board: chess.Board, uci: str) -> chess.Move:
    """The legal move that `uci` names on `board`, castling in either notation.

    Raises PositionError naming the move and the FEN; null moves are not legal.
    """
    if not isinstance(uci, str):
        raise PositionError(f"{uci!r} is not a move in UCI notation")
    try:
        move = board.parse_uci(uci)
    except chess.InvalidMoveError:
        raise PositionError(f"{uci!r} is not a move in UCI notation, in {board.fen()}") from None
    except ValueError:
        raise PositionError(f"{uci!r} is not legal in {board.fen()}") from None
    if not move:
        raise PositionError(f"{uci!r} is a null move, in {board.fen()}")
    return move


def to_uci(board: chess.Board, move: chess.Move) -> str:
    """How `move`, legal on `board`, is sent to Lichess. Raises PositionError when it is not legal there."""
    if not move or not board.is_legal(move):
        raise PositionError(f"{move.uci()!r} is not legal in {board.fen()}")
    return board.uci(move)


def _unreadable(variant: str, fen: object, reason: str) -> PositionError:
    return PositionError(f"not a position of {variant}: {reason}: {fen!r}")
