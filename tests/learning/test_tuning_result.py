"""What a tuning says at its end."""

from __future__ import annotations

import io
import json

from rich.console import Console

from bot.engine.tunables import TUNABLES, parse
from bot.learning.spsa import Settings, Spsa
from bot.learning.tuning_result import farthest, option_of, table_of, to_json

FIRST, SECOND, FIXED = TUNABLES[0], TUNABLES[1], TUNABLES[2]


def tuned() -> Spsa:
    spsa = Spsa(Settings((FIRST, SECOND), pairs=1200, rate=0.2))
    spsa.take(8)
    return spsa


def test_the_option_is_what_the_player_is_given() -> None:
    spsa = tuned()
    name, _, spelled = option_of(spsa, {FIXED.name: FIXED.least}).partition(":set=")
    assert name == "compiled"
    assert parse(spelled) == {**spsa.values, FIXED.name: FIXED.least}
    assert option_of(Spsa(spsa.settings), {}) == "compiled"


def test_the_table_has_every_parameter_and_fits_into_a_terminal() -> None:
    stream = io.StringIO()
    spsa = Spsa(Settings(TUNABLES, pairs=1200, rate=0.2))
    spsa.take(8)
    Console(file=stream, width=80).print(table_of(spsa))
    lines = stream.getvalue().splitlines()
    assert lines[0].strip() == "4 of 1,200 pairs of games"
    for tunable in TUNABLES:
        (row,) = (line for line in lines if f" {tunable.name} " in line)
        name, start, now, change, steps, bounds = (cell.strip() for cell in row.strip("│").split("│"))
        assert (name, int(start), int(now)) == (tunable.name, tunable.value, spsa.values[tunable.name])
        assert int(change or 0) == int(now) - int(start)
        assert abs(float(steps) * tunable.step - int(change or 0)) <= 0.5 + 0.005 * tunable.step
        assert bounds == f"{tunable.least} .. {tunable.most}"


def test_the_one_that_went_farthest_is_told() -> None:
    spsa = tuned()
    assert farthest(Spsa(spsa.settings)) == "nothing has moved"
    name, steps, _ = farthest(spsa).split(" ")
    moves = {
        tunable.name: (value - tunable.value) / tunable.step
        for tunable, value in zip((FIRST, SECOND), spsa.history[-1], strict=True)
    }
    assert float(steps) == round(moves[name], 2)
    assert abs(moves[name]) == max(map(abs, moves.values()))


def test_the_file_has_what_another_program_needs() -> None:
    spsa = tuned()
    found = json.loads(to_json(spsa, {"nodes": 50}, {}))
    assert (found["player"], found["values"]) == (option_of(spsa, {}), spsa.values)
    assert list(found["exact"].values()) == list(spsa.history[-1])
    assert (found["finished"], found["pairs_played"], found["tuning"]) == (False, 4, {"nodes": 50})
