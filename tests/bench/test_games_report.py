"""What is said of a season, and what breaks its promises."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import chess
import pytest

from bot.bench.games_log import Told
from bot.bench.games_report import SHOWN_LINES, Outcome, figures_of, report_games, score
from bot.bench.games_result import GAVE_UP, OUR_FLAG, THEIR_FLAG, Played, Result
from bot.bench.games_schedule import Fixture
from tests.bench.test_verdict import GAME


def played(
    ending: str = "checkmate",
    result: Result | None = "won",
    *,
    game_id: str = "game0001",
    least_ms: int = 2_500,
) -> Played:
    fixture = Fixture(7, "classical", "white", chess.STARTING_FEN)
    return Played(fixture, replace(GAME, id=game_id), ending, result, least_ms)


CLEAN = Outcome(
    games=2,
    parallel=2,
    opponents=("classical", "compiled"),
    played=(played(), played("repetition", "drawn", least_ms=1_234)),
    rivals_faults={},
    moves=80,
    refused=0,
    duplicates=0,
    told=Told(0, 0, 0, 0, ()),
    log=(),
    loads=(2.1, 2.3),
)


def test_a_clean_season_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert report_games(CLEAN, "games", "compiled", as_json=False) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert "1.234 s" in printed.out
    assert printed.out.index("checkmate") < printed.out.index("repetition")


@pytest.mark.parametrize(
    ("outcome", "key"),
    [
        (replace(CLEAN, games=3), "not_begun"),
        (replace(CLEAN, played=(played(OUR_FLAG, "lost"), played())), "time_losses"),
        (replace(CLEAN, played=(played("aborted", None), played())), "ended_otherwise"),
        (replace(CLEAN, played=(played("a draw by no rule", "drawn"), played())), "ended_otherwise"),
        (replace(CLEAN, played=(played(GAVE_UP), played())), "opponents_faults"),
        (replace(CLEAN, told=Told(1, 0, 0, 0, ())), "fallback_moves"),
        (replace(CLEAN, told=Told(0, 1, 0, 0, ())), "restarts"),
        (replace(CLEAN, told=Told(0, 0, 1, 0, ())), "stand_ins"),
        (replace(CLEAN, told=Told(0, 0, 0, 1, ())), "failures"),
        (replace(CLEAN, refused=1), "refused"),
        (replace(CLEAN, duplicates=1), "duplicates"),
    ],
)
def test_each_promise_can_be_broken(outcome: Outcome, key: str) -> None:
    assert [figure.key for figure in figures_of(outcome) if not figure.kept] == [key]
    assert report_games(outcome, "games", "compiled", as_json=True) == 1


def test_the_opponents_flag_is_named_and_breaks_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = replace(CLEAN, played=(played(THEIR_FLAG), played()))
    assert report_games(outcome, "games", "compiled", as_json=False) == 0
    printed = capsys.readouterr()
    assert "game 7 (game0001, white against classical): the opponent's flag fell\n" in printed.err
    assert THEIR_FLAG in printed.out


def test_a_lost_game_is_told_with_its_log_and_an_opponents_fault_with_its_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = tuple(f"line {number} [{'game0001' if number % 2 else 'another1'}]" for number in range(200))
    games = (played(OUR_FLAG, "lost"), played(GAVE_UP, game_id="game0002"))
    troubles = tuple(f"trouble {number}" for number in range(SHOWN_LINES + 3))
    told = Told(0, 0, 0, 0, troubles)
    faults = {"game0002": "crash: its process ended"}
    outcome = replace(CLEAN, played=games, log=log, told=told, rivals_faults=faults)
    report_games(outcome, "games", "compiled", as_json=True)
    lines = capsys.readouterr().err.splitlines()
    kinds = Counter(line.split()[0] for line in lines)
    assert (kinds["line"], kinds["trouble"]) == (SHOWN_LINES, SHOWN_LINES)
    assert "  line 199 [game0001]" in lines
    assert "the opponent gave up: crash: its process ended" in " ".join(lines)
    assert lines[-1] == "and 3 more such lines"


def test_a_machine_that_had_other_things_to_do_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    report_games(replace(CLEAN, loads=(7.0, 9.0)), "games", "compiled", as_json=True)
    assert "its load average was 8.0" in capsys.readouterr().err
    report_games(replace(CLEAN, loads=()), "games", "compiled", as_json=True)
    assert capsys.readouterr().err == ""


def test_the_score_so_far() -> None:
    assert score(CLEAN.played) == "+1 =1 -0"
    assert score([*CLEAN.played, played(OUR_FLAG, "lost")]) == "+1 =1 -1, 1 with a fault"
