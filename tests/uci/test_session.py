"""`knightshift uci` as a real process: driven by python-chess, by hand, and with rubbish."""

from __future__ import annotations

import os
import random
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import pytest

from tests.learning.generate_kit import write_network
from tests.uci.conversation import COMMAND, PATIENCE_S, ROOT, Conversation, conversation

pytestmark = [pytest.mark.usefixtures("warm_directory"), pytest.mark.timeout(300)]

MATE_IN_TWO = "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1"
DEFAULTS = {"Hash": "16", "Threads": "1", "MultiPV": "1", "UCI_Chess960": "false"}
CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"


@pytest.fixture(scope="module")
def shared() -> Iterator[Conversation]:
    with conversation() as talk:
        yield talk


@pytest.fixture
def talk(shared: Conversation) -> Conversation:
    """The shared engine, as it was when it had just been loaded."""
    shared.say("stop", *(f"setoption name {name} value {value}" for name, value in DEFAULTS.items()))
    shared.say("ucinewgame", "position startpos", "go perft 1")
    shared.hear("Nodes searched: 20")  # one thing is done after the other
    return shared


@pytest.fixture(scope="module")
def engine() -> Iterator[chess.engine.SimpleEngine]:
    with chess.engine.SimpleEngine.popen_uci(COMMAND, cwd=str(ROOT), timeout=PATIENCE_S) as engine:
        yield engine


def legal(move: chess.Move | None, board: chess.Board) -> chess.Move:
    assert move is not None
    assert move in board.legal_moves
    return move


# --- as a chess program does it ----------------------------------------------------------------------------


def test_python_chess_plays_with_it(engine: chess.engine.SimpleEngine) -> None:
    assert engine.id["name"].startswith("Knightshift")
    board = chess.Board()
    for _ in range(10):
        played = engine.play(board, chess.engine.Limit(time=0.02), info=chess.engine.INFO_ALL)
        board.push(legal(played.move, board))
    assert played.info["depth"] >= 1


