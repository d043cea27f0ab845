"""A player of the lab, from the text that names it: a strategy with options, and the time it may take a move.

    select_move    random:seed=7    classical:nodes=3000    my.module:make:style=calm    ./bot.py
    compiled:movetime=100    uci:stockfish:UCI_Elo=2000,nodes=10000

Whatever a strategy's own options are, `movetime=` (ms) may be among them: it is passed on to a strategy that
has such an option, and for any player a move that comes later has lost the game on time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from bot.errors import UserError
from bot.lab.budgets import Budget, PerMove
from bot.strategies.contract import StrategySpec
from bot.strategies.registry import parse_spec

#: Options that say by themselves how far a player goes: no budget of the run is meant for it.
BUDGET_OPTIONS = frozenset({"nodes", "depth", "movetime"})
_SECOND_OF_A_KIND = re.compile(r" #\d+$")


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """`label` is the player as typed; `strategy` has all of its options but `movetime`, for `movetime_ms`.

    `passes_movetime`: the strategy has an option of that name, so it gets it; None: nobody has looked yet.
    """

    label: str
    strategy: StrategySpec
    movetime_ms: int | None = None
    passes_movetime: bool | None = None

    @classmethod
    def parse(cls, text: str, *, search_path: Sequence[str] = ()) -> Self:
        """`text` as `registry.parse_spec` reads it. ` #2` at its end only tells two of a kind apart.

        Raises StrategyNameError for a name that leads nowhere, UserError for a time that is none.
        """
        label = text.strip()
        spec = parse_spec(_SECOND_OF_A_KIND.sub("", label), search_path=search_path)
        options = dict(spec.options)
        movetime = options.pop("movetime", None)
        if movetime is not None and (not isinstance(movetime, int) or movetime < 1):
            raise UserError(f"{label}: movetime is {movetime}; it must be a whole number of milliseconds")
        return cls(label, replace(spec, options=tuple(options.items())), movetime)

    @property
    def has_own_budget(self) -> bool:
        """Whether it says how far it goes: then the run's budget is not meant for it."""
        return self.movetime_ms is not None or any(
            name in BUDGET_OPTIONS for name, _ in self.strategy.options
        )

    @property
    def with_movetime(self) -> StrategySpec:
        """The strategy as it is loaded if it has an option `movetime`."""
        options = (
            *self.strategy.options,
            *(() if self.movetime_ms is None else (("movetime", self.movetime_ms),)),
        )
        return replace(self.strategy, options=options)

    @property
    def loaded_as(self) -> StrategySpec:
        """The strategy as it is loaded."""
        return self.with_movetime if self.passes_movetime else self.strategy

    def under(self, budget: Budget) -> Self:
        """This player in a run with `budget`, which is for those that have none of their own."""
        if isinstance(budget, PerMove) and not self.has_own_budget:
            return replace(self, movetime_ms=budget.ms)
        return self

    def budget(self, of_run: Budget, otherwise: Budget) -> Budget:
        """What binds it in a run with `of_run`; `otherwise` where it counts nodes or plies."""
        if self.movetime_ms is not None:
            return PerMove(self.movetime_ms)
        return otherwise if self.has_own_budget else of_run
