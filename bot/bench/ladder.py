"""`knightshift bench ladder`: every strategy beats the one below it.

`classical` beats `select_move`, that beats `greedy`, and that `random`: each opening is played twice, with
colours swapped. A rung holds when the whole interval of its score lies above a half.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from bot.lab.openings import draw_openings
from bot.lab.selfplay import PlayedGame, play_game
from bot.lab.stats.intervals import Interval, wilson
from bot.strategies import registry
from bot.strategies.contract import Strategy


@dataclass(frozen=True, slots=True)
class Rung:
    """Who is expected to beat whom; both written as on the command line, options and all."""

    stronger: str
    weaker: str


@dataclass(frozen=True, slots=True)
class Score:
    """Games of the stronger one of a rung, from its own side; `failures`: where either failed its turn."""

    rung: Rung
    won: int = 0
    drawn: int = 0
    lost: int = 0
    failures: tuple[str, ...] = ()

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def interval(self) -> Interval:
        """Its points a game, a draw being half a point."""
        return wilson(self.won + self.drawn / 2, self.games)

    @property
    def holds(self) -> bool:
        """A game that somebody failed to play shows nothing."""
        return self.interval.low > 0.5 and not self.failures

    def after(self, game: PlayedGame, *, as_white: bool) -> Score:
        won = game.result == ("1-0" if as_white else "0-1")
        drawn = game.result == "1/2-1/2"
        return Score(
            self.rung,
            self.won + won,
            self.drawn + drawn,
            self.lost + (not won and not drawn),
            (*self.failures, game.why) if game.failed else self.failures,
        )


def rungs(nodes: int, seed: int) -> tuple[Rung, ...]:
    """The ladder from the top; `nodes` a move for `classical`, `seed` for `random`."""
    return (
        Rung(f"classical:nodes={nodes}", "select_move"),
        Rung("select_move", "greedy"),
        Rung("greedy", f"random:seed={seed}"),
    )


def climb(rung: Rung, openings: Sequence[str], progress: Callable[[str], None]) -> Score:
    """Play each opening twice. Both are made afresh for each game, as they are on Lichess."""
    score = Score(rung)
    for number, opening in enumerate(openings):
        for as_white in (True, False):
            progress(
                f"{rung.stronger} - {rung.weaker}: game {score.games + 1} of {2 * len(openings)}, "
                f"so far +{score.won} ={score.drawn} -{score.lost}"
            )
            stronger, weaker = _made(rung.stronger), _made(rung.weaker)
            white, black = (stronger, weaker) if as_white else (weaker, stronger)
            game = play_game(white, black, opening, f"{number}-{'white' if as_white else 'black'}")
            score = score.after(game, as_white=as_white)
    return score


def run_ladder(
    *,
    games: int,
    nodes: int,
    seed: int,
    as_json: bool,
    console: Console,
    progress: Callable[[str], None],
) -> int:
    """Play `games` (an even number) for each rung, and print; returns 0, or 1 when a rung does not hold."""
    openings = draw_openings(games // 2, random.Random(seed))
    scores = [climb(rung, openings, progress) for rung in rungs(nodes, seed)]
    if as_json:
        console.print(json.dumps(_as_json(scores, seed)), soft_wrap=True, highlight=False, markup=False)
    else:
        console.print(_table(scores, seed))
        for score in scores:
            for failure in score.failures:
                console.print(
                    f"{score.rung.stronger} - {score.rung.weaker}: {failure}", style="red", markup=False
                )
    return 0 if all(score.holds for score in scores) else 1


def _made(strategy: str) -> Strategy:
    return registry.load(registry.parse_spec(strategy))


def _as_json(scores: Sequence[Score], seed: int) -> dict[str, object]:
    return {
        "bench": "ladder",
        "seed": seed,
        "holds": all(score.holds for score in scores),
        "rungs": [
            {
                "stronger": score.rung.stronger,
                "weaker": score.rung.weaker,
                "won": score.won,
                "drawn": score.drawn,
                "lost": score.lost,
                "score": score.interval.value,
                "low": score.interval.low,
                "high": score.interval.high,
                "failures": list(score.failures),
                "holds": score.holds,
            }
            for score in scores
        ],
    }


def _table(scores: Sequence[Score], seed: int) -> Table:
    table = Table(title=f"Ladder, {scores[0].games} games a rung, colours swapped, seed {seed}")
    table.add_column("", overflow="fold")
    for name in ("won", "drawn", "lost", "score", "95 % interval"):
        table.add_column(name, justify="right", overflow="fold")
    table.add_column("", overflow="fold")
    for score in scores:
        found = score.interval
        table.add_row(
            f"{score.rung.stronger} - {score.rung.weaker}",
            str(score.won),
            str(score.drawn),
            str(score.lost),
            f"{found.value:.1%}",
            f"{found.low:.1%} to {found.high:.1%}",
            "holds" if score.holds else "does not hold",
            style="" if score.holds else "red",
        )
    return table
