"""The numbers of the search that only games can set: margins, reductions, bonuses. By name, with bounds.

They are data in the engine's record, so that a player can be given others (`compiled:set=...`) and
`knightshift lab tune` can look for better ones. A unit "1024ths" is of a ply.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Tunable:
    """A whole number from `least` to `most`; a change of less than `step` is hardly felt in games."""

    name: str
    value: int
    least: int
    most: int
    step: int
    means: str


TUNABLES = (
    Tunable("reverse_futility", 79, 30, 160, 8, "centipawns a ply that must be above beta to give up a node"),
    Tunable("razoring_base", 80, 0, 400, 25, "centipawns below alpha at which only captures are tried ..."),
    Tunable("razoring_slope", 207, 80, 400, 20, "... and so many more for each ply"),
    Tunable("null_static", 111, 0, 300, 20, "centipawns over beta to pass, less null_slope for each ply"),
    Tunable("null_slope", 20, 5, 40, 3, "see null_static"),
    Tunable("null_gain", 202, 80, 400, 20, "centipawns over beta for one ply less after passing"),
    Tunable("probcut", 191, 60, 320, 18, "centipawns over beta that a capture must reach"),
    Tunable("probcut_improving", 54, 0, 120, 10, "less so many where the position gets better"),
    Tunable("singular", 30, 8, 80, 6, "sixteenths of a centipawn a ply that all others must be worse"),
    Tunable("singular_double", 21, 0, 80, 5, "centipawns worse for a second ply"),
    Tunable("late_moves", 6, 2, 12, 1, "moves that are tried at least before quiet ones are left out"),
    Tunable("futility_base", 108, 20, 250, 14, "centipawns that a quiet move may gain ..."),
    Tunable("futility_slope", 90, 40, 180, 9, "... and for each ply"),
    Tunable("futility_history", 8, 0, 24, 2, "... and for each 1024 of its history"),
    Tunable("history_pruning", 1654, 300, 8000, 300, "history below zero a ply to leave a quiet move out"),
    Tunable("exchange_noisy", 101, 40, 200, 10, "centipawns a ply that a capture may lose"),
    Tunable("exchange_quiet", 23, 8, 60, 4, "centipawns a ply squared that a quiet move may lose"),
    Tunable("reduction_base", 1181, 0, 2400, 100, "1024ths that a late move is searched less, at least ..."),
    Tunable("reduction_slope", 449, 250, 800, 25, "... and for the product of both logarithms"),
    Tunable("reduction_cut", 909, 0, 3072, 160, "1024ths less where a cut is expected"),
    Tunable("reduction_worse", 992, 0, 2048, 130, "1024ths less where the position gets no better"),
    Tunable("reduction_line", 943, 0, 2048, 130, "1024ths more in the principal variation"),
    Tunable("reduction_killer", 1033, 0, 2048, 130, "1024ths more for a killer"),
    Tunable("reduction_history", 128, 40, 300, 16, "1024ths more for each 1024 of history"),
    Tunable("deeper", 63, 20, 200, 12, "centipawns that a reduced move must be better to be searched deeper"),
    Tunable("delta", 212, 50, 400, 20, "centipawns that a capture may gain beyond what it takes"),
    Tunable("check_plies", 2, 0, 6, 1, "plies of quiescence in which quiet moves that give check are tried"),
    Tunable("bonus_slope", 158, 60, 400, 20, "history for a ply of depth ..."),
    Tunable("bonus_most", 1591, 600, 3000, 120, "... at most"),
    Tunable(
        "malus_slope", 144, 60, 500, 25, "history that what was tried before loses for a ply of depth ..."
    ),
    Tunable("malus_most", 1622, 400, 3000, 120, "... at most"),
    Tunable("correction_pawns", 243, 0, 512, 24, "256ths of what pawns have been found to miss"),
    Tunable(
        "correction_pieces", 138, 0, 512, 24, "256ths of what each side's pieces have been found to miss"
    ),
)
_BY_NAME = {tunable.name: tunable for tunable in TUNABLES}
_SIGN, _AND = "=", "+"

#: All of them, as the record has them.
TUNABLES_DTYPE = np.dtype([(tunable.name, np.int64) for tunable in TUNABLES], align=True)
#: Depths and numbers of moves that reductions are kept for.
REDUCTION_SIZE = 64


def parse(text: str) -> dict[str, int]:
    """The values of "name=value+name=value". Raises ValueError, saying what is allowed."""
    values: dict[str, int] = {}
    for part in text.split(_AND) if text else ():
        name, sign, number = part.partition(_SIGN)
        if name not in _BY_NAME:
            raise ValueError(f"unknown name {name!r}; there are: {', '.join(_BY_NAME)}")
        tunable = _BY_NAME[name]
        allowed = f"a whole number from {tunable.least} to {tunable.most}"
        if not sign or not number.isascii() or not number.isdecimal():
            raise ValueError(f"{part!r}: {name} is {allowed}")
        if not tunable.least <= int(number) <= tunable.most:
            raise ValueError(f"{name} is {int(number)}; it must be {allowed}")
        if name in values:
            raise ValueError(f"{name} is given twice")
        values[name] = int(number)
    return values


def spell(values: Mapping[str, int]) -> str:
    """What `parse` reads as these values; those that are as they always are, are left out."""
    return _AND.join(
        f"{name}{_SIGN}{value}" for name, value in values.items() if value != _BY_NAME[name].value
    )


def fill(record: Any, values: Mapping[str, int]) -> None:
    """Write all of them to a record of TUNABLES_DTYPE: these values, and the others as they always are."""
    for tunable in TUNABLES:
        record[tunable.name] = values.get(tunable.name, tunable.value)


def reductions(record: Any) -> npt.NDArray[np.int64]:
    """1024ths that a move is searched less, by depth and number: more with either, in ever smaller steps."""
    logarithms = np.log(np.maximum(np.arange(REDUCTION_SIZE), 1))
    return np.floor(
        record["reduction_base"] + np.outer(logarithms, logarithms) * record["reduction_slope"]
    ).astype(np.int64)
