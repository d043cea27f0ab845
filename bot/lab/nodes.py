"""`knightshift lab nodes`: what an alpha-beta window saves, and a faulty update of it does not.

The fault is that of an agent for another game: in the branch of the minimising player `if beta <= best: beta
= best` can only raise beta, so the window never narrows there, and closes only at a win. Measured on its own
game at depth 3 it visited 92 to 100 % of the nodes of plain minimax, where the textbook's update visits some
18 %. All find the same score; the command fails where they do not.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import asdict, dataclass

import chess
from rich.console import Console
from rich.table import Table

from bot.evaluation import evaluate
from bot.lab.openings import draw_openings
from bot.lab.stats.intervals import Interval, geometric_mean
from bot.search.leaf import Evaluate
from bot.search.line import position_key
from bot.search.ordering import Ordering
from bot.search.plain import Order, Plain, Window, by_uci

#: So many random plies after an opening, at most: from the opening to the endgame.
MOST_PLIES = 80


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to search. `ordered`: captures first, the best ones before the others."""

    name: str
    window: Window
    ordered: bool = False


VARIANTS = (
    Variant("plain minimax", "none"),
    Variant("faulty window", "faulty"),
    Variant("textbook window", "textbook"),
    Variant("textbook, ordered", "textbook", ordered=True),
)


@dataclass(frozen=True, slots=True)
class Sample:
    """One position at one depth (plies): root score (centipawns, White's view) and nodes of each variant."""

    fen: str
    depth: int
    scores: tuple[int, ...]
    nodes: tuple[int, ...]

    @property
    def agrees(self) -> bool:
        return len(set(self.scores)) == 1


@dataclass(frozen=True, slots=True)
class Row:
    """One variant at one depth, over all positions: `share` of the nodes of plain minimax."""

    depth: int
    variant: str
    nodes: int
    share: Interval


def positions(count: int, seed: int) -> Iterator[chess.Board]:
    """`count` positions in which there is a choice: random play after openings drawn by lot."""
    rng = random.Random(seed)
    while count:
        board = chess.Board(draw_openings(1, rng)[0])
        for _ in range(rng.randrange(MOST_PLIES)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if board.legal_moves.count() > 1 and board.outcome(claim_draw=True) is None:
            count -= 1
            yield chess.Board(board.fen())


def measure(board: chess.Board, depth: int, evaluation: Evaluate = evaluate) -> Sample:
    """Search `board` in every way; what one evaluates the others need not evaluate again."""
    remembered = _remembering(evaluation)
    scores, nodes = [], []
    for variant in VARIANTS:
        order = _captures_first(board) if variant.ordered else by_uci
        search = Plain(board, remembered, window=variant.window, order=order)
        _, score = search.best(depth, order(board, 0))
        scores.append(score)
        nodes.append(search.nodes)
    return Sample(board.fen(), depth, tuple(scores), tuple(nodes))


def summary(samples: Sequence[Sample], rng: random.Random) -> list[Row]:
    """A row for each depth and variant."""
    return [
        Row(
            depth,
            variant.name,
            sum(sample.nodes[index] for sample in of_depth),
            geometric_mean([sample.nodes[index] / sample.nodes[0] for sample in of_depth], rng),
        )
        for depth in sorted({sample.depth for sample in samples})
        for of_depth in [[sample for sample in samples if sample.depth == depth]]
        for index, variant in enumerate(VARIANTS)
    ]


def run_nodes(
    *,
    count: int,
    depths: Sequence[int],
    seed: int,
    as_json: bool,
    console: Console,
    progress: Callable[[str], None],
) -> int:
    """Measure and print; returns 0, or 1 when any two searches of the same position disagree."""
    samples: list[Sample] = []
    for number, board in enumerate(positions(count, seed), start=1):
        progress(f"position {number} of {count}")
        samples += [measure(board, depth) for depth in depths]
    rows = summary(samples, random.Random(seed))
    wrong = [sample for sample in samples if not sample.agrees]
    if as_json:
        found = {
            "positions": count,
            "seed": seed,
            "searches": len(samples) * len(VARIANTS),
            "disagreements": [asdict(sample) for sample in wrong],
            "rows": [asdict(row) for row in rows],
        }
        console.print(json.dumps(found), soft_wrap=True, highlight=False, markup=False)
    else:
        console.print(_table(rows, count, seed))
        searches = f"{len(samples) * len(VARIANTS)} searches"
        if not wrong:
            console.print(
                f"{searches}, and the same root score by all four in each position.", highlight=False
            )
        for sample in wrong:
            console.print(f"[red]root scores {sample.scores} at depth {sample.depth} in {sample.fen}[/]")
    return 1 if wrong else 0


def _table(rows: Sequence[Row], count: int, seed: int) -> Table:
    table = Table(title=f"Nodes visited, {count} positions, seed {seed}")
    table.add_column("depth", justify="right")
    table.add_column("search")
    for name in ("nodes", "of plain minimax", "95 % interval"):
        table.add_column(name, justify="right")
    before = None
    for row in rows:
        if before is not None and row.depth != before:
            table.add_section()
        before = row.depth
        table.add_row(
            str(row.depth),
            row.variant,
            f"{row.nodes:,}",
            f"{row.share.value:.1%}",
            f"{row.share.low:.1%} to {row.share.high:.1%}",
        )
    return table


def _captures_first(root: chess.Board) -> Order:
    ordering = Ordering(root)
    return lambda board, ply: ordering.moves(board, None, ply)


def _remembering(evaluation: Evaluate) -> Evaluate:
    known: dict[Hashable, int] = {}

    def remembered(board: chess.Board) -> int:
        key = position_key(board)
        if key not in known:
            known[key] = evaluation(board)
        return known[key]

    return remembered
