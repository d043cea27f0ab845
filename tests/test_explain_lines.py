"""The engine's lines in `knightshift explain`: what the search found, in words that can be checked."""

from __future__ import annotations

import importlib.util
import io
import re
import signal
import subprocess
import sys
from pathlib import Path

import chess
import pytest
from rich.console import Console

from bot.engine.found import Found
from bot.engine.searcher import Searcher
from bot.evaluation import evaluate
from bot.explain import verdict
from bot.explain_lines import (
    SHOWN_PLIES,
    TIME_MS,
    Iterations,
    line_text,
    score_text,
    show_lines,
    wanted,
)
from bot.position import new_board
from bot.search.limits import Limits
from bot.timing.clock import SystemClock

pytestmark = pytest.mark.usefixtures("warm_directory")  # else it is told that the engine is being compiled

MIDDLEGAME = "r1b2rk1/pp3ppp/2n1pn2/2bp4/8/P1N1PN2/1PP1BPPP/R1B2RK1 w - - 0 11"
BLACK_TO_MOVE = "6k1/5ppp/8/8/8/8/5PPP/1r2R1K1 b - - 0 1"
ROW = re.compile(r"^ +(?P<score>[+-]\d+\.\d\d|0\.00|#-?\d+) +(?P<line>\d+\..*)$")


def shown(board: chess.Board, *, lines: int = 3, depth: int = 6, width: int = 80) -> str:
    """What is printed where there is no terminal."""
    out, errors = io.StringIO(), io.StringIO()
    show_lines(
        board,
        wanted(lines, time_ms=None, depth=depth),
        console=Console(file=out, width=width, color_system=None),
        errors=Console(file=errors),
        clock=SystemClock(),
    )
    return out.getvalue()


