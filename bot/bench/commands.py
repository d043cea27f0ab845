"""The verbs under `knightshift bench`. Each imports what it needs when it is called."""

# ruff: noqa: PLR0917  a command's options are its function's parameters

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bot.engine.most import MOST_THREADS
from bot.errors import UserError
from bot.learning.naming import NetworkOption, chosen

app = typer.Typer(help="Measure what this machine makes of it.", no_args_is_help=True)

JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")]
SeedOption = Annotated[int, typer.Option(help="Of the opponents' moves, and of all that is left to chance.")]


@app.command()
def idle(json: JsonOption = False) -> None:
    """Memory of the idle service, and how soon its event stream is open."""
    from bot.bench.idle import run_idle  # noqa: PLC0415  loaded with its verb

    raise typer.Exit(run_idle(as_json=json))


@app.command()
def latency(
    parallel: Annotated[int, typer.Option(min=1, max=100, help="Games at the same time.")] = 8,
    games: Annotated[int, typer.Option(min=1, help="Games in all.")] = 16,
    pause: Annotated[
        float, typer.Option(min=0.0, help="Milliseconds before an opponent's move, give or take a half.")
    ] = 100.0,
    seed: SeedOption = 1,
    json: JsonOption = False,
) -> None:
    """From the state that asks for a move to the arrival of our POST, with a strategy that does not think."""
    from bot.bench.latency import run_latency  # noqa: PLC0415  loaded with its verb

    raise typer.Exit(run_latency(parallel=parallel, games=games, seed=seed, pause_ms=pause, as_json=json))


@app.command()
def kill(
    rounds: Annotated[int, typer.Option(min=1, help="How often the bot is killed.")] = 30,
    parallel: Annotated[int, typer.Option(min=1, max=100, help="Games at the same time.")] = 4,
    seed: SeedOption = 1,
    json: JsonOption = False,
) -> None:
    """Kill -9 at random moments in mid-game, start again, and see every game go on."""
    from bot.bench.kill import run_kill  # noqa: PLC0415  loaded with its verb

    raise typer.Exit(run_kill(rounds=rounds, parallel=parallel, seed=seed, as_json=json))


@app.command()
def soak(
    games: Annotated[int, typer.Option(min=1, help="Games in all.")] = 200,
    parallel: Annotated[int, typer.Option(min=1, max=100, help="Games at the same time.")] = 8,
    rate: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="How likely a fault is at each request and line.")
    ] = 0.01,
    strategy_rate: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="How likely a mishap of the strategy is at each turn.")
    ] = 0.003,
    seed: SeedOption = 1,
    json: JsonOption = False,
) -> None:
    """Games in a storm of faults: nothing may be lost, and nothing left behind."""
    from bot.bench.soak import run_soak  # noqa: PLC0415  loaded with its verb
    from bot.local_lichess.storm import Storm  # noqa: PLC0415

    raise typer.Exit(
        run_soak(
            Storm(seed, rate),
            games=games,
            parallel=parallel,
            seed=seed,
            strategy_rate=strategy_rate,
            as_json=json,
        )
    )


@app.command()
def games(
    games: Annotated[int, typer.Option(min=1, help="Games in all.")] = 200,
    parallel: Annotated[
        int, typer.Option(min=1, max=100, help="Games at the same time; best, one for each core.")
    ] = 2,
    clock: Annotated[
        str, typer.Option(help="SECONDS+INCREMENT of each side, finer than Lichess has it.")
    ] = "10+0.1",
    seed: Annotated[int, typer.Option(help="Of the openings.")] = 1,
    json: JsonOption = False,
) -> None:
    """Whole games of `compiled` on a short clock: no flag falls, no move is refused, nothing steps in."""
    from bot.bench.games import run_games  # noqa: PLC0415  loaded with its verb
    from bot.lab.budgets import parse_clock  # noqa: PLC0415

    raise typer.Exit(
        run_games(games=games, parallel=parallel, clock=parse_clock(clock), seed=seed, as_json=json)
    )


