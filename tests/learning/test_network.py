"""The network in integers: what it says, what can never overflow, and which files are refused."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

from bot.engine.network import (
    ARRAYS,
    HIDDEN,
    MOST_INPUT_WEIGHT,
    MOST_OUTPUT_WEIGHT,
    QA,
    QB,
    SCALE,
    NetworkFileError,
    read,
)
from bot.learning.features import active
from bot.learning.network import (
    LIMIT,
    Network,
    NetworkError,
    evaluate_quantised,
    faults,
    to_bytes,
    worst_accumulator,
)
from bot.learning.positions import DRAW, POSITION, Positions, from_board
from tests.learning.training_kit import loaded, random_network, said_by, sample_boards

SMALL = random_network(8, seed=1)


def packed(boards: list[chess.Board]) -> Positions:
    return np.array([from_board(board, score=0, result=DRAW) for board in boards], POSITION)


@pytest.mark.parametrize("hidden", [8, 64])
def test_it_says_what_integers_reckoned_one_by_one_say(hidden: int) -> None:
    network = random_network(hidden, seed=hidden)
    boards = sample_boards(600, seed=21)

    said = evaluate_quantised(network, packed(boards)).tolist()
    assert said == [said_by(network, board) for board in boards]
    assert min(said) < -100 < 100 < max(said)


def test_a_small_negative_sum_is_cut_toward_zero() -> None:
    """-1 / 255 is 0, not -1: an inference that shifts, or takes Python's //, would be off by one."""
    network = replace(
        SMALL,
        inputs=np.zeros_like(SMALL.inputs),
        input_bias=np.array([1, *[0] * 7], np.int16),
        outputs=np.full_like(SMALL.outputs, -1),
        output_bias=np.zeros_like(SMALL.output_bias),
    )
    assert evaluate_quantised(network, packed([chess.Board()])).tolist() == [0]
    one = -(QA * QB // SCALE) - 1  # just below minus one centipawn
    for bias, said in ((one, -1), (one + 1, 0), (-one, 1), (2 * one + 2, -1)):
        biased = replace(network, output_bias=np.full(8, bias, np.int32))
        assert evaluate_quantised(biased, packed([chess.Board()])).tolist() == [said]


def test_it_says_no_more_than_the_limit() -> None:
    for sign in (-1, 1):
        network = replace(SMALL, output_bias=np.full(8, sign * 9_000_000, np.int32))
        assert evaluate_quantised(network, packed([chess.Board()])).tolist() == [sign * LIMIT]


def test_no_accumulator_of_a_network_that_is_accepted_can_overflow() -> None:
    """All weights at their bound, all pulling one way: still within 16 bits, and so is any product."""
    extreme = replace(
        SMALL,
        inputs=np.full_like(SMALL.inputs, MOST_INPUT_WEIGHT),
        input_bias=np.full_like(SMALL.input_bias, MOST_INPUT_WEIGHT),
        outputs=np.full_like(SMALL.outputs, -MOST_OUTPUT_WEIGHT),
    )
    assert faults(extreme) == []
    sums = extreme.inputs[active(packed([chess.Board()]))].sum(axis=2, dtype=np.int64) + extreme.input_bias
    assert sums.max() == worst_accumulator(extreme) == 33 * MOST_INPUT_WEIGHT <= 32_767
    assert QA * MOST_OUTPUT_WEIGHT <= 32_767
    # and a sum of H = 128 twice fits into 32 bits
    assert QA * QA * MOST_OUTPUT_WEIGHT * 2 * 128 < 2**31

    for name, most in (("inputs", 990), ("input_bias", 990), ("outputs", 127)):
        over = replace(SMALL, **{name: getattr(SMALL, name) * 0 - np.int16(most + 1)})
        assert faults(over) == [f"{name} must be from -{most} to {most}, found {most + 1} either way"]


def test_what_is_written_is_read_and_the_same_network_is_the_same_file(tmp_path: Path) -> None:
    data = to_bytes(SMALL)
    path = tmp_path / "some.npz"
    path.write_bytes(data)

    network = loaded(path)
    assert network.hidden == 8
    for name in ("inputs", "input_bias", "outputs", "output_bias"):
        found, expected = getattr(network, name), getattr(SMALL, name)
        assert found.dtype == expected.dtype
        assert (found == expected).all()
    assert to_bytes(network) == data
    assert to_bytes(replace(SMALL, output_bias=SMALL.output_bias + np.int32(1))) != data


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("sign", [-1, 1])
def test_what_the_engine_refuses_is_a_fault_and_nothing_else_is(name: str, sign: int, tmp_path: Path) -> None:
    good = random_network(HIDDEN, seed=3)
    for beyond in (0, 1):
        array = getattr(good, name).copy()
        value = sign * (ARRAYS[name][1] + beyond)
        if value > np.iinfo(array.dtype).max:
            continue  # nobody can write that
        array.flat[-1] = value
        changed = replace(good, **{name: array})
        path = tmp_path / f"{beyond}.npz"
        path.write_bytes(saved(**{each: getattr(changed, each) for each in ARRAYS}))
        if beyond:
            assert len(faults(changed)) == 1
            with pytest.raises(NetworkFileError, match=rf"{name} has a {ARRAYS[name][1] + 1}"):
                read(path)
        else:
            assert faults(changed) == []
            assert to_bytes(changed) == path.read_bytes()
            read(path)


def saved(**arrays: Any) -> bytes:
    file = io.BytesIO()
    given = {
        name: getattr(SMALL, name) for name in ("inputs", "input_bias", "outputs", "output_bias")
    } | arrays
    np.savez(file, **{name: array for name, array in given.items() if array is not None})
    return file.getvalue()


def test_a_network_with_faults_is_not_written() -> None:
    wrong: Network = replace(SMALL, outputs=np.full_like(SMALL.outputs, 200))
    with pytest.raises(NetworkError, match="cannot be written: outputs must be from -127 to 127"):
        to_bytes(wrong)
