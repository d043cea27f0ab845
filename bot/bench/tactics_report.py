"""What `knightshift bench tactics` prints: tables for people, one JSON object for scripts."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.table import Table

from bot.bench.tactics_solving import Attempt, Score


def line_of(attempt: Attempt) -> str:
    """One position in one line."""
    if not attempt.solved:
        return f"{attempt.problem.name}: not solved, {_played(attempt)} for {_best(attempt)}"
    after = attempt.solved_after_ms
    since = "" if after is None else f" after {after} ms"
    return f"{attempt.problem.name}: {_played(attempt)}, solved{since}"


def table_of(scores: Sequence[Score], player: str, time: str) -> Table:
    """A row for each suite, and one for all where there are several."""
    table = Table(title=f"{player}, {time}")
    table.add_column("suite")
    for name in ("solved", "", "median time to the solution"):
        table.add_column(name, justify="right")
    for score in scores:
        after = score.median_ms
        shown = "not told" if after is None else f"{after:.0f} ms"
        table.add_row(score.suite.name, *_share(score.solved, score.of), shown)
    if len(scores) > 1:
        solved, of = sum(score.solved for score in scores), sum(score.of for score in scores)
        table.add_row("all", *_share(solved, of), "")
    return table


def unsolved_of(scores: Sequence[Score]) -> Table | None:
    """The positions that were not solved; None where all were."""
    attempts = [attempt for score in scores for attempt in score.unsolved]
    if not attempts:
        return None
    table = Table(title="not solved")
    table.add_column("position", no_wrap=True)
    table.add_column("played", overflow="fold")
    table.add_column("best", overflow="fold")
    for attempt in attempts:
        table.add_row(attempt.problem.name, _played(attempt), _best(attempt))
    return table


def as_json(scores: Sequence[Score], player: str, time: str) -> str:
    """One object; moves in UCI, times in milliseconds."""
    found = {
        "bench": "tactics",
        "player": player,
        "time": time,
        "solved": sum(score.solved for score in scores),
        "of": sum(score.of for score in scores),
        "suites": [
            {
                "suite": score.suite.name,
                "solved": score.solved,
                "of": score.of,
                "median_ms": score.median_ms,
                "positions": [_position(attempt) for attempt in score.attempts],
            }
            for score in scores
        ],
    }
    return json.dumps(found)


def _position(attempt: Attempt) -> dict[str, object]:
    return {
        "id": attempt.problem.name,
        "fen": attempt.problem.fen,
        "best": attempt.problem.best,
        "move": attempt.move,
        "solved": attempt.solved,
        "solved_after_ms": attempt.solved_after_ms,
        "elapsed_ms": attempt.elapsed_ms,
        "failure": attempt.failure,
    }


def _share(solved: int, of: int) -> tuple[str, str]:
    return f"{solved} of {of}", f"{solved / of:.1%}"


def _played(attempt: Attempt) -> str:
    if attempt.move is None:
        return f"no move ({attempt.failure})"
    return attempt.problem.in_san(attempt.move)


def _best(attempt: Attempt) -> str:
    return " or ".join(attempt.problem.in_san(move) for move in attempt.problem.best)
