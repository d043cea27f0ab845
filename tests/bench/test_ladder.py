"""The ladder: its arithmetic, and that it can be climbed."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from bot.bench import ladder
from bot.bench.ladder import Rung, Score, climb, run_ladder, rungs
from bot.lab.openings import all_openings
from bot.lab.selfplay import PlayedGame, Result

RUNG = Rung("greedy", "random:seed=1")


def test_games_count_from_the_stronger_ones_side() -> None:
    results: tuple[Result, ...] = ("1-0", "0-1", "1/2-1/2")
    score = Score(RUNG)
    for result in results:
        score = score.after(PlayedGame(result, "", ()), as_white=True)
    assert (score.won, score.drawn, score.lost) == (1, 1, 1)
    score = score.after(PlayedGame("0-1", "", ()), as_white=False)
    assert (score.won, score.drawn, score.lost, score.games) == (2, 1, 1, 4)
    assert score.interval.value == 2.5 / 4


@pytest.mark.parametrize(
    ("won", "drawn", "lost", "holds"),
    [
        (20, 0, 0, True),
        (15, 0, 5, True),
        (12, 0, 8, False),
        (10, 0, 10, False),
        (0, 20, 0, False),
        (4, 0, 0, True),
    ],
)
def test_a_rung_holds_when_the_whole_interval_is_above_a_half(
    won: int, drawn: int, lost: int, holds: bool
) -> None:
    assert Score(RUNG, won, drawn, lost).holds is holds


def test_a_rung_with_a_failure_does_not_hold() -> None:
    score = Score(RUNG, won=20).after(PlayedGame("1-0", "play_move: no", (), failed=True), as_white=True)
    assert score.interval.low > 0.5
    assert score.failures == ("play_move: no",)
    assert not score.holds


def test_the_ladder_as_promised() -> None:
    assert [(rung.stronger, rung.weaker) for rung in rungs(500, 3)] == [
        ("classical:nodes=500", "select_move"),
        ("select_move", "greedy"),
        ("greedy", "random:seed=3"),
    ]


def test_greedy_beats_random_and_says_how_far_it_has_come() -> None:
    said: list[str] = []
    score = climb(RUNG, [opening.fen for opening in all_openings()[:3]], said.append)
    assert score.games == len(said) == 6
    assert score.won + score.drawn == 6
    assert said[0] == "greedy - random:seed=1: game 1 of 6, so far +0 =0 -0"


@pytest.mark.parametrize(
    ("weaker", "code", "words"), [("random:seed=1", 0, "holds"), ("greedy", 1, "does not hold")]
)
def test_the_report_and_the_exit_code(
    weaker: str, code: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against itself nobody is stronger."""
    monkeypatch.setattr(ladder, "rungs", lambda _nodes, _seed: (Rung("classical:nodes=150", weaker),))
    for as_json in (False, True):
        out = io.StringIO()
        found = run_ladder(
            games=4 if code == 0 else 2,
            nodes=40,
            seed=2,
            as_json=as_json,
            console=Console(file=out, width=120, color_system=None),
            progress=lambda _: None,
        )
        assert found == code
        if as_json:
            assert json.loads(out.getvalue())["holds"] is (code == 0)
        else:
            assert words in out.getvalue()


def test_the_names_of_a_rung_were_cut_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "rungs", lambda _nodes, _seed: (Rung("random:seed=1", "random:seed=2"),))
    out = io.StringIO()
    run_ladder(
        games=2,
        nodes=40,
        seed=2,
        as_json=False,
        console=Console(file=out, width=50, color_system=None),
        progress=lambda _: None,
    )
    assert "…" not in out.getvalue()
