"""The suites of positions with best moves: those that ship are sound, and what cannot be used is named."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest

from bot.bench.tactics_suites import SHIPPED, Problem, parse_suite, shipped, suites
from bot.errors import UserError

LINE = '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8+; id "back rank";'


@pytest.mark.parametrize(("name", "count"), [("bk", 24), ("wac", 295)])
def test_as_many_positions_ship_as_their_file_says(name: str, count: int) -> None:
    assert len(shipped(name).problems) == count


@pytest.mark.parametrize("name", SHIPPED)
def test_the_positions_that_ship_are_sound(name: str) -> None:
    """Each is legal, its best moves are legal and not all that there are, and none comes twice."""
    problems = shipped(name).problems
    for problem in problems:
        board = chess.Board(problem.fen)
        legal = {move.uci() for move in board.legal_moves}
        assert board.is_valid(), problem.name
        assert 1 <= len(problem.best) <= 4, problem.name
        assert set(problem.best) < legal, problem.name
        assert len(set(problem.best)) == len(problem.best), problem.name
    assert len({problem.fen for problem in problems}) == len(problems)
    assert len({problem.name for problem in problems}) == len(problems)


def test_a_mate_in_one_is_read_as_it_stands() -> None:
    (problem,) = parse_suite("mine", f"# mine\n\n{LINE}\n", "mine.epd").problems
    assert problem == Problem("back rank", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", ("a1a8",))
    assert problem.in_san("a1a8") == "Ra8#"


def test_all_are_those_that_ship_and_each_can_be_had_alone() -> None:
    assert [suite.name for suite in suites("all")] == ["bk", "wac"]
    assert [suite.name for suite in suites("bk")] == ["bk"]


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.epd"
    path.write_text(LINE, encoding="utf-8")
    (suite,) = suites(str(path))
    assert (suite.name, [problem.name for problem in suite.problems]) == ("mine", ["back rank"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# nothing\n", "mine.epd: there are no positions"),
        (f"{LINE}\n{LINE}", "mine.epd:2: the id 'back rank' comes a second time"),
        ('6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - id "x";', "mine.epd:1: there is no best move"),
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8+;", "mine.epd:1: there is no name"),
        ('6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra9; id "x";', "mine.epd:1: "),
        ('6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Rb2; id "x";', "mine.epd:1: "),
        ('8/8/8/8/8/8/5PPP/R5K1 w - - bm Ra8; id "x";', "Black has no king"),
        ("nonsense", "mine.epd:1: "),
    ],
)
def test_what_cannot_be_used_is_named_with_its_line(text: str, words: str) -> None:
    with pytest.raises(UserError) as error:
        parse_suite("mine", text, "mine.epd")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("which", "words"), [("sts", "all, bk, wac"), ("absent.epd", "cannot be read")])
def test_a_suite_that_there_is_not(which: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=words):
        suites(which if which == "sts" else str(tmp_path / which))
