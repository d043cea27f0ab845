"""`knightshift move`: a position in, a move out."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import chess
import pytest

from tests.e2e.kit import Program, own_module, run_to_end

FOOLS_MATE = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
ROOK_EN_PRISE = "4k3/8/8/3r4/8/8/8/3RK3 w - - 0 1"


def move(*arguments: str, cwd: Path, stdin: str | None = None) -> Program:
    ended = run_to_end("move", *arguments, cwd=cwd, stdin=stdin)
    assert "Traceback" not in ended.stderr
    return ended


def test_a_fen(tmp_path: Path) -> None:
    ended = move(MATE_IN_ONE, cwd=tmp_path)
    assert (ended.printed, ended.logged, ended.exit_code()) == (["a1a8"], [], 0)


@pytest.mark.parametrize(
    ("variant", "strategy"),
    [("standard", "random:seed=3"), ("racingKings", "random"), ("horde", "select_move")],
)
def test_the_variants_own_start(tmp_path: Path, variant: str, strategy: str) -> None:
    from bot.position import new_board

    ended = move("startpos", "--variant", variant, "--strategy", strategy, cwd=tmp_path)
    assert ended.exit_code() == 0
    (answer,) = ended.printed
    assert chess.Move.from_uci(answer) in new_board(variant, "startpos").legal_moves


def test_lines_of_standard_input_with_rubbish_among_them(tmp_path: Path) -> None:
    """Each line has its answer in its place: a move, or an empty line and the reason elsewhere."""
    lines = [MATE_IN_ONE, "what?", "", ROOK_EN_PRISE, FOOLS_MATE, "8/8/8/8/8/8/8/8 w - - 0 1", "startpos"]
    ended = move("-", cwd=tmp_path, stdin="\n".join(lines))
    assert ended.printed == ["a1a8", "", "", "d1d5", "", "", "e2e4"]
    assert [line.split(":")[0] for line in ended.logged] == ["line 2", "line 3", "line 5", "line 6"]
    assert ended.exit_code() == 1


def test_a_line_that_is_no_text_is_rubbish_like_any_other(tmp_path: Path) -> None:
    """As under a locale such as en_US.UTF-8, where Python takes nothing but UTF-8."""
    env = {"PYTHONIOENCODING": "utf-8:strict"}
    ended = run_to_end("move", "-", cwd=tmp_path, env=env, stdin=b"startpos\n\xff\xfe\nstartpos\n")
    assert ended.printed == ["e2e4", "", "e2e4"]
    (line,) = ended.logged
    assert line.startswith("line 2: ")
    assert ended.exit_code() == 1


@pytest.mark.parametrize(
    ("arguments", "exit_code", "said"),
    [
        (("startpos", "--strategy", "selekt_move"), 2, "did you mean 'select_move'?"),
        (("startpos", "--strategy", "nowhere:play"), 2, "nowhere:play: no module 'nowhere'; looked in: "),
        (("startpos", "--strategy", "none.py"), 2, "script 'none.py' cannot be read: No such file"),
        (("startpos", "--strategy", "random:speed=1"), 2, "speed"),
        (("startpos", "--variant", "chess"), 2, "unknown variant 'chess': the known ones are standard,"),
        ((FOOLS_MATE,), 2, "the game is over (0-1)"),
        (("4k3/8/8/8/8/8/8/8 w - - 0 1",), 2, "White has no king"),
        (("startpos", "-s", "mine:nothing"), 2, "module 'mine' has no 'nothing'"),
    ],
)
def test_what_cannot_be_answered_is_one_line(
    tmp_path: Path, arguments: tuple[str, ...], exit_code: int, said: str
) -> None:
    own_module(tmp_path, "mine")
    ended = move(*arguments, cwd=tmp_path)
    assert ended.exit_code() == exit_code
    (line,) = ended.logged
    assert said in line
    assert "".join(ended.printed) == ""


def test_a_module_and_a_script_in_the_current_folder(tmp_path: Path) -> None:
    own_module(tmp_path, "mine")
    assert move(ROOK_EN_PRISE, "--strategy", "mine:takes_the_most", cwd=tmp_path).printed == ["d1d5"]
    (tmp_path / "last.py").write_text(
        'print("thinking")\nplay_move(sorted(simulate_move(fen)["legal_moves"])[-1])\n'
    )
    ended = move("startpos", "--strategy", "last.py", cwd=tmp_path)
    assert (ended.printed, ended.logged) == (["h2h4"], ["last.py: thinking"])


def test_a_strategy_that_fails_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "fails.py").write_text("moves = simulate_move(fen)\nmoves['first']\n")
    ended = move("startpos", "--strategy", "fails.py", cwd=tmp_path)
    assert (ended.logged, ended.exit_code()) == (["fails.py:2: KeyError: 'first'"], 1)


def test_a_strategy_that_ends_its_process_costs_a_line_and_not_the_others(tmp_path: Path) -> None:
    """It used to run in the command's own process, and took command, exit code and all answers along."""
    (tmp_path / "dies.py").write_text(
        "import os\n"
        "if fen.split()[1] == 'b':\n"
        "    os._exit(3)\n"
        "play_move(simulate_move(fen)['legal_moves'][0])\n"
    )
    black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    ended = move("-", "-s", "dies.py", cwd=tmp_path, stdin=f"startpos\n{black}\nstartpos\n")
    assert [bool(answer) for answer in ended.printed] == [True, False, True]
    (line,) = ended.logged
    assert line.startswith("line 2: ")
    assert "exit code 3" in line
    assert ended.exit_code() == 1


def test_a_strategy_that_reads_standard_input_takes_no_position_away(tmp_path: Path) -> None:
    (tmp_path / "eats.py").write_text(
        "import sys\nsys.stdin.read()\nplay_move(simulate_move(fen)['legal_moves'][0])\n"
    )
    ended = move("-", "-s", "eats.py", cwd=tmp_path, stdin="startpos\nstartpos\nstartpos\n")
    assert len(ended.printed) == 3
    assert all(ended.printed)


def test_a_strategy_that_hangs_is_left_when_told_to_stop(tmp_path: Path) -> None:
    (tmp_path / "hangs.py").write_text("print('begun', flush=True)\nwhile True:\n    pass\n")
    with Program("move", "startpos", "-s", "hangs.py", cwd=tmp_path) as program:
        program.wait_for("begun")
        program.signal(signal.SIGTERM)
        assert program.exit_code() == 128 + signal.SIGTERM
        program.leaves_nobody()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_output_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    for verb in ("move", "explain"):
        with Path("/dev/full").open("w") as full:
            ended = subprocess.run(
                [sys.executable, "-m", "bot", verb, "startpos"],
                cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, timeout=200, check=False,
            )  # fmt: skip
        assert (ended.returncode, ended.stderr) == (
            1,
            "the output cannot be written: No space left on device\n",
        )
