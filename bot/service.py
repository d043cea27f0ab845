"""The shell of the account: owns the event stream and the sessions; decisions are `account`'s."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable

from bot.account import LEASE_S, Account
from bot.account_messages import (
    AbortAnswered,
    AbortGame,
    AcceptAnswered,
    AcceptChallenge,
    AccountMessage,
    Command,
    DeclineChallenge,
    Leave,
    LookUpGames,
    OngoingGames,
    RemindSession,
    Report,
    SessionEnded,
    StartSession,
    StopRequested,
    TellSession,
    Tick,
    TokenRefused,
)
from bot.errors import LichessError, NotAllowedError
from bot.event_stream import event_stream
from bot.game_messages import FinishReported, TurnReported
from bot.game_session import LEVELS, GameSession
from bot.inbox import Inbox
from bot.lichess.client import Lichess
from bot.lichess.lanes import ErrandLane, Priority
from bot.progress import Progress
from bot.record.heartbeat import Heartbeat
from bot.record.log import GameLog
from bot.timing.clock import Clock

log = logging.getLogger(__name__)

#: On leaving, sessions get this long to close their children and threads.
SESSIONS_END_S = 5.0


class Service:
    """Serves one account until told to stop. `run` returns why it ended."""

    def __init__(
        self,
        account: Account,
        *,
        lichess: Lichess,
        lane: ErrandLane,
        new_session: Callable[[str, Callable[[SessionEnded], None]], GameSession],
        heartbeat: Heartbeat,
        clock: Clock,
        rng: random.Random,
    ) -> None:
        self._account = account
        self._heartbeat = heartbeat
        self._progress = Progress(clock.monotonic())
        self._beat_at = clock.monotonic()
        self._lichess = lichess
        self._lane = lane
        self._new_session = new_session
        self._clock = clock
        self._inbox: Inbox[AccountMessage] = Inbox(clock)
        self._sessions: dict[str, GameSession] = {}
        self._stream = event_stream(lichess, self._inbox.put, clock=clock, rng=rng)
        self._leaving: Leave | None = None

    def request_stop(self) -> None:
        """Drain; called again: stop at once. Safe in a signal handler."""
        self._inbox.put(StopRequested())

    def run(self) -> Leave:
        """Serve in the calling thread. Everything this started has ended when it returns."""
        self._stream.start()
        self._heartbeat.ready()
        try:
            while self._leaving is None:
                message = self._inbox.take(self._next_wake()) or Tick()
                self._beat(message)
                if isinstance(message, SessionEnded):
                    self._sessions.pop(message.game_id, None)
                for command in self._account.step(message, self._clock.monotonic()):
                    self._do(command)
            return self._leaving
        finally:
            self._close()

    def _next_wake(self) -> float | None:
        wakes = [self._account.next_wake(), None if self._heartbeat.every_s is None else self._beat_at]
        return min((at for at in wakes if at is not None), default=None)

    def _beat(self, message: AccountMessage) -> None:
        """Let the watchdog bite when the service is deaf or a game is stuck, and only then."""
        now = self._clock.monotonic()
        self._progress.heard(message, now)
        every_s = self._heartbeat.every_s
        if every_s is None or now < self._beat_at:
            return
        self._beat_at = now + every_s
        if self._progress.is_made(now, [session.wake_at for session in self._sessions.values()]):
            self._heartbeat.beat()
            self._heartbeat.status(f"{len(self._sessions)} games")
        else:
            log.error("no progress: waiting for the watchdog")

    def _do(self, command: Command) -> None:
        match command:
            case AcceptChallenge(challenge_id):
                self._lane.submit(
                    Priority.ACCEPT,
                    f"accept {challenge_id}",
                    lambda: self._lichess.accept(challenge_id),
                    lambda result: self._inbox.put(AcceptAnswered(challenge_id, _error(result))),
                    worth_s=LEASE_S,  # later its slot is somebody else's
                )
            case AbortGame(game):
                self._lane.submit(
                    Priority.GAME,
                    f"abort {game.id}",
                    lambda: self._lichess.abort(game.id),
                    lambda result: self._inbox.put(AbortAnswered(game, _error(result))),
                    worth_s=LEASE_S,
                )
            case DeclineChallenge(challenge_id, reason):
                self._lane.submit(
                    Priority.DECLINE,
                    f"decline {challenge_id}",
                    lambda: self._lichess.decline(challenge_id, reason),
                    lambda result: _note_error(f"declining {challenge_id}", result),
                )
            case LookUpGames():
                self._look_up_games()
            case StartSession(game):
                try:
                    session = self._new_session(game.id, self._inbox.put)
                    session.start()
                except (OSError, RuntimeError) as error:  # out of file descriptors, or of threads
                    GameLog(log, game.id).error("cannot be taken up now: %s", error)
                    self._inbox.put(SessionEnded(game.id, "failed"))
                else:
                    self._sessions[game.id] = session
            case TellSession(game_id, status, sure):
                if game_id in self._sessions:
                    self._sessions[game_id].deliver(FinishReported(status, sure))
            case RemindSession(game_id, asked_at):
                if game_id in self._sessions:
                    self._sessions[game_id].deliver(TurnReported(asked_at))
            case Report(level, text, game_id):
                logger = log if game_id is None else GameLog(log, game_id)
                logger.log(LEVELS[level], "%s", text)
            case Leave():
                self._leaving = command

    def _look_up_games(self) -> None:
        asked_at = self._clock.monotonic()

        def done(result: object) -> None:
            if isinstance(result, tuple):
                self._inbox.put(OngoingGames(result, asked_at))
            elif isinstance(result, NotAllowedError):
                self._inbox.put(TokenRefused(result))
            else:
                _note_error("looking up the ongoing games", result)

        self._lane.submit(Priority.LOOK_UP, "ongoing games", self._lichess.ongoing_games, done)

    def _close(self) -> None:
        self._heartbeat.stopping()
        self._stream.stop()
        for session in self._sessions.values():
            session.stop()
        deadline = self._clock.monotonic() + SESSIONS_END_S
        for session in self._sessions.values():
            if not session.join(max(0.0, deadline - self._clock.monotonic())):
                log.warning("the session of game %s did not end in time", session.game_id)
        self._stream.join(1.0)


def _error(result: object) -> LichessError | None:
    return result if isinstance(result, LichessError) else None


def _note_error(what: str, result: object) -> None:
    if isinstance(result, LichessError):
        log.warning("%s: %s", what, result)
