"""Fitting the weights written by hand: towards those that the scores were made with, and no further."""

from __future__ import annotations

import resource
import signal
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import chess
import numpy as np
import numpy.typing as npt
import pytest
from typer.testing import CliRunner, Result

from bot.cli import app
from bot.engine.state import new_state
from bot.engine.weights import load
from bot.errors import UserError
from bot.evaluation import evaluate
from bot.evaluation.weights import WEIGHTS, Weights
from bot.evaluation.weights_file import decoded
from bot.lab.files import StorageError
from bot.learning import fit_command, fit_kernels
from bot.learning.fit import COURSE, LEAST_VALIDATION, Fitted, fit, thinned
from bot.learning.fit_command import require_better
from bot.learning.positions import DRAW, POSITION, Positions, from_board
from bot.learning.settings import FitSettings
from bot.learning.trainer import words_of
from tests.learning.training_kit import sample_boards, scattered, write_set

#: What the scores are made with: rooks that like squares more, knights worth 40 more in the middlegame
#: wherever they stand, forks worth nothing, and pairs of bishops worth nothing, which the course forbids.
TRUTH = replace(
    WEIGHTS,
    mobility={**WEIGHTS.mobility, chess.ROOK: (5, 6)},
    piece_square={
        **WEIGHTS.piece_square,
        chess.KNIGHT: (
            tuple(each + 40 for each in WEIGHTS.piece_square[chess.KNIGHT][0]),
            WEIGHTS.piece_square[chess.KNIGHT][1],
        ),
    },
    fork=(-200, -200),
    bishop_pair=(0, 0),
)
SETTINGS = FitSettings(epochs=4, mix=1.0, spread=200.0)


def said(positions: Positions, weights: Weights) -> npt.NDArray[np.int64]:
    """For White."""
    state: Any = new_state()
    load(state["w"], weights)
    found = np.empty(len(positions), np.int64)
    fit_kernels.evaluations(state, words_of(positions), found)
    return found


@cache
def labelled() -> Positions:
    """Positions without rhyme or reason, with scores of TRUTH; only read."""
    found = scattered(30_000, seed=61)
    scores = said(found, TRUTH)
    found["score"] = np.clip(np.where(found["turn"] == 1, scores, -scores), -1500, 1500)
    return found


@cache
def fitted() -> Fitted:
    return fit(labelled(), SETTINGS, tell=lambda *_: None)


def test_it_judges_as_the_evaluation_does() -> None:
    boards = sample_boards(300, seed=62)
    for board in boards:
        board.castling_rights, board.ep_square = 0, None
    boards = [board for board in boards if board.outcome() is None]
    positions = np.array([from_board(board, score=0, result=DRAW) for board in boards], POSITION)

    assert said(positions, WEIGHTS).tolist() == [evaluate(board) for board in boards]


def test_places_are_counted_from_either_side() -> None:
    board = chess.Board("4k3/7p/8/8/8/8/P6P/4K1N1 w - - 0 1")
    counts, phases = np.zeros((1, 192), np.int8), np.zeros(1, np.int64)
    state: Any = new_state()
    words = words_of(np.array([from_board(board, score=0, result=DRAW)], POSITION))
    fit_kernels.places(state, words, counts, phases)

    pawns = counts[0, :32].reshape(8, 4)
    assert pawns[6].tolist() == [1, 0, 0, 0]  # a2 and h2, less h7: the a-file and the h-file are one
    assert np.abs(pawns).sum() == 1
    assert counts[0, 32:64].reshape(8, 4)[7].tolist() == [0, 1, 0, 0]  # the knight on g1
    assert not counts[0, 160:].any()  # both kings stand alike
    assert phases[0] == 320 * 256 // 6400


