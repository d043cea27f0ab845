"""`knightshift lab train`: from folders of positions to a network, its card and its plot."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from rich.console import Console

from bot.errors import UserError
from bot.lab.files import replace_file, storing
from bot.learning.card import card, data_of
from bot.learning.loss_plot import loss_plot
from bot.learning.network import checksum, to_bytes
from bot.learning.positions import read_positions
from bot.learning.quantise import error_of, quantised
from bot.learning.settings import Settings
from bot.learning.train import train
from bot.learning.train_progress import TrainingProgress
from bot.timing.clock import SystemClock

#: What is written: weights, card, losses.
WEIGHTS, CARD, PLOT = "network.npz", "network.json", "network.svg"
#: As shells have it for a process that Ctrl-C ended.
EXIT_INTERRUPTED = 130


def run_train(
    folders: Sequence[Path],
    settings: Settings,
    *,
    out: Path,
    threads: int,
    console: Console,
    stderr: TextIO | None = None,
) -> int:
    """Train, and write what came of it into `out`; returns the exit code: 0, or 130 after Ctrl-C (what there
    is after a whole epoch is written all the same). Raises UserError and StorageError."""
    stderr = sys.stderr if stderr is None else stderr
    if (out / WEIGHTS).exists():
        raise UserError(
            f"{out / WEIGHTS} is there already: choose another folder with --out, or move it away"
        )
    with storing(out):
        out.mkdir(parents=True, exist_ok=True)
    clock = SystemClock()

    def tell(text: str) -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    positions = read_positions(folders)
    data = data_of(folders)
    files = sum(len(each["files"]) for each in data)
    tell(f"{len(positions):,} positions in {files} files; {settings.hidden} units, {threads} threads")
    watch = TrainingProgress(stderr, clock, settings.epochs)
    began_at = clock.monotonic()
    try:
        trained = train(positions, settings, threads=threads, watch=watch)
    except KeyboardInterrupt:
        stderr.write("Stopped before the end of the first epoch: nothing is written.\n")
        return EXIT_INTERRUPTED
    finally:
        watch.done()
    seconds = clock.monotonic() - began_at
    network = quantised(trained.parameters)
    error = error_of(network, trained.validation, trained.outputs)
    content = to_bytes(network)
    sha256 = checksum(content)
    text = card(
        data=data,
        settings=settings,
        trained=trained,
        network=network,
        error=error,
        sha256=sha256,
        seconds=seconds,
    )
    replace_file(out / CARD, [text])
    replace_file(out / PLOT, [loss_plot(trained.epochs, trained.best)])
    with storing(out / WEIGHTS):
        (out / WEIGHTS).write_bytes(content)
    best = trained.best
    tell(
        f"Best: epoch {best.number} of {len(trained.epochs)}, validation loss {best.validation_loss:.6f}, "
        f"mean error {best.error:.1f} cp"
    )
    tell(
        f"Quantisation: mean error {error.mean:.2f} cp, at most {error.max:.1f} cp "
        f"in {error.positions:,} positions"
    )
    tell(f"Network {sha256[:8]}: {out / WEIGHTS}, {out / CARD}, {out / PLOT}")
    return EXIT_INTERRUPTED if trained.interrupted else 0
