"""A broken promise is seen by people, scripts and the shell."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from bot.bench.table import Measured, report

KEPT = Measured("p50_ms", "p50", 4.25, "ms", 5.0)
BROKEN = Measured("lost", "games lost", 2, "", 0)
SHOWN = Measured("moves", "moves", 1234567, "")


def printed(figures: list[Measured], *, as_json: bool) -> tuple[int, str]:
    out = io.StringIO()
    code = report("a title", figures, as_json=as_json, console=Console(file=out, width=80))
    return code, out.getvalue()


@pytest.mark.parametrize("as_json", [True, False])
def test_the_exit_code_says_whether_every_promise_was_kept(as_json: bool) -> None:
    assert printed([KEPT, SHOWN], as_json=as_json)[0] == 0
    assert printed([KEPT, BROKEN, SHOWN], as_json=as_json)[0] == 1


def test_a_table_has_each_figure_and_its_promise() -> None:
    rows = [line.split("│")[1:-1] for line in printed([KEPT, BROKEN, SHOWN], as_json=False)[1].splitlines()]
    cells = [[cell.strip() for cell in row] for row in rows if len(row) == 3]
    assert cells == [["p50", "4.25 ms", "≤ 5 ms"], ["games lost", "2", "≤ 0"], ["moves", "1234567", ""]]


def test_json_is_one_object_on_one_line() -> None:
    line = printed([KEPT, BROKEN], as_json=True)[1]
    assert line.count("\n") == 1
    said = json.loads(line)
    assert (said["bench"], said["kept"]) == ("a title", False)
    assert said["figures"]["lost"] == {"value": 2, "unit": "", "at_most": 0}
