"""Our lines, as the protocol has them."""

from __future__ import annotations

import chess

from bot.engine.found import Found
from bot.uci.lines import bestmove, info, remark

CASTLING = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
CASTLES = (chess.Move.from_uci("e1g1"), chess.Move.from_uci("e8d7"))


def test_an_info_line() -> None:
    told = Found(CASTLES[0], 7, 5000, 0.25, 31, None, CASTLES, 12, 8)
    assert info(told, CASTLING) == (
        "info depth 7 seldepth 12 multipv 1 score cp 31 nodes 5000 nps 20000 hashfull 8 time 250 pv e1g1 e8d7"
    )


def test_a_mate_is_told_in_moves_and_no_time_divides_nothing() -> None:
    told = Found(CASTLES[0], 7, 5000, 0.0, None, -3, CASTLES[:1], line=2)
    assert "multipv 2 score mate -3 nodes 5000 nps 5000000 hashfull" in info(told, CASTLING)


def test_the_best_move_comes_with_one_to_ponder_on() -> None:
    assert bestmove(CASTLES, CASTLING) == "bestmove e1g1 ponder e8d7"
    assert bestmove(CASTLES[:1], CASTLING) == "bestmove e1g1"
    assert bestmove((), CASTLING) == "bestmove (none)"


def test_castling_is_king_takes_rook_where_chess960_is_played() -> None:
    board = chess.Board(CASTLING.fen(), chess960=True)
    assert bestmove((chess.Move.from_uci("e1h1"), CASTLES[1]), board) == "bestmove e1h1 ponder e8d7"


def test_a_remark_is_one_line() -> None:
    assert remark("two\nlines") == "info string two lines"
