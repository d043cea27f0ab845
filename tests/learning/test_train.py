"""Training: that it learns, keeps what was best, ends when it should, and does the same again."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from bot.engine.network import DEFAULT, MOST_INPUT_WEIGHT, QB, find, read
from bot.errors import UserError
from bot.learning.network import NetworkError, evaluate_quantised, faults, to_bytes
from bot.learning.parameters import Floats, bounds, fresh
from bot.learning.positions import Positions
from bot.learning.quantise import error_of, floats_of, quantised
from bot.learning.settings import Settings
from bot.learning.train import Trained, shares, train
from tests.learning.training_kit import Silent, evaluated, scattered

SETTINGS = Settings(hidden=8, epochs=12, batch=256, rate=0.01, mix=1.0, validation=0.1, patience=100)


@cache
def material() -> Positions:
    """Only read."""
    return scattered(20_000, seed=41)


@cache
def learnt() -> Trained:
    return train(material(), SETTINGS, threads=2, watch=Silent())


def test_it_learns_what_men_are_worth() -> None:
    trained = learnt()

    said, scores = trained.outputs * 400, trained.validation["score"].astype(float)
    near = np.abs(scores) < 400  # where a sigmoid tells scores apart
    assert np.abs(said - scores)[near].mean() < 25
    first, best = trained.epochs[0], trained.best
    assert best.validation_loss < first.validation_loss / 4
    assert best.validation_loss < 0.01 * np.var(1 / (1 + np.exp(-scores / 400)))
    assert best.error == pytest.approx(float(np.abs(said - scores).mean()), rel=1e-3)
    assert trained.learnt_from + len(trained.validation) == len(material())


def test_what_is_kept_is_the_best_epoch() -> None:
    trained = learnt()

    assert trained.best.validation_loss == min(epoch.validation_loss for epoch in trained.epochs)
    assert np.array_equal(evaluated(trained.parameters, trained.validation), trained.outputs)
    assert [epoch.number for epoch in trained.epochs] == list(range(1, SETTINGS.epochs + 1))
    assert trained.epochs[-1].rate == pytest.approx(SETTINGS.last_rate)


@pytest.mark.parametrize("threads", [1, 3])
def test_the_same_again_however_many_threads(threads: int) -> None:
    settings = replace(SETTINGS, epochs=2)
    watch = Silent()

    once = train(material(), settings, threads=2, watch=Silent())
    again = train(material(), settings, threads=threads, watch=watch)
    assert vector(once).tobytes() == vector(again).tobytes()
    assert once.epochs == again.epochs == tuple(watch.epochs)
    steps = once.learnt_from // 256
    assert len(watch.steps) == 2 * steps
    assert watch.steps[0] == (1, 256, 2 * 256 * steps)
    assert watch.steps[-1] == (2, 2 * 256 * steps, 2 * 256 * steps)
    other = train(material(), replace(settings, seed=2), threads=2, watch=Silent())
    assert vector(once).tobytes() != vector(other).tobytes()


def test_noise_cannot_be_learnt_and_ends_it_early() -> None:
    positions = material().copy()
    positions["score"] = np.random.default_rng(1).integers(-800, 800, len(positions))
    settings = replace(SETTINGS, epochs=200, rate=0.02, patience=3)

    trained = train(positions, settings, threads=2, watch=Silent())
    assert len(trained.epochs) == trained.best.number + 3 < 200
    assert all(epoch.validation_loss >= trained.best.validation_loss for epoch in trained.epochs)
    assert np.array_equal(evaluated(trained.parameters, trained.validation), trained.outputs)


class Impatient(Silent):
    """Presses Ctrl-C in the middle of an epoch."""

    def __init__(self, epoch: int) -> None:
        super().__init__()
        self._in_epoch = epoch

    def step(self, epoch: int, done: int, total: int, loss: float) -> None:
        super().step(epoch, done, total, loss)
        if epoch == self._in_epoch:
            raise KeyboardInterrupt


def test_ctrl_c_keeps_the_best_of_the_epochs_that_were_finished() -> None:
    trained = train(material(), SETTINGS, threads=2, watch=Impatient(3))
    assert trained.interrupted
    assert [epoch.number for epoch in trained.epochs] == [1, 2]
    assert trained.best in trained.epochs
    with pytest.raises(KeyboardInterrupt):
        train(material(), SETTINGS, threads=2, watch=Impatient(1))


def test_parameters_that_run_away_stay_within_their_bounds() -> None:
    trained = train(material(), replace(SETTINGS, epochs=2, rate=1.0), threads=2, watch=Silent())

    for begin, end, bound in bounds(SETTINGS.hidden):
        assert np.abs(vector(trained)[begin:end]).max() <= np.float32(bound)
    network = quantised(trained.parameters)
    assert faults(network) == []
    assert np.abs(network.inputs).max() <= round(1.98 * 255) < MOST_INPUT_WEIGHT


def test_integers_say_nearly_what_the_floats_say() -> None:
    trained = learnt()
    network = quantised(trained.parameters)

    found = error_of(evaluate_quantised(network, trained.validation), trained.outputs)
    # Every input and the bias off by half a unit, where the square is steepest; every weight off by half.
    layer = 2 * 33 * 0.5 / 255 * np.abs(trained.parameters.outputs).sum(axis=1).max()
    weights = 0.5 / QB * 2 * SETTINGS.hidden
    assert found.max <= 400 * (layer + weights) + 2
    assert 0 < found.mean < found.max
    assert found.mean < 10
    assert found.positions == len(trained.validation)
    assert np.abs(network.inputs - trained.parameters.inputs * 255).max() <= 0.501


def test_what_is_no_position_is_told() -> None:
    positions = material()[:5000].copy()
    positions["turn"][17] = 9
    with pytest.raises(UserError, match="position 17 of the data set cannot be"):
        train(positions, SETTINGS, threads=1, watch=Silent())


def test_parameters_that_no_integers_are_near_are_refused_not_cast() -> None:
    for name, value, told in (
        (
            "output_bias",
            -(2.0**31) / (255 * QB),
            "output_bias came to 2.14748e+09, where the engine has 2147483647",
        ),
        ("output_bias", np.nan, "output_bias came to nan"),
        ("outputs", 0.67, "outputs came to 129, where the engine has 127"),
        ("inputs", np.inf, "inputs came to inf"),
        ("input_bias", -4.0, "input_bias came to 1020, where the engine has 990"),
    ):
        parameters = fresh(8, np.random.default_rng(1))
        getattr(parameters, name)[..., -1] = value
        with pytest.raises(NetworkError, match=f"^the training ran away: {re.escape(told)}"):
            quantised(parameters)


@pytest.mark.parametrize("power", [2.0, 2.5])
def test_what_a_constant_loses_is_known(power: float) -> None:
    trained = train(material()[:2000], replace(SETTINGS, epochs=1, power=power), threads=1, watch=Silent())

    targets = 1 / (1 + np.exp(-trained.validation["score"].astype(float) / 400))
    assert trained.targets == pytest.approx(targets, abs=1e-6)
    lost = (np.abs(targets.mean() - targets) ** power).mean()
    assert trained.constant_loss == pytest.approx(float(lost), rel=1e-4)


def vector(trained: Trained) -> Floats:
    return trained.parameters.vector


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64])
def test_a_share_of_a_point_is_the_logistic_function(kind: type) -> None:
    """Scores far beyond the spread overflowed, with a warning."""
    centipawns: np.ndarray[Any, Any] = np.array([-19_999, -400, 0, 200, 19_999]).astype(kind)
    assert shares(centipawns, 400) == pytest.approx(1 / (1 + np.exp(-centipawns.astype(float) / 400)))
    assert shares(centipawns, 10)[[0, 2, 4]].tolist() == [0, 0.5, 1]


def test_floats_of_a_network_are_what_it_was_made_of() -> None:
    shipped = find(DEFAULT)
    assert to_bytes(quantised(floats_of(read(shipped)))) == shipped.read_bytes()
