"""The rules of every Lichess variant: boards, endings, and who can still win."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import chess
import chess.variant

from bot.local_lichess.seats import Color


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant as Lichess names it, and its rules."""

    key: str
    name: str
    short: str
    board: type[chess.Board]


VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        variant.key: variant
        for variant in (
            Variant("standard", "Standard", "Std", chess.Board),
            Variant("chess960", "Chess960", "960", chess.Board),
            Variant("fromPosition", "From Position", "FEN", chess.Board),
            Variant("crazyhouse", "Crazyhouse", "Crazy", chess.variant.CrazyhouseBoard),
            Variant("antichess", "Antichess", "Anti", chess.variant.AntichessBoard),
            Variant("atomic", "Atomic", "Atom", chess.variant.AtomicBoard),
            Variant("horde", "Horde", "Horde", chess.variant.HordeBoard),
            Variant("kingOfTheHill", "King of the Hill", "KotH", chess.variant.KingOfTheHillBoard),
            Variant("racingKings", "Racing Kings", "Racing", chess.variant.RacingKingsBoard),
            Variant("threeCheck", "Three-check", "3check", chess.variant.ThreeCheckBoard),
        )
    }
)

#: The king and rooks may start anywhere, so only king-takes-rook names castling for sure.
CASTLING_ANYWHERE = frozenset({"chess960", "fromPosition"})
#: These have no starting position of their own.
NEEDS_FEN = CASTLING_ANYWHERE
#: Losing material says nothing about losing the game.
_MATERIAL_IS_NO_MEASURE = frozenset({"antichess", "crazyhouse", "horde"})
_VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


@dataclass(frozen=True, slots=True)
class Ending:
    """How a position ends the game."""

    status: str
    winner: Color | None = None


def color_of(turn: chess.Color) -> Color:
    return "white" if turn else "black"


def chess960_fen(number: int) -> str:
    """The FEN of Chess960 start `number` (0 to 959; 518 is the usual one). ValueError outside of that."""
    return chess.Board.from_chess960_pos(number).fen()


def new_board(variant: str, initial_fen: str | None) -> chess.Board:
    """The starting board; `initial_fen` None is the variant's own start.

    ValueError for an unknown variant, for a FEN that cannot be read or has nothing left to play, and for none
    where one is needed.
    """
    known = VARIANTS.get(variant)
    if known is None:
        raise ValueError(f"unknown variant {variant!r}; known: {', '.join(VARIANTS)}")
    chess960 = variant in CASTLING_ANYWHERE
    if initial_fen is not None:
        board = known.board(initial_fen, chess960=chess960)
        if ending(variant, board, 1) is not None:
            raise ValueError(f"nothing is left to play in {initial_fen!r}")
        return board
    if variant in NEEDS_FEN:
        raise ValueError(f"a {variant} game needs an initial FEN")
    return known.board()


def ending(variant: str, board: chess.Board, occurrences: int) -> Ending | None:
    """How the game ends by itself in this position, which has occurred so many times; None: it goes on."""
    turn = board.turn
    if _is_mate(variant, board):
        return Ending("mate", color_of(not turn))
    special = _special_ending(variant, board)
    if special is not None:
        return special
    if not any(board.generate_legal_moves()):
        return Ending("stalemate")
    if board.is_insufficient_material() or board.is_fifty_moves() or occurrences >= 5:
        return Ending("draw")
    return None


def can_win(board: chess.Board, side: Color) -> bool:
    """There is material to win with; the flag of the opponent of somebody who has none draws."""
    return not board.has_insufficient_material(side == "white")


def is_materially_lost(variant: str, board: chess.Board, side: Color) -> bool:
    """Four or more pawns' worth behind, where that means something."""
    if variant in _MATERIAL_IS_NO_MEASURE:
        return False
    white = side == "white"
    balance = sum(
        value * (len(board.pieces(piece, white)) - len(board.pieces(piece, not white)))
        for piece, value in _VALUES.items()
    )
    return balance <= -4


def _is_mate(variant: str, board: chess.Board) -> bool:
    if not board.is_check():
        return False
    if variant in ("kingOfTheHill", "threeCheck") and board.is_variant_end():
        # python-chess has no legal moves once a variant's own end is reached, mate or not. Mate goes first.
        board = chess.Board(chess.Board.epd(board, en_passant="fen") + " 0 1")
    return board.is_checkmate()


def _special_ending(variant: str, board: chess.Board) -> Ending | None:
    mover, turn = color_of(not board.turn), color_of(board.turn)
    match variant:
        case "antichess":
            if not any(board.generate_legal_moves()):  # out of pieces, or out of moves
                return Ending("variantEnd", turn)
        case "racingKings":
            return _race_ending(board)
        case "atomic" | "horde" | "kingOfTheHill" | "threeCheck":
            if board.is_variant_end():
                return Ending("variantEnd", mover)
    return None


def _race_ending(board: chess.Board) -> Ending | None:
    """Once White is home, Black has one more ply, if it can get there too."""
    if not board.is_variant_end():
        return None
    goal = board.kings & chess.BB_RANK_8
    home: list[Color] = [color_of(side) for side in chess.COLORS if goal & board.occupied_co[side]]
    return Ending("draw") if len(home) == len(chess.COLORS) else Ending("variantEnd", home[0])