def test_it_analyses_several_lines(engine: chess.engine.SimpleEngine) -> None:
    lines = engine.analyse(chess.Board(), chess.engine.Limit(depth=6), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert len({line["pv"][0] for line in lines}) == 3
    scores = [line["score"].white().score() for line in lines]
    assert all(line["depth"] == 6 for line in lines)
    assert scores[0] is not None


def test_it_sees_a_mate_and_obeys_root_moves(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board(MATE_IN_TWO)
    found = engine.analyse(board, chess.engine.Limit(mate=2))
    assert found["score"].white() == chess.engine.Mate(2)
    only = chess.Move.from_uci("e1e2")
    assert engine.play(board, chess.engine.Limit(depth=3), root_moves=[only]).move == only


def test_it_plays_chess960(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board(CHESS960, chess960=True)
    rng = random.Random(1)
    for _ in range(6):
        played = engine.play(board, chess.engine.Limit(nodes=500))
        board.push(legal(played.move, board))
        board.push(rng.choice(list(board.legal_moves)))
    castles = chess.Board("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", chess960=True)
    move = chess.Move.from_uci("c1b1")
    assert engine.play(castles, chess.engine.Limit(depth=1), root_moves=[move]).move == move


def test_it_ponders(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    for _ in range(3):
        played = engine.play(
            board, chess.engine.Limit(white_clock=5, black_clock=5, white_inc=0.05), ponder=True
        )
        board.push(legal(played.move, board))
        board.push(played.ponder or next(iter(board.legal_moves)))


def test_one_thread_and_a_limit_of_nodes_give_the_same_each_time(engine: chess.engine.SimpleEngine) -> None:
    found = []
    for _ in range(2):
        engine.configure({"Clear Hash": None})
        board = chess.Board()
        with engine.analysis(board, chess.engine.Limit(nodes=20_000)) as analysis:
            found.append([(info.get("nodes"), info.get("pv")) for info in analysis if "pv" in info])
    assert found[0] == found[1]
    assert found[0][-1][0] is not None


# --- by hand -----------------------------------------------------------------------------------------------


def test_it_says_who_it_is_before_the_engine_is_loaded() -> None:
    with conversation() as talk:
        talk.say("uci", "isready")
        said = talk.hear("uciok")
        assert said[0].startswith("id name Knightshift ")
        assert "option name Hash type spin default 16 min 1 max 65536" in said
        assert talk.hear("readyok") == ["readyok"]


def test_stop_ends_a_search_at_once(talk: Conversation) -> None:
    waits = []
    for _ in range(20):
        talk.say("go infinite")
        talk.hear("info depth 8 ")
        began = time.perf_counter()
        talk.say("stop")
        talk.hear("bestmove")
        waits.append(time.perf_counter() - began)
    assert sorted(waits)[2] < 0.02, "5 ms are promised; here the machine may be doing other things"


def test_isready_is_answered_in_the_midst_of_a_search(talk: Conversation) -> None:
    talk.say("go infinite", "isready")
    said = talk.hear("readyok")
    assert not any(line.startswith("bestmove") for line in said)
    talk.say("stop")
    talk.hear("bestmove")


def test_an_infinite_search_that_has_nothing_left_to_find_waits_for_stop(talk: Conversation) -> None:
    talk.say(f"position fen {MATE_IN_TWO}", "go infinite", "isready")
    talk.hear("info depth 3 ")
    talk.say("isready", "stop")
    assert talk.hear("bestmove")[-1].startswith("bestmove ")


def test_pondering_ends_by_the_clock_once_the_move_was_played(talk: Conversation) -> None:
    talk.say("position startpos moves e2e4", "go ponder movetime 100 wtime 1000 btime 1000")
    talk.hear("info depth 9 ")
    talk.say("ponderhit")
    talk.hear("bestmove")
    talk.say("go ponder wtime 1000 btime 1000")
    talk.hear("info depth 5 ")
    talk.say("stop")  # another move was played
    talk.hear("bestmove")


def test_a_stop_right_behind_the_go_still_gets_a_move(talk: Conversation) -> None:
    for _ in range(30):
        talk.say("go infinite", "stop")
    moves = [talk.hear("bestmove")[-1] for _ in range(30)]
    assert all(move.split()[1] != "(none)" for move in moves)


def test_a_second_go_ends_the_first(talk: Conversation) -> None:
    talk.say("go infinite", "position startpos moves e2e4", "go depth 3")
    assert talk.hear("bestmove")[-1] != ""
    last = talk.hear("bestmove")[-1].split()[1]
    assert (
        chess.Move.from_uci(last)
        in chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").legal_moves
    )


@pytest.mark.parametrize(
    ("fen", "score"),
    [("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "mate 0"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0")],
)
def test_a_game_that_is_over_has_no_best_move(talk: Conversation, fen: str, score: str) -> None:
    talk.say(f"position fen {fen}", "go depth 5")
    assert talk.hear("bestmove") == [f"info depth 0 score {score}", "bestmove (none)"]


def test_perft_is_counted_by_move(talk: Conversation) -> None:
    talk.say("position startpos", "go perft 4")
    said = talk.hear("Nodes searched")
    assert said[-1] == "Nodes searched: 197281"
    assert len(said) == 22
    assert "e2e4: 13160" in said


def test_a_board_and_an_evaluation_can_be_looked_at(talk: Conversation) -> None:
    talk.say("position startpos moves e2e4", "d", "eval")
    said = talk.hear("Evaluation:")
    assert "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" in said
    assert any(line.startswith("king safety") for line in said)


def test_options_can_change_between_searches(talk: Conversation) -> None:
    talk.say(
        "setoption name Hash value 4", "setoption name Threads value 2", "setoption name MultiPV value 2"
    )
    talk.say("go depth 8")
    said = talk.hear("bestmove")
    assert any(" multipv 2 " in line for line in said)
    talk.say("setoption name Threads value 1", "setoption name MultiPV value 1", "ucinewgame", "go depth 8")
    assert not any(" multipv 2 " in line for line in talk.hear("bestmove"))


# --- rubbish -----------------------------------------------------------------------------------------------

RUBBISH = [
    b"",
    b"   ",
    b"hello",
    b"\xff\xfe\x00\x80 go\xff",
    b"position",
    b"position fen",
    b"position fen 8/8 w - - 0 1",
    b"position startpos moves e2e5",
    b"position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    b"position fen QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/8/k6K w - - 0 1",
    b"setoption",
    b"setoption name",
    b"setoption name Hash value -5",
    b"setoption name Hash value 99999999999999999999",
    b"setoption name Nonsense value 3",
    b"go perft 0",
    b"go perft -3",
    b"ponderhit",
    b"stop",
    b"x" * 100_000,
    b"go depth 1 nodes banana wtime",
    b"go depth 1 searchmoves a1a8",
    b"isready isready",
]


def test_nothing_that_is_said_breaks_it(talk: Conversation) -> None:
    talk.say_bytes(b"\n".join(RUBBISH) + b"\n")
    talk.say("isready")
    complaints = [line for line in talk.hear("readyok") if line.startswith("info string ")]
    assert len(complaints) >= 15
    assert all(len(line) < 700 for line in complaints)
    talk.say("position startpos", "go depth 4", "isready")
    assert talk.hear("bestmove")[-1].startswith("bestmove ")


WORDS = """
position startpos fen moves e2e4 e7e5 go depth 2 nodes 50 movetime 5 wtime 40 btime 40 stop ponderhit
setoption name Hash value 1 MultiPV 3 UCI_Chess960 true isready ucinewgame debug d eval perft searchmoves
"""


def test_random_lines_never_end_it(talk: Conversation) -> None:
    rng = random.Random(7)
    words = WORDS.split()
    for _ in range(150):
        talk.say(" ".join(rng.choices(words, k=rng.randint(1, 8))))
    talk.say(
        "stop", "setoption name UCI_Chess960 value false", "position startpos", "go depth 3", "go perft 1"
    )
    said = talk.hear("Nodes searched: 20")
    assert not [line for line in said if "failed" in line]


def test_words_before_the_command_do_not_count(talk: Conversation) -> None:
    talk.say("joho isready")
    assert talk.hear("readyok")[-1] == "readyok"


@pytest.mark.parametrize("last", [["quit"], [], ["go infinite", "quit"], ["go infinite"]])
def test_it_ends_when_told_to_or_left_alone(last: list[str]) -> None:
    with conversation() as talk:
        talk.say("isready", *last)
        assert talk.end() == 0
        said = talk.rest()
        assert ("go infinite" in last) == any(line.startswith("bestmove") for line in said)


@pytest.mark.parametrize(
    "lines",
    [
        ["position startpos moves e2e4 0000", "go depth 3"],
        ["position startpos", "go depth 3 searchmoves 0000"],
        [f"position fen 4k3/8/8/8/8/8/4P3/4K3 w - - {10**25} 1", "go depth 3"],
        [f"position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 {10**30}", "go wtime 1000 btime 1000"],
        ["position fen 4k3/8/8/3nP3/8/8/8/4K3 w - d6 0 1", "go depth 8"],
        ["position fen 4k3/8/8/3nP3/8/8/8/4K3 w - d6 0 1", "go depth 8 searchmoves e5d6"],
        [
            "position fen 1q1q1q1k/q1q1q1q1/1q1q1q1q/q6q/Q6Q/1Q1Q1Q1Q/Q1Q1Q1Q1/K1Q1Q1Q1 w - - 0 1",
            "go movetime 9",
        ],
        ["go perft 9", "go depth 3"],
    ],
)
def test_every_go_gets_its_best_move(talk: Conversation, lines: list[str]) -> None:
    talk.say(*lines)
    said = talk.hear("bestmove")
    assert said[-1].split()[1] not in ("(none)", "0000")
    assert not [line for line in said if "failed" in line]


def test_a_count_that_would_take_hours_ends_with_quit() -> None:
    with conversation() as talk:
        talk.say("isready")
        talk.hear("readyok")
        talk.say("go perft 9", "quit")
        assert talk.end() == 0
        assert talk.rest()[-1] == "info string the count was stopped"


def test_where_numba_does_not_load_it_says_so_and_ends(tmp_path: Path) -> None:
    """The thread that loads the engine died, and who waited for readyok waited for ever."""
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text("raise ImportError('Numba needs NumPy 2.4 or less')\n")
    environ = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    process = subprocess.Popen(
        COMMAND, cwd=ROOT, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"uci\nisready\n")
        process.stdin.flush()
        assert process.wait(PATIENCE_S) == 1, "its input is still open"
        why = b"the engine cannot be loaded: Numba needs NumPy 2.4 or less\n"
        assert process.stdout.read().endswith(b"info string " + why)
        assert process.stderr.read().endswith(why)


# --- networks ----------------------------------------------------------------------------------------------


def test_readyok_came_before_the_network_was_refused(talk: Conversation) -> None:
    """A program that waits for it heard of its mistake when its clock ran."""
    for _ in range(5):
        talk.say("setoption name EvalFile value nowhere.npz", "isready")
        said = talk.hear("readyok")
        assert [line for line in said if line.startswith("info string EvalFile: no network 'nowhere.npz'")]
        talk.say("setoption name Hash value 4", "isready")  # says nothing of EvalFile again
        assert talk.hear("readyok") == ["readyok"]


def test_readyok_comes_after_options_that_follow_a_search(talk: Conversation) -> None:
    talk.say("go depth 3")
    talk.hear("bestmove")
    talk.say("setoption name EvalFile value nowhere.npz", "isready")
    assert talk.hear("readyok")[0].startswith("info string EvalFile: ")
    talk.say("go infinite", "stop", "setoption name EvalFile value nowhere.npz", "isready")
    said = talk.hear("readyok")
    assert said[-2].startswith("info string EvalFile: ")
    assert any(line.startswith("bestmove ") for line in said)


def test_a_search_that_waits_for_the_engine_leaves_nobody_waiting_for_readyok() -> None:
    """It came after the search, which had no end."""
    with conversation() as talk:
        talk.say("go infinite", "isready")
        talk.hear("readyok")
        talk.say("stop")
        talk.hear("bestmove")


def score_of(talk: Conversation) -> str:
    talk.say("position startpos moves e2e4", "ucinewgame", "go depth 2")
    return next(line for line in reversed(talk.hear("bestmove")) if " score " in line).split(" nodes ")[0]


def test_a_network_set_again_after_its_file_changed_was_not_read_again(tmp_path: Path) -> None:
    file = tmp_path / "mine.npz"
    choose = f"setoption name EvalFile value {file}"
    with conversation() as talk:
        scores = []
        for seed in (1, 2):
            write_network(file, seed)
            talk.say(choose, "isready")
            assert talk.hear("readyok") == ["readyok"]
            scores.append(score_of(talk))
        assert scores[0] != scores[1]
        file.write_bytes(b"rubbish")
        talk.say("setoption name Hash value 4", "isready")  # who judges is not its business
        assert talk.hear("readyok") == ["readyok"]
        talk.say(choose, "isready")
        said = talk.hear("readyok")
        assert said[0].startswith(f"info string EvalFile: {file}: no file of weights (")
        assert said[0].endswith("; going on with what was read from it before")
        assert score_of(talk) == scores[1]
