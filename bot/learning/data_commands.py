"""The verbs under `knightshift lab` for data to learn from: generate, rescore, positions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.learning.naming import FoldersArgument, NetworkOption

#: Positions a file: each process has two tables for so many in memory, which then take some 600 MB.
MOST_SHARD = 10_000_000

NodesOption = Annotated[
    int, typer.Option(min=1, max=10**9, help="Of a search: no iteration is begun after so many.")
]
ProcessesOption = Annotated[int | None, typer.Option(min=1, help="At once. Default: one for each core.")]


def add_to(app: typer.Typer) -> None:
    """Make them verbs of `app`."""
    app.command()(generate)
    app.command()(rescore)
    app.command()(positions)


def generate(
    out: Annotated[Path, typer.Option(help="Folder for the files; what it holds of the same is kept.")],
    *,
    positions: Annotated[int, typer.Option(min=1, help="How many in all; games are whole, so some more.")],
    nodes: NodesOption = 500,
    seed: Annotated[int, typer.Option(min=0, help="Of all chance: the same seed makes the same files.")] = 1,
    processes: ProcessesOption = None,
    random_plies: Annotated[
        int, typer.Option(min=0, max=40, help="Before the games begin, the opening's four among them.")
    ] = 8,
    network: NetworkOption = None,
    shard: Annotated[int, typer.Option(min=1, max=MOST_SHARD, help="Positions a file.")] = 100_000,
) -> None:
    """Positions to learn from, of the engine's games against itself. Ctrl-C ends it; the same command goes
    on where it was."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.lab.play_command import cores  # noqa: PLC0415
    from bot.learning.generate_command import Order, run_generate  # noqa: PLC0415

    code = run_generate(
        Order(out, positions, shard, seed),
        nodes=nodes,
        random_plies=random_plies,
        network=network,
        processes=processes or cores(),
        console=Console(),
    )
    raise typer.Exit(code)


def rescore(
    folders: FoldersArgument,
    *,
    out: Annotated[
        Path, typer.Option(help="Another folder for the files; what it holds of the same is kept.")
    ],
    nodes: NodesOption = 5000,
    every: Annotated[int, typer.Option(min=1, help="Of so many positions one is taken.")] = 5,
    processes: ProcessesOption = None,
    network: NetworkOption = None,
) -> None:
    """Search positions again, deeper: better scores to go on learning from (`lab train --from`). Ctrl-C ends
    it; the same command goes on where it was."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.lab.play_command import cores  # noqa: PLC0415
    from bot.learning.rescore_command import run_rescore  # noqa: PLC0415

    code = run_rescore(
        folders,
        out=out,
        nodes=nodes,
        every=every,
        network=network,
        processes=processes or cores(),
        console=Console(),
    )
    raise typer.Exit(code)


def positions(
    file: Annotated[Path, typer.Argument(help="A file of positions, or a folder of such files.")],
    *,
    show: Annotated[int, typer.Option(min=0, help="How many, by lot.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="Which ones.")] = 1,
) -> None:
    """What a file of positions holds, and some of them on boards."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.learning.show_positions import run_positions  # noqa: PLC0415

    raise typer.Exit(run_positions(file, show=show, seed=seed, console=Console()))
