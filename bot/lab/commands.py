"""The verbs under `knightshift lab`. Each imports what it needs when it is called."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

app = typer.Typer(help="Experiments: seeded, repeatable, with intervals.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Experiments: seeded, repeatable, with intervals."""


@app.command()
def nodes(
    positions: Annotated[int, typer.Option(min=2, help="How many positions, by lot.")] = 30,
    depth: Annotated[int, typer.Option(min=1, max=5, help="Plies; every depth from 2 on is measured.")] = 3,
    seed: Annotated[int, typer.Option(help="Of the positions and of the intervals.")] = 2022,
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
) -> None:
    """Nodes that an alpha-beta window saves, with a fault in it and without; fails if they disagree."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.lab.nodes import run_nodes  # noqa: PLC0415
    from bot.lab.ticker import Ticker  # noqa: PLC0415

    ticker = Ticker(sys.stderr)
    depths = range(min(2, depth), depth + 1)
    try:
        code = run_nodes(
            count=positions,
            depths=depths,
            seed=seed,
            as_json=json,
            console=Console(),
            progress=ticker.say,
        )
    finally:
        ticker.done()
    raise typer.Exit(code)
