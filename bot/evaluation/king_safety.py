"""King safety: the pawns before the king, the files beside it, and the enemies around it."""

from __future__ import annotations

import chess

from bot.evaluation.bits import beside, files, forward
from bot.evaluation.facts import Facts
from bot.evaluation.family import NOTHING, Family, times
from bot.evaluation.weights import Pair


def score(facts: Facts, color: chess.Color) -> tuple[Pair, ...]:
    """The king of `color`; nothing for a side without one.

    - pawn shield: for each own pawn right in front of the king or diagonally in front of it. A king on its
      last rank has no rank in front, and so no shield.
    - open files: for each of the king's file and its neighbours with no pawn of either side.
    - under attack: the king's zone is its square, the squares around it and the three squares two ranks in
      front. Every enemy knight, bishop, rook and queen adds its `king_attack_units` for each square of the
      zone that it attacks. If two or more of them attack the zone: minus the square of the sum over
      `king_attack_divisor`, rounded down, and never more than `king_attack_limit`.
    - enemies near (tropism): for each enemy knight, bishop, rook and queen, its weight times 7 - d, where d
      is its distance from the king in king's moves.
    """
    king = facts.king[color]
    if king is None:
        return _NO_KING
    weights = facts.weights
    square = chess.BB_SQUARES[king]
    front = forward(square | beside(square), color)
    pawns = facts.board.pawns
    around = chess.BB_KING_ATTACKS[king]
    zone = square | around | forward(front, color)
    nearby = square | beside(square)
    open_files = files(nearby) & ~files(pawns)
    units = attackers = 0
    tropism_middlegame = tropism_endgame = 0
    distances = _DISTANCE[king]
    for piece_type, pieces in facts.attacks[not color].items():
        if not pieces:
            continue
        unit = weights.king_attack_units[piece_type]
        closeness = 0
        for place, attacks in pieces:
            closeness += 7 - distances[place]
            if hits := (attacks & zone).bit_count():
                attackers += 1
                units += unit * hits
        middlegame, endgame = weights.tropism[piece_type]
        tropism_middlegame += closeness * middlegame
        tropism_endgame += closeness * endgame
    return (
        times((front & facts.pawns[color]).bit_count(), weights.shield_pawn),
        times(open_files.bit_count(), weights.open_file_near_king),
        _attack(units, weights.king_attack_divisor, weights.king_attack_limit) if attackers >= 2 else NOTHING,
        (tropism_middlegame, tropism_endgame),
    )


def _attack(units: int, divisor: Pair, limit: Pair) -> Pair:
    power = units * units
    return -min(power // divisor[0], limit[0]), -min(power // divisor[1], limit[1])


#: In king's moves, between any two squares.
_DISTANCE = tuple(tuple(chess.square_distance(a, b) for b in chess.SQUARES) for a in chess.SQUARES)

FAMILY = Family("king safety", ("pawn shield", "open files", "under attack", "enemies near"), score)
_NO_KING = (NOTHING,) * len(FAMILY.terms)
