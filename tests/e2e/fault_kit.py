"""The bot in this process, on a server that misbehaves; and what must hold however it misbehaved."""

from __future__ import annotations

import logging
import os
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import chess

from bot.account import Account
from bot.account_messages import SessionEnded
from bot.game_knowledge import FlowSettings
from bot.game_session import GameSession, SessionSettings
from bot.lichess.client import Lichess, Timeouts
from bot.lichess.lanes import ErrandLane
from bot.local_lichess import AccountHandle, GameSnapshot, LocalLichess, LoggedRequest
from bot.local_lichess.fault import Fault
from bot.local_lichess.faults import FaultScript
from bot.local_lichess.players import Abort, Player
from bot.nursery import Nursery
from bot.record.heartbeat import Heartbeat
from bot.service import Service
from bot.settings import ChallengeSettings, GameSettings
from bot.strategies.contract import StrategySpec
from bot.timing.clock import SystemClock
from bot.timing.overhead import Overhead
from tests.e2e import own_strategies
from tests.e2e.kit import Shuffler, ended_by_the_rules
from tests.hosting import ROOT, is_running, wait_until

PATIENCE_S = 12.0
Color = Literal["white", "black"]
BOTH_COLORS: tuple[Color, ...] = ("white", "black")

#: Streams say something five times a second; after two missed keep-alives and some grace they count as dead.
KEEP_ALIVE_S = 0.2
TIMEOUTS = Timeouts(connect_s=2.0, read_s=1.0, silence_s=0.8, move_s=1.0)
#: Every game begins with so much time, and no increment.
LIMIT_S = 60

SHUFFLES = "tests.e2e.own_strategies:shuffles"
ONE_GAME = GameSettings(max_simultaneous=1, stop_deadline_s=0)
ANY_CHALLENGE = ChallengeSettings()


def spec(name: str) -> StrategySpec:
    return StrategySpec(name, search_path=(str(ROOT),))


# --- what a process holds -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Holdings:
    """Threads, open files and sockets, and descendants of this process."""

    threads: frozenset[str]
    files: tuple[str, ...]
    children: frozenset[int]


def holdings() -> Holdings:
    names = {thread.native_id: thread.name for thread in threading.enumerate()}
    tasks = frozenset(
        f"{task.name} {names.get(int(task.name))}" for task in Path("/proc/self/task").iterdir()
    )
    files = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            files.append(str(entry.readlink()))
        except OSError:  # the one that lists this directory
            continue
    return Holdings(tasks, tuple(sorted(files)), descendants(os.getpid()))


def descendants(pid: int) -> frozenset[int]:
    """The running processes below `pid`."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:  # gone meanwhile
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        children = {child for child, its_parent in parents.items() if its_parent == parent} - found
        found |= children
        waiting.extend(children)
    return frozenset(child for child in found if is_running(child))


def holds_no_more(now: Holdings, before: Holdings) -> bool:
    return (
        len(now.threads) <= len(before.threads)
        and len(now.files) <= len(before.files)
        and now.children <= before.children
    )


def nothing_is_left(before: Holdings) -> None:
    """Assert that this process holds what it held `before`; waits for what is on its way out."""
    try:
        wait_until(lambda: holds_no_more(holdings(), before), "nothing more is held than before")
    except AssertionError:
        now = holdings()
        gained = sorted(now.threads - before.threads), sorted(now.children - before.children)
        files = len(before.files), len(now.files), [file for file in now.files if file not in before.files]
        raise AssertionError(f"left behind: threads and children {gained}, files {files}") from None


class Log(logging.Handler):
    """What the bot logs."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.threadName}: {record.getMessage()}")

    def has(self, text: str) -> bool:
        return any(text in line for line in list(self.lines))


# --- the bot ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Manners:
    """How the bot is set up; the rest is as in production."""

    strategy: str = SHUFFLES
    fallback: str = SHUFFLES
    games: GameSettings = ONE_GAME
    challenge: ChallengeSettings = ANY_CHALLENGE
    abort_unmoved_after_s: float = 60.0
    greeting: str = ""
    farewell: str = ""
    timeouts: Timeouts = TIMEOUTS


