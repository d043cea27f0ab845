"""Who judges the positions: by hand, or a network, which is known by its file's digest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bot.engine.network import DEFAULT, FOLDER
from bot.errors import BenchError, UserError
from bot.learning.judge import HAND_WRITTEN, Judge
from tests.learning.generate_kit import write_network


def test_by_hand() -> None:
    judge = Judge.find("none")
    assert judge == Judge(HAND_WRITTEN, None)
    assert judge.load() is None


def test_a_network_is_named_by_the_digest_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    name = write_network(path)
    judge = Judge.find(str(path))
    assert judge == Judge(name, path)
    network = judge.load()
    assert network is not None
    assert network.digest.startswith(name)
    assert np.ptp(network.weights["inputs"]) == 18


def test_who_judges_unless_somebody_is_named() -> None:
    ships = (FOLDER / f"{DEFAULT}.npz").is_file()
    assert Judge.find(None) == Judge.find(DEFAULT if ships else "none")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (None, r"no network '.*some\.npz': neither a file nor one that ships"),
        (b"rubbish", r"some\.npz: no file of weights"),
        (b"", r"some\.npz: no file of weights"),
    ],
)
def test_what_is_no_network_is_named(tmp_path: Path, data: bytes | None, told: str) -> None:
    path = tmp_path / "some.npz"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(UserError, match=f"^--network: .*{told}"):
        Judge.find(str(path))


def test_a_network_that_became_another_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    name = write_network(path)
    with pytest.raises(BenchError, match=rf"some\.npz: it was network 0badcafe .* and is {name} now"):
        Judge("0badcafe", path).load()
    path.unlink()
    with pytest.raises(BenchError, match=r"gone\.npz: No such file"):
        Judge(name, tmp_path / "gone.npz").load()
