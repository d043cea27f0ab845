"""`knightshift lab train`: from folders of positions to a network, its card and its plot."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from rich.console import Console

from bot.engine.network import HIDDEN, NetworkFileError, find, read
from bot.engine.network import Network as Loaded
from bot.errors import UserError
from bot.lab.exit_codes import INTERRUPTED
from bot.learning.card import card, data_of
from bot.learning.data_set import read_data_set
from bot.learning.loss_plot import loss_plot
from bot.learning.network import checksum, evaluate_quantised, to_bytes
from bot.learning.network_folder import CARD, PLOT, WEIGHTS, NetworkFolder, network_folder
from bot.learning.parameters import count
from bot.learning.positions import WIN
from bot.learning.quantise import error_of, floats_of, quantised
from bot.learning.settings import WIDTHS, Settings
from bot.learning.spread import USUAL, correction, fitting, scaled
from bot.learning.train import Trained, loss_of, shares, train
from bot.learning.train_progress import TrainingProgress
from bot.timing.clock import SystemClock

#: The most that a file of weights takes of the disk for each parameter, in bytes.
BYTES_A_PARAMETER = 4


def run_train(
    folders: Sequence[Path],
    settings: Settings,
    *,
    out: Path,
    go_on_from: str | None = None,
    threads: int,
    console: Console,
    stderr: TextIO | None = None,
) -> int:
    """Train, and write what came of it into `out`; returns the exit code: 0, or 130 after Ctrl-C (what there
    is after a whole epoch is written all the same). `go_on_from`: a network to begin with, as `network.find`
    finds it. Raises UserError, also where nothing was learnt, and StorageError."""
    stderr = sys.stderr if stderr is None else stderr
    if settings.hidden % WIDTHS:
        raise UserError(f"--hidden {settings.hidden}: only multiples of {WIDTHS} are allowed")
    begin = _beginning(go_on_from, settings)
    with network_folder(out, room=BYTES_A_PARAMETER * count(settings.hidden)) as folder:
        if settings.hidden != HIDDEN:
            stderr.write(
                f"A network of {settings.hidden} units is for experiments: this engine can only load one of "
                f"{HIDDEN} (--hidden {HIDDEN}).\n"
            )
        return _train_into(folder, folders, settings, begin, threads, console, stderr)


def _beginning(name: str | None, settings: Settings) -> Loaded | None:
    """The network to begin with."""
    if name is None:
        return None
    if settings.hidden != HIDDEN:
        raise UserError(f"--from goes on with the engine's networks, of {HIDDEN} units: leave --hidden away")
    try:
        return read(find(name))
    except NetworkFileError as error:
        raise UserError(f"--from: {error}") from None


def _train_into(
    folder: NetworkFolder,
    folders: Sequence[Path],
    settings: Settings,
    begin: Loaded | None,
    threads: int,
    console: Console,
    stderr: TextIO,
) -> int:
    clock = SystemClock()

    def tell(text: str) -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    found = read_data_set(folders)
    positions, files = found.positions, found.files
    for each in found.left_out:
        tell(f"Left out: {each.path}, whose positions are those of {each.other}")
    data = data_of(files)
    tell(f"{len(positions):,} positions in {len(files)} files; {settings.hidden} units, {threads} threads")
    watch = TrainingProgress(stderr, clock, settings.epochs)
    began_at = clock.monotonic()
    try:
        trained = train(
            positions,
            settings,
            begin=None if begin is None else floats_of(begin),
            threads=threads,
            watch=watch,
        )
    except KeyboardInterrupt:
        stderr.write("Stopped before the end of the first epoch: nothing is written.\n")
        return INTERRUPTED
    finally:
        watch.done()
    seconds = clock.monotonic() - began_at
    said = evaluate_quantised(quantised(trained.parameters), trained.validation)
    foretold = shares(said, settings.spread)
    require_learnt(trained, loss_of(foretold, trained.targets, settings.power))
    spread = fitting(said, trained.validation["result"] / WIN)
    factor = correction(spread)
    network = quantised(scaled(trained.parameters, factor))
    error = error_of(evaluate_quantised(network, trained.validation), trained.outputs * factor)
    content = to_bytes(network)
    sha256 = checksum(content)
    text = card(
        data=data,
        settings=settings,
        trained=trained,
        network=network,
        error=error,
        spread=spread,
        factor=factor,
        sha256=sha256,
        seconds=seconds,
        begun_from=None if begin is None else begin.digest,
    )
    folder.write(content, text, loss_plot(trained.epochs, trained.best))
    best = trained.best
    if trained.begin_loss is not None:
        tell(f"At the beginning: validation loss {trained.begin_loss:.6f}")
    tell(
        f"Best: epoch {best.number} of {len(trained.epochs)}, validation loss {best.validation_loss:.6f}, "
        f"mean error {best.error:.1f} cp"
    )
    tell(
        "Not scaled: the results of so few positions, or of these, do not say what a centipawn is"
        if spread is None
        else f"Not scaled: {spread:.0f} cp foretell 73 % of a point, which is too far from {USUAL:.0f}"
        if factor == 1.0
        else f"Then scaled by {factor:.3f}: {USUAL:.0f} cp foretell 73 % of a point, and {spread:.0f} did"
    )
    tell(
        f"Quantisation: mean error {error.mean:.2f} cp, at most {error.max:.1f} cp "
        f"in {error.positions:,} positions"
    )
    tell(f"Network {sha256[:8]}: {folder.path / WEIGHTS}, {folder.path / CARD}, {folder.path / PLOT}")
    return INTERRUPTED if trained.interrupted else 0


def require_learnt(trained: Trained, loss: float) -> None:
    """`loss`: of the integers, in validation. Raises UserError where it, or the floats', is not below that of
    always saying the mean."""
    worst = max(trained.best.validation_loss, loss)
    if not worst < trained.constant_loss:
        raise UserError(
            f"nothing was learnt, and nothing is written: the validation loss is {worst:.6f}, and always "
            f"saying the mean loses {trained.constant_loss:.6f}; try a lower --rate, a lower --decay, more "
            "epochs, or more positions"
        )
    if trained.begin_loss is not None and not worst < trained.begin_loss:
        raise UserError(
            f"nothing was learnt, and nothing is written: the validation loss is {worst:.6f}, and was "
            f"{trained.begin_loss:.6f} at the beginning; try a lower --rate"
        )
