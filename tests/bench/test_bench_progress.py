"""Where there is no terminal, a long run says how far it is, and does not chatter."""

from __future__ import annotations

import io

from rich.console import Console

from bot.bench.progress import progress


def said(total: int, steps: list[int]) -> list[str]:
    out = io.StringIO()
    with progress("games", total, Console(file=out, width=20)) as done:
        for step in steps:
            done(step)
    return out.getvalue().splitlines()


def test_a_line_for_each_tenth() -> None:
    lines = said(200, [number // 3 for number in range(601)])
    assert lines == [f"games: {tenth * 20} of 200" for tenth in range(1, 11)]


def test_fewer_steps_than_lines() -> None:
    assert said(2, [0, 0, 1, 1, 2]) == ["games: 1 of 2", "games: 2 of 2"]


def test_a_terminal_gets_a_bar_that_leaves_nothing_behind() -> None:
    out = io.StringIO()
    with progress("games", 4, Console(file=out, width=80, force_terminal=True)) as done:
        done(3)
    assert "3/4" in out.getvalue()
    assert not out.getvalue().endswith("\n")
