"""The bot on a server that misbehaves, and what must hold however it misbehaved."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import chess

from bot.local_lichess import AccountHandle, GameSnapshot, LocalLichess, LoggedRequest
from bot.local_lichess.fault import Fault
from bot.local_lichess.faults import FaultScript
from bot.local_lichess.players import Play, Player, Resign
from bot.nursery import Nursery
from bot.settings import GameSettings
from bot.timing.clock import Clock, SystemClock
from tests.e2e import own_strategies
from tests.e2e.holdings import holdings, nothing_is_left
from tests.e2e.kit import Shuffler, ended_by_the_rules
from tests.e2e.live_bot import KEEP_ALIVE_S, PATIENCE_S, LiveBot, Log, Manners
from tests.hosting import wait_until

Color = Literal["white", "black"]
BOTH_COLORS: tuple[Color, ...] = ("white", "black")

#: Every game begins with so much time, and no increment.
LIMIT_S = 60
#: So much of it the faults may cost the bot. On an idle machine it is a few seconds; what is waited for in
#: vain costs all there is.
LOST_S = 30.0


class JumpingClock(SystemClock):
    """The machine's clock, which a test may set forward."""

    def __init__(self) -> None:
        self._ahead_s = 0.0

    def monotonic(self) -> float:
        return super().monotonic() + self._ahead_s

    def jump(self, seconds: float) -> None:
        self._ahead_s += seconds


@dataclass
class Row:
    """A bot, two people who challenge it, and the faults that come between them."""

    server: LocalLichess
    script: FaultScript
    knight: AccountHandle
    rivals: dict[Color, AccountHandle]  # by the colour that the bot gets
    log: Log
    bot: LiveBot

    def challenge(
        self, bot_plays: Color, *faults: Fault, rival: AccountHandle | None = None, **wishes: Any
    ) -> str:
        """Challenge the bot; the id of the game to be. `faults` are for this game only."""
        rival = rival or self.rivals[bot_plays]
        wishes = {"limit_s": LIMIT_S, "increment_s": 0, **wishes}
        color = "black" if bot_plays == "white" else "white"

        def send() -> str:
            game_id = self.server.challenge(rival.name, self.knight.name, color=color, **wishes)
            self.script.add(*(replace(fault, game=game_id) for fault in faults))  # before anybody hears of it
            return game_id

        return self.server.on_loop(send)

    def wait_started(self, game_id: str) -> None:
        self.server.wait_until(lambda: self.server.lobby.rooms.find(game_id) is not None, PATIENCE_S)

    def wait_over(self, game_id: str) -> GameSnapshot:
        self.wait_started(game_id)
        return self.server.wait_game_over(game_id, PATIENCE_S)

    def play(self, bot_plays: Color, *faults: Fault, **wishes: Any) -> GameSnapshot:
        """A whole game, to its end by the rules."""
        return self.finish(self.challenge(bot_plays, *faults, **wishes))

    def play_both(self, *faults: Fault, **wishes: Any) -> list[GameSnapshot]:
        """Two games at once, one of each colour, each with the faults. They must all have happened."""
        ids = [self.challenge(color, *faults, **wishes) for color in BOTH_COLORS]
        games = [self.finish(game_id) for game_id in ids]
        happened = [(fired.kind, fired.call.subject_id) for fired in self.script.fired]
        assert {(fault.kind, game_id) for fault in faults for game_id in ids} <= set(happened), happened
        return games

    def finish(self, game_id: str) -> GameSnapshot:
        """The game, once it has ended by the rules, and with most of the bot's time left."""
        game = self.wait_over(game_id)
        assert ended_by_the_rules(game), self.story(game)
        left_ms = game.white_ms if game.side_of(self.knight.id) == "white" else game.black_ms
        assert left_ms >= (LIMIT_S - LOST_S) * 1000, f"{left_ms} ms left; {self.story(game)}"
        no_ghost_moves(game, self.knight.id)
        return game

    def posts(self, game_id: str) -> list[LoggedRequest]:
        """The bot's move requests in this game, by their arrival."""
        path = f"/api/bot/game/{game_id}/move/"
        found = [request for request in self.server.request_log() if request.path.startswith(path)]
        return sorted(found, key=lambda request: request.arrived_s)

    def refused_posts(self, game: GameSnapshot) -> int:
        """How many moves were refused while the game went on.

        The server shows the last position before it says that the game is over; a quick bot moves in between.
        """
        statuses = [post.status for post in self.posts(game.id)]
        own_plies = (game.ply + (game.side_of(self.knight.id) == "white")) // 2
        if statuses[-1] == 400 and statuses.count(200) == own_plies:
            statuses.pop()
        return statuses.count(400)

    def requests(self, endpoint: str) -> list[LoggedRequest]:
        found = [request for request in self.server.request_log() if request.endpoint == endpoint]
        return sorted(found, key=lambda request: request.arrived_s)

    def has_asked(self, endpoint: str, times: int) -> bool:
        return len(self.requests(endpoint)) >= times

    def has_free_slots(self) -> None:
        """The bot plays two games at once: that it takes two challenges shows that no slot has leaked."""
        wait_until(lambda: not self.bot.ledger.slots, "all slots are free again")
        ids = [self.challenge(color) for color in BOTH_COLORS]
        for color, game_id in zip(BOTH_COLORS, ids, strict=True):
            self.wait_started(game_id)
            if not self.server.game(game_id).is_over:
                self.server.act(self.rivals[color].name, game_id, Resign())
        for game_id in ids:
            self.wait_over(game_id)
        wait_until(lambda: not self.bot.ledger.slots, "all slots are free again")

    def add_rival(self, number: int) -> AccountHandle:
        """One more person."""
        rival = self.server.add_account(f"Rival{number}")
        self.server.attach(rival.name, Shuffler())
        return rival

    def force_game(self, rival: AccountHandle, bot_plays: Color, *moves: str) -> str:
        """A game that the bot never agreed to, after so many moves; it is begun by the server itself."""
        color = "black" if bot_plays == "white" else "white"

        def begin() -> str:
            game_id = self.server.challenge(
                rival.name, self.knight.name, color=color, limit_s=LIMIT_S, increment_s=0
            )
            lobby, now_ms = self.server.lobby, round(SystemClock().wall() * 1000)
            room = lobby.challenges.accept(lobby.accounts.get(self.knight.name), game_id, now_ms)
            for uci in moves:
                mover = self.knight if room.game.turn == bot_plays else rival
                self.server.act(mover.name, game_id, Play(uci))
            return game_id

        return self.server.on_loop(begin)

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
    before_start: Callable[[Row], None] | None = None,
    clock: Clock | None = None,
    leaves: str = "stopped",
    probe: bool = True,
    delay_s: float = 0.0,
) -> Iterator[Row]:
    """The bot, serving. Afterwards it must still take challenges, stop when told, and leave nothing behind.

    `before_start` is called while the bot is not online yet; `clock` is the server's. `leaves`: why the
    service is to end. `probe` False: no further challenges. `delay_s`: an opponent waits before each move.
    """
    script, log = FaultScript(*faults), Log()
    manners = manners or Manners()
    logger = logging.getLogger("bot")
    level = logger.level
    logger.addHandler(log)
    logger.setLevel(logging.INFO)
    try:
        with LocalLichess(keep_alive_s=KEEP_ALIVE_S, faults=script, clock=clock) as server:
            knight = server.add_account("Knight", title="BOT")
            rivals = {color: server.add_account(f"Rival_of_{color}") for color in BOTH_COLORS}
            for rival in rivals.values():
                server.attach(rival.name, opponent or Shuffler(), delay_s=delay_s)
            before = holdings()
            live = LiveBot(server, knight, nursery, manners)
            world = Row(server, script, knight, rivals, log, live)
            if before_start is not None:
                before_start(world)
            live.start()
            try:
                server.wait_until(lambda: server.lobby.feeds.is_online(knight.id), PATIENCE_S)
                yield world
                if probe:
                    world.has_free_slots()
            except BaseException as error:
                error.add_note("--- log ---\n" + "\n".join(log.lines))
                raise
            finally:
                world.bot.stop()
            assert world.bot.left == leaves
            assert not log.has("in an unforeseen way"), log.lines
            assert not log.has("failed"), log.lines
            nothing_is_left(before)
    finally:
        logger.removeHandler(log)
        logger.setLevel(level)


