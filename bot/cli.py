"""The command line. Each verb imports what it needs when it is called: a short command starts quickly.

Exit codes: 0 done as asked, 1 failed, 2 bad configuration or command line, 3 not allowed by Lichess.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bot import __version__
from bot.bench.commands import app as bench_app
from bot.errors import BenchError, UserError
from bot.lab.commands import app as lab_app

app = typer.Typer(
    name="knightshift",
    help="Runs a Lichess bot account: accepts challenges, asks a strategy for moves, plays them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # a traceback with local variables could show the token
)
app.add_typer(bench_app, name="bench")
app.add_typer(lab_app, name="lab")

ConfigOption = Annotated[
    Path, typer.Option("--config", "-c", help="The configuration file; see config.yml.example.")
]


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    if version:
        typer.echo(f"knightshift {__version__}")
        raise typer.Exit


@app.command()
def demo(
    games: Annotated[int, typer.Option(min=1, help="How many games; colours alternate.")] = 2,
    strategy: Annotated[str, typer.Option(help="Who plays for the bot.")] = "compiled:movetime=100",
    opponent: Annotated[str, typer.Option(help="Who plays for the challenger.")] = "random",
    seed: Annotated[int, typer.Option(help="Repeats a demo exactly.")] = 1,
    pace: Annotated[float, typer.Option(min=0.0, help="Seconds to look at each move in a terminal.")] = 0.15,
) -> None:
    """Play whole games on this machine: a local Lichess, the bot, and a challenger. Needs no account."""
    from bot.demo import run_demo  # noqa: PLC0415  loaded with its verb

    raise typer.Exit(run_demo(games=games, strategy=strategy, opponent=opponent, seed=seed, pace_s=pace))


@app.command()
def run(
    config: ConfigOption = Path("config.yml"),
    upgrade: Annotated[
        bool, typer.Option(help="Turn the account into a BOT account first. Cannot be undone; asks before.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --upgrade: do not ask.")] = False,
) -> None:
    """Serve the account until told to stop (Ctrl-C or SIGTERM; twice: at once)."""
    for number in (signal.SIGINT, signal.SIGTERM):  # until the service listens to them itself
        signal.signal(number, lambda *_: sys.exit(0))
    from bot.app import run as serve  # noqa: PLC0415  loaded with its verb
    from bot.config import load  # noqa: PLC0415
    from bot.preflight import UPGRADE_MEANING  # noqa: PLC0415

    def confirm(username: str) -> bool:
        typer.echo(UPGRADE_MEANING, err=True)
        return yes or typer.confirm(f"Make {username} a BOT account for ever?", err=True)

    raise typer.Exit(serve(load(config, os.environ), upgrade=upgrade, confirm=confirm))


@app.command()
def check(
    config: ConfigOption = Path("config.yml"),
    offline: Annotated[bool, typer.Option("--offline", help="Leave out what needs the network.")] = False,
) -> None:
    """Test configuration, strategy, network, token and account, and say how to mend what is wrong."""
    from bot.check import run_checks  # noqa: PLC0415  loaded with its verb

    raise typer.Exit(run_checks(config, os.environ, offline=offline))


@app.command()
def move(
    fen: Annotated[str, typer.Argument(help="A FEN, `startpos`, or `-`: FENs from standard input.")],
    strategy: Annotated[
        str, typer.Option("--strategy", "-s", help="A name, module:name, or script.py; NAME:OPTION=VALUE,...")
    ] = "select_move",
    variant: Annotated[str, typer.Option(help="The variant, as Lichess names it.")] = "standard",
) -> None:
    """Print the move that a strategy plays in a position, in UCI."""
    from bot.move_command import run_move  # noqa: PLC0415  loaded with its verb

    if isinstance(sys.stdin, io.TextIOWrapper):  # a line that is no text is rubbish like any other
        sys.stdin.reconfigure(errors="backslashreplace")
    raise typer.Exit(run_move(fen, strategy, variant, stdin=sys.stdin, stdout=sys.stdout, stderr=sys.stderr))


@app.command()
def explain(  # noqa: PLR0917  options are parameters
    fen: Annotated[str, typer.Argument(help="A FEN in quotes, or `startpos`.")],
    variant: Annotated[str, typer.Option(help="The variant, as Lichess names it.")] = "standard",
    every_term: Annotated[
        bool, typer.Option("--all", help="Also the terms that are nothing to either side.")
    ] = False,
    lines: Annotated[int, typer.Option(min=0, max=50, help="Of the engine's best lines; 0: none.")] = 3,
    time_ms: Annotated[
        int | None, typer.Option(min=1, help="Milliseconds for these; 1000 where no depth is given.")
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, max=100, help="Plies for these.")] = None,
) -> None:
    """Print a position, what each term of the evaluation makes of it, and what the engine expects."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.explain import run_explain  # noqa: PLC0415
    from bot.explain_lines import show_lines, wanted  # noqa: PLC0415
    from bot.timing.clock import SystemClock  # noqa: PLC0415

    console = Console()
    look_ahead = partial(
        show_lines,
        asked=wanted(lines, time_ms=time_ms, depth=depth),
        console=console,
        errors=Console(stderr=True),
        clock=SystemClock(),
    )
    raise typer.Exit(
        run_explain(
            fen, variant, console=console, every_term=every_term, look_ahead=look_ahead if lines else None
        )
    )


@app.command()
def warm(
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but what goes wrong.")] = False,
) -> None:
    """Compile the engine ahead of its first use. Exit code 1: it cannot be had, and `classical` plays."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.timing.clock import SystemClock  # noqa: PLC0415
    from bot.warm_command import run_warm  # noqa: PLC0415

    raise typer.Exit(run_warm(Console(), SystemClock(), quiet=quiet))


@app.command()
def uci() -> None:
    """Speak UCI with a chess program on standard input and output: the compiled engine."""
    from bot.uci.session import run_uci  # noqa: PLC0415  loaded with its verb

    raise typer.Exit(run_uci(sys.stdin, sys.stdout, sys.stderr))


@app.command()
def strategies() -> None:
    """List the strategies that ship with Knightshift."""
    from bot.strategies import registry  # noqa: PLC0415  loaded with its verb

    for name in registry.names():
        typer.echo(f"{name:<18} {registry.describe(name)}")


@app.command()
def local(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1; 0: any free one.")] = 8080,
    games: Annotated[
        int, typer.Option(min=0, help="Let the guest challenge the bot so often, and play at random.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Repeats the guest's moves.")] = 0,
) -> None:
    """Run a Lichess on this machine, to try the bot against without an account."""
    from bot.local_lichess import serve  # noqa: PLC0415  loaded with its verb

    try:
        serve(say=typer.echo, port=port, random_games=games, seed=seed)
    except OSError as error:
        raise UserError(f"port {port} cannot be used: {error.strerror}; try another with --port") from error


def main() -> None:
    """The console script. A UserError is printed as it is; nothing of it is a traceback."""
    # SIGTERM unwinds the stack, so that what a verb has started ends with it. `run` has its own ways.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        app()
    except UserError as error:
        typer.echo(str(error), err=True)
        sys.exit(2)
    except BenchError as error:
        typer.echo(str(error), err=True)
        sys.exit(1)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EPIPE):
            sys.stdout = None  # nothing more can be written; Python would try at its end
        elif error.filename is None:
            raise
        what = "the output cannot be written" if error.filename is None else str(error.filename)
        typer.echo(f"{what}: {error.strerror}", err=True)
        sys.exit(1)
