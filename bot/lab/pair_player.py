"""Plays one pair: its two games, each with both players in fresh processes of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import chess.syzygy

from bot.errors import BenchError, UserError
from bot.lab.budgets import Budget, Unhurried, speed, timer
from bot.lab.fingerprint import own_files, player_hash
from bot.lab.host_mover import HostMover
from bot.lab.player import PlayerSpec
from bot.lab.records import GameRecord, PairRecord, PairSpec
from bot.lab.referee import Played, Rulebook, Seat, play
from bot.nursery import Nursery
from bot.timing.clock import Clock
from bot.warming import COMPILED, ENGINE

#: A pair that was so often interrupted by what its players stand on is given up.
MOST_ATTEMPTS = 3


class PlayerChangedError(UserError):
    """A player is not the one any more that the run began with; the message says which, and its file."""


class _DisturbedError(Exception):
    """What ended a game was not its players' doing, or may not have been."""


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """What all games of a run have in common; picklable.

    `budget` is for the players that have none of their own. `stall_ms`: so long is waited for a move that
    nothing else limits. `tablebase`: a folder of Syzygy tables. `player_codes`: of each player, what
    `player_hash` must find whenever it plays; empty: anything.
    """

    players: tuple[PlayerSpec, ...]
    budget: Budget
    stall_ms: int
    max_plies: int
    agreed_scores: bool
    tablebase: str | None
    player_codes: tuple[str | None, ...] = ()


def preloaded(settings: PlaySettings) -> tuple[str, ...]:
    """What a process server for these players should import in advance."""
    return (ENGINE,) if any(player.strategy.name == COMPILED for player in settings.players) else ()


class PairPlayer:
    """`worker` names it in its records. A pair depends on its spec and the settings alone, as far as the
    players do."""

    def __init__(self, settings: PlaySettings, *, nursery: Nursery, clock: Clock, worker: str) -> None:
        self._settings = settings
        self._players = {player.label: player for player in settings.players}
        self._codes = dict(zip(self._players, settings.player_codes, strict=bool(settings.player_codes)))
        self._nursery = nursery
        self._clock = clock
        self._worker = worker
        self._excused = False  # in this pair, one death by SIGKILL has been put down to somebody else
        tables = None if settings.tablebase is None else chess.syzygy.open_tablebase(settings.tablebase)
        self._book = Rulebook(
            settings.max_plies,
            settings.agreed_scores,
            tables,
            0 if settings.tablebase is None else most_men(Path(settings.tablebase)),
        )

    def play(self, spec: PairSpec) -> PairRecord:
        """Waits for both games to end.

        When the process server dies, or cannot start a process, that is nobody's fault, and the pair is
        played again. A player's process that SIGKILL ended may have done it itself (out of memory, say), or
        somebody else may have: once the pair is played again, and then it is the player's crash.

        Raises BenchError for a pair that is interrupted again and again, PlayerChangedError where a player's
        own files are not, or are no longer in the end, those of the run.
        """
        self._excused = False
        began = self._clock.monotonic()
        for _ in range(MOST_ATTEMPTS + 1):
            self._refuse_changed(spec)
            try:
                games = (
                    self._game(spec, spec.first, spec.second, 1),
                    self._game(spec, spec.second, spec.first, 2),
                )
            except _DisturbedError as error:
                why = error
            else:
                duration_ms = round((self._clock.monotonic() - began) * 1000)
                self._refuse_changed(spec)
                return PairRecord(spec, games, duration_ms, self._worker)
        raise BenchError(
            f"pair {spec.index + 1} ({spec.first} - {spec.second}) was interrupted again and again: {why}"
        )

    def _refuse_changed(self, spec: PairSpec) -> None:
        for label in (spec.first, spec.second):
            if label not in self._codes:
                continue
            strategy, before = self._players[label].strategy, self._codes[label]
            try:
                now = player_hash(strategy)
            except OSError:  # it has vanished this moment, or may not be read any more
                now = None
            if now != before:
                raise PlayerChangedError(
                    f"{label} was changed while the run went on: {own_files(strategy)} (hash {before}, now "
                    f"{now}); finished pairs are in the journal, and with what was there before the same "
                    "command goes on"
                )

    def _game(self, spec: PairSpec, white: str, black: str, number: int) -> GameRecord:
        with self._mover(white) as white_mover, self._mover(black) as black_mover:
            white_mover.start()
            black_mover.start()
            white_fault = white_mover.fault_in_loading()
            black_fault = black_mover.fault_in_loading()
            if white_fault is not None:
                played = Played("0-1", "not loaded", (), "not loaded", "white", white_fault)
            elif black_fault is not None:
                played = Played("1-0", "not loaded", (), "not loaded", "black", black_fault)
            else:
                played = play(
                    self._seat(white, white_mover),
                    self._seat(black, black_mover),
                    spec.opening.fen,
                    game_id=f"{spec.seed:08x}-{number}",
                    speed=speed(self._settings.budget),
                    book=self._book,
                    clock=self._clock,
                )
            played = self._accounted(played, white_mover, black_mover)
        return GameRecord(
            white,
            black,
            played.result,
            played.ending,
            played.fault,
            played.fault_by,
            played.detail,
            played.moves,
        )

    def _accounted(self, played: Played, *movers: HostMover) -> Played:
        """Raises _DisturbedError for a game that does not count."""
        for cause, why in [mover.outside for mover in movers if mover.outside is not None]:
            if cause == "infrastructure":
                raise _DisturbedError(why)
            if not self._excused:
                self._excused = True
                raise _DisturbedError(why)
            played = replace(played, detail=f"{played.detail}; and it was so when the pair was played before")
        return played

    def _mover(self, label: str) -> HostMover:
        return HostMover(self._players[label].loaded_as, self._nursery, name=label, clock=self._clock)

    def _seat(self, label: str, mover: HostMover) -> Seat:
        settings, player = self._settings, self._players[label]
        budget = player.budget(settings.budget, Unhurried(settings.stall_ms))
        told_apart = player.passes_movetime is True
        return Seat(label, mover, timer(budget, told_apart=told_apart, stall_ms=settings.stall_ms))


def most_men(folder: Path) -> int:
    """Of the largest Syzygy tables in `folder`: the men of KQvK are three."""
    names = [path.stem for path in folder.glob("*.rtbw")]
    return max((sum(char.isupper() for char in name) for name in names), default=0)
