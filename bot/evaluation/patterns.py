"""Strategic patterns: good and bad places that a piece-square table cannot know."""

from __future__ import annotations

import chess

from bot.evaluation.bits import RANK, forward, whole_files
from bot.evaluation.facts import Facts
from bot.evaluation.family import NOTHING, Family, times
from bot.evaluation.weights import Pair

#: The files between a king and its nearer corner, by the king's file; kings on a, d, e and h shut nothing in.
_OUTER_FILES = {
    1: chess.BB_FILE_A,
    2: chess.BB_FILE_A | chess.BB_FILE_B,
    5: chess.BB_FILE_G | chess.BB_FILE_H,
    6: chess.BB_FILE_H,
}
_OUTPOST_RANKS = tuple(RANK[color][3] | RANK[color][4] | RANK[color][5] for color in chess.COLORS[::-1])
_ENEMY_HALF = tuple(
    RANK[color][4] | RANK[color][5] | RANK[color][6] | RANK[color][7] for color in chess.COLORS[::-1]
)


def score(facts: Facts, color: chess.Color) -> tuple[Pair, ...]:
    """How well the pieces of `color` stand. Ranks are counted from the owner's side.

    - knight outposts, bishop outposts: for each on the fourth to sixth rank, defended by an own pawn, on a
      square that no enemy pawn attacks or can attack by advancing.
    - rooks: open file: for each on a file with no pawns; half-open file: with enemy pawns only.
    - rooks: seventh rank: for each on the seventh rank, if the enemy king is on the eighth or an enemy pawn
      on the seventh.
    - bad bishops: for each own bishop, the number of own pawns on squares of its colour that an enemy pawn
      blocks.
    - trapped minors: for each own knight and bishop in the enemy's half with no square to go to: own men
      stand there or enemies attack it. (A bishop that took on a7 and is shut in by b6.)
    - trapped rooks: for each own rook on its first rank with an own pawn on its file, further out than its
      king, which stands on b, c, f or g of the same rank; none while the side may still castle.
    """
    weights = facts.weights
    enemy = not color
    pawns, enemy_pawns = facts.pawns[color], facts.pawns[enemy]
    outposts = _OUTPOST_RANKS[color] & facts.pawn_attacks[color] & ~facts.pawn_spans[enemy]
    rooks = facts.rooks[color]
    open_rooks = half_open_rooks = seventh = 0
    if rooks:
        without_own = rooks & ~whole_files(pawns)
        half_open_rooks = without_own & whole_files(enemy_pawns)
        open_rooks = without_own & ~half_open_rooks
        if enemy_pawns & RANK[color][6] or facts.board.kings & facts.own[enemy] & RANK[color][7]:
            seventh = rooks & RANK[color][6]
    return (
        times((facts.knights[color] & outposts).bit_count(), weights.knight_outpost),
        times((facts.bishops[color] & outposts).bit_count(), weights.bishop_outpost),
        times(open_rooks.bit_count(), weights.rook_on_open_file),
        times(half_open_rooks.bit_count(), weights.rook_on_half_open_file),
        times(seventh.bit_count(), weights.rook_on_seventh),
        times(_bad_bishop_pawns(facts, color), weights.bad_bishop_per_pawn),
        times(_trapped_minors(facts, color), weights.trapped_minor),
        times(_trapped_rooks(facts, color), weights.trapped_rook) if rooks else NOTHING,
    )


def _bad_bishop_pawns(facts: Facts, color: chess.Color) -> int:
    bishops = facts.bishops[color]
    blocked = facts.pawns[color] & forward(facts.pawns[not color], not color)
    if not bishops or not blocked:
        return 0
    return (
        (bishops & chess.BB_LIGHT_SQUARES).bit_count() * (blocked & chess.BB_LIGHT_SQUARES).bit_count()
    ) + ((bishops & chess.BB_DARK_SQUARES).bit_count() * (blocked & chess.BB_DARK_SQUARES).bit_count())


def _trapped_minors(facts: Facts, color: chess.Color) -> int:
    there = _ENEMY_HALF[color]
    if not (facts.knights[color] | facts.bishops[color]) & there:
        return 0
    free = ~(facts.own[color] | facts.attacked[not color])
    attacks = facts.attacks[color]
    return sum(
        1
        for square, attacked in attacks[chess.KNIGHT] + attacks[chess.BISHOP]
        if there >> square & 1 and not attacked & free
    )


def _trapped_rooks(facts: Facts, color: chess.Color) -> int:
    king = facts.king[color]
    home = RANK[color][0]
    if king is None or not home >> king & 1:
        return 0
    outer = _OUTER_FILES.get(king & 7, chess.BB_EMPTY)
    shut_in = facts.rooks[color] & home & outer & whole_files(facts.pawns[color])
    if not shut_in or facts.board.clean_castling_rights() & home:
        return 0
    return shut_in.bit_count()


FAMILY = Family(
    "patterns",
    (
        "knight outposts",
        "bishop outposts",
        "rooks: open file",
        "rooks: half-open file",
        "rooks: seventh rank",
        "bad bishops",
        "trapped minors",
        "trapped rooks",
    ),
    score,
)
