"""Tactical patterns: what one man does to others. All are read off the attacks on the board as it stands."""

from __future__ import annotations

import chess

from bot.evaluation.bits import DIAGONALS, FILE_AND_RANK, backward, squares
from bot.evaluation.facts import Facts
from bot.evaluation.family import NOTHING, Family, times
from bot.evaluation.weights import Pair


def score(facts: Facts, color: chess.Color) -> tuple[Pair, ...]:
    """The patterns that `color` has made, or fallen into.

    - pins made: for each enemy knight, bishop, rook and queen that stands alone between its king and an own
      bishop, rook or queen which could otherwise attack the king.
    - forks made: for each own pawn that attacks two enemy pieces (kings included), and each own knight,
      bishop and rook, not attacked by an enemy pawn, that attacks two or more enemies worth more than
      itself: rook, queen and king for a knight or bishop, queen and king for a rook. A forking man that
      a piece or king could take is not asked whether it is defended: it may count as hanging as well.
    - hanging pieces: for each own knight, bishop, rook and queen that an enemy attacks and no own man
      defends.
    - hit by pawns: for each own knight, bishop, rook and queen that an enemy pawn attacks.
    - batteries: for each two own men in line with nothing between them: rooks and queens on a file, bishops
      and queens on a diagonal.
    """
    weights = facts.weights
    enemy = not color
    pieces = facts.own[color] & ~facts.board.pawns & ~facts.board.kings
    hanging = pieces & facts.attacked[enemy] & ~facts.attacked[color]
    by_pawn = pieces & facts.pawn_attacks[enemy]
    king = facts.king[enemy]
    return (
        NOTHING if king is None else times(_pins(facts, color, king), weights.pin),
        times(_forks(facts, color), weights.fork),
        times(hanging.bit_count(), weights.hanging_piece),
        times(by_pawn.bit_count(), weights.piece_attacked_by_pawn),
        times(_batteries(facts, color), weights.battery),
    )


def _pins(facts: Facts, color: chess.Color, king: chess.Square) -> int:
    queens = facts.queens[color]
    pinners = DIAGONALS[king] & (facts.bishops[color] | queens) | FILE_AND_RANK[king] & (
        facts.rooks[color] | queens
    )
    count = 0
    for pinner in squares(pinners):
        between = chess.between(king, pinner) & facts.occupied
        if between.bit_count() == 1 and between & facts.own[not color] & ~facts.board.pawns:
            count += 1
    return count


def _forks(facts: Facts, color: chess.Color) -> int:
    board = facts.board
    enemies = facts.own[not color]
    pieces = enemies & ~board.pawns
    one_back = backward(pieces, color)
    left = (one_back & ~chess.BB_FILE_H) << 1
    right = (one_back & ~chess.BB_FILE_A) >> 1
    count = (left & right & facts.pawns[color]).bit_count()
    big = enemies & (board.queens | board.kings)
    safe = ~facts.pawn_attacks[not color]
    attacks = facts.attacks[color]
    for piece_type, targets in (
        (chess.KNIGHT, big | enemies & board.rooks),
        (chess.BISHOP, big | enemies & board.rooks),
        (chess.ROOK, big),
    ):
        for square, attacked in attacks[piece_type]:
            hit = attacked & targets
            if hit & (hit - 1) and safe >> square & 1:
                count += 1
    return count


def _batteries(facts: Facts, color: chess.Color) -> int:
    queens = facts.queens[color]
    straight, slanting = facts.rooks[color] | queens, facts.bishops[color] | queens
    attacks = facts.attacks[color]
    seen = 0  # each pair is seen from both its ends
    for square, attacked in attacks[chess.ROOK]:
        seen += (attacked & straight & chess.BB_FILES[square & 7]).bit_count()
    for square, attacked in attacks[chess.BISHOP]:
        seen += (attacked & slanting & DIAGONALS[square]).bit_count()
    for square, attacked in attacks[chess.QUEEN]:
        seen += (attacked & straight & chess.BB_FILES[square & 7]).bit_count()
        seen += (attacked & slanting & DIAGONALS[square]).bit_count()
    return seen // 2


FAMILY = Family("tactics", ("pins made", "forks made", "hanging pieces", "hit by pawns", "batteries"), score)