def rows(text: str) -> list[tuple[str, list[str]]]:
    """Score and words of each line; the rows that it was broken into are one again."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if (row := ROW.match(line)) is not None:
            found.append((row["score"], row["line"].split()))
        elif found and re.match(r" {8,}\S", line):
            found[-1][1].extend(line.split())
    return found


def replayed(board: chess.Board, words: list[str]) -> list[chess.Move]:
    """The moves of a line. ValueError where one is not legal."""
    after = board.copy()
    return [after.push_san(word.split(".")[-1]) for word in words]


def test_the_lines_are_those_of_a_search_of_that_depth() -> None:
    board = chess.Board(MIDDLEGAME)
    heard: list[Found] = []
    Searcher().search(board, Limits(depth=6), report=heard.append, lines=3)
    text = shown(board)
    expected = sorted((found for found in heard if found.depth == 6), key=lambda f: -(f.score_cp or 0))
    printed = rows(text)
    assert [score for score, _ in printed] == [score_text(found, chess.WHITE) for found in expected]
    assert [replayed(board, words) for _, words in printed] == [list(found.pv) for found in expected]
    assert len({words[0] for _, words in printed}) == 3
    assert text.startswith("The engine, 6 plies deep in ")
    assert text.rstrip().endswith("Scores in pawns from White's side.")


def test_what_black_finds_is_told_from_whites_side() -> None:
    board = chess.Board(BLACK_TO_MOVE)
    text = shown(board)
    printed = rows(text)
    assert printed[0] == ("#-1", ["1...Rxe1#"])
    assert printed[-1][0].startswith("+")
    assert all(words[0].startswith("1...") and words[1].startswith("2.") for _, words in printed[1:])
    assert "#-3: Black does" in text


@pytest.mark.parametrize(("lines", "there_are"), [(1, 1), (3, 3), (50, 3)])
def test_no_more_lines_than_moves(lines: int, there_are: int) -> None:
    board = chess.Board("8/8/8/8/4k3/8/3p4/K7 w - - 0 1")
    assert board.legal_moves.count() == 3
    assert len(rows(shown(board, lines=lines, depth=2))) == there_are


@pytest.mark.parametrize("width", [80, 120])
def test_a_move_and_its_number_stay_together(width: int) -> None:
    text = shown(chess.Board(MIDDLEGAME), depth=11, width=width)
    assert max(map(len, text.splitlines())) <= width
    assert not re.search(r"\d\.+\s*$|\d\.\s", text, re.MULTILINE)
    assert all(2 <= len(words) <= SHOWN_PLIES for _, words in rows(text))


def test_a_line_in_words() -> None:
    board = chess.Board("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    moves = [chess.Move.from_uci(uci) for uci in ("g1f3", "b8c6", "f1b5", "a7a6")]
    assert line_text(moves, board) == "2.Nf3 Nc6 3.Bb5 a6"
    board.push(moves[0])
    assert line_text(moves[1:], board) == "2...Nc6 3.Bb5 a6"


@pytest.mark.parametrize(
    ("score_cp", "mate_in", "turn", "text"),
    [
        (35, None, chess.WHITE, "+0.35"),
        (35, None, chess.BLACK, "-0.35"),
        (0, None, chess.BLACK, "0.00"),
        (None, 3, chess.WHITE, "#3"),
        (None, 3, chess.BLACK, "#-3"),
        (None, -2, chess.BLACK, "#2"),
    ],
)
def test_scores(score_cp: int | None, mate_in: int | None, turn: chess.Color, text: str) -> None:
    found = Found(chess.Move.null(), 1, 1, 0.0, score_cp=score_cp, mate_in=mate_in)
    assert score_text(found, turn) == text


def test_an_unfinished_iteration_mixes_with_no_other() -> None:
    def found(depth: int, cp: int | None, mate_in: int | None = None) -> Found:
        return Found(chess.Move.null(), depth, 1, 0.0, score_cp=cp, mate_in=mate_in)

    heard = Iterations(3)
    heard.hear(found(1, 10))
    heard.hear(found(1, None, -3))
    assert not heard.whole
    heard.hear(found(1, None, 4))
    heard.hear(found(2, 99))
    heard.hear(found(2, 98))
    assert [(each.depth, each.score_cp, each.mate_in) for each in heard.whole] == [
        (1, None, 4),
        (1, 10, None),
        (1, None, -3),
    ]


def test_how_far_it_goes() -> None:
    assert wanted(3, time_ms=None, depth=None).limits == Limits(hard_s=TIME_MS / 1000)
    assert wanted(3, time_ms=None, depth=9).limits == Limits(depth=9)
    assert wanted(3, time_ms=50, depth=9).limits == Limits(depth=9, hard_s=0.05)


def test_what_was_found_in_no_time_is_shown() -> None:
    """Before any iteration had all its lines, there is a best move all the same."""
    out = io.StringIO()
    console = Console(file=out, width=80, color_system=None)
    show_lines(
        chess.Board(MIDDLEGAME),
        wanted(50, time_ms=1, depth=None),
        console=console,
        errors=console,
        clock=SystemClock(),
    )
    printed = rows(out.getvalue())
    assert printed
    assert all(replayed(chess.Board(MIDDLEGAME), words) for _, words in printed)


@pytest.mark.parametrize(
    ("fen", "variant", "said"),
    [
        ("startpos", "atomic", "No lines of the engine: it plays chess and Chess960, and no other variant."),
        (
            "7k/8/8/PPPPPPPP/PPPPPPPP/P7/8/K7 w - - 0 1",
            "standard",
            "No lines of the engine: one side has more men than a game begins with, which it cannot play.",
        ),
    ],
)
def test_what_the_engine_cannot_play_is_said(fen: str, variant: str, said: str) -> None:
    board = new_board(variant, fen)
    assert " ".join(shown(board).split()) == said


def test_chess960_has_lines() -> None:
    board = new_board("chess960", chess.Board.from_chess960_pos(5).fen())
    for _, words in rows(shown(board)):
        assert replayed(board, words)


def test_without_numba_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_spec(name: str) -> None:
        assert name == "numba"

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    said = " ".join(shown(chess.Board(MIDDLEGAME)).split())
    assert said == ("No lines of the engine: numba is not installed, so the compiled engine cannot play.")


def explained(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", "explain", MIDDLEGAME, *arguments],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def test_the_verb_shows_three_lines_unless_told_otherwise() -> None:
    done = explained("--depth", "4")
    assert (done.returncode, done.stderr) == (0, "")
    static, _, ahead = done.stdout.partition("The engine, 4 plies deep in ")
    assert static.rstrip().endswith(verdict(evaluate(chess.Board(MIDDLEGAME))))
    assert len(rows(ahead)) == 3
    assert len(rows(explained("--depth", "4", "--lines", "5").stdout)) == 5


def test_the_verb_without_lines() -> None:
    done = explained("--lines", "0")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.rstrip().endswith(verdict(evaluate(chess.Board(MIDDLEGAME))))


def test_an_interrupt_ends_a_search_without_end() -> None:
    """Machine code hears no signal, and depth 100 is never reached."""
    command = [sys.executable, "-u", "-m", "bot", "explain", MIDDLEGAME, "--depth", "100"]
    with subprocess.Popen(
        command, cwd=Path(__file__).parents[1], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:  # the last line before the search
                if line.startswith(verdict(evaluate(chess.Board(MIDDLEGAME)))):
                    break
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=200) != 0
        finally:
            process.kill()
        assert "expects:" not in process.stdout.read()
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
