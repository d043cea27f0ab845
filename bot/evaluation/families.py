"""Which families count in which variant."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import chess

from bot.evaluation import (
    bare_king,
    development,
    key_squares,
    king_safety,
    material,
    mobility,
    patterns,
    pawns,
    piece_square,
    tactics,
    variants,
)
from bot.evaluation.family import Family

CHESS = (
    material.FAMILY,
    piece_square.FAMILY,
    pawns.FAMILY,
    king_safety.FAMILY,
    mobility.FAMILY,
    key_squares.FAMILY,
    development.FAMILY,
    tactics.FAMILY,
    patterns.FAMILY,
)
#: For rules under which most of what chess knows would mislead.
BASIC = (material.FAMILY, mobility.FAMILY)
_ANTICHESS = (variants.ANTICHESS, mobility.FAMILY)

#: By python-chess's `uci_variant`.
FAMILIES: Mapping[str, tuple[Family, ...]] = MappingProxyType(
    {
        "chess": (*CHESS, bare_king.FAMILY),
        "crazyhouse": (*CHESS, variants.POCKET),
        "3check": (*CHESS, bare_king.FAMILY, variants.CHECKS),
        "kingofthehill": (*CHESS, variants.HILL),
        # Exchanges blow up what stands around: defence and attack mean something else.
        "atomic": (
            material.FAMILY,
            piece_square.FAMILY,
            pawns.FAMILY,
            mobility.FAMILY,
            development.FAMILY,
        ),
        # A wall of pawns is neither isolated nor doubled.
        "horde": (material.FAMILY, piece_square.FAMILY, king_safety.FAMILY, mobility.FAMILY),
        "racingkings": (*BASIC, variants.RACE),
        "antichess": _ANTICHESS,
        "giveaway": _ANTICHESS,
        "suicide": _ANTICHESS,
    }
)


def families_of(board: chess.Board) -> tuple[Family, ...]:
    """The families for the variant of `board`; for one that is not known here, material and mobility."""
    return FAMILIES.get(board.uci_variant or "", BASIC)
