"""The journal of a tuning: its only state. JSON lines: a header, then one line for each iteration, in order.

A line counts once it is on the disk. What a crash tears can only be the last line, which is dropped, and its
iteration played again. Every other one must say what was played where it stands, or it is an error.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.errors import UserError
from bot.lab.append_only import append_line
from bot.lab.files import storing
from bot.lab.json_fields import Fields, RecordError, line_content, shown, within
from bot.learning.origin import engine_digest, tuner_digest
from bot.learning.spsa import Settings, Spsa
from bot.learning.tuning_pairs import RANDOM_PLIES, Terms

#: The name of the journal in the folder of a tuning.
FILE_NAME = "tuning.jsonl"
_HEADER, _ITERATION = "header", "iteration"


class TuningJournalError(UserError):
    """A journal that cannot be gone on with; the message names the file and the line."""


@dataclass(frozen=True, slots=True)
class Iteration:
    """A line. `points`: of plus, doubled: of each pair, of its game as White and of the one as Black."""

    number: int
    plus: Mapping[str, int]
    minus: Mapping[str, int]
    points: Sequence[tuple[int, int]]

    @property
    def won_more(self) -> int:
        """Games that plus has won, less those that minus has."""
        return sum(white + black - 2 for white, black in self.points)


def header_of(settings: Settings, terms: Terms, fixed: Mapping[str, int]) -> dict[str, Any]:
    """All that decides what is played. `fixed`: what both sides have other than usual, throughout."""
    return {
        "pairs": settings.pairs,
        "batch": settings.batch,
        "seed": settings.seed,
        "lag": settings.lag,
        "rate": settings.rate,
        "nodes": terms.nodes,
        "random_plies": RANDOM_PLIES,
        "network": terms.judge.name,
        "engine": engine_digest(),
        "tuner": tuner_digest(),
        "fixed": dict(fixed),
        "tunables": {
            each.name: {"start": each.value, "least": each.least, "most": each.most, "step": each.step}
            for each in settings.tunables
        },
    }


def write_iteration(path: Path, iteration: Iteration) -> None:
    """Append it; returns when it is on the disk. Raises StorageError."""
    value = {
        "number": iteration.number,
        "plus": dict(iteration.plus),
        "minus": dict(iteration.minus),
        "points": [list(points) for points in iteration.points],
    }
    append_line(path, _line(_ITERATION, value))


def begin_or_resume(path: Path, header: Mapping[str, Any], spsa: Spsa) -> None:
    """Begin a journal, or have `spsa`, which has no results yet, take those of the one that is there.

    Nobody else may be writing. Raises TuningJournalError for one of another tuning and for a damaged one, and
    StorageError.
    """
    with storing(path):
        *lines, torn = path.read_bytes().split(b"\n") if path.exists() else [b""]
    if not lines:
        begin = f'{{"{_HEADER}":'.encode()
        if not begin.startswith(torn[: len(begin)]) and torn.strip(b"\0"):
            raise TuningJournalError(f"{path}:1: this is no journal of a tuning")
        append_line(path, _line(_HEADER, header))
        return
    for number, line in enumerate(lines, start=1):
        try:
            if number == 1:
                _require_same(path, line_content(line, _HEADER), header)
            else:
                spsa.take(_iteration(line_content(line, _ITERATION), spsa).won_more)
        except RecordError as error:
            raise TuningJournalError(f"{path}:{number}: {error}") from error


def _iteration(value: object, spsa: Spsa) -> Iteration:
    """The iteration of a line, which must be the next one. Raises RecordError."""
    fields = Fields(value, _ITERATION, Iteration)
    number = spsa.iterations + 1
    if number > spsa.settings.iterations:
        raise RecordError(f"there are only {number - 1} iterations")
    found = fields.whole("number")
    if found != number:
        raise RecordError(f"iteration {number} should be here, found {found}")
    trial = spsa.trial(number)
    for name, expected in (("plus", trial.plus), ("minus", trial.minus)):
        if fields.any(name) != expected:
            raise RecordError(f"iteration.{name} is not what follows from the lines before")
    items, pairs = fields.items("points"), spsa.settings.pairs_of(number)
    if len(items) != len(pairs):
        raise RecordError(f"iteration.points must be of {len(pairs)} pairs, found {len(items)}")
    return Iteration(number, trial.plus, trial.minus, [_points(item) for item in items])


def _points(value: object) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise RecordError(f"iteration.points must be of two games a pair, found {shown(value)}")
    white, black = (within("iteration.points", points, 0, 2) for points in value)
    return white, black


def _require_same(path: Path, found: object, header: Mapping[str, Any]) -> None:
    """Raises RecordError for what is no header, and TuningJournalError for one of another tuning."""
    if not isinstance(found, dict):
        raise RecordError(f"the header must be an object, found {shown(found)}")
    then, now = _flat(found), _flat(header)
    different = ", ".join(
        f"{name} {then.get(name, 'none')} (now {now.get(name, 'none')})"
        for name in dict.fromkeys([*now, *then])
        if then.get(name) != now.get(name)
    )
    if different:
        raise TuningJournalError(f"{path} was begun with {different}; choose another --out")


def _flat(header: Mapping[str, Any]) -> dict[str, Any]:
    """With one entry for each parameter."""
    flat: dict[str, Any] = {}
    for name, value in header.items():
        if not isinstance(value, dict):
            flat[name] = value
            continue
        for parameter, its in value.items():
            shown_as = (
                ", ".join(f"{key} {each}" for key, each in its.items()) if isinstance(its, dict) else its
            )
            flat[f"{name}.{parameter}"] = f"[{shown_as}]"
    return flat


def _line(key: str, value: Mapping[str, Any]) -> str:
    return json.dumps({key: value}, separators=(",", ":"), allow_nan=False)