def test_it_finds_what_the_scores_were_made_with() -> None:
    found = fitted()

    assert found.loss < found.loss_before * 0.6  # the rest is what may not be fitted
    rook = found.weights.mobility[chess.ROOK]
    assert rook == pytest.approx((5, 6), abs=1.01)
    before, after = WEIGHTS.piece_square[chess.KNIGHT][0], found.weights.piece_square[chess.KNIGHT][0]
    assert 8 < np.mean(np.subtract(after, before)) < 45  # held where it was, for so few positions


def test_a_weight_keeps_its_sign_and_the_courses_numbers_stay() -> None:
    found = fitted().weights

    assert 0 < found.fork[0] < WEIGHTS.fork[0] / 2
    for name in COURSE:
        assert getattr(found, name) == getattr(WEIGHTS, name), name
    assert found.piece_values == WEIGHTS.piece_values
    assert found.piece_square[chess.PAWN][0] == WEIGHTS.piece_square[chess.PAWN][0]
    passed = found.passed_pawn_by_rank
    assert passed[1] == (20, 20)
    assert all(min(passed[rank]) >= 19 + rank for rank in range(2, 7))
    for half in range(2):
        worth = [each[half] for each in passed]
        assert worth == sorted(worth)


def test_what_was_nothing_in_one_half_does_not_turn_round() -> None:
    """Any half of 0 could grow: minors at home became a bonus in the endgame, an early queen might have."""
    start = replace(WEIGHTS, tempo=(10, 0), early_queen_per_minor=(-2, 0), trapped_minor=(0, 0))
    positions = labelled()[:8_000].copy()
    positions["score"] = -400  # whoever is to move
    found = fit(positions, replace(SETTINGS, epochs=1), start=start, tell=lambda *_: None).weights

    assert 0 < found.tempo[0] < 10
    assert found.tempo[1] == 0
    assert found.early_queen_per_minor[1] <= 0
    assert found.trapped_minor == (0, 0)


def test_tables_are_the_same_on_both_wings() -> None:
    for middlegame, endgame in fitted().weights.piece_square.values():
        for half in (middlegame, endgame):
            rows = np.array(half).reshape(8, 8)
            assert (rows == rows[:, ::-1]).all()


def test_the_same_again() -> None:
    again = fit(labelled(), replace(SETTINGS, epochs=1), tell=lambda *_: None)
    assert fit(labelled(), replace(SETTINGS, epochs=1), tell=lambda *_: None) == again != fitted()


def test_results_count_where_they_are_asked_for() -> None:
    positions = labelled().copy()
    positions["result"] = np.where(positions["score"] > 0, 0, 2)  # the other way about
    against = fit(positions, replace(SETTINGS, mix=0.0, epochs=1), tell=lambda *_: None)

    assert against.loss_before > 0.3
    assert (
        np.mean(against.weights.piece_square[chess.QUEEN]) < np.mean(WEIGHTS.piece_square[chess.QUEEN]) - 10
    )


def test_too_few_positions_are_refused() -> None:
    with pytest.raises(UserError, match="too few to learn from"):
        fit(labelled()[:5], SETTINGS, tell=lambda *_: None)


@pytest.mark.parametrize("most", [7_000, 29_999, 10**7])
def test_those_that_are_taken_are_spread_over_all(most: int) -> None:
    """One fewer than there are halved them."""
    taken, learning, held_out = thinned(labelled(), SETTINGS, most)

    count = min(most, len(labelled()))
    assert len(taken) == count
    places = np.flatnonzero(np.isin(labelled(), taken))
    assert np.diff(places).max() <= -(-len(labelled()) // count) + 1
    assert sorted([*learning, *held_out]) == list(range(count))


def test_no_game_is_on_both_sides_however_few_of_its_positions_are_taken() -> None:
    """Games were told apart after most of their positions were gone, by plies that fell no longer."""
    positions = np.zeros(40_000, POSITION)
    positions["ply"] = 7 + np.arange(40_000) % 10  # games of ten positions; every ninth row is a ply further
    positions["score"] = np.arange(40_000) // 10  # the game
    taken, learning, held_out = thinned(positions, SETTINGS, 4_500)

    assert not set(taken["score"][learning]) & set(taken["score"][held_out])
    assert len(held_out) == pytest.approx(SETTINGS.validation * 4_500, rel=0.2)


def test_of_too_few_to_validate_with_nothing_is_said() -> None:
    """Three positions could tell which weights were better."""
    with pytest.raises(UserError, match=r"are too few: use 5,000 positions or more"):
        fit(labelled()[:3_000], SETTINGS, tell=lambda *_: None)
    assert 5_000 * SETTINGS.validation == LEAST_VALIDATION


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["lab", "fit", *map(str, words)])


