"""Seats scripted players: accepts and sends challenges for them and carries out what they decide.

Lives on the server's event loop, speaks to the lobby directly, and opens no streams.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field

from bot.local_lichess.accounts import Account, Caller, Token
from bot.local_lichess.clocks import Realtime
from bot.local_lichess.game import Game
from bot.local_lichess.lobby import Lobby
from bot.local_lichess.players import (
    Abort,
    Action,
    Draw,
    Leave,
    Play,
    Player,
    Resign,
    Say,
    Situation,
    Takeback,
)
from bot.local_lichess.refusal import Refusal
from bot.local_lichess.rooms import Room
from bot.local_lichess.rules import new_board
from bot.local_lichess.seats import COLORS, Color, other
from bot.local_lichess.terms import Form
from bot.local_lichess.worker import in_thread

log = logging.getLogger(__name__)

#: Challenges are sent on behalf of an account without any token of its own.
_NO_TOKEN = "inside"  # noqa: S105  not a secret


@dataclass(frozen=True, slots=True)
class OutgoingChallenge:
    """A challenge to send: to whom, and the fields as in a request."""

    dest: str
    form: Form


@dataclass(slots=True, eq=False)
class _Guest:
    """An account with a player attached."""

    account: Account
    player: Player
    accepts: bool
    delay_s: float
    challenges: list[OutgoingChallenge]


@dataclass(slots=True, eq=False)
class _Sitting:
    """A player at one game."""

    room: Room
    side: Color
    player: Player
    delay_s: float
    initial_fen: str
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    here: bool = True


class Hosts:
    """All players inside the server. `ai` makes the player for a level of the AI."""

    def __init__(
        self,
        lobby: Lobby,
        *,
        now_ms: Callable[[], int],
        flush: Callable[[], None],
        ai: Callable[[int], Player],
    ) -> None:
        self._lobby = lobby
        self._now_ms = now_ms
        self._flush = flush
        self._ai = ai
        self._guests: dict[Account, _Guest] = {}
        self._sittings: list[_Sitting] = []
        self._tasks: set[asyncio.Task[None]] = set()
        lobby.on_game_start.append(self._game_started)
        lobby.on_event.append(self._event)
        lobby.rooms.on_change.append(self._room_changed)

    def attach(
        self,
        account: Account,
        player: Player,
        *,
        accepts: bool = True,
        delay_s: float = 0.0,
        challenges: Sequence[OutgoingChallenge] = (),
    ) -> None:
        """Let `player` play all games of `account` that start from now on.

        `accepts`: accept every challenge. `delay_s`: wait before each move. `challenges` are sent one after
        the other, the next when the last one's game is over, or when it was declined.
        """
        guest = _Guest(account, player, accepts, delay_s, list(challenges))
        self._guests[account] = guest
        self._challenge_next(guest)

    def close(self) -> None:
        """Stop playing."""
        for task in self._tasks:
            task.cancel()

    # --- what the lobby tells -------------------------------------------------------------------------

    def _game_started(self, room: Room) -> None:
        for side in COLORS:
            account = room.players[side]
            if account is None:
                level = room.game.seat(side).ai_level
                self._sit(room, side, self._ai(1 if level is None else level), 0.0)
            elif (guest := self._guests.get(account)) is not None:
                room.game.connected(side, self._now_ms())
                self._sit(room, side, guest.player, guest.delay_s)

    def _room_changed(self, room: Room) -> None:
        for sitting in self._sittings:
            if sitting.room is room:
                sitting.changed.set()

    def _event(self, account: Account, event: Mapping[str, object]) -> None:
        guest = self._guests.get(account)
        if guest is None:
            return
        if event["type"] == "gameFinish":
            self._challenge_next(guest)
            return
        challenge = event.get("challenge")
        if not isinstance(challenge, dict):
            return
        is_own = challenge["challenger"]["id"] == account.id
        if event["type"] == "challenge" and guest.accepts and not is_own:
            self._spawn(self._accept(account, challenge["id"]))
        elif event["type"] == "challengeDeclined" and is_own:
            self._challenge_next(guest)

    # --- challenges -----------------------------------------------------------------------------------

    def _challenge_next(self, guest: _Guest) -> None:
        if guest.challenges:
            self._spawn(self._challenge(guest.account, guest.challenges.pop(0)))

    async def _challenge(self, account: Account, wanted: OutgoingChallenge) -> None:
        caller = Caller(account, Token(_NO_TOKEN, account.id, ()))
        try:
            self._lobby.challenges.create(caller, wanted.dest, wanted.form, self._now_ms())
        except Refusal as refusal:
            log.error("%s cannot challenge %s: %s", account.name, wanted.dest, refusal)
        self._flush()

    async def _accept(self, account: Account, challenge_id: str) -> None:
        try:
            self._lobby.challenges.accept(account, challenge_id, self._now_ms())
        except Refusal as refusal:
            log.info(
                "%s cannot accept %s: %s", account.name, challenge_id, refusal
            )  # e.g. withdrawn meanwhile
        self._flush()

    # --- playing --------------------------------------------------------------------------------------

    def _sit(self, room: Room, side: Color, player: Player, delay_s: float) -> None:
        initial_fen = new_board(room.game.variant, room.game.initial_fen).fen()
        sitting = _Sitting(room, side, player, delay_s, initial_fen)
        self._sittings.append(sitting)
        self._spawn(self._play(sitting))

    async def _play(self, sitting: _Sitting) -> None:
        try:
            await self._take_turns(sitting)
        except Exception:  # the player's outermost edge
            log.exception("the player of %s in %s failed and resigns", sitting.side, sitting.room.game.id)
            if not sitting.room.game.is_over:
                self._carry_out(sitting, Resign())
                self._flush()
        finally:
            self._sittings.remove(sitting)

    async def _take_turns(self, sitting: _Sitting) -> None:
        """Ask the player whenever there is something new to decide about."""
        game, answered = sitting.room.game, None
        while sitting.here and not game.is_over:
            sitting.changed.clear()
            question = _question(sitting)
            if question == answered:
                await sitting.changed.wait()
                continue
            actions = await self._decide(sitting)
            if game.moves != question[0]:
                continue  # a takeback came in between
            answered = question
            for action in actions:
                if sitting.here and not game.is_over:
                    self._carry_out(sitting, action)
            self._flush()

    async def _decide(self, sitting: _Sitting) -> Sequence[Action]:
        game, player = sitting.room.game, sitting.player
        if game.turn != sitting.side:
            return player.on_wait(self._situation(sitting))
        if sitting.delay_s > 0:
            await asyncio.sleep(sitting.delay_s)
        if game.is_over or game.turn != sitting.side:
            return ()
        board, situation = game.board.copy(stack=False), self._situation(sitting)
        if player.thinks:
            return await in_thread(lambda: player.on_turn(board, situation))
        return player.on_turn(board, situation)

    def _situation(self, sitting: _Sitting) -> Situation:
        game, opponent = sitting.room.game, other(sitting.side)
        clock = game.time_control if isinstance(game.time_control, Realtime) else None
        now_ms = self._now_ms()
        return Situation(
            game_id=game.id,
            side=sitting.side,
            variant=game.variant,
            initial_fen=sitting.initial_fen,
            moves=game.moves,
            speed=game.speed,
            rated=game.rated,
            opponent=game.seat(opponent),
            white_ms=game.clock.remaining_ms("white", now_ms) if clock else None,
            black_ms=game.clock.remaining_ms("black", now_ms) if clock else None,
            increment_ms=clock.increment_ms if clock else 0,
            opponent_offers_draw=game.offers.draw_by(opponent),
            opponent_proposes_takeback=game.offers.takeback_by(opponent),
        )

    def _carry_out(self, sitting: _Sitting, action: Action) -> None:
        """Refusal when the game does not allow it."""
        if isinstance(action, Leave):
            sitting.here = False
        now_ms, side = self._now_ms(), sitting.side
        self._lobby.rooms.act(sitting.room, lambda game: carry_out(game, side, action, now_ms), now_ms)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _question(sitting: _Sitting) -> tuple[tuple[str, ...], bool, bool]:
    """What the player is asked about: a position, and what the opponent proposes."""
    game, opponent = sitting.room.game, other(sitting.side)
    return game.moves, game.offers.draw_by(opponent), game.offers.takeback_by(opponent)


def carry_out(game: Game, side: Color, action: Action, now_ms: int) -> None:
    """Do for one side of a game what a player wants. Refusal when the game does not allow it."""
    match action:
        case Play(uci, offering_draw):
            game.move(side, uci, now_ms, offering_draw=offering_draw)
        case Resign():
            game.resign(side, now_ms)
        case Abort():
            game.abort(side, now_ms)
        case Draw(yes):
            game.draw(side, yes, now_ms)
        case Takeback(yes):
            game.takeback(side, yes, now_ms)
        case Say(text, room):
            game.chat(game.seat(side).name, room, text, now_ms)
        case Leave():
            game.disconnected(side, now_ms, left=True)
