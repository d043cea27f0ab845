"""What came of the games of `knightshift bench games`: figures, tables, and what went wrong."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from rich.console import Console
from rich.table import Table

from bot.bench.games_log import Told
from bot.bench.games_result import ENDINGS, GAVE_UP, OUR_FLAG, RESULTS, THEIR_FLAG, Played
from bot.bench.table import Measured, report

#: Of a game that went wrong, so many lines of the bot's log are shown; and so many of all its troubles.
SHOWN_LINES = 25
#: Each game keeps one process busy. So much more than that on average, and something else runs.
OTHERS_LOAD = 1.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """`games`: that were to be played, `parallel` at a time; `moves`: the bot's, those `refused` by the
    server, and `duplicates`; `told` by the bot's `log`; `rivals_faults`: by a game's id, why its opponent
    gave up; `loads`: load averages while they played."""

    games: int
    parallel: int
    opponents: tuple[str, ...]
    played: tuple[Played, ...]
    rivals_faults: Mapping[str, str]
    moves: int
    refused: int
    duplicates: int
    told: Told
    log: tuple[str, ...]
    loads: tuple[float, ...]


def report_games(outcome: Outcome, title: str, strategy: str, *, as_json: bool) -> int:
    """Print it all; returns 0, or 1 when a promise is broken."""
    _tell_of(outcome)
    figures = figures_of(outcome)
    if as_json:
        return report(title, [*_tables_figures(outcome), *figures], as_json=True)
    console = Console()
    console.print(_results_table(outcome, strategy))
    console.print(_endings_table(outcome))
    return report(title, figures, as_json=False, console=console)


def figures_of(outcome: Outcome) -> list[Measured]:
    """The figures, promises among them."""
    endings = Counter(game.ending for game in outcome.played)
    known = (*ENDINGS, OUR_FLAG, THEIR_FLAG, GAVE_UP)
    otherwise = sum(count for ending, count in endings.items() if ending not in known)
    least_ms = [game.least_ms for game in outcome.played if game.least_ms is not None]
    load = f"load average, on {os.cpu_count()} cores"
    told = outcome.told
    return [
        Measured("moves", "moves of the bot's", outcome.moves, ""),
        *(
            [Measured("least_clock_s", "least left on its clock", min(least_ms) / 1000, "s")]
            if least_ms
            else []
        ),
        *([Measured("load", load, mean(outcome.loads), "")] if outcome.loads else []),
        Measured("not_begun", "games that never began", outcome.games - len(outcome.played), "", 0),
        Measured("time_losses", "lost on time", endings[OUR_FLAG], "", 0),
        Measured("ended_otherwise", "aborted, resigned or not finished", otherwise, "", 0),
        Measured("opponents_flags", "opponents' flags that fell", endings[THEIR_FLAG], ""),
        Measured("opponents_faults", "opponents that gave up", endings[GAVE_UP], "", 0),
        Measured("fallback_moves", "moves by the fallback", told.fallback_moves, "", 0),
        Measured("restarts", "strategies' processes started again", told.restarts, "", 0),
        Measured("stand_ins", "processes without the compiled engine", told.stand_ins, "", 0),
        Measured("failures", "failures of strategies in the log", told.failures, "", 0),
        Measured("troubles", "warnings and errors in the log", len(told.troubles), ""),
        Measured("refused", "moves that the server refused", outcome.refused, "", 0),
        Measured("duplicates", "moves played twice", outcome.duplicates, "", 0),
    ]


def score(played: Sequence[Played]) -> str:
    """So far, from the bot's side; and how many games ended as none should."""
    results = Counter(game.result for game in played)
    faults = sum(game.ending not in (*ENDINGS, THEIR_FLAG) for game in played)
    text = f"+{results['won']} ={results['drawn']} -{results['lost']}"
    return f"{text}, {faults} with a fault" if faults else text


def _tables_figures(outcome: Outcome) -> list[Measured]:
    """One figure for each number of the two tables, for scripts."""
    results = Counter((game.fixture.opponent, game.result) for game in outcome.played)
    endings = Counter((game.fixture.opponent, game.ending) for game in outcome.played)
    return [
        Measured(f"result_{result}_{opponent}", f"{result} against {opponent}", results[opponent, result], "")
        for opponent in outcome.opponents
        for result in RESULTS
    ] + [
        Measured(f"ending_{_key(ending)}_{opponent}", f"{ending}, {opponent}", count, "")
        for (opponent, ending), count in sorted(endings.items())
    ]


def _key(words: str) -> str:
    return words.replace(" ", "_").replace("'", "").replace(",", "")


def _results_table(outcome: Outcome, strategy: str) -> Table:
    table = Table(title=f"Results of {strategy}")
    table.add_column("against", overflow="fold")
    for name in ("games", *RESULTS, "plies"):
        table.add_column(name, justify="right")
    for opponent in outcome.opponents:
        games = [game for game in outcome.played if game.fixture.opponent == opponent]
        results = Counter(game.result for game in games)
        plies = sum(game.game.ply for game in games) / max(1, len(games))
        numbers = (len(games), *(results[each] for each in RESULTS))
        table.add_row(opponent, *map(str, numbers), f"{plies:.0f} a game")
    return table


def _endings_table(outcome: Outcome) -> Table:
    counts = Counter((game.ending, game.fixture.opponent) for game in outcome.played)
    table = Table(title="Endings")
    table.add_column("", overflow="fold")
    for opponent in outcome.opponents:
        table.add_column(opponent, justify="right", overflow="fold")
    happened = {game.ending for game in outcome.played}
    for ending in [each for each in ENDINGS if each in happened] + sorted(happened.difference(ENDINGS)):
        style = "" if ending in ENDINGS else "yellow" if ending == THEIR_FLAG else "red"
        numbers = (counts[ending, opponent] for opponent in outcome.opponents)
        table.add_row(ending, *map(str, numbers), style=style)
    return table


def _tell_of(outcome: Outcome) -> None:
    """On stderr: the games that went wrong, with the bot's log of them, and all its troubles."""
    for game in outcome.played:
        if game.ending in ENDINGS:
            continue
        fixture, game_id = game.fixture, game.game.id
        why = outcome.rivals_faults.get(game_id)
        _say(
            f"game {fixture.number} ({game_id}, {fixture.bots_side} against {fixture.opponent}): "
            f"{game.ending}{f': {why}' if why else ''}"
        )
        if game.ending not in (THEIR_FLAG, GAVE_UP):
            for line in [line for line in outcome.log if f"[{game_id}" in line][-SHOWN_LINES:]:
                _say(f"  {line}")
    troubles = outcome.told.troubles
    for line in troubles[:SHOWN_LINES]:
        _say(line)
    if len(troubles) > SHOWN_LINES:
        _say(f"and {len(troubles) - SHOWN_LINES} more such lines")
    if outcome.loads and mean(outcome.loads) > outcome.parallel + OTHERS_LOAD:
        _say(
            f"The machine had other things to do: its load average was {mean(outcome.loads):.1f}, and games "
            f"that are played {outcome.parallel} at a time make no more than {outcome.parallel} of it. Its "
            "delays are in these figures."
        )


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201  for whoever has to find out why