def test_the_command_writes_weights_and_plays_with_them(tmp_path: Path) -> None:
    folder, out = write_set(tmp_path / "data", labelled()[:8_000]), tmp_path / "weights.json"
    found = run(folder, "--out", out, "--pairs", "2", "--nodes", "50", "--processes", "1", "--lambda", "1")

    assert found.exit_code == 0, found.output
    weights = decoded(out.read_text())
    assert weights != WEIGHTS
    assert weights.bishop_pair == (50, 50)
    assert "Against those there are, 50 nodes a move: " in found.output
    assert "% of 4 games" in found.output


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    folder, out = write_set(tmp_path / "data", labelled()[:2_000]), tmp_path / "weights.json"
    out.write_text("mine")
    found = run(folder, "--out", out)

    assert isinstance(found.exception, UserError)
    assert f"{out} is there already" in str(found.exception)
    assert out.read_text() == "mine"


def test_nothing_is_left_where_nothing_was_fitted(tmp_path: Path) -> None:
    folder, out = write_set(tmp_path / "data", labelled()[:3], files=1), tmp_path / "weights.json"
    found = run(folder, "--out", out)

    assert isinstance(found.exception, UserError)
    assert "too few" in str(found.exception)
    assert not out.exists()


@pytest.mark.parametrize("loss", [0.02, 0.03, float("nan")])
def test_weights_that_foretell_unseen_games_no_better_are_refused(loss: float) -> None:
    """A few thousand positions were learnt by heart, and what came of it was written all the same."""
    require_better(replace(fitted(), loss=0.019, loss_before=0.02))
    with pytest.raises(UserError, match=r"nothing was learnt, .* and was 0\.020000 before"):
        require_better(replace(fitted(), loss=loss, loss_before=0.02))


def test_a_place_that_cannot_be_written_is_told_before_anything_is_done(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "data", labelled()[:2_000])
    found = run(folder, "--out", tmp_path / "nowhere" / "weights.json")

    assert isinstance(found.exception, StorageError)
    assert found.output == ""


def test_a_link_that_leads_nowhere_is_left_alone(tmp_path: Path) -> None:
    """The link was lost, and an empty file left where it pointed to."""
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "target.json")
    found = run(write_set(tmp_path / "data", labelled()[:3], files=1), "--out", link)

    assert "is there already" in str(found.exception)
    assert link.is_symlink()
    assert not link.exists()


def test_a_write_that_fails_halfway_leaves_no_half_of_a_file(tmp_path: Path) -> None:
    """What was cut off stayed, and the same command refused to begin again."""
    folder, out = write_set(tmp_path / "data", labelled()[:8_000]), tmp_path / "weights.json"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, hard))
    try:
        found = run(folder, "--out", out, "--pairs", "0", "--lambda", "1")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)

    assert isinstance(found.exception, StorageError)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_a_file_that_is_taken_away_meanwhile_hides_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ended with the file that was missing, whatever had gone wrong before."""
    folder, out = write_set(tmp_path / "data", labelled()[:3], files=1), tmp_path / "weights.json"
    monkeypatch.setattr(fit_command, "warm_for", lambda *_: out.unlink())
    found = run(folder, "--out", out)

    assert "too few" in str(found.exception)
