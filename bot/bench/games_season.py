"""The games of `knightshift bench games`, several at a time: asked for, watched to their end, and judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.bench.arena import BOT, DECLINED_S, LOOK_S, PATIENCE_S, Arena
from bot.bench.games_result import Played, judge
from bot.bench.games_rival import Rival
from bot.bench.games_schedule import Fixture
from bot.errors import BenchError
from bot.local_lichess.clocks import Realtime
from bot.nursery import Nursery
from bot.service_process import ServiceProcess
from bot.strategies.contract import StrategySpec


@dataclass(slots=True)
class _Seat:
    """A person who plays one fixture."""

    name: str
    fixture: Fixture
    rival: Rival
    game_id: str = ""  # of the last challenge; and of the game, once there is one
    asked_at: float = -PATIENCE_S  # monotonic seconds


class Season:
    """Plays `fixtures` in their order. `rivals`: what the opponents' names stand for. `control`: the time
    control to ask for, which is also the one that is played."""

    def __init__(
        self,
        world: Arena,
        fixtures: Sequence[Fixture],
        rivals: Mapping[str, StrategySpec],
        nursery: Nursery,
        control: Realtime,
    ) -> None:
        self._world = world
        self._waiting = list(fixtures)
        self._rivals = rivals
        self._nursery = nursery
        self._control = control
        self._seats: list[_Seat] = []
        self.played: list[Played] = []
        #: By the game's id: why its opponent gave up.
        self.rivals_faults: dict[str, str] = {}

    def play(
        self,
        service: ServiceProcess,
        *,
        parallel: int,
        told: Callable[[Sequence[Played]], None],
        stalled_s: float,
    ) -> None:
        """Play, `parallel` at a time; `told` hears of the games that are over whenever one more is.

        Where the bot does not move for `stalled_s` seconds, what has begun is left as it stands. BenchError
        when the bot ends.
        """
        clock = self._world.clock
        free = [f"Rival{number + 1}" for number in range(parallel)]
        for name in free:
            self._world.server.add_account(name)
        done, since = 0, clock.monotonic()
        try:
            while self._waiting or self._seats:
                while free and self._waiting:
                    self._sit_down(free.pop(), self._waiting.pop(0))
                self._ask_for_games()
                self._world.wait_a_while(LOOK_S)
                if not service.is_running:
                    raise BenchError(f"the bot has ended\n{service.tail()}")
                if over := self._over():
                    free += [self._leave(seat) for seat in over]
                    told(self.played)
                if (now_done := len(self._world.watch.replies) + len(self.played)) > done:
                    done, since = now_done, clock.monotonic()
                elif clock.monotonic() - since > stalled_s:
                    break
            for seat in self._begun():
                self._leave(seat)
        finally:
            for seat in self._seats:
                seat.rival.close()

    def _sit_down(self, name: str, fixture: Fixture) -> None:
        rival = Rival(self._rivals[fixture.opponent], self._nursery, clock=self._world.clock)
        self._seats.append(_Seat(name, fixture, rival))
        rival.wait_loaded()
        self._world.server.attach(name, rival)

    def _ask_for_games(self) -> None:
        """Have everybody without a game challenge the bot; again, where that came to nothing."""
        for seat in self._world.server.on_loop(self._idle):
            seat.game_id = self._world.server.challenge(
                seat.name,
                BOT,
                limit_s=self._control.limit_s,
                increment_s=self._control.increment_s,
                color="black" if seat.fixture.bots_side == "white" else "white",
                fen=seat.fixture.opening,
            )
            seat.asked_at = self._world.clock.monotonic()

    def _idle(self) -> list[_Seat]:
        """Those who should challenge the bot now. On the server's thread."""
        lobby, now = self._world.server.lobby, self._world.clock.monotonic()
        idle = []
        for seat in self._seats:
            challenge = lobby.challenges.book.find(seat.game_id)
            patience_s = PATIENCE_S if challenge is not None and challenge.is_pending else DECLINED_S
            if lobby.rooms.find(seat.game_id) is None and now >= seat.asked_at + patience_s:
                idle.append(seat)
        return idle

    def _begun(self) -> list[_Seat]:
        rooms = self._world.server.lobby.rooms
        return self._world.server.on_loop(
            lambda: [seat for seat in self._seats if rooms.find(seat.game_id) is not None]
        )

    def _over(self) -> list[_Seat]:
        return [seat for seat in self._begun() if self._world.server.game(seat.game_id).is_over]

    def _leave(self, seat: _Seat) -> str:
        """Judge the game of the seat as it stands; returns who is free again."""
        server = self._world.server
        room = server.lobby.rooms.find(seat.game_id)
        assert room is not None  # noqa: S101  it has begun
        left_ms = server.on_loop(lambda: tuple(room.game.clock_history_ms))
        game = server.game(seat.game_id)
        self.played.append(judge(seat.fixture, game, left_ms, self._control, self._world.bot.id))
        if seat.rival.fault is not None:
            self.rivals_faults[game.id] = seat.rival.fault
        seat.rival.close()
        self._seats.remove(seat)
        return seat.name
