"""`knightshift lab lineup`: the rows of all variants that were measured; adds those of a finished run."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bot.errors import UserError
from bot.lab.journal import FILE_NAME, read_journal
from bot.lab.lineup import LineupRow, Strength, added, as_lines, read_lineup, rows_of
from bot.lab.report.write import standings_of
from bot.lab.standings import Standings
from bot.lab.stats.elo import Estimate

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
            f"{number}: {row.date}, commit {row.commit or 'unknown'}, {row.conditions}; {len(row.field)} "
            f"players, run {run}",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
    return 0


def run_add(folder: Path, path: Path | None, *, anchor: str | None, console: Console) -> int:
    """Append a row for each player of the finished run in `folder`; returns 0.

    Raises UserError for a run that is not finished, is there already, or has no rating for anybody.
    """
    target = path or shipped()
    rows = _read(target)
    contents = read_journal(folder / FILE_NAME)
    found = standings_of(contents.header, contents.in_schedule_order, anchor=anchor)
    if found.finished < found.planned:
        raise UserError(
            f"{folder}: {found.planned - found.finished} of {found.planned} pairs are not played yet"
        )
    new = added(rows, rows_of(found.header, found.anchor, strengths(found)))
    with target.open("a", encoding="utf-8") as file:
        file.write(as_lines(new))
    console.print(_table(new))
    console.print(f"{len(new)} rows added to {target}", highlight=False, markup=False, soft_wrap=True)
    return 0


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
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"line-up {path}: cannot be read: {error}") from error
    return read_lineup(text, f"line-up {path}")


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
