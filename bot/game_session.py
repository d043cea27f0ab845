"""The shell of one game: the thread that owns it, and what the game needs; decisions are `game_flow`'s."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass

from bot.account_messages import SessionEnded
from bot.errors import LichessError
from bot.events import GameEvent
from bot.game_flow import next_wake, step
from bot.game_knowledge import Flow, FlowSettings
from bot.game_messages import (
    Action,
    Ask,
    Chose,
    Committed,
    Errand,
    Finished,
    GameMessage,
    PostMove,
    Prepare,
    Report,
    Resynchronise,
    Role,
    Say,
    StopThinking,
    ThinkerFailed,
    ThinkerReady,
    Tick,
    Withdraw,
)
from bot.inbox import Inbox
from bot.lichess.client import Lichess
from bot.lichess.lanes import ErrandLane, Priority
from bot.lichess.wire import parse_game_line
from bot.nursery import Nursery
from bot.play_move import MoveSender
from bot.record.log import GameLog
from bot.strategies import messages as host_messages
from bot.strategies.contract import StrategySpec
from bot.strategy_host import StrategyHost
from bot.stream_reader import StreamReader
from bot.timing.backoff import game_stream_reconnect
from bot.timing.clock import Clock
from bot.timing.overhead import Overhead

log = logging.getLogger(__name__)

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
#: How long a session waits for a thread of its own when it ends; each of them is woken first.
JOIN_S = 2.0


@dataclass(frozen=True, slots=True)
class SessionSettings:
    flow: FlowSettings
    overhead: Overhead
    strategy: StrategySpec
    fallback: StrategySpec
    memory_limit_mib: int | None = None
    niceness: int = 5


@dataclass(frozen=True, slots=True)
class _Stop:
    """Let go of the game without ending it: it can be resumed."""


class GameSession:
    """Plays one game to its end. Made and started by the account; says SessionEnded exactly once."""

    def __init__(
        self,
        game_id: str,
        settings: SessionSettings,
        *,
        lichess: Lichess,
        lane: ErrandLane,
        nursery: Nursery,
        ended: Callable[[SessionEnded], None],
        clock: Clock,
        rng: random.Random,
    ) -> None:
        self.game_id = game_id
        self.wake_at: float | None = None  # when the owner wants to wake at the latest; read by the watchdog
        self._settings = settings
        self._lane = lane
        self._lichess = lichess
        self._ended = ended
        self._clock = clock
        self._log = GameLog(log, game_id)
        self._inbox: Inbox[GameMessage | _Stop] = Inbox(clock)
        self._flow = Flow(game_id=game_id, settings=settings.flow, overhead=settings.overhead)
        self._reader: StreamReader[GameEvent] = StreamReader(
            name=f"stream-{game_id}",
            open_stream=lambda: lichess.open_game_stream(game_id),
            parse=parse_game_line,
            deliver=self.deliver,
            reconnect=game_stream_reconnect(),
            clock=clock,
            rng=rng,
        )
        self._sender = MoveSender(game_id, lichess.mover, deliver=self.deliver, clock=clock)
        self._hosts: dict[Role, StrategyHost] = {
            "strategy": self._host("strategy", settings.strategy, nursery),
            "fallback": self._host("fallback", settings.fallback, nursery),
        }
        self._thread = threading.Thread(target=self._run, name=f"game-{game_id}", daemon=True)

    def _host(self, role: Role, spec: StrategySpec, nursery: Nursery) -> StrategyHost:
        return StrategyHost(
            spec,
            deliver=lambda message: self._hear(role, message),
            name=f"{role}-{self.game_id}",
            nursery=nursery,
            memory_limit_mib=self._settings.memory_limit_mib,
            niceness=self._settings.niceness,
        )

    def start(self) -> None:
        self._thread.start()

    def deliver(self, message: GameMessage) -> None:
        """Any thread may call this; it never blocks."""
        self._inbox.put(message)

    def stop(self) -> None:
        """Let go of the game; it goes on at Lichess and can be taken up again. Returns at once."""
        self._inbox.put(_Stop())

    def join(self, timeout_s: float) -> bool:
        """True when the session has ended within `timeout_s` seconds."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        status = "failed"
        try:
            status = self._play()
        except Exception:  # noqa: BLE001  the thread's outermost edge: the account must hear that it ended
            self._log.exception("the session failed")
        finally:
            try:
                self._close()
            finally:
                self._ended(SessionEnded(self.game_id, status))

    def _play(self) -> str:
        self._hosts["strategy"].start()  # loads while the stream is being opened
        self._sender.start()
        self._reader.start()
        while self._flow.over is None:
            self.wake_at = next_wake(self._flow)
            message = self._inbox.take(self.wake_at) or Tick()
            if isinstance(message, _Stop):
                return "left"
            self._flow, actions = step(self._flow, message, self._clock.monotonic())
            for action in actions:
                self._act(action)
        return self._flow.over.status

    def _act(self, action: Action) -> None:
        match action:
            case PostMove():
                self._sender.send(action)
            case Ask(role, ask_id, facts):
                self._hosts[role].ask(ask_id, facts)
            case StopThinking(role):
                self._hosts[role].kill()
                if self._flow.over is None:
                    self._hosts[role].start()  # its successor loads while nobody waits for it
            case Withdraw(role):
                self._hosts[role].withdraw()
            case Prepare(role):
                self._hosts[role].start()
            case Errand(kind):
                request = getattr(self._lichess, kind)
                self._errand(kind, lambda: request(self.game_id))
            case Say():
                self._errand("chat", lambda: self._say(action), Priority.CHAT)
            case Resynchronise(why):
                self._log.info("reopening the game stream: %s", why)
                self._reader.reopen()
            case Report(level, text):
                self._log.log(LEVELS[level], text, extra={"ply": self._ply()})
            case Finished(status, winner):
                self._log.info(
                    "over: %s%s", status, f", {winner} wins" if winner else "", extra={"ply": self._ply()}
                )

    def _say(self, line: Say) -> None:
        """On the lane's thread."""
        if line.once and self._settings.flow.bot_id in self._lichess.chat_speakers(self.game_id):
            return
        self._lichess.chat(self.game_id, line.room, line.text)

    def _errand(self, label: str, request: Callable[[], None], priority: Priority | None = None) -> None:
        def done(result: object) -> None:
            if isinstance(result, LichessError):
                self._log.warning("%s: %s", label, result)

        self._lane.submit(priority or Priority.GAME, f"{label} {self.game_id}", request, done)

    def _hear(self, role: Role, message: host_messages.HostMessage) -> None:
        match message:
            case host_messages.Chose(ask_id, move, _, note, thought):
                self.deliver(Chose(role, ask_id, move, note, thought))
            case host_messages.Thinking(_, thought):
                self._log.debug("%s: %s: %s", role, thought, " ".join(thought.pv))
            case host_messages.Committed(ask_id, move):
                self.deliver(Committed(role, ask_id, move))
            case host_messages.Failed(ask_id, reason, died):
                self.deliver(ThinkerFailed(role, ask_id, reason, died))
            case host_messages.Ready(_, load_ms):
                self._log.debug("%s is ready after %d ms", role, load_ms)
                self.deliver(ThinkerReady(role))

    def _ply(self) -> int | None:
        return None if self._flow.state is None else len(self._flow.state.moves)

    def _close(self) -> None:
        self._reader.stop()
        for host in self._hosts.values():
            host.close()
        if not self._sender.close(JOIN_S) or not self._reader.join(JOIN_S):
            self._log.warning(
                "a thread of this game is still waiting for the network; it ends with its request"
            )
