"""Endings that the side with more cannot win, or hardly: how much of its evaluation holds.

Evaluations add up what each side has, and these endings are drawn all the same: too little to mate with, a
bishop that does not control the corner where its rook's pawn promotes, bishops on squares of opposite
colours. A search that takes them for won gives away what could have been won to get there. How much each is
worth follows, roundly, the results of the engine's games against itself, but for what is known to be won; see
the README here.
"""

from __future__ import annotations

from bot.engine.attacks import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, bit
from bot.engine.bits import DARK, FILE_A, FILE_H, LIGHT, rank
from bot.engine.intrinsics import lsb, popcount
from bot.engine.jit import INT64, UINT64, Bits, U, compiled
from bot.engine.state import STATE_T, State

#: All of an evaluation.
WHOLE = 64
#: With more men on the board nothing is looked up: evaluations hold.
MOST_MEN = 14
#: What pieces count here, and how much more a side without pawns needs.
_MINOR, _ROOK, _QUEEN = 3, 5, 9
_NEEDED = _MINOR + 1
#: King's moves from the corner that a rook's pawn goes to.
_NEAR = 3

_NOTHING, _LITTLE, _SOME, _MOST = 0, 8, 28, 48
#: With nothing but bishops of opposite colours: for each pawn of the stronger side, less so many.
_EACH_PAWN, _FEWER = 10, 6


@compiled(INT64(STATE_T, INT64), inline=True)
def _pieces(S: State, colour: int) -> int:
    """What a side has besides pawns."""
    men = S.men[colour]
    return (
        _MINOR * popcount(men[KNIGHT] | men[BISHOP])
        + _ROOK * popcount(men[ROOK])
        + _QUEEN * popcount(men[QUEEN])
    )


@compiled(UINT64(UINT64), inline=True)
def _of_like_colour(squares: Bits) -> Bits:
    """All squares of the colour of these, which are not empty and of one colour."""
    return DARK if squares & DARK else LIGHT


@compiled(INT64(STATE_T, INT64, INT64, INT64), inline=True)
def _without_pawns(S: State, strong: int, pieces: int, others: int) -> int:
    """Where a side has no pawns to promote."""
    knights, bishops = S.men[strong, KNIGHT], S.men[strong, BISHOP]
    if pieces <= _MINOR or (pieces == 2 * _MINOR and popcount(knights) == 2):
        return _NOTHING
    both = bishops & DARK != U(0) and bishops & LIGHT != U(0)
    if pieces == _MINOR * popcount(bishops) and not both:
        return _NOTHING
    if pieces - others >= _NEEDED:
        return WHOLE
    theirs = S.men[1 - strong, KNIGHT]
    if pieces == 2 * _MINOR and others == _MINOR and both and theirs:
        return WHOLE  # two bishops against a knight
    if pieces == _QUEEN and others == 2 * _MINOR and popcount(theirs) < 2:
        return WHOLE  # a queen against two minor pieces, but for knights
    return _LITTLE


@compiled(INT64(STATE_T, INT64, INT64, INT64), inline=True)
def _with_rooks_pawns(S: State, strong: int, pieces: int, others: int) -> int:
    """Where all pawns of a side are on the same outer file."""
    pawns, weak = S.men[strong, PAWN], 1 - strong
    corner = (0 if pawns & FILE_A else 7) + 56 * strong
    apart = S.attacks.distance[corner, lsb(S.men[weak, KING])]
    bishops, knights = S.men[strong, BISHOP], S.men[strong, KNIGHT]
    alone = S.men[weak, PAWN] == U(0)
    if pieces == _MINOR * popcount(bishops) and bishops & _of_like_colour(bit(corner)) == U(0):
        if others == _MINOR and bishops and apart <= _NEAR:
            return _LITTLE
        if others == 0 and apart <= 1:
            return _NOTHING if alone else _LITTLE
        if others == 0 and apart == 2 and bishops:
            return _LITTLE
    on_the_seventh = alone and popcount(pawns) == 1 and pawns & rank(6, strong)
    if apart <= 1 and others == 0 and pieces == _MINOR and knights and on_the_seventh:
        return _NOTHING
    if apart <= 1 and pieces == others == _ROOK:
        return 2 * _LITTLE
    return WHOLE


@compiled(INT64(STATE_T, INT64))
def winnable(S: State, strong: int) -> int:
    """How much of an evaluation in favour of `strong` holds, of WHOLE."""
    if popcount(S.occupied) > MOST_MEN:
        return WHOLE
    weak = 1 - strong
    pieces, others = _pieces(S, strong), _pieces(S, weak)
    pawns = S.men[strong, PAWN]
    if pawns == U(0):
        return _without_pawns(S, strong, pieces, others)
    count = popcount(pawns)
    if pieces == _MINOR and others == _MINOR:
        bishops, theirs = S.men[strong, BISHOP], S.men[weak, BISHOP]
        if bishops and theirs and bishops & _of_like_colour(theirs) == U(0):
            return min(WHOLE, count * _EACH_PAWN - _FEWER)
    if pawns & ~FILE_A == U(0) or pawns & ~FILE_H == U(0):
        whole = _with_rooks_pawns(S, strong, pieces, others)
        if whole < WHOLE:
            return whole
    if count == 1 and pieces == others:
        if pieces == _MINOR:
            return _SOME
        if pieces == _ROOK:
            return _MOST
    return WHOLE
