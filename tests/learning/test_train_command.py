"""`knightshift lab train`: from folders of positions to weights, card and plot."""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
import shutil
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as Tree

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from bot.engine import network as engine
from bot.errors import UserError
from bot.lab.commands import app
from bot.lab.exit_codes import INTERRUPTED
from bot.learning.network import checksum, evaluate_quantised
from bot.learning.positions import LOSS, WIN
from bot.learning.settings import Settings
from bot.learning.spread import USUAL, fitting
from bot.learning.train import shares, train
from bot.learning.train_command import require_learnt, run_train
from tests.learning.training_kit import Silent, loaded, scattered, write_set

#: A little training that learns something.
LEARNS = Settings(hidden=8, epochs=2, batch=32, rate=0.02, mix=1.0)
QUICK = ("--epochs", 2, "--batch", 32, "--rate", 0.02, "--lambda", 1)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_set(tmp_path / "data", scattered(1500, seed=51))


def lab_train(*words: object) -> Result:
    return CliRunner().invoke(app, ["train", *map(str, words)])


def test_a_network_its_card_and_its_plot(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "some" / "out"
    done = lab_train(data, "--out", out, "--epochs", 3, "--batch", 64, "--lambda", 1, "--seed", 5)

    assert done.exit_code == 0, done.output
    network, sha256 = loaded(out / "network.npz"), checksum((out / "network.npz").read_bytes())
    assert network.hidden == 128
    assert np.array_equal(engine.read(out / "network.npz").weights["inputs"], network.inputs)
    card = json.loads((out / "network.json").read_text(encoding="utf-8"))
    assert card["sha256"] == sha256 == hashlib.sha256((out / "network.npz").read_bytes()).hexdigest()
    assert (card["settings"]["seed"], card["settings"]["mix"], card["hidden"]) == (5, 1.0, 128)
    assert len(card["epochs"]) == 3
    assert card["best_epoch"] == 3
    assert card["matches"] == []
    assert card["interrupted"] is False
    (made_alike,) = card["data"]["sets"]
    assert made_alike["files"] == {
        f"data/{name}": hashlib.sha256((data / name).read_bytes()).hexdigest()
        for name in ("0.positions", "1.positions")
    }
    assert made_alike["counts"] == {"positions": 1500}
    assert (made_alike["nodes"], made_alike["network"]) == (7, "none")
    assert card["data"]["learnt_from"] + card["data"]["validated_with"] == 1500
    assert Tree.parse(out / "network.svg").getroot().tag.endswith("svg")  # noqa: S314  our own
    error = card["quantisation_error_cp"]
    assert f"mean error {error['mean']:.2f} cp, at most {error['max']:.1f} cp" in done.stdout
    assert f"Network {sha256[:8]}: " in done.stdout
    assert "epoch   3: loss" in done.stderr
    assert len(evaluate_quantised(network, scattered(10, seed=52))) == 10


def test_the_same_command_makes_the_same_file_and_never_writes_over_one(data: Path, tmp_path: Path) -> None:
    words = (data, "--hidden", 8, *QUICK)
    first, second = tmp_path / "first", tmp_path / "second"

    assert lab_train(*words, "--out", first).exit_code == 0
    assert lab_train(*words, "--out", second, "--threads", 1).exit_code == 0
    assert (first / "network.npz").read_bytes() == (second / "network.npz").read_bytes()
    before = (first / "network.json").read_text(encoding="utf-8")
    refused = lab_train(*words, "--out", first)
    assert "network.npz is there already: choose another folder with --out" in str(refused.exception)
    assert (first / "network.json").read_text(encoding="utf-8") == before


def test_a_training_that_ran_away_writes_nothing_and_fails(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    wild = ("--batch", 8, "--rate", 1, "--last-rate", 1, "--decay", 10, "--epochs", 2, "--hidden", 8)
    refused = lab_train(data, "--out", out, *wild)

    assert refused.exit_code != 0
    assert isinstance(refused.exception, UserError)
    told = str(refused.exception)
    assert re.match(
        r"nothing was learnt, and nothing is written: the validation loss is 0\.\d+, and always", told
    )
    assert "\n" not in told
    assert list(out.iterdir()) == []


def test_integers_that_lost_what_the_floats_had_learnt_are_refused() -> None:
    trained = train(scattered(1500, seed=51), LEARNS, threads=1, watch=Silent())

    require_learnt(trained, trained.best.validation_loss)
    with pytest.raises(UserError, match="nothing was learnt"):
        require_learnt(trained, trained.constant_loss)
    for loss in (trained.constant_loss, math.nan):
        worse = replace(trained, best=replace(trained.best, validation_loss=loss))
        with pytest.raises(UserError, match="nothing was learnt"):
            require_learnt(worse, 0.0)


def test_a_training_goes_on_from_a_network(data: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert lab_train(data, "--out", first, *QUICK).exit_code == 0
    before = json.loads((first / "network.json").read_text(encoding="utf-8"))
    done = lab_train(
        data, "--from", first / "network.npz", "--out", second, *QUICK[2:], "--epochs", 1, "--rate", 0.002
    )

    assert done.exit_code == 0, done.output
    card = json.loads((second / "network.json").read_text(encoding="utf-8"))
    assert card["begun_from"] == before["sha256"]
    assert before["begun_from"] is before["begin_loss"] is None
    best = before["epochs"][before["best_epoch"] - 1]["validation_loss"]
    assert card["begin_loss"] == pytest.approx(best, rel=0.02)  # the same positions are held out
    assert card["epochs"][0]["validation_loss"] < card["begin_loss"]
    assert f"At the beginning: validation loss {card['begin_loss']:.6f}" in done.stdout


def test_what_made_a_network_worse_is_refused(data: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert lab_train(data, "--out", first, *QUICK[2:], "--epochs", 6).exit_code == 0
    refused = lab_train(
        data, "--from", first / "network.npz", "--out", second, *QUICK[2:], "--epochs", 1, "--last-rate", 0.02
    )

    assert isinstance(refused.exception, UserError)
    assert re.search(r"loss is 0\.\d+, and was 0\.\d+ at the beginning; try a lower", str(refused.exception))
    assert not (second / "network.npz").exists()


def test_a_network_is_written_at_the_scale_of_results(tmp_path: Path) -> None:
    """One that had learnt from deeper searches said more of all, and lost for that alone."""
    positions = scattered(8_000, seed=53)
    won = np.random.default_rng(54).random(8_000) < shares(positions["score"], 260)
    positions["result"] = np.where(won, WIN, LOSS)
    done = lab_train(
        write_set(tmp_path / "data", positions), "--out", tmp_path / "out", *QUICK[2:], "--epochs", 8,
        "--validation", 0.2,
    )  # fmt: skip

    assert done.exit_code == 0, done.output
    card = json.loads((tmp_path / "out" / "network.json").read_text(encoding="utf-8"))
    assert 210 < card["spread"] < 300
    assert card["scaled_by"] == pytest.approx(USUAL / card["spread"])
    assert f"scaled by {card['scaled_by']:.3f}" in done.stdout
    found = fitting(
        evaluate_quantised(loaded(tmp_path / "out" / "network.npz"), positions), positions["result"] / WIN
    )
    assert found == pytest.approx(USUAL, rel=0.2)  # of these it has learnt most, and knows them better


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--from", "nobody"), "--from: no network 'nobody'"),
        (
            ("--from", "default", "--hidden", "8"),
            "--from goes on with the engine's networks, of 128 units: leave --hidden away",
        ),
    ],
)
def test_nothing_to_go_on_from(data: Path, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    refused = lab_train(data, "--out", tmp_path / "out", *words)
    assert isinstance(refused.exception, UserError)
    assert said in str(refused.exception)
    assert not (tmp_path / "out").exists()


def test_a_width_that_the_engine_cannot_load_is_told_beforehand(data: Path, tmp_path: Path) -> None:
    refused = lab_train(data, "--out", tmp_path / "12", "--hidden", 12)
    assert isinstance(refused.exception, UserError)
    assert str(refused.exception) == "--hidden 12: only multiples of 8 are allowed"
    assert not (tmp_path / "12").exists()

    done = lab_train(data, "--out", tmp_path / "16", "--hidden", 16, *QUICK)
    assert done.exit_code == 0, done.output
    told, epoch = (
        done.stderr.index("A network of 16 units is for experiments"),
        done.stderr.index("epoch   1"),
    )
    assert told < epoch
    assert "this engine can only load one of 128 (--hidden 128)" in done.stderr
    with pytest.raises(engine.NetworkFileError):
        engine.read(tmp_path / "16" / "network.npz")


def test_files_that_are_given_twice_are_learnt_from_once(data: Path, tmp_path: Path) -> None:
    once, twice = tmp_path / "once", tmp_path / "twice"
    words = ("--hidden", 8, *QUICK)
    assert lab_train(data, "--out", once, *words).exit_code == 0
    copy = shutil.copy(data / "0.positions", tmp_path / "copy.positions")
    done = lab_train(data, data / "1.positions", copy, "--out", twice, *words)

    assert done.exit_code == 0, done.output
    assert (
        f"Left out: {data / '1.positions'}, whose positions are those of {data / '1.positions'}"
        in done.stdout
    )
    assert f"Left out: {copy}, whose positions are those of {data / '0.positions'}" in done.stdout
    assert "1,500 positions in 2 files" in done.stdout
    assert (once / "network.npz").read_bytes() == (twice / "network.npz").read_bytes()


def test_of_an_impossible_position_the_file_is_named(tmp_path: Path) -> None:
    positions = scattered(300, seed=51)
    positions["result"][200] = 7
    folder = write_set(tmp_path / "bad", positions)
    refused = lab_train(folder, "--out", tmp_path / "out")

    assert isinstance(refused.exception, UserError)
    told = str(refused.exception)
    assert told.startswith(f"{folder / '1.positions'}: position 50: its result is 7")
    assert "\n" not in told
    assert list((tmp_path / "out").iterdir()) == []


class CtrlC(io.StringIO):
    """Is there when somebody presses Ctrl-C: as `at` is written."""

    def __init__(self, at: str) -> None:
        super().__init__()
        self._at = at

    def write(self, text: str) -> int:
        if text.startswith(self._at):
            raise KeyboardInterrupt
        return super().write(text)


def test_what_was_learnt_before_ctrl_c_is_written(data: Path, tmp_path: Path) -> None:
    settings = replace(LEARNS, epochs=9)
    said = io.StringIO()
    code = run_train(
        [data],
        settings,
        out=tmp_path,
        threads=2,
        console=Console(file=said, width=200),
        stderr=CtrlC("epoch   2"),
    )

    assert code == INTERRUPTED
    card = json.loads((tmp_path / "network.json").read_text(encoding="utf-8"))
    assert card["interrupted"] is True
    assert card["sha256"] == checksum((tmp_path / "network.npz").read_bytes())
    assert "Best: epoch 2 of 2" in said.getvalue()
