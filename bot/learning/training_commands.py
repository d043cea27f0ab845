"""The verbs under `knightshift lab` that learn from positions: train, fit. They import what they need when
called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.learning.naming import FoldersArgument
from bot.learning.settings import DEFAULTS, FIT_DEFAULTS, FitSettings, Settings

MixOption = Annotated[
    float,
    typer.Option(
        "--lambda", min=0, max=1, help="Weight of the score in the target; the game's result has the rest."
    ),
]
SpreadOption = Annotated[
    float, typer.Option(min=10, max=10_000, help="Centipawns that foretell 73 % of a point (logistic curve).")
]


def add_to(app: typer.Typer) -> None:
    """Make them verbs of `app`."""
    app.command()(train)
    app.command()(fit)


def train(
    folders: FoldersArgument,
    *,
    out: Annotated[Path, typer.Option(help="Folder for the weights, their card and the plot of losses.")],
    hidden: Annotated[
        int,
        typer.Option(min=8, max=1024, help="Units of an accumulator, a multiple of 8; the engine loads 128."),
    ] = DEFAULTS.hidden,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the positions, at most.")] = DEFAULTS.epochs,
    seed: Annotated[
        int, typer.Option(min=0, help="Of the first weights, the order, and what is held out.")
    ] = DEFAULTS.seed,
    mix: MixOption = DEFAULTS.mix,
    spread: SpreadOption = DEFAULTS.spread,
    batch: Annotated[int, typer.Option(min=1, help="Positions a step.")] = DEFAULTS.batch,
    go_on_from: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="A network to begin with: one that ships, by name, or a file. It may know the held-out "
            "games. Default: by lot.",
        ),
    ] = None,
    rate: Annotated[
        float, typer.Option(min=1e-7, max=1, help="Of learning, at the beginning; it falls as a cosine.")
    ] = DEFAULTS.rate,
    last_rate: Annotated[
        float, typer.Option(min=0, max=1, help="Of learning, at the end of all epochs.")
    ] = DEFAULTS.last_rate,
    decay: Annotated[
        float, typer.Option(min=0, max=10, help="Of weights, times the rate, a step.")
    ] = DEFAULTS.decay,
    power: Annotated[float, typer.Option(min=1, max=4, help="Of the miss, in the loss.")] = DEFAULTS.power,
    validation: Annotated[
        float,
        typer.Option(min=0.001, max=0.5, help="Share of the positions, in whole games; 500,000 at most."),
    ] = DEFAULTS.validation,
    patience: Annotated[
        int, typer.Option(min=1, help="So many epochs without a better one end it.")
    ] = DEFAULTS.patience,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Default: one for each core. The network is the same.")
    ] = None,
) -> None:
    """Train a network on positions; keep the epoch that foretells unseen games best. Ctrl-C keeps it, too."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.lab.play_command import cores  # noqa: PLC0415
    from bot.learning.train_command import run_train  # noqa: PLC0415

    settings = Settings(
        hidden=hidden,
        epochs=epochs,
        batch=batch,
        rate=rate,
        last_rate=last_rate,
        decay=decay,
        mix=mix,
        spread=spread,
        power=power,
        validation=validation,
        patience=patience,
        seed=seed,
    )
    raise typer.Exit(
        run_train(
            folders,
            settings,
            out=out,
            go_on_from=go_on_from,
            threads=threads or cores(),
            console=Console(),
        )
    )


def fit(
    folders: FoldersArgument,
    *,
    out: Annotated[Path, typer.Option(help="File for the weights (JSON); there must be none yet.")],
    positions: Annotated[
        int, typer.Option(min=1, max=10_000_000, help="About so many are taken, evenly.")
    ] = 1_500_000,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the positions.")] = FIT_DEFAULTS.epochs,
    seed: Annotated[
        int, typer.Option(min=0, help="Of the order, of what is held out, and of games.")
    ] = FIT_DEFAULTS.seed,
    mix: MixOption = FIT_DEFAULTS.mix,
    spread: SpreadOption = FIT_DEFAULTS.spread,
    pairs: Annotated[
        int, typer.Option(min=0, max=100_000, help="Of games against the weights there are, at the end.")
    ] = 100,
    nodes: Annotated[
        int, typer.Option(min=1, max=10**9, help="Of a search in these: no iteration is begun after so many.")
    ] = 8000,
    processes: Annotated[
        int | None, typer.Option(min=1, help="That play these. Default: one for each core.")
    ] = None,
) -> None:
    """Fit the numbers of the evaluation that is written by hand, and play with them against those that there
    are. What the course gives a number for keeps it."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.lab.play_command import cores  # noqa: PLC0415
    from bot.learning.fit_command import run_fit  # noqa: PLC0415

    code = run_fit(
        folders,
        FitSettings(epochs=epochs, mix=mix, spread=spread, seed=seed),
        out=out,
        most=positions,
        pairs=pairs,
        nodes=nodes,
        processes=processes or cores(),
        console=Console(),
    )
    raise typer.Exit(code)
