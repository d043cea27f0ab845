"""The verbs under `knightshift lab`. Each imports what it needs when it is called."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from bot.lab.exit_codes import JudgingGroup
from bot.lab.study_commands import Cluster, add_to
from bot.learning import data_commands, training_commands, tuning_commands

if TYPE_CHECKING:
    from bot.lab.plan import RunOptions

app = typer.Typer(
    help="Experiments: seeded, repeatable, with intervals.", no_args_is_help=True, cls=JudgingGroup
)


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


class Field(StrEnum):
    """Who meets whom in a tournament."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"


Pairs = Annotated[int, typer.Option(min=1, help="Pairs of games of each two players: colours are swapped.")]
Seed = Annotated[int, typer.Option(min=0, help="Of the openings, their order, and all chance in the games.")]
Out = Annotated[
    Path | None,
    typer.Option(help="Folder of the run; one that holds the same run is gone on with. Default: runs/..."),
]
Openings = Annotated[Path | None, typer.Option(help="EPD or PGN to start from, instead of those that ship.")]
Clock = Annotated[
    str | None, typer.Option(help="SECONDS+INCREMENT, such as 10+0.1, for players that name no budget.")
]
MoveTime = Annotated[int | None, typer.Option(min=1, help="Milliseconds a move, for the same players.")]
Stall = Annotated[float, typer.Option(min=1, help="Seconds after which a move without a budget is overdue.")]
MaxPlies = Annotated[int, typer.Option(min=1, help="After so many plies a game is drawn.")]
Adjudicate = Annotated[
    bool, typer.Option("--adjudicate", help="End games early by scores that both players agree on.")
]
TablebaseFolder = Annotated[
    Path | None, typer.Option(exists=True, file_okay=False, help="Syzygy tables that may end a game.")
]
Concurrency = Annotated[int | None, typer.Option(min=1, help="Pairs at once. Default: one for each core.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object instead of tables.")]


@app.command()
def match(
    first: Annotated[
        str, typer.Argument(help="NAME, module:name, script.py or uci:COMMAND; options behind.")
    ],
    second: Annotated[
        str, typer.Argument(help="For instance classical:nodes=3000; movetime= in ms is for all.")
    ],
    *,
    pairs: Pairs = 30,
    seed: Seed = 1,
    out: Out = None,
    openings: Openings = None,
    clock: Clock = None,
    movetime: MoveTime = None,
    stall: Stall = 120.0,
    max_plies: MaxPlies = 400,
    adjudicate: Adjudicate = False,
    tablebase: TablebaseFolder = None,
    concurrency: Concurrency = None,
    cluster: Cluster = None,
    json: AsJson = False,
) -> None:
    """Two players against each other. Ctrl-C ends it; the same command goes on where it was."""
    from bot.lab.plan import RunOptions  # noqa: PLC0415  loaded with its verb

    options = RunOptions(
        players=(first, second),
        mode="match",
        pairs=pairs,
        seed=seed,
        openings=_text(openings),
        clock=clock,
        movetime_ms=movetime,
        stall_s=stall,
        max_plies=max_plies,
        agreed_scores=adjudicate,
        tablebase=_text(tablebase),
        search_path=(str(Path.cwd()),),
    )
    _play(options, out=out, concurrency=concurrency, cluster=cluster, as_json=json)


@app.command()
def tournament(
    players: Annotated[list[str], typer.Argument(help="Two or more, named as for `match`.")],
    *,
    mode: Annotated[
        Field, typer.Option(help="Everybody against everybody, or the first against all others.")
    ] = Field.ROUND_ROBIN,
    pairs: Pairs = 15,
    seed: Seed = 1,
    out: Out = None,
    openings: Openings = None,
    clock: Clock = None,
    movetime: MoveTime = None,
    stall: Stall = 120.0,
    max_plies: MaxPlies = 400,
    adjudicate: Adjudicate = False,
    tablebase: TablebaseFolder = None,
    concurrency: Concurrency = None,
    cluster: Cluster = None,
    json: AsJson = False,
) -> None:
    """Three players or more. Ctrl-C ends it; the same command goes on where it was."""
    from bot.lab.plan import RunOptions  # noqa: PLC0415  loaded with its verb

    options = RunOptions(
        players=tuple(players),
        mode="gauntlet" if mode is Field.GAUNTLET else "round-robin",
        pairs=pairs,
        seed=seed,
        openings=_text(openings),
        clock=clock,
        movetime_ms=movetime,
        stall_s=stall,
        max_plies=max_plies,
        agreed_scores=adjudicate,
        tablebase=_text(tablebase),
        search_path=(str(Path.cwd()),),
    )
    _play(options, out=out, concurrency=concurrency, cluster=cluster, as_json=json)


def _play(
    options: RunOptions, *, out: Path | None, concurrency: int | None, cluster: str | None, as_json: bool
) -> NoReturn:
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.lab.play_command import run_play  # noqa: PLC0415

    code = run_play(
        options,
        out=out,
        concurrency=concurrency,
        cluster=cluster,
        as_json=as_json,
        console=Console(),
    )
    raise typer.Exit(code)


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


add_to(app)
data_commands.add_to(app)
training_commands.add_to(app)
tuning_commands.add_to(app)
