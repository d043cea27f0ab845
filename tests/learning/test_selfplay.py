"""One compiled game, against the same game played by python-chess with the same searches."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import chess
import numpy as np
import pytest

from bot.engine.leaf import CHECKED
from bot.engine.make import make
from bot.engine.moves import NO_MOVE
from bot.engine.network import read
from bot.engine.position import to_chess
from bot.engine.scores import DECISIVE
from bot.engine.state import State
from bot.engine.table import Table, new_table
from bot.engine.worker import Worker
from bot.lab.openings import all_openings
from bot.learning.positions import DRAW, LOSS, POSITION, WIN, Positions, from_board
from bot.learning.selfplay import (
    CALLED_WON,
    ENDINGS,
    EVEN_FROM,
    EVEN_PLIES,
    EVEN_SCORE,
    GAME,
    MOST_PLIES,
    MOST_UNEVEN,
    WON_PLIES,
    WON_SCORE,
    choose,
    play_game,
)
from bot.learning.starts import draw_start
from tests.learning.generate_kit import write_network

OPENINGS = [opening.fen for opening in all_openings()]
REASONS = ("in_check", "not_quiet", "decisive", "duplicate")


@dataclass
class Match:
    """What one game is played with, and what it is written to."""

    worker: Worker
    table: Table
    game: State
    seen: np.ndarray[tuple[int], np.dtype[np.uint64]]
    out: Positions


def begin(board: chess.Board, worker: Worker, nodes: int) -> Match:
    game = np.zeros(1, GAME)[0]
    game["soft_nodes"], game["hard_nodes"] = nodes, 20_000
    worker.forget()
    worker.begin(board, node_limit=None, contempt=0, age=0)
    return Match(worker, new_table(1), game, np.zeros(1 << 11, np.uint64), np.zeros(MOST_PLIES, POSITION))


def play(board: chess.Board, worker: Worker, nodes: int) -> Match:
    it = begin(board, worker, nodes)
    play_game(worker.state, it.table, it.game, it.seen, it.out)
    return it


@dataclass
class Slow:
    """What became of a game: its ending, White's result, the positions that are kept, and the others."""

    ending: str
    white: int
    kept: Positions
    counts: Counter[str]


def play_slowly(start: chess.Board, worker: Worker, nodes: int) -> Slow:
    """The game as the documentation has it. Only the searches are the engine's."""
    it = begin(start, worker, nodes)
    board, scores, seen, counts = start.copy(), list[int](), set[bytes](), Counter[str]()
    kept: list[tuple[np.void, bool]] = []

    def ended(ending: str, white: int) -> Slow:
        for record, turn in kept:
            record["result"] = white if turn else {LOSS: WIN, DRAW: DRAW, WIN: LOSS}[white]
        return Slow(ending, white, np.array([record for record, _ in kept], POSITION), counts)

    while True:
        if board.is_checkmate():
            return ended("checkmate", LOSS if board.turn else WIN)
        if board.is_stalemate():
            return ended("stalemate", DRAW)
        few = chess.popcount(board.occupied) <= 3 and not board.pawns | board.rooks | board.queens
        if board.halfmove_clock >= 100 or board.is_repetition(3) or few:
            return ended("drawn", DRAW)
        if len(scores) == MOST_PLIES:
            return ended("too long", DRAW)
        worker.state["root_height"] = worker.state["height"]
        found = choose(worker.state, it.table, it.game)
        assert found != NO_MOVE
        move, score = to_chess(found, board), int(it.game["score"])
        assert move in board.legal_moves
        if not scores and abs(score) > MOST_UNEVEN:
            return ended("void", DRAW)
        scores.append(score if board.turn else -score)
        counts["plies"] += 1
        record = from_board(board, score=score, result=DRAW)
        name = b"%d" % board.turn + record["occupied"].tobytes() + record["men"].tobytes()
        if board.is_check():
            counts["in_check"] += 1
        elif board.is_capture(move) or move.promotion:
            counts["not_quiet"] += 1
        elif abs(score) >= DECISIVE:
            counts["decisive"] += 1
        elif name in seen:
            counts["duplicate"] += 1
        else:
            seen.add(name)
            kept.append((record, board.turn))
        last = scores[-WON_PLIES:]
        if len(last) == WON_PLIES and min(last) >= WON_SCORE:
            return ended("called won", WIN)
        if len(last) == WON_PLIES and max(last) <= -WON_SCORE:
            return ended("called won", LOSS)
        even = scores[EVEN_FROM:][-EVEN_PLIES:]
        if len(even) == EVEN_PLIES and max(map(abs, even)) <= EVEN_SCORE:
            return ended("called drawn", DRAW)
        make(worker.state, found)
        board.push(move)


