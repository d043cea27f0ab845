"""Shards: what is in them depends on seed, number, settings and judge, and is what it should be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

from bot.lab.files import StorageError
from bot.learning.judge import Judge
from bot.learning.positions import MOST_SCORE, Header, Positions, from_board
from bot.learning.selfplay import ENDINGS, MOST_PLIES
from bot.learning.shard import Generator
from tests.learning.generate_kit import boards, generator, make, whole, write_network

Shard = tuple[Header, Positions]
WORTH = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 320, chess.ROOK: 500, chess.QUEEN: 900}


@pytest.fixture(scope="module")
def by_hand() -> Generator:
    return generator()


@pytest.fixture(scope="module")
def shard(by_hand: Generator, tmp_path_factory: pytest.TempPathFactory) -> Shard:
    return make(tmp_path_factory.mktemp("shard"), 1_000, by=by_hand)


def lead(board: chess.Board) -> int:
    """Of the side to move, in material."""
    us, them = board.turn, not board.turn
    return sum(
        worth * (len(board.pieces(piece, us)) - len(board.pieces(piece, them)))
        for piece, worth in WORTH.items()
    )


def test_every_position_is_one_that_is_worth_learning_from(shard: Shard) -> None:
    _, positions = shard
    for record, board in zip(positions, boards(positions), strict=True):
        assert board.is_valid(), board.fen()
        assert not board.is_check(), board.fen()
        assert any(board.legal_moves)
        again = from_board(board, score=int(record["score"]), result=int(record["result"]))
        assert again.tobytes() == record.tobytes()  # nothing but what is documented is in a record
    assert abs(positions["score"].astype(int)).max() <= MOST_SCORE
    assert set(positions["result"].tolist()) == {0, 1, 2}
    assert positions["ply"].min() >= 8
    assert 0.4 < positions["turn"].mean() < 0.6


def test_no_position_comes_twice(shard: Shard) -> None:
    _, positions = shard
    names = positions[["occupied", "men", "turn"]]
    assert len({name.tobytes() for name in names}) == len(positions)


def test_scores_are_from_the_view_of_the_side_to_move(shard: Shard) -> None:
    _, positions = shard
    leads = np.array([lead(board) for board in boards(positions)])
    scores, results = positions["score"].astype(float), positions["result"].astype(float)
    uneven = abs(leads) >= 300
    assert uneven.sum() > 50
    assert (np.sign(scores) == np.sign(leads))[uneven].mean() > 0.9
    assert np.corrcoef(leads, scores)[0, 1] > 0.7
    assert np.corrcoef(scores, results)[0, 1] > 0.3
    for turn in (0, 1):  # for either side
        mine = uneven & (positions["turn"] == turn)
        assert np.corrcoef(leads[mine], scores[mine])[0, 1] > 0.8


@pytest.mark.parametrize("seed", range(1, 7))
def test_all_positions_of_a_game_have_its_result(by_hand: Generator, tmp_path: Path, seed: int) -> None:
    header, positions = make(tmp_path, 1, seed=seed, by=by_hand)
    assert header.counts["games"] == 1
    (white,) = (
        result for name, result in (("white_wins", 2), ("draws", 1), ("black_wins", 0)) if header.counts[name]
    )
    expected = np.where(positions["turn"] == 1, white, 2 - white)
    assert positions["result"].tolist() == expected.tolist()
    assert (np.diff(positions["ply"].astype(int)) > 0).all()


def test_the_counts_of_a_header_add_up(shard: Shard) -> None:
    header, positions = shard
    counts = header.counts
    assert counts["positions"] == len(positions)
    assert 1_000 <= len(positions) < 1_000 + MOST_PLIES
    left_out = sum(counts[name] for name in ("in_check", "not_quiet", "decisive", "duplicate"))
    assert counts["plies"] == len(positions) + left_out
    ended = sum(counts[name] for name in ENDINGS if name != "void")
    assert counts["games"] == ended == counts["white_wins"] + counts["draws"] + counts["black_wins"]
    games = 1 + np.count_nonzero(np.diff(positions["ply"].astype(int)) <= 0)
    assert counts["games"] - 2 <= games <= counts["games"]  # one may begin where the last one ended
    assert counts["nodes"] > 40 * counts["plies"]


def test_a_smaller_shard_is_the_beginning_of_a_larger_one(
    shard: Shard, by_hand: Generator, tmp_path: Path
) -> None:
    header, positions = make(tmp_path, 300, by=by_hand)
    assert 300 <= len(positions) < 1_000
    assert whole(positions) == whole(shard[1][: len(positions)])
    assert header.origin == shard[0].origin


def test_seed_and_number_decide_and_nothing_from_before(by_hand: Generator, tmp_path: Path) -> None:
    found: dict[Any, set[bytes]] = {}
    for seed, number in ((1, 0), (2, 0), (1, 1)):
        _, positions = make(tmp_path, 200, seed=seed, shard=number, by=by_hand)
        found[seed, number] = set(whole(positions))
    assert len(set.union(*found.values())) > 0.9 * sum(map(len, found.values()))
    data = {path: path.read_bytes() for path in tmp_path.iterdir()}
    fresh = generator()
    for seed, number in ((1, 1), (2, 0), (1, 0)):
        make(tmp_path, 200, seed=seed, shard=number, by=fresh)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == data


def test_a_network_judges_and_is_named(by_hand: Generator, tmp_path: Path) -> None:
    name = write_network(tmp_path / "some.npz")
    judge = Judge.find(str(tmp_path / "some.npz"))
    header, positions = make(tmp_path, 200, by=generator(judge))
    assert header.network == name
    data = (tmp_path / "seed1-00000.positions").read_bytes()
    make(tmp_path, 200, by=generator(judge))
    assert (tmp_path / "seed1-00000.positions").read_bytes() == data
    written, others = make(tmp_path, 200, by=by_hand)
    assert written.network == "none"
    assert not set(whole(positions)) & set(whole(others))


def test_a_shard_that_cannot_be_kept_leaves_nothing(by_hand: Generator, tmp_path: Path) -> None:
    (tmp_path / "seed1-00000.positions").mkdir()
    with pytest.raises(
        StorageError, match=r"seed1-00000\.positions cannot be written: .*same command goes on"
    ):
        make(tmp_path, 1, by=by_hand)
    assert [path.name for path in tmp_path.iterdir()] == ["seed1-00000.positions"]
