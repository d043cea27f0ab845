"""The line-up: a row for every variant that was ever measured, and none of them is ever changed. Pure.

Its head says how many rows there are and what the last one's hash is; each row holds the hash of the one
before it and its own. So a row that was edited, moved, taken out, or cut off at the end is noticed. Whoever
writes all of it anew, hashes and head included, is not: that shows only against a copy that lies elsewhere,
such as the project's history. A variant that is changed, or measured under other conditions, is a new row.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from bot.errors import UserError
from bot.lab.json_fields import Fields, RecordError
from bot.lab.records import RunHeader
from bot.lab.registration import sha256_of

#: What the first row holds in place of a hash.
BEGINNING = "0" * 16


@dataclass(frozen=True, slots=True)
class Strength:
    """What a run says of one player: Elo over the anchor with its 95 % interval (None: no such number), its
    games, and the median cost of its moves in milliseconds."""

    player: str
    rating: float | None
    low: float | None
    high: float | None
    games: int
    cost_ms: float | None


@dataclass(frozen=True, slots=True)
class LineupRow:
    """One variant in one run. `rating`, `low` and `high` are Elo over `anchor`, whose own rating is 0.

    `field`: who took part. `conditions`: how it was played, in words. `run`: the hash of the journal's
    header.
    """

    variant: str
    rating: float | None
    low: float | None
    high: float | None
    anchor: str
    games: int
    cost_ms: float | None
    date: str
    version: str
    commit: str | None
    code: str
    conditions: str
    field: tuple[str, ...]
    run: str
    previous: str = BEGINNING
    hash: str = ""

    @property
    def committed(self) -> bool:
        """Whether its code can be had again: it was that of a commit, and nothing else."""
        return self.commit is not None and not self.commit.endswith("-dirty")

    @property
    def seal(self) -> str:
        """What `hash` must be."""
        return sha256_of({name: value for name, value in self.to_json().items() if name != "hash"})[:16]

    def to_json(self) -> dict[str, object]:
        return dataclasses.asdict(self) | {"field": list(self.field)}

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Raises RecordError."""
        fields = Fields(value, "row", cls)
        return cls(
            variant=fields.text("variant"),
            rating=_number(fields, "rating"),
            low=_number(fields, "low"),
            high=_number(fields, "high"),
            anchor=fields.text("anchor"),
            games=fields.whole("games", least=0),
            cost_ms=_number(fields, "cost_ms"),
            date=fields.text("date"),
            version=fields.text("version"),
            commit=fields.text_or_none("commit"),
            code=fields.text("code"),
            conditions=fields.text("conditions"),
            field=tuple(fields.texts("field")),
            run=fields.text("run"),
            previous=fields.text("previous"),
            hash=fields.text("hash"),
        )


@dataclass(frozen=True, slots=True)
class Head:
    """The first line: how many `rows` follow, and the hash of the `last` of them."""

    rows: int
    last: str

    @classmethod
    def of(cls, rows: Sequence[LineupRow]) -> Self:
        return cls(len(rows), rows[-1].hash if rows else BEGINNING)

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Raises RecordError."""
        found = value.get("lineup") if isinstance(value, dict) and len(value) == 1 else None
        if found is None:
            raise RecordError('the head is missing: a line-up begins with {"lineup": ...}')
        fields = Fields(found, "lineup", cls)
        return cls(fields.whole("rows"), fields.text("last"))


def read_lineup(text: str, where: str) -> tuple[LineupRow, ...]:
    """The rows of a line-up, one JSON object a line behind its head; `where` names it in messages.

    Raises UserError, with the line, for one that is not as it was written.
    """
    head: Head | None = None
    rows: list[LineupRow] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            if head is None:
                head = Head.from_json(json.loads(line))
                continue
            row = LineupRow.from_json(json.loads(line))
        except (ValueError, RecordError, RecursionError) as error:
            raise UserError(f"{where}:{number}: {error}") from error
        if row.previous != (rows[-1].hash if rows else BEGINNING):
            raise UserError(f"{where}:{number}: a row before {row.variant!r} was changed, moved or taken out")
        if row.hash != row.seal:
            raise UserError(
                f"{where}:{number}: the row of {row.variant!r} was changed; a changed variant is a new row"
            )
        rows.append(row)
    if head is None:
        raise UserError(f"{where}: it is empty, and not even its head is left")
    if head != Head.of(rows):
        raise UserError(
            f"{where}: it was cut or added to: its head tells of {head.rows} rows up to {head.last}, and "
            f"there are {len(rows)} up to {Head.of(rows).last}"
        )
    return tuple(rows)


def rows_of(header: RunHeader, anchor: str, strengths: Iterable[Strength]) -> tuple[LineupRow, ...]:
    """The rows of a finished run, not chained yet. A rating that is not a number of Elo is left out, not made
    up."""
    run = sha256_of(header.to_json())[:16]
    conditions = (
        f"{header.mode}, {header.pairs} pairs a pairing, seed {header.seed}; budget {header.budget}; "
        f"openings {header.opening_source} ({header.openings_hash}); {header.adjudication}"
    )
    return tuple(
        LineupRow(
            variant=strength.player,
            rating=_rounded(strength.rating),
            low=_rounded(strength.low),
            high=_rounded(strength.high),
            anchor=anchor,
            games=strength.games,
            cost_ms=None if strength.cost_ms is None else round(strength.cost_ms, 3),
            date=header.created[:10],
            version=header.version,
            commit=header.commit,
            code=header.code,
            conditions=conditions,
            field=header.players,
            run=run,
        )
        for strength in strengths
    )


def added(rows: Sequence[LineupRow], new: Iterable[LineupRow]) -> tuple[LineupRow, ...]:
    """`new`, chained to `rows`. Raises UserError for a row that is there already: it would not say more."""
    there = {(row.run, row.variant) for row in rows}
    last = rows[-1].hash if rows else BEGINNING
    chained = []
    for row in new:
        if (row.run, row.variant) in there:
            raise UserError(f"the line-up has {row.variant!r} of this run already (run {row.run})")
        there.add((row.run, row.variant))
        linked = replace(row, previous=last)
        last = linked.seal
        chained.append(replace(linked, hash=last))
    return tuple(chained)


def as_text(rows: Sequence[LineupRow]) -> str:
    """The file."""
    lines: list[dict[str, object]] = [{"lineup": dataclasses.asdict(Head.of(rows))}]
    lines += [row.to_json() for row in rows]
    return "".join(f"{json.dumps(line, ensure_ascii=False, allow_nan=False)}\n" for line in lines)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def _number(fields: Fields, name: str) -> float | None:
    value = fields.any(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RecordError(f"row.{name} must be a number or null, found {value!r}")
    return float(value)
