"""What a position is worth: `bot.evaluation.evaluate`, compiled, with the same terms and weights.

Every term is there; some are reckoned elsewhere than their family's file, where their facts are at hand.
"""

from __future__ import annotations

from bot.engine.bits import BLACK, WHITE
from bot.engine.evaluate_bare_king import bare_king
from bot.engine.evaluate_development import development
from bot.engine.evaluate_king import king_cover
from bot.engine.evaluate_material import material, pieces_left
from bot.engine.evaluate_patterns import patterns
from bot.engine.evaluate_pawns import pawns
from bot.engine.evaluate_pieces import pieces
from bot.engine.evaluate_squares import key_squares
from bot.engine.evaluate_tactics import tactics
from bot.engine.facts import look_up
from bot.engine.jit import INT64, U, compiled
from bot.engine.pair import lower, upper
from bot.engine.state import STATE_T, State

#: As in `bot.evaluation`: the phase of the opening, the material it starts with, the largest evaluation.
OPENING, FULL_MATERIAL, LIMIT = 256, 6400, 19_999


@compiled(INT64(STATE_T, INT64), inline=True)
def _side(S: State, colour: int) -> int:
    """All that one side has but its men, their places, and what `pieces` gives."""
    total = (
        material(S, colour)
        + pawns(S, colour)
        + king_cover(S, colour)
        + key_squares(S, colour)
        + development(S, colour)
        + tactics(S, colour)
        + patterns(S, colour)
    )
    others = S.own[1 - colour]
    if others & (others - U(1)) == U(0):  # their king alone
        total += bare_king(S, colour)
    return total


@compiled(INT64(STATE_T), inline=True)
def phase(S: State) -> int:
    """From OPENING with all pieces on the board down to 0 with only kings and pawns."""
    return min(pieces_left(S), FULL_MATERIAL) * OPENING // FULL_MATERIAL


@compiled(INT64(INT64, INT64), inline=True)
def tapered(pair: int, phase: int) -> int:
    """The mean of a pair's halves, weighted by `phase` of OPENING, rounded towards zero."""
    weighted = upper(pair) * phase + lower(pair) * (OPENING - phase)
    return weighted >> 8 if weighted >= 0 else -(-weighted >> 8)


@compiled(INT64(STATE_T))
def evaluate(S: State) -> int:
    """Centipawns from White's side, at most LIMIT either way. Writes nothing but `S.facts`.

    The position must not be over, must have one king a side, and `S.placed` must be right.
    """
    look_up(S)
    total = S.placed + pieces(S, WHITE) - pieces(S, BLACK)
    total += _side(S, WHITE) - _side(S, BLACK)
    return max(-LIMIT, min(LIMIT, tapered(total, phase(S))))
