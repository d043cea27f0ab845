"""`knightshift lab lineup`: the rows of all variants that were measured; adds those of a finished run."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bot.errors import UserError
from bot.lab.append_only import folder_locked
from bot.lab.audit import audit, ends_of
from bot.lab.files import replace_file
from bot.lab.journal import FILE_NAME
from bot.lab.lineup import LineupRow, Strength, added, as_text, read_lineup, rows_of
from bot.lab.openings import SHIPPED, all_openings
from bot.lab.reading import read_run
from bot.lab.records import PairRecord
from bot.lab.registration import read_registration
from bot.lab.report.write import REGISTRATION_NAME, standings_of
from bot.lab.standings import Standings
from bot.lab.stats.elo import Estimate
from bot.lab.verdict import judge

NAME = "lineup.jsonl"


def shipped() -> Path:
    """The line-up that comes with the project."""
    return Path(str(resources.files("bot.lab").joinpath(NAME)))


def run_show(path: Path | None, *, console: Console) -> int:
    """Print all rows; returns 0. Raises UserError for a line-up that was changed."""
    rows = _read(path or shipped())
    if not rows:
        console.print(
            "The line-up is empty: `knightshift lab lineup add DIR` adds the players of a finished run."
        )
        return 0
    console.print(_table(rows))
    for number, (run, row) in enumerate(_runs(rows).items(), start=1):
        console.print(
            f"{number}: {row.date}, {_commit(row.commit)}, {row.conditions}; {len(row.field)} "
            f"players, run {run}",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
    return 0


def run_add(
    folder: Path, path: Path | None, *, anchor: str | None, uncommitted: bool, console: Console
) -> int:
    """Append a row for each player of the finished run in `folder`; returns 0.

    Raises UserError for a run that is not finished, is there already, was played by code that is in no commit
    (unless `uncommitted`), or has games that cannot be.
    """
    target = path or shipped()
    contents = read_run(folder / FILE_NAME)
    header, records = contents.header, contents.in_schedule_order
    found = standings_of(header, records, anchor=anchor)
    if found.finished < found.planned and not _decided(folder, records):
        raise UserError(
            f"{folder}: {found.planned - found.finished} of {found.planned} pairs are not played yet"
        )
    fresh = rows_of(header, found.anchor, strengths(found))
    if not uncommitted and not all(row.committed for row in fresh):
        raise UserError(
            f"{folder}: it was played by code of {_commit(header.commit)}, which nobody can have again: "
            "commit first, and play it then; or --uncommitted, and the rows say so"
        )
    faults = audit(
        header,
        records,
        openings=all_openings() if header.opening_source == SHIPPED else (),
        ends=ends_of(header),
        sample=(),
        replay=None,
    ).faults
    if faults:
        raise UserError(f"{folder}: {faults[0]} (`knightshift lab audit` says more)")
    with folder_locked(target.parent):
        rows = _read(target)
        new = added(rows, fresh)
        replace_file(target, [as_text((*rows, *new))], durable=True)
    console.print(_table(new))
    console.print(f"{len(new)} rows added to {target}", highlight=False, markup=False, soft_wrap=True)
    return 0


def _decided(folder: Path, records: Sequence[PairRecord]) -> bool:
    """Whether a registered test has ended before all of its pairs were played, as a sequential one does."""
    registration = folder / REGISTRATION_NAME
    return registration.is_file() and judge(read_registration(registration).test, records).complete


def strengths(found: Standings) -> list[Strength]:
    """Of all players, the strongest first."""
    return [
        Strength(
            player=row.player,
            rating=row.rating.value,
            low=row.rating.low,
            high=row.rating.high,
            games=0 if row.showing is None else row.showing.games.games,
            cost_ms=row.cost.total_ms / row.cost.moves if row.cost.moves else None,
        )
        for row in found.ranked
    ]


def _read(path: Path) -> tuple[LineupRow, ...]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        if path == shipped():
            raise UserError(f"line-up {path}: it is missing") from None
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"line-up {path}: cannot be read: {error}") from error
    return read_lineup(text, f"line-up {path}")


def _commit(commit: str | None) -> str:
    if commit is None:
        return "no known commit"
    bare = commit.removesuffix("-dirty")
    return f"commit {bare}" if bare == commit else f"commit {bare} and changes that are in none"


def _runs(rows: Sequence[LineupRow]) -> dict[str, LineupRow]:
    """A row of each run, in the order in which they were added."""
    found: dict[str, LineupRow] = {}
    for row in rows:
        found.setdefault(row.run, row)
    return found


def _table(rows: Sequence[LineupRow]) -> Table:
    table = Table(title="Line-up")
    table.add_column("variant", overflow="fold")
    for name in ("Elo (95 % interval)", "above", "games", "ms a move", "run"):
        table.add_column(name, justify="right")
    runs = list(_runs(rows))
    for row in rows:
        rating = "0" if row.variant == row.anchor else str(Estimate(row.rating, row.low, row.high))
        cost = "" if row.cost_ms is None else f"{row.cost_ms:.1f}"
        table.add_row(row.variant, rating, row.anchor, str(row.games), cost, str(runs.index(row.run) + 1))
    return table
