"""The trainer's inner loops: against the plainest reckoning, finite differences, and Adam by the book."""

from __future__ import annotations

from collections.abc import Callable

import chess
import numpy as np
import pytest

from bot.learning import kernels
from bot.learning.parameters import Floats, Parameters, fresh
from bot.learning.positions import DRAW, LOSS, POSITION, WIN, Positions, from_board
from bot.learning.trainer import words_of
from tests.learning.training_kit import float_outputs, sample_boards

HIDDEN = 8


def positions_of(boards: list[chess.Board]) -> Positions:
    """With scores and results of all kinds."""
    results = (LOSS, DRAW, WIN)
    return np.array(
        [
            from_board(board, score=(number * 271) % 1201 - 600, result=results[number % 3])
            for number, board in enumerate(boards)
        ],
        POSITION,
    )


def some_parameters(seed: int) -> Parameters:
    """Such that many units are clipped at either end, and many are not."""
    made = fresh(HIDDEN, np.random.default_rng(seed))
    made.inputs[:] *= 1.5
    made.outputs[:] = np.random.default_rng(seed + 1).uniform(-0.6, 0.6, made.outputs.shape)
    made.output_bias[:] = np.linspace(-0.2, 0.2, len(made.output_bias))
    return made


def targets(positions: Positions, mix: float, spread: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    expected = 1 / (1 + np.exp(-positions["score"].astype(np.float64) / spread))
    found: np.ndarray[tuple[int], np.dtype[np.float64]] = (
        mix * expected + (1 - mix) * positions["result"].astype(np.float64) / 2
    )
    return found


def test_it_says_what_64_bit_floats_say() -> None:
    boards = sample_boards(200, seed=31)
    parameters = some_parameters(3)
    found = np.empty(len(boards), np.float32)

    kernels.evaluate(words_of(positions_of(boards)), parameters.vector, HIDDEN, found)
    assert found == pytest.approx(float_outputs(parameters, boards), abs=1e-5)
    assert found.min() < -0.1 < 0.1 < found.max()


def test_a_target_mixes_score_and_result() -> None:
    positions = positions_of(sample_boards(50, seed=32))
    found = np.empty(50, np.float32)
    for mix, spread in ((0.0, 200), (0.7, 400), (1.0, 150)):
        kernels.targets(words_of(positions), mix, spread, found)
        assert found == pytest.approx(targets(positions, mix, spread), abs=1e-6)


@pytest.mark.parametrize(("power", "spread"), [(2.0, 400), (2.5, 400), (2.0, 170)])
def test_the_gradient_is_what_finite_differences_give(power: float, spread: float) -> None:
    boards = sample_boards(24, seed=33)
    positions = positions_of(boards)
    parameters = some_parameters(4)
    rows = np.array([5, 0, *range(6, 24), 5], np.int32)  # not all, and one of them twice
    wanted = targets(positions, 0.7, spread)[rows]
    slopes = np.full(len(parameters.vector), 9, np.float32)  # what was there does not matter

    total = kernels.gradient(
        words_of(positions), rows, parameters.vector, HIDDEN, 0.7, spread, power, 1 / len(rows), slopes
    )

    exact = Parameters(parameters.vector.astype(np.float64), HIDDEN)  # more digits

    def loss() -> float:
        said = 1 / (1 + np.exp(-float_outputs(exact, boards)[rows] * 400 / spread))
        return float((np.abs(said - wanted) ** power).sum())

    assert total == pytest.approx(loss(), rel=1e-5)
    rng = np.random.default_rng(5)
    first = HIDDEN * 768
    moving = rng.choice(np.flatnonzero(slopes[:first]), 40, replace=False)
    still = rng.choice(np.flatnonzero(slopes[:first] == 0), 5, replace=False)
    others = rng.choice(np.arange(first + HIDDEN, len(slopes)), 30, replace=False)
    for place in (*moving, *still, *range(first, first + HIDDEN), *others):
        before, step = exact.vector[place], 1e-6
        exact.vector[place] = before + step
        above = loss()
        exact.vector[place] = before - step
        below = loss()
        exact.vector[place] = before
        expected = (above - below) / (2 * step) / len(rows)
        assert slopes[place] == pytest.approx(expected, rel=2e-3, abs=2e-7), place


def test_adam_steps_as_by_the_book() -> None:
    rng = np.random.default_rng(6)
    parameters = rng.uniform(-1, 1, 50).astype(np.float32)
    means, squares = np.zeros(50, np.float32), np.zeros(50, np.float32)
    expected, mean, square = parameters.astype(np.float64), np.zeros(50), np.zeros(50)
    for step in range(1, 6):
        slopes: Floats = rng.normal(size=(4, 50)).astype(np.float32)
        rate, decay = 0.01, 0.002
        kernels.adam(
            parameters,
            slopes,
            means,
            squares,
            rate / (1 - 0.9**step),
            decay,
            1 / np.sqrt(1 - 0.999**step),
            1.0,
            10,
            50,
        )
        slope = slopes.sum(axis=0, dtype=np.float64)
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        by = rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        moved = np.clip(expected * (1 - decay) - by, -1, 1)
        expected[10:] = moved[10:]
        assert parameters == pytest.approx(expected, abs=1e-5)
    assert np.abs(parameters).max() <= 1


Change = Callable[[Positions], None]


def set_men(first: int) -> Change:
    def change(found: Positions) -> None:
        found["men"][1][0] = first

    return change


def set_field(name: str, value: int) -> Change:
    def change(found: Positions) -> None:
        found[name][1] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        set_men(0xE0),  # nobody
        set_men(0xE8),
        set_men(0xE7),
        set_men(0xEF),
        set_men(0xEE),  # two white kings
        set_men(0xE6),  # two black kings
        set_men(0x14),  # no white king
        set_field("result", 3),
        set_field("turn", 2),
        set_field("occupied", 2**64 - 1),
    ],
)
def test_what_is_no_position_is_found(change: Change) -> None:
    """The other functions would read and write where they must not."""
    board = chess.Board("4k3/8/8/8/8/8/8/RK6 w - - 0 1")  # its first two men: a white rook and the king
    found = np.array([from_board(board, score=0, result=DRAW)] * 3, POSITION)
    words = found.view(np.uint64).reshape(-1, 4)
    assert found["men"][1][0] == 0xEC
    assert kernels.first_fault(words) == -1
    change(found)
    assert kernels.first_fault(words) == 1
