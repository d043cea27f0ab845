"""The account: one `match` over all it hears, and the owner of the game slots. Pure: returns what to do.

A slot is a lease: reserved when a challenge is accepted, taken when the game starts, given back when the game
ends, when the accepting fails, or when no game came of it in time. What Lichess says outranks the ledger.
`now` is monotonic seconds throughout.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field, replace

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
from bot.challenge_policy import Accept, Decline, Facts, Ignore, decide
from bot.errors import ConnectionTroubleError, LichessError, ServerTroubleError
from bot.events import (
    Challenge,
    ChallengeCanceled,
    ChallengeDeclined,
    ChallengeReceived,
    GameFinish,
    GameInfo,
    GameStart,
    KeepAlive,
    Unreadable,
)
from bot.settings import ChallengeSettings, GameSettings
from bot.slot import Slot, is_unplayed
from bot.stream_reader import ReaderDied, StreamLost, StreamOpened, StreamRefused

#: An accepted challenge must have become a game within this time.
LEASE_S = 30.0
#: An accepting that was answered is followed by the game's start at once; if not, the start got lost.
STARTED_WITHIN_S = 3.0
#: A line of the event stream that could not be read may have been a start: Lichess is asked so much later.
LOST_LINE_S = 1.0
#: The ledger is compared with Lichess after every (re)connection and this often,
RECONCILE_S = 300.0
#: and this often while games are played: a line that got lost may have been the one that asked for a move.
RECONCILE_PLAYING_S = 20.0
#: After a session that failed, the game is looked for again this much later.
FAILED_AGAIN_S = 5.0
#: An event stream that the server ends so often within so many seconds is being taken over.
TAKEN_OVER_TIMES, TAKEN_OVER_S = 3, 600.0
TAKEN_OVER = (
    "Lichess has ended the event stream three times within ten minutes. It does so when the same token opens "
    "another: is a second copy of this bot running somewhere? Stop one of them, or give each its own account."
)


@dataclass
class Account:
    """The ledger of one bot account. `step` is its only way to change."""

    id: str
    challenge: ChallengeSettings
    games: GameSettings
    stop_deadline_s: float
    slots: dict[str, Slot] = field(default_factory=dict)
    draining_until: float | None = None
    left: bool = False
    look_up_at: float | None = None
    taken_over_at: deque[float] = field(default_factory=lambda: deque(maxlen=TAKEN_OVER_TIMES))

    def next_wake(self) -> float | None:
        """The monotonic second at which a Tick is wanted."""
        slots = self.slots.values()
        times = [at for slot in slots for at in (slot.lease_until, slot.ask_at) if at is not None]
        times.extend(at for at in (self.draining_until, self.look_up_at) if at is not None)
        return min(times, default=None)

    def step(self, message: AccountMessage, now: float) -> list[Command]:
        """Take one message at `now` and say what follows."""
        return [*self._react(message, now), *self._leave_when_idle()]

    def _react(self, message: AccountMessage, now: float) -> list[Command]:
        match message:
            case KeepAlive():
                return []
            case ChallengeReceived(challenge):
                return self._on_challenge(message, now)
            case ChallengeCanceled(challenge) | ChallengeDeclined(challenge):
                slot = self.slots.get(challenge.id)
                if slot is not None and slot.lease_until is not None:
                    del self.slots[challenge.id]
                return [Report("info", f"challenge {challenge.id} is off: {challenge.status}")]
            case GameStart(game):
                return self._start(game, now)
            case GameFinish(game):
                return self._on_game_finish(game)
            case SessionEnded(game_id, status):
                return self._on_session_ended(game_id, status, now)
            case AcceptAnswered(challenge_id, error):
                return self._on_accept_answered(challenge_id, error, now)
            case AbortAnswered(game, error):
                return self._on_abort_answered(game, error, now)
            case OngoingGames():
                return self._reconcile(message, now)
            case StreamOpened():
                self.look_up_at = now + self._reconcile_every_s()
                return [Report("info", "listening to Lichess"), LookUpGames()]
            case StreamLost():
                return self._on_stream_lost(message, now)
            case StreamRefused(error) | TokenRefused(error):
                self.left = True
                return [Report("error", f"Lichess lets us in no longer: {error}"), Leave("not_allowed")]
            case ReaderDied(why):
                self.left = True
                return [Report("error", f"the event stream's reader failed: {why}"), Leave("failed")]
            case Unreadable(why, harmless):
                if not harmless:
                    self._look_up_by(now + LOST_LINE_S)
                return [Report("warning", f"a line of the event stream was ignored: {why}")]
            case StopRequested():
                return self._on_stop(now)
            case Tick():
                return self._on_tick(now)

    def _on_stream_lost(self, lost: StreamLost, now: float) -> list[Command]:
        """Lichess keeps one event stream a token: two copies of the bot take it from each other for ever."""
        commands: list[Command] = [
            Report("warning", f"event stream lost ({lost.why}); reopening in {lost.retry_in_s:.1f} s")
        ]
        if lost.ended_by_server:
            self.taken_over_at.append(now)
            if len(self.taken_over_at) == TAKEN_OVER_TIMES and now - self.taken_over_at[0] <= TAKEN_OVER_S:
                self.taken_over_at.clear()
                commands.append(Report("error", TAKEN_OVER))
        return commands

    # --- challenges ------------------------------------------------------------------------------------

    def _on_challenge(self, message: ChallengeReceived, now: float) -> list[Command]:
        challenge = message.challenge
        if challenge.id in self.slots:
            return []  # accepted already; the stream replays challenges on every connection
        decision = decide(challenge, self._facts(), self.challenge, self.games)
        who = challenge.challenger.name if challenge.challenger is not None else "somebody"
        what = f"challenge {challenge.id} from {who} ({challenge.variant}, {challenge.speed})"
        match decision:
            case Ignore():
                return self._on_own_challenge(challenge, now)
            case Decline(reason, why):
                return [Report("info", f"{what} declined: {why}"), DeclineChallenge(challenge.id, reason)]
            case Accept():
                opponent_id = (challenge.challenger.id if challenge.challenger is not None else None) or ""
                self.slots[challenge.id] = Slot(opponent_id, now, now + LEASE_S)
                return [Report("info", f"{what} accepted"), AcceptChallenge(challenge.id)]

    def _on_own_challenge(self, challenge: Challenge, now: float) -> list[Command]:
        """The account's owner has challenged somebody: the game that may come of it will need a slot."""
        ours = challenge.challenger is not None and challenge.challenger.id == self.id
        if not ours or challenge.status not in ("created", "offline") or self.draining_until is not None:
            return []
        opponent_id = (challenge.dest.id if challenge.dest is not None else None) or ""
        self.slots[challenge.id] = Slot(opponent_id, now, now + LEASE_S, outgoing=True)
        return [Report("info", f"a slot is kept for our own challenge {challenge.id}")]

    def _facts(self) -> Facts:
        taken = [slot for slot in self.slots.values() if not slot.over]
        return Facts(
            account_id=self.id,
            slots_taken=len(taken),
            games_by_opponent=Counter(slot.opponent_id for slot in taken),
            draining=self.draining_until is not None,
        )

    def _on_accept_answered(self, challenge_id: str, error: LichessError | None, now: float) -> list[Command]:
        slot = self.slots.get(challenge_id)
        promised = slot is not None and slot.lease_until is not None
        if error is None:
            if slot is not None and promised:
                self.slots[challenge_id] = replace(slot, ask_at=now + STARTED_WITHIN_S, unsure=False)
            return []
        if slot is not None and promised:
            if isinstance(error, ConnectionTroubleError | ServerTroubleError):
                # The answer may be lost although the game was made. Without a start it is accepted once more;
                # that does no harm.
                self.slots[challenge_id] = replace(slot, ask_at=now + STARTED_WITHIN_S, unsure=True)
            else:
                del self.slots[challenge_id]
        return [Report("warning", f"challenge {challenge_id} could not be accepted: {error}"), LookUpGames()]

    # --- games -----------------------------------------------------------------------------------------

    def _start(self, game: GameInfo, now: float) -> list[Command]:
        slot = self.slots.get(game.id)
        if slot is not None and slot.lease_until is None:
            return []  # being played: a replayed start starts nothing
        if game.bot_compatible is False:
            self.slots.pop(game.id, None)
            return [Report("warning", "this game cannot be played by a bot; leaving it alone", game.id)]
        if slot is not None and slot.aborting:
            return []
        others = [one for game_id, one in self.slots.items() if game_id != game.id and not one.over]
        if len(others) >= self.games.max_simultaneous and is_unplayed(game):
            self.slots[game.id] = Slot(game.opponent.id or "", now, now + LEASE_S, over=True, aborting=True)
            text = f"one game more than max_simultaneous allows, against {game.opponent.name}: aborting"
            return [Report("warning", text, game.id), AbortGame(game)]
        return self._play(game, now)

    def _play(self, game: GameInfo, now: float) -> list[Command]:
        self.slots[game.id] = Slot(game.opponent.id or "", now, None)
        if self.look_up_at is not None:
            self._look_up_by(now + RECONCILE_PLAYING_S)
        text = f"game against {game.opponent.name} as {game.color} ({game.variant}, {game.speed})"
        return [Report("info", text, game.id), StartSession(game)]

    def _on_abort_answered(self, game: GameInfo, error: LichessError | None, now: float) -> list[Command]:
        """A game that cannot be aborted any more is played."""
        slot = self.slots.get(game.id)
        if slot is None or not slot.aborting:
            return []
        del self.slots[game.id]
        if error is None:
            return []
        return [Report("warning", f"could not be aborted: {error}", game.id), *self._play(game, now)]

    def _on_game_finish(self, game: GameInfo) -> list[Command]:
        slot = self.slots.get(game.id)
        if slot is None:
            return []
        self.slots[game.id] = replace(slot, over=True)
        return [TellSession(game.id, game.status, sure=True)]

    def _on_session_ended(self, game_id: str, status: str, now: float) -> list[Command]:
        self.slots.pop(game_id, None)
        if status in ("failed", "unknownFinish"):
            self._look_up_by(now + FAILED_AGAIN_S)
        return []

    def _look_up_by(self, at: float) -> None:
        self.look_up_at = at if self.look_up_at is None else min(at, self.look_up_at)

    def _reconcile(self, answer: OngoingGames, now: float) -> list[Command]:
        """A game nobody plays is picked up; one that Lichess no longer lists is asked about.

        One in which it is our move is reminded of it.
        """
        commands: list[Command] = []
        for game in answer.games:
            slot = self.slots.get(game.id)
            if game.is_my_turn and slot is not None and slot.lease_until is None:
                commands.append(RemindSession(game.id, answer.asked_at))
            commands += self._start(game, now)
        listed = {game.id for game in answer.games}
        if len(listed) >= 50:
            return commands  # the list is cut there: absence says nothing
        for game_id, slot in self.slots.items():
            if slot.lease_until is None and game_id not in listed and slot.since < answer.asked_at:
                commands.append(TellSession(game_id, "unknownFinish", sure=False))
        return commands

    def _reconcile_every_s(self) -> float:
        playing = any(slot.lease_until is None for slot in self.slots.values())
        return RECONCILE_PLAYING_S if playing else RECONCILE_S

    # --- time ------------------------------------------------------------------------------------------

    def _on_tick(self, now: float) -> list[Command]:
        commands: list[Command] = []
        for game_id, slot in list(self.slots.items()):
            if slot.lease_until is not None and now >= slot.lease_until:
                del self.slots[game_id]
                if not slot.outgoing:
                    commands += [
                        Report("warning", "accepted, but no game came of it", game_id),
                        LookUpGames(),
                    ]
            elif slot.ask_at is not None and now >= slot.ask_at:
                self.slots[game_id] = replace(slot, ask_at=None, unsure=False)
                commands.append(LookUpGames())
                if slot.unsure and self.draining_until is None:
                    commands.append(AcceptChallenge(game_id))
        if self.look_up_at is not None and now >= self.look_up_at:
            self.look_up_at = now + self._reconcile_every_s()
            commands.append(LookUpGames())
        if self.draining_until is not None and now >= self.draining_until and not self.left:
            self.left = True
            report = Report(
                "warning", f"leaving {_games(len(self.slots))}, to go on when the bot is started again"
            )
            commands += [report, Leave("stopped")]
        return commands

    def _on_stop(self, now: float) -> list[Command]:
        if self.draining_until is not None:
            self.left = True
            return [Report("warning", "stopping at once"), Leave("stopped")]
        self.draining_until = now + self.stop_deadline_s
        if self.slots:
            text = (
                f"finishing {_games(len(self.slots))}, for {self.stop_deadline_s:.0f} s at most; "
                "asked again, stopping at once"
            )
            return [Report("info", text)]
        return []

    def _leave_when_idle(self) -> list[Command]:
        if self.draining_until is None or self.slots or self.left:
            return []
        self.left = True
        return [Leave("stopped")]


def _games(number: int) -> str:
    return "1 game" if number == 1 else f"{number} games"