@app.command()
def ladder(
    games: Annotated[int, typer.Option(min=2, help="For each rung; an even number.")] = 20,
    nodes: Annotated[
        int, typer.Option(min=1, help="Positions that `classical` looks at for a move.")
    ] = 1_000,
    seed: Annotated[int, typer.Option(help="Of the openings, and of the random player.")] = 1,
    json: JsonOption = False,
) -> None:
    """Every strategy beats the one below it: classical, select_move, greedy, random."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.bench.ladder import run_ladder  # noqa: PLC0415
    from bot.lab.ticker import Ticker  # noqa: PLC0415

    if games % 2:
        raise UserError(f"--games is {games}; each opening is played twice, so it must be even")
    ticker = Ticker(sys.stderr)
    try:
        code = run_ladder(
            games=games, nodes=nodes, seed=seed, as_json=json, console=Console(), progress=ticker.say
        )
    finally:
        ticker.done()
    raise typer.Exit(code)


@app.command()
def engine(
    depth: Annotated[
        int, typer.Option(min=1, max=30, help="Plies; the signature is that of this depth.")
    ] = 12,
    threads: Annotated[
        int, typer.Option(min=1, max=MOST_THREADS, help="So many are measured as well, if more than one.")
    ] = 1,
    json: JsonOption = False,
) -> None:
    """Nodes a second of the compiled engine, beside `classical`'s, and its signature: the nodes in all."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.bench.engine import run_engine  # noqa: PLC0415
    from bot.lab.ticker import Ticker  # noqa: PLC0415
    from bot.timing.clock import SystemClock  # noqa: PLC0415

    ticker = Ticker(sys.stderr)
    try:
        code = run_engine(
            depth=depth,
            threads=threads,
            as_json=json,
            console=Console(),
            clock=SystemClock(),
            progress=ticker.say,
        )
    finally:
        ticker.done()
    raise typer.Exit(code)


@app.command()
def techniques(
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of games for each technique.")] = 150,
    nodes: Annotated[
        int, typer.Option(min=1, help="Of a search: no iteration is begun after so many.")
    ] = 5000,
    only: Annotated[str | None, typer.Option(help="Techniques, by name: a,b,c. Default: all.")] = None,
    network: NetworkOption = None,
    processes: Annotated[int | None, typer.Option(min=1, help="At once. Default: one for each core.")] = None,
    seed: Annotated[int, typer.Option(help="Of where the games begin.")] = 1,
    json: JsonOption = False,
) -> None:
    """What each technique of the compiled search is worth: games of all of them against all but one."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.bench.techniques import run_techniques  # noqa: PLC0415
    from bot.engine.features import NAMES  # noqa: PLC0415
    from bot.lab.play_command import cores  # noqa: PLC0415
    from bot.learning.judge import Judge  # noqa: PLC0415
    from bot.learning.tuning_pairs import Terms  # noqa: PLC0415

    raise typer.Exit(
        run_techniques(
            chosen(only, NAMES, "technique"),
            Terms(seed, nodes, Judge.find(network)),
            pairs=pairs,
            processes=processes or cores(),
            as_json=json,
            console=Console(),
        )
    )


@app.command()
def tactics(
    player: Annotated[str, typer.Option(help="Who solves: a strategy, options and all.")] = "compiled",
    time_ms: Annotated[
        int, typer.Option(min=1, help="Milliseconds a position, for a player without a budget of its own.")
    ] = 1_000,
    suite: Annotated[str, typer.Option(help="all, bk, wac, or the path of an .epd file.")] = "all",
    at_least: Annotated[
        int | None, typer.Option(min=0, help="Exit code 1 where fewer are solved in all.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="A line for each position as it goes.")] = False,
    json: JsonOption = False,
) -> None:
    """Positions with a best move: how many of them a player solves, and how soon."""
    from rich.console import Console  # noqa: PLC0415  loaded with its verb

    from bot.bench.tactics import run_tactics  # noqa: PLC0415
    from bot.bench.tactics_suites import suites  # noqa: PLC0415
    from bot.timing.clock import SystemClock  # noqa: PLC0415

    raise typer.Exit(
        run_tactics(
            suites(suite),
            player=player,
            time_ms=time_ms,
            at_least=at_least,
            verbose=verbose,
            as_json=json,
            console=Console(),
            errors=Console(stderr=True),
            clock=SystemClock(),
        )
    )
