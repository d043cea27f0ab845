"""`knightshift lab fit`: from folders of positions to weights of the hand-written evaluation."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from bot.errors import UserError
from bot.evaluation.weights_file import encoded
from bot.lab.exit_codes import INTERRUPTED
from bot.lab.files import replace_file, storing
from bot.lab.run_progress import watching
from bot.lab.stats.counts import Pentanomial
from bot.lab.stats.elo import elo
from bot.learning.data_set import read_data_set
from bot.learning.fit import Fitted, fit
from bot.learning.judge import Judge
from bot.learning.settings import FitSettings
from bot.learning.tuning_pairs import Pair, Terms, pair_crew
from bot.timing.clock import Clock, SystemClock
from bot.warming import COMPILED, warm_for


def run_fit(
    folders: Sequence[Path],
    settings: FitSettings,
    *,
    out: Path,
    most: int,
    pairs: int,
    nodes: int,
    processes: int,
    console: Console,
) -> int:
    """Fit, write the weights to `out`, and play `pairs` pairs of games with them against those that there
    are; returns the exit code: 0, or 130 after Ctrl-C. `most`: positions are taken, as far apart as can be.

    Raises UserError, also for a file that is there already, and StorageError.
    """

    def tell(text: str) -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    def tell_epoch(number: int, loss: float, held_out: float) -> None:
        sys.stderr.write(f"epoch {number:>2}: loss {loss:.6f}, validation {held_out:.6f}\n")
        sys.stderr.flush()

    clock = SystemClock()
    with storing(out):
        try:
            out.open("x").close()  # before there is anything to lose
        except FileExistsError:
            raise UserError(f"{out} is there already; choose another --out") from None
    try:
        warm_for([COMPILED], Console(file=sys.stderr), clock)
        positions = read_data_set(folders).positions
        tell(f"{min(most, len(positions)):,} of {len(positions):,} positions")
        fitted = fit(positions, settings, most=most, tell=tell_epoch)
        require_better(fitted)
        text = encoded(fitted.weights)
        replace_file(out, [text])
        tell(
            f"Validation loss {fitted.loss:.6f}, before {fitted.loss_before:.6f}, in "
            f"{fitted.validated_with:,} positions; {fitted.spread:.0f} cp foretell 73 % of a point"
        )
        tell(f"Weights: {out}")
        if pairs:
            terms = Terms(settings.seed, nodes, Judge(), text)
            played = _worth(terms, pairs, processes, clock, kept=f"the weights are in {out}")
            tell(
                f"Against those there are, {nodes:,} nodes a move: {100 * played.score:.1f} % of "
                f"{played.games} games, {elo(played)} Elo"
            )
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        return INTERRUPTED
    finally:
        with contextlib.suppress(FileNotFoundError):  # somebody has taken it away
            if not out.stat().st_size:
                out.unlink()
    return 0


def require_better(fitted: Fitted) -> None:
    """Raises UserError for weights that foretell unseen games no better than those from before."""
    if not fitted.loss < fitted.loss_before:
        raise UserError(
            f"nothing was learnt, and nothing is written: the validation loss is {fitted.loss:.6f}, and was "
            f"{fitted.loss_before:.6f} before; use more positions"
        )


def _worth(terms: Terms, pairs: int, processes: int, clock: Clock, *, kept: str) -> Pentanomial:
    points: list[float] = []
    with (
        watching(sys.stderr, total=pairs, before=0, clock=clock) as watch,
        pair_crew(terms, min(processes, pairs), kept=kept) as crew,
    ):
        watch.show(0, "loading the engine")
        for number in range(pairs):
            crew.give(Pair(number, {}, {}))
        for played in crew.work():
            if played is not None:
                points.append(sum(played.points) / 2)
                watch.show(len(points), f"{sum(points):g} : {len(points) * 2 - sum(points):g}")
    return Pentanomial.of(points)
