"""`knightshift lab train`: from folders of positions to weights, card and plot."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from xml.etree import ElementTree as Tree

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from bot.engine import network as engine
from bot.lab.commands import app
from bot.learning.network import evaluate_quantised, read_network
from bot.learning.settings import Settings
from bot.learning.train_command import EXIT_INTERRUPTED, run_train
from tests.learning.training_kit import scattered, write_set


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_set(tmp_path / "data", scattered(1500, seed=51))


def lab_train(*words: object) -> Result:
    return CliRunner().invoke(app, ["train", *map(str, words)])


def test_a_network_its_card_and_its_plot(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "some" / "out"
    done = lab_train(data, "--out", out, "--epochs", 3, "--batch", 64, "--lambda", 1, "--seed", 5)

    assert done.exit_code == 0, done.output
    network, sha256 = read_network(out / "network.npz")
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
    words = (data, "--epochs", 1, "--hidden", 8, "--batch", 100)
    first, second = tmp_path / "first", tmp_path / "second"

    assert lab_train(*words, "--out", first).exit_code == 0
    assert lab_train(*words, "--out", second, "--threads", 1).exit_code == 0
    assert (first / "network.npz").read_bytes() == (second / "network.npz").read_bytes()
    before = (first / "network.json").read_text(encoding="utf-8")
    refused = lab_train(*words, "--out", first)
    assert "network.npz is there already: choose another folder with --out" in str(refused.exception)
    assert (first / "network.json").read_text(encoding="utf-8") == before


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
    settings = Settings(hidden=8, epochs=9, batch=64)
    said = io.StringIO()
    code = run_train(
        [data],
        settings,
        out=tmp_path,
        threads=2,
        console=Console(file=said, width=200),
        stderr=CtrlC("epoch   2"),
    )

    assert code == EXIT_INTERRUPTED
    card = json.loads((tmp_path / "network.json").read_text(encoding="utf-8"))
    assert card["interrupted"] is True
    assert card["sha256"] == read_network(tmp_path / "network.npz")[1]
    assert "Best: epoch 2 of 2" in said.getvalue()
