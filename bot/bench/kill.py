"""`knightshift bench kill`: SIGKILL in mid-game, start again, and see every game go on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bot.bench.arena import Arena, Guests, arena
from bot.bench.processes import need_proc
from bot.bench.progress import progress
from bot.bench.quantile import quantile
from bot.bench.table import Measured, report
from bot.bench.verdict import lost_to_plumbing
from bot.errors import BenchError
from bot.service_process import ServiceProcess
from bot.timing.clock import SystemClock

#: What is promised: see README.
GOES_ON_S = 5.0
#: A game that does not go on within this time will not.
GIVEN_UP_S = 60.0
#: The bot dies after so many seconds of play, drawn between the two,
LEAST_PLAY_S, MOST_PLAY_S = 0.2, 2.0
#: and in one round of so many again, within so many seconds of its new start.
AGAIN_ONE_IN, AGAIN_WITHIN_S = 4, 1.0
#: By then the server has read what the dead process had sent; the new one needs longer to say anything.
LAST_WORDS_S = 0.05
PAUSE_S = 0.1
GREETING = "Good luck, {opponent}!"


@dataclass(frozen=True, slots=True)
class Round:
    """`waits_s`: from the kill to the next move, for each game that went on with one."""

    live: int
    resumed: int
    waits_s: tuple[float, ...]
    children_left: int


def run_kill(*, rounds: int, parallel: int, seed: int, as_json: bool) -> int:
    """Kill and restart the bot `rounds` times while it plays `parallel` games; the exit code.

    BenchError when there is no game to be interrupted.
    """
    need_proc("bench kill")
    rng = random.Random(seed)
    with arena(clock=SystemClock(), seed=seed) as world:
        world.invite(Guests(parallel, None, PAUSE_S), rng)
        with _Mortal(world, parallel).alive() as bot, progress("rounds", rounds) as done:
            world.wait_online(bot.service)
            played = []
            for number in range(rounds):
                played.append(_round(world, bot, rng))
                done(number + 1)
        figures = _figures(world, played)
    return report(f"kill: {rounds} rounds, {parallel} games at a time", figures, as_json=as_json)


class _Mortal:
    """The bot, life after life."""

    def __init__(self, world: Arena, parallel: int) -> None:
        self._world = world
        self._settings = {
            "strategy": "random",
            "games": {"max_simultaneous": parallel},
            "chat": {"greeting": GREETING},
        }
        self._dead: list[ServiceProcess] = []
        self.service = world.start_bot(**self._settings)

    @contextmanager
    def alive(self) -> Iterator[_Mortal]:
        try:
            yield self
        finally:
            self.service.kill()  # a polite end would wait for the games

    def kill(self) -> None:
        self.service.kill()
        self._dead.append(self.service)

    def start(self) -> None:
        self.service = self._world.start_bot(**self._settings)

    def orphans(self) -> int:
        """How many processes of dead ones are still there, after a while."""
        dead, self._dead = self._dead, []
        return self._world.left_behind(dead)


def _round(world: Arena, bot: _Mortal, rng: random.Random) -> Round:
    if not world.wait(lambda: bool(world.running()), GIVEN_UP_S):
        raise BenchError(f"no game for {GIVEN_UP_S:g} s\n{bot.service.tail()}")
    world.wait_a_while(rng.uniform(LEAST_PLAY_S, MOST_PLAY_S))
    bot.kill()
    killed_at = world.clock.monotonic()
    live = frozenset(world.server.on_loop(world.running))
    bot.start()
    if rng.randrange(AGAIN_ONE_IN) == 0:
        world.wait_a_while(rng.uniform(0.0, AGAIN_WITHIN_S))
        bot.kill()
        killed_at = world.clock.monotonic()
        bot.start()
    next_moves: dict[str, float] = {}

    def all_go_on() -> bool:
        next_moves.update(_next_moves(world, live, killed_at + LAST_WORDS_S))
        return not live & frozenset(world.running()) - next_moves.keys()

    world.wait(all_go_on, GIVEN_UP_S)
    stuck = world.server.on_loop(lambda: live & frozenset(world.running()) - next_moves.keys())
    waits_s = tuple(at - killed_at for at in next_moves.values())
    return Round(len(live), len(live) - len(stuck), waits_s, bot.orphans())


def _next_moves(world: Arena, games: frozenset[str], after_s: float) -> dict[str, float]:
    """The bot's first move in each of `games` after that time, where there was one."""
    first: dict[str, float] = {}
    for reply in reversed(world.watch.replies):
        if reply.arrived_s < after_s:
            break
        if reply.game_id in games:
            first[reply.game_id] = reply.arrived_s
    return first


def _figures(world: Arena, rounds: list[Round]) -> list[Measured]:
    live, resumed = sum(r.live for r in rounds), sum(r.resumed for r in rounds)
    waits_s = [wait for r in rounds for wait in r.waits_s]
    games = world.games()
    over = [game for game in games if game.is_over]
    greetings = [sum(who == world.bot.name for who, _ in game.chat) for game in games]
    if not waits_s:
        raise BenchError("no game went on after a kill")
    return [
        Measured("live", "games live at a kill", live, ""),
        Measured("resumed", "games resumed", resumed, ""),
        Measured("not_resumed", "games not resumed", live - resumed, "", 0),
        Measured("next_move_p50_s", "kill to next move, p50", quantile(waits_s, 0.5), "s"),
        Measured("next_move_max_s", "kill to next move, longest", max(waits_s), "s", GOES_ON_S),
        Measured("moves", "moves", len(world.watch.replies), ""),
        Measured("duplicates", "duplicate moves accepted", world.watch.duplicates, "", 0),
        Measured("refused", "moves refused", world.watch.refused, ""),
        Measured("children_left", "children left", sum(r.children_left for r in rounds), "", 0),
        Measured("greeted_twice", "games greeted twice", sum(n > 1 for n in greetings), "", 0),
        Measured("finished", "games finished", len(over), ""),
        Measured(
            "lost",
            "games lost to the plumbing",
            sum(lost_to_plumbing(game, world.bot.id) is not None for game in over),
            "",
            0,
        ),
    ]
