"""`knightshift bench techniques`: what each technique of the compiled search is worth, in games.

The search with all techniques plays the search without one of them, from the same starts and with the same
nodes a move. Nodes are not time: a technique that makes a node dearer is worth less than it seems here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from bot.bench.progress import progress
from bot.engine.features import ALL, without
from bot.lab.stats.counts import Pentanomial
from bot.lab.stats.elo import Estimate, elo
from bot.learning.tuning_pairs import Pair, Terms, pair_crew
from bot.timing.clock import SystemClock
from bot.warming import COMPILED, warm_for


@dataclass(frozen=True, slots=True)
class Worth:
    """What the search scored with the technique against itself without."""

    name: str
    pairs: Pentanomial

    @property
    def elo(self) -> Estimate:
        return elo(self.pairs)


def run_techniques(
    names: Sequence[str], terms: Terms, *, pairs: int, processes: int, as_json: bool, console: Console
) -> int:
    """Play `pairs` pairs for each technique, and print what each is worth; returns the exit code."""
    warm_for([COMPILED], Console(stderr=True), SystemClock())
    found = measure(names, terms, pairs=pairs, processes=processes)
    if as_json:
        lines = [
            {
                "technique": each.name,
                "pairs": each.pairs.counts,
                "elo": each.elo.value,
                "low": each.elo.low,
                "high": each.elo.high,
            }
            for each in found
        ]
        body = json.dumps({"bench": "techniques", "nodes": terms.nodes, "seed": terms.seed, "worth": lines})
        console.print(body, soft_wrap=True, highlight=False)
    else:
        console.print(table_of(found, terms))
    return 0


def measure(names: Sequence[str], terms: Terms, *, pairs: int, processes: int) -> list[Worth]:
    """In the order of `names`. Every technique is tried from the same starts."""
    points: dict[str, list[float]] = {name: [] for name in names}
    total = pairs * len(names)
    with (
        progress("pairs", total) as show,
        pair_crew(terms, min(processes, total), kept="nothing is kept: begin again") as crew,
    ):
        for number in range(total):  # all techniques advance alike
            start, which = divmod(number, len(names))
            lacking = without([names[which]])
            crew.give(Pair(number, {}, {}, start=start, features=(ALL, lacking)))
        done = 0
        for played in crew.work():
            if played is not None:
                points[names[played.number % len(names)]].append(sum(played.points) / 2)
                done += 1
                show(done)
    return [Worth(name, Pentanomial.of(found)) for name, found in points.items()]


def table_of(found: Sequence[Worth], terms: Terms) -> Table:
    """The dearest first."""
    games = found[0].pairs.games if found else 0
    table = Table(
        title=f"With a technique against without: {games} games each, {terms.nodes:,} nodes a move",
        caption="pairs: lost both · lost and drawn · even · won and drawn · won both",
    )
    for column in ("technique", "Elo (95 %)", "score", "pairs"):
        table.add_column(column, justify="left" if column == "technique" else "right")
    for each in sorted(found, key=lambda each: -each.pairs.score):
        proven = each.elo.low is not None and each.elo.low > 0
        harmful = each.elo.high is not None and each.elo.high < 0
        counts = " ".join(str(count) for count in each.pairs.counts)
        style = "green" if proven else "red" if harmful else ""
        table.add_row(each.name, str(each.elo), f"{100 * each.pairs.score:.1f} %", counts, style=style)
    return table
