"""What is learnt from: the positions of some files, each game once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bot.learning.positions import POSITION, Positions, files_of, read_file


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file whose positions are the first ones of another, or all of them."""

    path: Path
    other: Path


@dataclass(frozen=True, eq=False, slots=True)
class DataSet:
    """`positions`: in memory, of all `files`, one after the other."""

    files: tuple[Path, ...]
    positions: Positions
    left_out: tuple[LeftOut, ...]


def read_data_set(paths: Iterable[Path]) -> DataSet:
    """These files, and those in these folders, without those that would have games learnt twice: a file that
    is named twice, a copy under any name, a shard of which there is a longer one. Raises PositionsError."""
    files = files_of(paths)
    records = [read_file(path)[1] for path in files]
    kept_by_first: defaultdict[bytes, list[int]] = defaultdict(list)
    left_out: dict[int, LeftOut] = {}
    for number in sorted(range(len(files)), key=lambda number: -len(records[number])):
        kept = kept_by_first[records[number][:1].tobytes()]
        other = next((one for one in kept if _begins_with(records[one], records[number])), None)
        if other is None:
            kept.append(number)
        elif len(records[number]):  # files of nothing do no harm
            left_out[number] = LeftOut(files[number], files[other])
    taken = [number for number in range(len(files)) if number not in left_out]
    return DataSet(
        files=tuple(files[number] for number in taken),
        positions=np.concatenate([np.empty(0, POSITION), *(records[number] for number in taken)]),
        left_out=tuple(left_out[number] for number in sorted(left_out)),
    )


def _begins_with(positions: Positions, others: Positions) -> bool:
    return positions[: len(others)].tobytes() == others.tobytes()
