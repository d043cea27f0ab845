"""`knightshift bench tactics`: how many positions with a best move a player solves, and how soon.

Each position is put to the player in a process of its own, as a game's first turn is, with as much time as a
move of the lab has. A move that comes much too late solves nothing, as any other failed turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from bot.bench.progress import progress
from bot.bench.tactics_report import as_json as in_json
from bot.bench.tactics_report import line_of, table_of, unsolved_of
from bot.bench.tactics_solving import Attempt, Score
from bot.bench.tactics_suites import Problem, Suite
from bot.errors import BenchError, PositionError
from bot.lab.budgets import Allowance, Budget, PerMove, Unhurried, timer
from bot.lab.host_mover import HostMover
from bot.lab.plan import tried
from bot.lab.player import PlayerSpec
from bot.lab.referee import Moved, Refused, Waiting
from bot.nursery import Nursery
from bot.position import parse_move
from bot.strategies.contract import Clocks, Thought
from bot.strategies.turn_tools import facts_from_fen
from bot.timing.clock import Clock
from bot.warming import COMPILED, ENGINE, warm_for

#: So long is waited for the move of a player that has a budget of its own, or keeps one itself.
STALL_MS = 60_000
#: A move may come so much later than it should: no flag falls here, and a busy machine is nobody's fault.
LATE_MS = 1_000


@dataclass(frozen=True, slots=True)
class Solver:
    """Puts positions to one player, each to a fresh process: it remembers nothing of the one before."""

    player: PlayerSpec
    budget: Budget
    nursery: Nursery
    clock: Clock

    def attempt(self, problem: Problem) -> Attempt:
        """Waits for the player's move. Raises BenchError where it is not the player that fails."""
        heard: list[Thought] = []
        allowance = self._allowance()
        facts = replace(facts_from_fen(problem.fen), game_id=problem.name, limit=allowance.told)
        with HostMover(
            self.player.loaded_as, self.nursery, name=self.player.label, clock=self.clock, tell=heard.append
        ) as mover:
            mover.start()
            if (why_not := mover.fault_in_loading()) is not None:
                raise BenchError(f"{self.player.label}: {why_not}")
            began = self.clock.monotonic()
            reply = mover.choose(facts, allowance.deadline_ms + LATE_MS)
            elapsed_ms = round((self.clock.monotonic() - began) * 1000)
            if mover.outside is not None and mover.outside[0] == "infrastructure":
                raise BenchError(f"{self.player.label}: {mover.outside[1]}")
        match reply:
            case Moved(uci, last):
                if last is not None and heard[-1:] != [last]:
                    heard.append(last)
                return _answered(problem, uci, elapsed_ms, tuple(heard))
            case Refused(_, detail):
                return Attempt(problem, None, elapsed_ms, tuple(heard), detail)
            case Waiting():
                return Attempt(
                    problem, None, elapsed_ms, tuple(heard), f"none after {elapsed_ms / 1000:.1f} s"
                )

    def _allowance(self) -> Allowance:
        told_apart = self.player.passes_movetime is True
        return timer(self.budget, told_apart=told_apart, stall_ms=STALL_MS).allow(Clocks(), "white", 0)


def _answered(problem: Problem, uci: str, elapsed_ms: int, thoughts: tuple[Thought, ...]) -> Attempt:
    """The attempt with the move in the spelling of the problem's own."""
    try:
        move = parse_move(facts_from_fen(problem.fen).board(), uci)
    except PositionError as error:
        return Attempt(problem, None, elapsed_ms, thoughts, str(error))
    return Attempt(problem, move.uci(), elapsed_ms, thoughts)


def solve(
    solver: Solver, suites: Sequence[Suite], *, done: Callable[[int], None], tell: Callable[[Attempt], None]
) -> tuple[Score, ...]:
    """Put every position to the player; `done` hears how many were so far, `tell` of each."""
    scores, count = list[Score](), 0
    for suite in suites:
        attempts = list[Attempt]()
        for problem in suite.problems:
            attempt = solver.attempt(problem)
            attempts.append(attempt)
            tell(attempt)
            count += 1
            done(count)
        scores.append(Score(suite, tuple(attempts)))
    return tuple(scores)


def run_tactics(
    suites: Sequence[Suite],
    *,
    player: str,
    time_ms: int,
    at_least: int | None,
    verbose: bool,
    as_json: bool,
    console: Console,
    errors: Console,
    clock: Clock,
) -> int:
    """Solve and print; returns 0, or 1 where fewer than `at_least` were solved in all.

    `time_ms`: milliseconds a position, for a player that has no budget of its own. Progress goes to `errors`,
    and with `verbose` a line for each position. Raises UserError for a player that cannot be loaded.
    """
    spec = PlayerSpec.parse(player, search_path=(str(Path.cwd()),)).under(PerMove(time_ms))
    warm_for({spec.strategy.name}, errors, clock)
    nursery = Nursery(preload=(ENGINE,) if spec.strategy.name == COMPILED else ())
    try:
        nursery.warm()
        spec = tried(spec, nursery)
        budget = spec.budget(PerMove(time_ms), Unhurried(STALL_MS))
        solver = Solver(spec, budget, nursery, clock)

        def tell(attempt: Attempt) -> None:
            if verbose:
                errors.print(line_of(attempt), highlight=False, markup=False, soft_wrap=True)

        with progress("positions", sum(len(suite.problems) for suite in suites), errors) as done:
            scores = solve(solver, suites, done=done, tell=tell)
    finally:
        nursery.close()
    time = f"{budget.ms} ms a position" if isinstance(budget, PerMove) else "its own budget"
    if as_json:
        console.print(in_json(scores, player, time), soft_wrap=True, highlight=False, markup=False)
    else:
        console.print(table_of(scores, player, time))
        if (unsolved := unsolved_of(scores)) is not None:
            console.print(unsolved)
    solved = sum(score.solved for score in scores)
    if at_least is not None and solved < at_least:
        errors.print(f"{solved} solved; at least {at_least} were asked for", style="red", highlight=False)
        return 1
    return 0
