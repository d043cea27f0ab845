"""`knightshift check`: what can be tested before the service runs, and how to mend what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from bot.app import EXIT_BAD_CONFIG, EXIT_FAILED, EXIT_NOT_ALLOWED, EXIT_STOPPED
from bot.config import Loaded, load
from bot.engine.warm import NO_NUMBA, readiness
from bot.errors import ConfigError, LichessError, NotAllowedError, StrategyError, StrategyNameError
from bot.events import TokenInfo
from bot.lichess.client import Lichess
from bot.nursery import Nursery
from bot.preflight import NotAllowedToServeError, check_account, check_token
from bot.strategies.contract import StrategySpec
from bot.strategies.turn_tools import facts_from_fen
from bot.thinker import Thinker
from bot.timing.clock import Clock, SystemClock
from bot.warming import COMPILED

#: White to move; several moves are good, none is forced.
TEST_POSITION = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. `mend` says what to do; it is there exactly when `ok` is False."""

    what: str
    ok: bool
    found: str
    mend: str | None = None
    exit_code: int = EXIT_STOPPED


def run_checks(config: Path, env: Mapping[str, str], *, offline: bool, console: Console | None = None) -> int:
    """Print a line for each check; returns 0 when all passed, else the exit code that `run` would have.

    `offline` leaves out what needs the network.
    """
    out = console or Console()
    findings: list[Finding] = []

    def show(finding: Finding) -> None:
        findings.append(finding)
        mark, colour = ("✓", "green") if finding.ok else ("✗", "red")
        out.print(Text.assemble((f" {mark} ", colour), (f"{finding.what:<15}", "bold"), finding.found))
        if finding.mend is not None:
            out.print(Text(f"   → {finding.mend}", style="yellow"))

    try:
        loaded = load(config, env, token_required=not offline)
    except ConfigError as error:
        for fault in error.faults:
            show(Finding("configuration", False, fault, exit_code=EXIT_BAD_CONFIG))
        out.print(Text("   → config.yml.example explains every key", style="yellow"))
        return EXIT_BAD_CONFIG
    show(Finding("configuration", True, str(config)))
    for warning in loaded.warnings:
        out.print(Text(f"   ! {warning}", style="yellow"))
    for finding in _strategy_findings(loaded):
        show(finding)
    token = loaded.settings.token
    if offline or token is None:
        out.print(Text(" - network, token, account: not checked (--offline)", style="dim"))
    else:
        for finding in _lichess_findings(Lichess(loaded.settings.url, token), SystemClock()):
            show(finding)
    return max((finding.exit_code for finding in findings), default=EXIT_STOPPED)


def _strategy_findings(loaded: Loaded) -> Iterator[Finding]:
    if COMPILED in (loaded.settings.strategy.name, loaded.settings.fallback.name):
        yield _engine_finding()
    nursery = Nursery()
    try:
        for role, settings in (
            ("strategy", loaded.settings.strategy),
            ("fallback", loaded.settings.fallback),
        ):
            yield try_strategy(role, settings.spec(loaded.folder), nursery)
    finally:
        nursery.close()


def _engine_finding() -> Finding:
    match readiness():
        case "ready":
            return Finding("engine", True, "compiled")
        case "cold":
            found = "not compiled yet: until that is done, classical plays for it"
            return Finding("engine", False, found, "knightshift warm compiles it ahead", EXIT_STOPPED)
        case "missing":
            mend = "install numba, or choose classical, which plays now"
            return Finding("engine", False, NO_NUMBA, mend, EXIT_STOPPED)


def try_strategy(role: str, spec: StrategySpec, nursery: Nursery) -> Finding:
    """Load a strategy where it will run, and have it play one move."""
    try:
        with Thinker(spec, nursery) as thinker:
            load_ms = thinker.load()
            chose = thinker.play(facts_from_fen(TEST_POSITION))
    except (StrategyError, StrategyNameError) as error:
        mend = "mend the strategy; until then the fallback plays for it"
        return Finding(role, False, f"{spec.name}: {error}", mend, EXIT_FAILED)
    if chose.note is not None:
        text = f"{spec.name} plays {chose.move}, but then: {chose.note}"
        return Finding(role, False, text, "mend the strategy; its move was played", EXIT_FAILED)
    times = f"{chose.elapsed_ms} ms, after {load_ms} ms of loading"
    return Finding(role, True, f"{spec.name} plays {chose.move} in a test position ({times})")


def _lichess_findings(lichess: Lichess, clock: Clock) -> Iterator[Finding]:
    """Network, token, account; ends with the first that fails, as the others need it."""
    try:
        started = clock.monotonic()
        try:
            info = lichess.token_info()
        except LichessError as error:
            mend = f"is {lichess.url} right, and can this machine reach it? (`curl -I {lichess.url}` tells)"
            yield Finding("network", False, str(error), mend, EXIT_FAILED)
            return
        took_ms = round((clock.monotonic() - started) * 1000)
        yield Finding("network", True, f"{lichess.url} answers in {took_ms} ms")
        for what, check in _account_checks(lichess, info):
            try:
                yield Finding(what, True, check())
            except NotAllowedToServeError as error:
                found, _, mend = str(error).partition(". ")
                yield Finding(what, False, found, mend or None, EXIT_NOT_ALLOWED)
                return
            except NotAllowedError as error:
                yield Finding(what, False, str(error), "make a new token", EXIT_NOT_ALLOWED)
                return
            except LichessError as error:
                yield Finding(what, False, str(error), "try again in a minute", EXIT_FAILED)
                return
    finally:
        lichess.close()


def _account_checks(
    lichess: Lichess, info: TokenInfo | None
) -> tuple[tuple[str, Callable[[], str]], tuple[str, Callable[[], str]]]:
    def token() -> str:
        check_token(info, lichess.url)
        return f"known, with the scopes {', '.join(info.scopes)}" if info is not None else ""

    def account() -> str:
        found = lichess.account()
        check_account(found)
        return f"{found.username} is a BOT account"

    return ("token", token), ("account", account)
