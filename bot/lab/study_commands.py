"""The verbs under `knightshift lab` that judge: register, run, report, lineup, audit, worker."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from bot.lab.exit_codes import IN_WORDS, JudgingCommand


class Scales(StrEnum):
    """What the bounds of a sequential test are in."""

    LOGISTIC = "logistic"
    NORMALIZED = "normalized"


Out = Annotated[
    Path | None, typer.Option(help="Folder of the run; one that holds the same run is gone on with.")
]
Concurrency = Annotated[int | None, typer.Option(min=1, help="Pairs at once. Default: one for each core.")]
Cluster = Annotated[
    str | None, typer.Option(help="tcp://HOST:PORT of a Dask scheduler; its workers play, not this machine.")
]
Openings = Annotated[Path | None, typer.Option(help="EPD or PGN, instead of those that ship.")]
Anchor = Annotated[str | None, typer.Option(help="The player whose rating is 0.")]
LineupFile = Annotated[Path | None, typer.Option("--file", help="Another line-up than the one that ships.")]

lineup_app = typer.Typer(help="The row of every variant that was ever measured.")


def add_to(app: typer.Typer) -> None:
    """Make them verbs of `app`."""
    app.command()(register)
    app.command(cls=JudgingCommand, epilog=IN_WORDS)(run)
    app.command()(report)
    app.command(cls=JudgingCommand, epilog=IN_WORDS)(audit)
    app.command()(worker)
    app.add_typer(lineup_app, name="lineup")


def register(
    file: Annotated[Path, typer.Argument(help="To be written; it must not exist.")],
    players: Annotated[
        tuple[str, str], typer.Option(help="The candidate, and the one it is to beat; named as for `match`.")
    ],
    *,
    pairs: Annotated[
        int | None, typer.Option(min=2, help="A sample of so many pairs; or else --sprt.")
    ] = None,
    alpha: Annotated[
        float, typer.Option(min=0.0001, max=0.4, help="With --pairs: the risk of accepting what is not so.")
    ] = 0.05,
    effect: Annotated[
        float, typer.Option(min=0, help="With --pairs: the least Elo difference that would matter.")
    ] = 0.0,
    sprt: Annotated[
        str | None, typer.Option(help="ELO0,ELO1[,ALPHA[,BETA]]: a sequential test, such as 0,50.")
    ] = None,
    scale: Annotated[Scales, typer.Option(help="Of the bounds of --sprt.")] = Scales.LOGISTIC,
    max_pairs: Annotated[int, typer.Option(min=2, help="With --sprt: it ends here at the latest.")] = 1000,
    hypothesis: Annotated[str | None, typer.Option(help="In words. Default: CANDIDATE beats OTHER.")] = None,
    replaces: Annotated[
        Path | None, typer.Option(help="An earlier registration of the same comparison.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the openings and all chance in the games.")] = 1,
    openings: Openings = None,
    clock: Annotated[
        str | None, typer.Option(help="SECONDS+INCREMENT, for players without a budget.")
    ] = None,
    movetime: Annotated[int | None, typer.Option(min=1, help="Milliseconds a move, for the same.")] = None,
    stall: Annotated[float, typer.Option(min=1, help="Seconds after which a move is overdue.")] = 120.0,
    max_plies: Annotated[int, typer.Option(min=1, help="After so many plies a game is drawn.")] = 400,
    draws: Annotated[
        float, typer.Option(min=0, max=0.95, help="Expected share of draws; only the plan needs it.")
    ] = 0.3,
    ms_per_move: Annotated[
        float | None, typer.Option(min=0.01, help="For the plan: instead of playing a pair to see.")
    ] = None,
    concurrency: Concurrency = None,
) -> None:
    """Write down what is claimed and how it is tested, before the first game; says what that can show."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.errors import UserError  # noqa: PLC0415
    from bot.lab.foresight import PLIES  # noqa: PLC0415
    from bot.lab.plan import RunOptions  # noqa: PLC0415
    from bot.lab.play_command import cores  # noqa: PLC0415
    from bot.lab.register_command import parse_sprt, run_register  # noqa: PLC0415
    from bot.lab.registration import SprtTest, Test, fixed_test  # noqa: PLC0415

    if (pairs is None) is (sprt is None):
        raise UserError("say either --pairs N or --sprt ELO0,ELO1: one of them, and not both")
    test: Test
    if sprt is not None:
        test = SprtTest(
            parse_sprt(sprt, "normalized" if scale is Scales.NORMALIZED else "logistic"), max_pairs
        )
    else:
        try:
            test = fixed_test(pairs or 0, alpha, effect)
        except ValueError as error:
            raise UserError(f"--pairs {pairs}: {error}") from error
    options = RunOptions(
        players=players,
        mode="match",
        pairs=test.most_pairs,
        seed=seed,
        openings=None if openings is None else str(openings),
        clock=clock,
        movetime_ms=movetime,
        stall_s=stall,
        max_plies=max_plies,
        search_path=(str(Path.cwd()),),
    )
    code = run_register(
        file,
        options,
        test,
        hypothesis=hypothesis,
        replaces=replaces,
        draws=draws,
        pair_ms=None if ms_per_move is None else ms_per_move * 2 * PLIES,
        concurrency=concurrency or cores(),
        console=Console(),
    )
    raise typer.Exit(code)