class LiveBot:
    """`bot.service.Service` in a thread of its own, put together as `bot.app` does it."""

    def __init__(
        self, server: LocalLichess, handle: AccountHandle, nursery: Nursery, manners: Manners
    ) -> None:
        clock, rng = SystemClock(), random.Random(1)
        self._lichess = Lichess(server.url, handle.token, timeouts=manners.timeouts)
        self._lane = ErrandLane(clock=clock, gap_s=0.02)
        settings = SessionSettings(
            flow=FlowSettings(
                bot_id=handle.id,
                abort_unmoved_after_s=manners.abort_unmoved_after_s,
                greeting=manners.greeting,
                farewell=manners.farewell,
            ),
            overhead=Overhead(100),
            strategy=spec(manners.strategy),
            fallback=spec(manners.fallback),
        )

        def new_session(game_id: str, ended: Callable[[SessionEnded], None]) -> GameSession:
            return GameSession(
                game_id,
                settings,
                lichess=self._lichess,
                lane=self._lane,
                nursery=nursery,
                ended=ended,
                clock=clock,
                rng=random.Random(rng.random()),
            )

        self.ledger = Account(handle.id, manners.challenge, manners.games, manners.games.stop_deadline_s)
        self._service = Service(
            self.ledger,
            lichess=self._lichess,
            lane=self._lane,
            new_session=new_session,
            heartbeat=Heartbeat({}),
            clock=clock,
            rng=rng,
        )
        self.left: str | None = None
        self._thread = threading.Thread(target=self._run, name="service")

    def _run(self) -> None:
        self.left = self._service.run().why

    def start(self) -> None:
        self._lane.start()
        self._thread.start()

    @property
    def is_serving(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        self._service.request_stop()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive(), "the service does not stop"
        self._lane.close(0.0)
        self._lichess.close()


# --- one row of the table -----------------------------------------------------------------------------


@dataclass
class Row:
    """A bot, a person who challenges it, and the faults that come between them."""

    server: LocalLichess
    script: FaultScript
    knight: AccountHandle
    rival: AccountHandle
    log: Log
    nursery: Nursery
    manners: Manners
    bot: LiveBot

    def challenge(self, bot_plays: Color, **wishes: Any) -> str:
        """Challenge the bot; the id of the game to be."""
        wishes = {"limit_s": LIMIT_S, "increment_s": 0, **wishes}
        color = "black" if bot_plays == "white" else "white"
        return self.server.challenge(self.rival.name, self.knight.name, color=color, **wishes)

    def wait_started(self, game_id: str) -> None:
        self.server.wait_until(lambda: self.server.lobby.rooms.find(game_id) is not None, PATIENCE_S)

    def wait_over(self, game_id: str) -> GameSnapshot:
        self.wait_started(game_id)
        return self.server.wait_game_over(game_id, PATIENCE_S)

    def play(self, bot_plays: Color, *, lost_s: float = 6.0, **wishes: Any) -> GameSnapshot:
        """A whole game, to its end by the rules; the faults may have cost the bot `lost_s` on its clock."""
        game_id = self.challenge(bot_plays, **wishes)
        game = self.wait_over(game_id)
        assert ended_by_the_rules(game), self.story(game)
        left_ms = game.white_ms if bot_plays == "white" else game.black_ms
        assert left_ms >= (LIMIT_S - lost_s) * 1000, f"{left_ms} ms left; {self.story(game)}"
        no_ghost_moves(game, self.knight.id)
        return game

    def posts(self, game_id: str) -> list[LoggedRequest]:
        """The bot's move requests in this game, by their arrival."""
        path = f"/api/bot/game/{game_id}/move/"
        found = [request for request in self.server.request_log() if request.path.startswith(path)]
        return sorted(found, key=lambda request: request.arrived_s)

    def requests(self, endpoint: str) -> list[LoggedRequest]:
        found = [request for request in self.server.request_log() if request.endpoint == endpoint]
        return sorted(found, key=lambda request: request.arrived_s)

    def takes_another_challenge(self) -> None:
        """The bot plays one game at a time: that it accepts shows that no slot has leaked."""
        wait_until(lambda: not self.bot.ledger.slots, "all slots are free again")
        game_id = self.challenge("black")
        self.wait_started(game_id)
        self.server.act(self.rival.name, game_id, Abort())
        assert self.wait_over(game_id).status == "aborted"
        wait_until(lambda: not self.bot.ledger.slots, "all slots are free again")

    def story(self, game: GameSnapshot) -> str:
        requests = [f"{r.arrived_s:.2f} {r.status} {r.method} {r.path}" for r in self.server.request_log()]
        fired = [fired.kind.value for fired in self.script.fired]
        return "\n".join([f"{game}", f"faults: {fired}", "requests:", *requests, "log:", *self.log.lines])


@contextmanager
def row(
    nursery: Nursery,
    *faults: Fault,
    opponent: Player | None = None,
    manners: Manners | None = None,
    leaves: str = "stopped",
    probe: bool = True,
    seed: int = 0,
) -> Iterator[Row]:
    """The bot, serving. Afterwards it must still take a challenge, stop when told, and leave nothing behind.

    `leaves`: why the service is to end. `probe` False: no further challenge.
    """
    script, log = FaultScript(*faults), Log()
    manners = manners or Manners()
    logger = logging.getLogger("bot")
    level = logger.level
    logger.addHandler(log)
    logger.setLevel(logging.INFO)
    try:
        with LocalLichess(keep_alive_s=KEEP_ALIVE_S, faults=script, seed=seed) as server:
            knight = server.add_account("Knight", title="BOT")
            rival = server.add_account("Rival")
            server.attach(rival.name, opponent or Shuffler())
            before = holdings()
            live = LiveBot(server, knight, nursery, manners)
            world = Row(server, script, knight, rival, log, nursery, manners, live)
            live.start()
            try:
                if not faults or all("event_stream" not in fault.where.endpoints for fault in faults):
                    server.wait_until(lambda: server.lobby.feeds.is_online(knight.id), PATIENCE_S)
                yield world
                if probe:
                    world.takes_another_challenge()
            except BaseException as error:
                error.add_note("--- log ---\n" + "\n".join(log.lines))
                raise
            finally:
                world.bot.stop()
            assert world.bot.left == leaves
            assert not log.has("in an unforeseen way"), log.lines
            assert not log.has("failed: "), log.lines
            nothing_is_left(before)
    finally:
        logger.removeHandler(log)
        logger.setLevel(level)


def no_ghost_moves(game: GameSnapshot, account_id: str) -> None:
    """Every move of the bot's is the one that its strategy plays in that position, and in no other."""
    board = chess.Board()
    side = chess.WHITE if game.side_of(account_id) == "white" else chess.BLACK
    for ply, uci in enumerate(game.moves):
        if board.turn == side:
            assert uci == own_strategies.shuffle(board, game.moves[:ply]), (
                f"a ghost at ply {ply}: {game.moves}"
            )
        board.push_uci(uci)


def is_paced(posts: Sequence[LoggedRequest], *, at_most_per_s: int) -> bool:
    """Never more than so many requests within any second."""
    times = [post.arrived_s for post in posts]
    return all(later - sooner >= 1.0 for sooner, later in zip(times, times[at_most_per_s:], strict=False))
