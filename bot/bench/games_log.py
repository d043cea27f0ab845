"""What the bot's log tells of its strategies: who stepped in for them, what failed, what was restarted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

#: Time, level, game and ply, text: see `bot.record.log`.
_LINE = re.compile(r"\S+ \S+ (?P<level>[A-Z]+) +(?:\[(?P<game>\w+)(?: ply (?P<ply>\d+))?\] )?(?P<text>.*)")
#: These are the sentences of `bot.thinking` and `bot.game_session`; a test has them said.
_STEPPED_IN = re.compile(
    r"still loading: the fallback plays|(strategy|fallback): .*; (the fallback plays|playing any legal move)"
)
_BENCHED = re.compile(r"strategy: .*: the fallback plays the rest of this game")
_CHOSEN = re.compile(r"[a-h][1-8]\S* after \d+\.\d+ s\b")
_READY = re.compile(r"(strategy|fallback) is ready after \d+ ms")
#: What the strategy `compiled` prints where the engine cannot be had.
_STAND_IN = re.compile(r"strategy-\w+: compiled: .*playing as classical\b.*")
_OF_A_STRATEGY = re.compile(r"(strategy|fallback)\b")
_TROUBLE = ("WARNING", "ERROR", "CRITICAL")


@dataclass(frozen=True, slots=True)
class Told:
    """`fallback_moves`: turns in which the strategy did not play the move. `restarts`: processes of
    strategies beyond the first of a game. `stand_ins`: processes in which `classical` played for the engine.
    `failures`: warnings and errors about strategies. `troubles`: all warnings and errors, as they stand in
    the log."""

    fallback_moves: int
    restarts: int
    stand_ins: int
    failures: int
    troubles: tuple[str, ...]


def read_log(lines: Iterable[str]) -> Told:
    """Read a log that was written with `log.level: debug`."""
    replaced: set[tuple[str, int]] = set()  # game and ply
    chosen: set[tuple[str, int]] = set()
    benched: dict[str, int] = {}  # game: since which ply
    started: Counter[tuple[str, str]] = Counter()  # game and role
    failures, stand_ins, troubles = 0, 0, list[str]()
    for line in lines:
        found = _LINE.fullmatch(line)
        if found is None:  # of a traceback, say
            continue
        game, text = found["game"], found["text"]
        if found["level"] in _TROUBLE:
            troubles.append(line)
            failures += game is not None and _OF_A_STRATEGY.match(text) is not None
        if game is None:
            stand_ins += _STAND_IN.fullmatch(text) is not None
            continue
        if (ready := _READY.fullmatch(text)) is not None:
            started[game, ready[1]] += 1
        if found["ply"] is None:
            continue
        turn = game, int(found["ply"])
        if _BENCHED.fullmatch(text):
            benched.setdefault(*turn)
        elif _STEPPED_IN.fullmatch(text):
            replaced.add(turn)
        elif _CHOSEN.match(text):
            chosen.add(turn)
    replaced |= {(game, ply) for game, ply in chosen if ply > benched.get(game, ply)}
    restarts = sum(times - 1 for times in started.values())
    return Told(len(replaced), restarts, stand_ins, failures, tuple(troubles))
