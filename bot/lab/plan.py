"""A run before its first game: what was asked for, checked, and turned into a header and a schedule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from bot import __version__
from bot.errors import StrategyNameError, UserError
from bot.lab.adjudication import in_words
from bot.lab.budgets import Budget, PerMove, Unhurried, parse_clock
from bot.lab.fingerprint import code_hash, commit_of_project, player_hash
from bot.lab.openings import SHIPPED, Opening, all_openings, opening_hash, read_openings
from bot.lab.pair_player import PlaySettings, most_men
from bot.lab.player import PlayerSpec
from bot.lab.records import MOST_PLIES, SCHEMA, Mode, PairSpec, RunHeader
from bot.lab.schedule import pairings, schedule
from bot.nursery import Nursery
from bot.thinker import Thinker
from bot.timing.clock import SystemClock
from bot.warming import COMPILED, warm_for

MAX_PLIES = 400
STALL_S = 120.0


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What somebody asks for, as on the command line. `movetime_ms` or `clock` (SECONDS+INCREMENT) is the
    budget of players that name none; `search_path`: where their own modules are looked for."""

    players: tuple[str, ...]
    mode: Mode = "match"
    pairs: int = 30
    seed: int = 1
    openings: str | None = None
    clock: str | None = None
    movetime_ms: int | None = None
    stall_s: float = STALL_S
    max_plies: int = MAX_PLIES
    agreed_scores: bool = False
    tablebase: str | None = None
    search_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """All that is needed to play."""

    header: RunHeader
    specs: tuple[PairSpec, ...]
    settings: PlaySettings


def plan(options: RunOptions, *, nursery: Nursery, now_s: float, registration: str | None = None) -> Run:
    """Check everything that can be checked before the first game; every player is loaded once, to try it.

    `now_s`: seconds since the Unix epoch. Raises UserError.
    """
    budget = _budget(options)
    labels = _told_apart(options.players) if options.mode == "match" else options.players
    pairings(labels, options.mode)  # who cannot play each other need not be loaded
    parsed = [PlayerSpec.parse(label, search_path=options.search_path) for label in labels]
    openings = _openings(options)
    specs = schedule([player.label for player in parsed], options.mode, options.pairs, openings, options.seed)
    if options.tablebase is not None and not most_men(Path(options.tablebase)):
        raise UserError(f"--tablebase {options.tablebase}: there are no Syzygy tables (*.rtbw) in it")
    _warm(parsed)
    players = tuple(tried(player.under(budget), nursery) for player in parsed)
    codes = tuple(player_hash(player.strategy) for player in players)
    settings = PlaySettings(
        players=players,
        budget=budget,
        stall_ms=round(options.stall_s * 1000),
        max_plies=options.max_plies,
        agreed_scores=options.agreed_scores,
        tablebase=options.tablebase,
        player_codes=codes,
    )
    header = RunHeader(
        schema=SCHEMA,
        created=datetime.fromtimestamp(now_s, UTC).isoformat(timespec="seconds"),
        version=__version__,
        commit=commit_of_project(),
        code=code_hash(),
        players=tuple(player.label for player in players),
        player_codes=codes,
        mode=options.mode,
        pairs=options.pairs,
        seed=options.seed,
        opening_source=SHIPPED if options.openings is None else Path(options.openings).name,
        openings_hash=opening_hash(openings),
        budget=f"{budget}; a stall after {options.stall_s:g} s",
        adjudication=in_words("agreed scores" if options.agreed_scores else "rules"),
        max_plies=options.max_plies,
        tablebase=options.tablebase,
        registration=registration,
    )
    return Run(header, specs, settings)


def _warm(players: Sequence[PlayerSpec]) -> None:
    """Have the engine compiled, if anybody plays it: until it is, it would play as somebody else does.

    Raises UserError where it cannot be.
    """
    names = {player.strategy.name for player in players}
    if COMPILED in names:
        from rich.console import Console  # noqa: PLC0415  where it is wanted

        warm_for(names, Console(stderr=True), SystemClock())


def tried(player: PlayerSpec, nursery: Nursery) -> PlayerSpec:
    """`player`, knowing whether its strategy has an option `movetime`.

    Raises UserError if it cannot be loaded.
    """
    if player.movetime_ms is not None and not player.strategy.name.endswith(".py"):
        why = _why_not_loaded(replace(player, passes_movetime=True), nursery)
        if why is None or "unknown option 'movetime'" not in why:
            return _loaded(replace(player, passes_movetime=True), why)
    return _loaded(
        replace(player, passes_movetime=False),
        _why_not_loaded(replace(player, passes_movetime=False), nursery),
    )


def _loaded(player: PlayerSpec, why_not: str | None) -> PlayerSpec:
    if why_not is not None:
        raise UserError(f"{player.label}: {why_not}")
    return player


def _why_not_loaded(player: PlayerSpec, nursery: Nursery) -> str | None:
    with Thinker(player.loaded_as, nursery) as thinker:
        try:
            thinker.load()
        except StrategyNameError as error:
            return str(error)
    return None


def _budget(options: RunOptions) -> Budget:
    if options.clock is not None and options.movetime_ms is not None:
        raise UserError("--clock and --movetime exclude each other")
    for name, value in (("movetime", options.movetime_ms), ("max-plies", options.max_plies)):
        if value is not None and value < 1:
            raise UserError(f"--{name} is {value}; it must be at least 1")
    if options.max_plies > MOST_PLIES:
        raise UserError(f"--max-plies is {options.max_plies}; it must be at most {MOST_PLIES}")
    if options.stall_s < 1:
        raise UserError(f"--stall is {options.stall_s:g}; it must be at least 1 s")
    if options.clock is not None:
        return parse_clock(options.clock)
    if options.movetime_ms is not None:
        return PerMove(options.movetime_ms)
    return Unhurried(round(options.stall_s * 1000))


def _openings(options: RunOptions) -> tuple[Opening, ...]:
    return all_openings() if options.openings is None else read_openings(Path(options.openings))


def _told_apart(labels: Sequence[str]) -> tuple[str, ...]:
    """A player may meet itself in a match."""
    if len(labels) == 2 and labels[0].strip() == labels[1].strip():
        return (labels[0], f"{labels[0].strip()} #2")
    return tuple(labels)
