"""`knightshift explain`: the numbers on the screen are those of the evaluation."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys

import chess
import pytest
from rich.console import Console

from bot.errors import UserError
from bot.evaluation import breakdown, evaluate, game_phase
from bot.explain import phase_line, run_explain, verdict
from bot.position import new_board

MIDDLEGAME = "r1b2rk1/pp3ppp/2n1pn2/2bp4/8/P1N1PN2/1PP1BPPP/R1B2RK1 w - - 0 11"
NUMBER = r"·|-?\d+"
LINE = re.compile(
    rf"^ (?P<name> *[a-z].*?) +(?P<numbers>(?:(?:{NUMBER}) +){{6}})(?P<difference>·|[+-]\d+) *$", re.MULTILINE
)


def explain(fen: str, variant: str = "standard", *, width: int = 80, every_term: bool = False) -> str:
    """What is printed where there is no terminal."""
    out = io.StringIO()
    console = Console(file=out, width=width, color_system=None)
    assert run_explain(fen, variant, console=console, every_term=every_term) == 0
    return out.getvalue()


def numbers(text: str) -> dict[str, list[int]]:
    """By the term's name; families have theirs too, and `total`."""
    found: dict[str, list[int]] = {}
    for match in LINE.finditer(text):
        words = [*match["numbers"].split(), match["difference"]]
        found.setdefault(match["name"], [0 if word == "·" else int(word) for word in words])
    return found


@pytest.mark.parametrize("fen", [MIDDLEGAME, "8/5pk1/6p1/3N3p/7P/1r4P1/5PK1/8 b - - 0 1"])
def test_every_term_is_there_with_both_sides_of_it(fen: str) -> None:
    board = chess.Board(fen)
    rows = breakdown(board)
    text = explain(fen, every_term=True)
    printed = [
        ([0 if word == "·" else int(word) for word in match["numbers"].split()], match["name"].strip())
        for match in LINE.finditer(text)
        if match["name"].startswith("  ")
    ]
    assert [(name, values[0:2], values[3:5]) for values, name in printed] == [
        (row.term, list(row.white), list(row.black)) for row in rows
    ]
    total = numbers(text)["total"]
    assert total[0:2] == [sum(row.white[end] for row in rows) for end in (0, 1)]
    assert total[3:5] == [sum(row.black[end] for row in rows) for end in (0, 1)]
    assert total[6] == evaluate(board)
    assert f"Phase {game_phase(board)} of 256" in text
    assert text.rstrip().endswith(verdict(evaluate(board)))


def test_terms_that_are_nothing_are_only_counted() -> None:
    board = chess.Board(MIDDLEGAME)
    nothing = sum((row.white, row.black) == ((0, 0), (0, 0)) for row in breakdown(board))
    text = explain(MIDDLEGAME)
    assert nothing > 1
    assert f"{nothing} terms are nothing to either side here" in text
    assert len(LINE.findall(explain(MIDDLEGAME, every_term=True))) - len(LINE.findall(text)) >= nothing
    assert "--all" not in explain(MIDDLEGAME, every_term=True)


@pytest.mark.parametrize("width", [80, 120])
def test_no_line_is_broken(width: int) -> None:
    text = explain(MIDDLEGAME, width=width, every_term=True)
    assert max(map(len, text.splitlines())) <= width
    assert len(LINE.findall(text)) == len(breakdown(chess.Board(MIDDLEGAME))) + 10 + 1  # families, total


def test_the_board_is_drawn() -> None:
    assert "8  ♜     ♝        ♜  ♚" in explain(MIDDLEGAME).replace("·", " ")


@pytest.mark.parametrize(
    ("fen", "said"),
    [
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "The game is over. Checkmate: White wins (1-0)."),
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", "The game is over. Stalemate: a draw (1/2-1/2)."),
        ("7k/8/8/8/8/8/8/KN6 w - - 0 1", "Neither side has the material to win: a draw (1/2-1/2)."),
    ],
)
def test_a_finished_game_is_told_and_not_weighed(fen: str, said: str) -> None:
    text = explain(fen)
    assert said in text
    assert "material " not in text.replace(said, "")


def test_variants_have_their_own_terms_and_endings() -> None:
    hand = explain("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[QNp] w KQkq - 0 1", "crazyhouse")
    assert "In hand: White QN, Black P." in hand
    assert numbers(hand)["  men in hand"] == [1220, 1220, 1220, 100, 100, 100, 1120]
    hill = explain("7k/8/8/8/3K4/8/8/8 b - - 0 1", "kingOfTheHill")
    assert "By the rules of the variant: White wins (1-0)." in hill


@pytest.mark.parametrize(("fen", "variant"), [("rubbish", "standard"), ("startpos", "bughouse")])
def test_what_cannot_be_read_is_the_users_to_mend(fen: str, variant: str) -> None:
    with pytest.raises(UserError, match=re.escape(fen if fen == "rubbish" else variant)):
        explain(fen, variant)


def test_the_verb() -> None:
    command = [sys.executable, "-m", "bot", "explain", "--lines", "0"]
    good = subprocess.run([*command, MIDDLEGAME], capture_output=True, text=True, timeout=200, check=False)
    assert (good.returncode, good.stderr) == (0, "")
    assert "\x1b" not in good.stdout
    assert good.stdout.rstrip().endswith(verdict(evaluate(chess.Board(MIDDLEGAME))))
    bad = subprocess.run([*command, "8/8 w"], capture_output=True, text=True, timeout=200, check=False)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.count("\n") == 1
    assert "8/8 w" in bad.stderr


@pytest.mark.usefixtures("warm_directory")  # else it is told that the engine is being compiled
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_terminal_without_the_signs_ended_in_a_traceback(encoding: str) -> None:
    command = [sys.executable, "-m", "bot", "explain", MIDDLEGAME, "--all", "--depth", "3"]
    done = subprocess.run(
        command,
        capture_output=True,
        timeout=200,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode(encoding)
    assert ("♜" in text) is (encoding == "utf-8")
    assert ("8  r  .  b  .     r  k  ." in text) is (encoding != "utf-8")
    assert str(abs(evaluate(chess.Board(MIDDLEGAME)))) in text


def test_names_were_cut_where_there_was_little_room() -> None:
    text = explain(MIDDLEGAME, width=44, every_term=True)
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 90


def test_the_phase_and_the_verdict_in_words() -> None:
    assert phase_line(256).startswith("Phase 256 of 256: all middlegame")
    assert "75% middlegame" in phase_line(192)
    assert verdict(0) == "Even: 0 centipawns."
    assert verdict(-32) == "Black is ahead by 32 centipawns (-0.32 from White's side)."


def test_it_explains_every_variant() -> None:
    for variant in ("antichess", "atomic", "horde", "racingKings", "threeCheck", "chess960"):
        text = explain("startpos", variant)
        assert numbers(text)["total"][6] == evaluate(new_board(variant, "startpos"))