@dataclass(frozen=True)
class Outcome:
    """How one of many games went."""

    failure: BaseException | None  # of `Row.finish`
    refused_posts: int
    posts: Sequence[LoggedRequest]
    fired: int


def play_each(
    nursery: Nursery, faults: Mapping[str, Fault], *, at_once: int = 8
) -> dict[tuple[str, Color], Outcome]:
    """Two games with each of the faults, one of each colour; those of `at_once` faults at the same time.

    Each bot is put to the same tests afterwards as in `row`.
    """
    outcomes: dict[tuple[str, Color], Outcome] = {}
    names = list(faults)
    for start in range(0, len(names), at_once):
        cases = [(name, color) for name in names[start : start + at_once] for color in BOTH_COLORS]
        manners = Manners(games=GameSettings(max_simultaneous=len(cases), stop_deadline_s=0))
        with row(nursery, manners=manners) as world:
            rivals = [world.add_rival(number) for number in range(len(cases))]
            ids = [
                world.challenge(color, faults[name], rival=rival)
                for (name, color), rival in zip(cases, rivals, strict=True)
            ]
            outcomes |= {case: _outcome(world, game_id) for case, game_id in zip(cases, ids, strict=True)}
    return outcomes


def _outcome(world: Row, game_id: str) -> Outcome:
    try:
        game = world.finish(game_id)
    except (AssertionError, TimeoutError) as failure:
        failure.add_note("\n".join(line for line in world.log.lines if game_id in line))
        return Outcome(failure, 0, (), 0)
    fired = sum(1 for fired in world.script.fired if fired.call.subject_id == game_id)
    return Outcome(None, world.refused_posts(game), world.posts(game_id), fired)


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


def is_paced(posts: Sequence[LoggedRequest], *, least_gap_s: float = 0.1) -> bool:
    """A request that repeats the one before it leaves it some time: never more than a few a second.

    The first repetition waits for 0.25 s at the bot; the road may shorten what the server sees of it.
    """
    return all(
        later.arrived_s - sooner.arrived_s >= least_gap_s
        for sooner, later in pairwise(posts)
        if later.path == sooner.path
    )
