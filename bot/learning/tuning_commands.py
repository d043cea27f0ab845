"""The verb under `knightshift lab` that tunes the search: tune. It imports what it needs when called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.learning.naming import NetworkOption


def add_to(app: typer.Typer) -> None:
    """Make it a verb of `app`."""
    app.command()(tune)


def tune(
    *,
    out: Annotated[Path, typer.Option(help="Folder of the tuning; one that holds the same is gone on with.")],
    pairs: Annotated[
        int, typer.Option(min=1, max=10_000_000, help="Of games, in all; steps get smaller up to the last.")
    ],
    nodes: Annotated[
        int, typer.Option(min=1, max=10**9, help="Of a search: no iteration is begun after so many.")
    ] = 5000,
    seed: Annotated[int, typer.Option(min=0, help="Of starts, and of what is moved which way.")] = 1,
    processes: Annotated[
        int | None, typer.Option(min=1, help="At once. Default: one for each core. The result is the same.")
    ] = None,
    network: NetworkOption = None,
    only: Annotated[
        str | None, typer.Option(help="Parameters to tune, with commas between. Default: all.")
    ] = None,
    batch: Annotated[int, typer.Option(min=1, max=10_000, help="Pairs between the same two settings.")] = 4,
    start: Annotated[
        str, typer.Option(help="Where to begin, as NAME=VALUE+NAME=VALUE; what is not named, as usual.")
    ] = "",
    rate: Annotated[
        float, typer.Option(min=1e-6, max=1, help="Steps that one game moves a parameter at the end.")
    ] = 0.002,
) -> None:
    """Tune numbers of the engine's search (SPSA): games between settings on either side of them show the way.
    Ctrl-C ends it and shows what there is; the same command goes on."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.lab.play_command import cores  # noqa: PLC0415
    from bot.learning.tune_command import Order, run_tune  # noqa: PLC0415

    order = Order.of(
        pairs=pairs, batch=batch, seed=seed, rate=rate, nodes=nodes, network=network, only=only, start=start
    )
    raise typer.Exit(run_tune(order, out, processes=processes or cores(), console=Console()))