#: Neither side can get anywhere; and a game that is half way to the fifty-move rule.
LOCKED = "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1"
FOR_LONG = "8/2k5/1r6/8/8/6R1/2K5/8 w - - 60 90"


@pytest.mark.parametrize("start", [1, 2, 3, 4, 5, LOCKED, FOR_LONG])
def test_a_game_is_what_the_documentation_says(start: int | str) -> None:
    drawn = isinstance(start, int)
    board = draw_start(random.Random(start), OPENINGS, 8) if drawn else chess.Board(str(start))
    worker = Worker()
    expected = play_slowly(board, worker, nodes=60)
    it = play(board, worker, nodes=60)
    assert ENDINGS[it.game["ending"]] == expected.ending
    assert it.game["white"] == expected.white
    assert {name: int(it.game[name]) for name in ("plies", *REASONS)} == {
        name: expected.counts[name] for name in ("plies", *REASONS)
    }
    kept = it.out[: it.game["kept"]]
    assert kept.tobytes() == expected.kept.tobytes()
    assert len(kept) == it.game["plies"] - sum(it.game[name] for name in REASONS)
    assert all(before < after for before, after in pairwise(kept["ply"].tolist()))
    assert not it.out[len(kept) :].tobytes().strip(b"\0")


@pytest.mark.parametrize(
    ("fen", "ending", "white"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "checkmate", LOSS),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "checkmate", WIN),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate", DRAW),
        ("7k/8/6K1/8/8/8/8/6N1 b - - 0 1", "drawn", DRAW),
        ("7k/8/6K1/8/8/8/r7/6R1 b - - 100 99", "drawn", DRAW),
        ("7k/8/6K1/8/8/8/8/6Q1 b - - 0 1", "void", DRAW),  # too uneven to begin with
    ],
)
def test_what_is_over_at_once_leaves_no_position(fen: str, ending: str, white: int) -> None:
    it = play(chess.Board(fen), Worker(), nodes=60)
    assert (ENDINGS[it.game["ending"]], it.game["white"]) == (ending, white)
    assert it.game["kept"] == it.game["plies"] == 0


@pytest.mark.parametrize("turn", [chess.WHITE, chess.BLACK])
def test_who_is_a_rook_up_wins_and_the_results_say_so(turn: chess.Color) -> None:
    board = chess.Board("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1")
    it = play(board if turn else board.mirror(), Worker(), nodes=300)
    assert it.game["ending"] == CALLED_WON
    assert it.game["white"] == (WIN if turn else LOSS)
    kept = it.out[: it.game["kept"]]
    winners = kept[kept["turn"] == turn]
    losers = kept[kept["turn"] != turn]
    assert set(winners["result"].tolist()) == {WIN}
    assert set(losers["result"].tolist()) == {LOSS}
    assert (winners["score"] > 0).mean() > 0.9 < (losers["score"] < 0).mean()


def test_positions_that_were_seen_in_other_games_are_left_out() -> None:
    worker, board = Worker(), chess.Board(OPENINGS[0])
    it = play(board, worker, nodes=60)
    kept = int(it.game["kept"])
    assert kept > 10
    it.table.fill(0)
    worker.forget()
    worker.begin(board, node_limit=None, contempt=0, age=0)
    play_game(worker.state, it.table, it.game, it.seen, it.out)
    assert it.game["kept"] == 0
    assert it.game["duplicate"] >= kept


def test_a_network_judges_every_position_of_a_game(tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    write_network(path)
    board = draw_start(random.Random(1), OPENINGS, 8)
    worker = Worker(network=read(path))
    worker.state["learned"] = CHECKED
    it = play(board, worker, nodes=60)
    assert worker.state["mistakes"] == 0
    assert it.game["kept"] > 10
    assert it.out.tobytes() != play(board, Worker(), nodes=60).out.tobytes()