def run(
    file: Annotated[Path, typer.Argument(help="What `lab register` wrote.")],
    *,
    out: Out = None,
    concurrency: Concurrency = None,
    cluster: Cluster = None,
) -> None:
    """Play what was registered. Exit code: 0 accepted, 1 rejected, 2 inconclusive, 3 invalid."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.lab.run_command import run_registered  # noqa: PLC0415

    code = run_registered(
        file,
        out=out,
        concurrency=concurrency,
        cluster=cluster,
        search_path=(str(Path.cwd()),),
        console=Console(),
    )
    raise typer.Exit(code)


def report(
    folder: Annotated[Path, typer.Argument(help="Of a run, with its journal.")],
    *,
    anchor: Anchor = None,
) -> None:
    """Write report.html, standings.json and standings.csv anew from a run's journal."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.lab.report_command import run_report  # noqa: PLC0415

    raise typer.Exit(run_report(folder, anchor=anchor, console=Console()))


def audit(
    journal: Annotated[Path, typer.Argument(help="A journal, or the folder of a run.")],
    *,
    share: Annotated[float, typer.Option(help="Of its pairs, to be played again; one at least.")] = 0.01,
    seed: Annotated[int, typer.Option(min=0, help="Which ones.")] = 1,
    openings: Openings = None,
) -> None:
    """Look for what should not be in a journal; play a sample of its pairs, and those with faults, again.

    Exit code: 0 all of it is as it should be, 1 something is not, 2 nothing wrong was found, but not all
    could be checked.
    """
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.lab.audit_command import run_audit  # noqa: PLC0415

    code = run_audit(
        journal,
        share=share,
        seed=seed,
        openings=openings,
        search_path=(str(Path.cwd()),),
        console=Console(),
    )
    raise typer.Exit(code)


def worker(
    address: Annotated[str, typer.Argument(help="tcp://HOST:PORT of the Dask scheduler.")],
    *,
    processes: Annotated[int | None, typer.Option(min=1, help="Pairs at once. Default: the cores.")] = None,
) -> None:
    """Play pairs for a run on another machine, until told to stop. Needs the extra `cluster`."""
    from bot.lab.cluster import serve  # noqa: PLC0415  loaded with its verb
    from bot.lab.play_command import cores  # noqa: PLC0415

    serve(address, processes or cores())


@lineup_app.callback(invoke_without_command=True)
def _lineup(context: typer.Context, file: LineupFile = None) -> None:
    """Show the line-up: every variant that was ever measured, and how."""
    if context.invoked_subcommand is not None:
        return
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.lab.lineup_command import run_show  # noqa: PLC0415

    raise typer.Exit(run_show(file, console=Console()))


@lineup_app.command()
def add(
    folder: Annotated[Path, typer.Argument(help="Of a finished run.")],
    *,
    file: LineupFile = None,
    anchor: Anchor = None,
    uncommitted: Annotated[
        bool, typer.Option("--uncommitted", help="Also of code that is in no commit; the rows say so.")
    ] = False,
) -> None:
    """Append a row for each player of a finished run; rows that are there are never changed."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.lab.lineup_command import run_add  # noqa: PLC0415

    raise typer.Exit(run_add(folder, file, anchor=anchor, uncommitted=uncommitted, console=Console()))
