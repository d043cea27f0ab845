"""The files to learn from: no game twice."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from bot.learning.card import data_of
from bot.learning.data_set import LeftOut, read_data_set
from bot.learning.positions import read_file
from tests.learning.training_kit import scattered, write_set

POSITIONS = scattered(90, seed=61)


def distinct(paths: list[Path]) -> tuple[list[Path], list[LeftOut]]:
    """The files that are kept, whose positions they are, and the others."""
    found = read_data_set(paths)
    kept = [read_file(path)[1] for path in found.files]
    assert found.positions.tobytes() == np.concatenate(kept).tobytes()
    return list(found.files), list(found.left_out)


def test_whatever_has_the_same_games_is_taken_once(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "a", POSITIONS)
    zero, one = folder / "0.positions", folder / "1.positions"
    other = write_set(tmp_path / "b", scattered(90, seed=62))  # the same names and headers, other games
    copy = Path(shutil.copy(one, tmp_path / "copy.positions"))
    shorter = write_set(tmp_path / "c", POSITIONS[:30], files=1) / "0.positions"
    link = tmp_path / "link"
    link.symlink_to(folder)

    assert distinct([folder]) == ([zero, one], [])
    assert distinct([folder, folder]) == ([zero, one], [LeftOut(zero, zero), LeftOut(one, one)])
    assert distinct([folder, zero]) == ([zero, one], [LeftOut(zero, zero)])
    assert distinct([link, one])[1] == [LeftOut(one, link / "1.positions")]
    assert distinct([copy, one]) == ([copy], [LeftOut(one, copy)])
    assert distinct([shorter, folder]) == ([zero, one], [LeftOut(shorter, zero)])
    assert distinct([folder, other]) == ([zero, one, *sorted(other.iterdir())], [])


def test_files_without_positions_are_nobodys_double(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "a", POSITIONS[:1], files=3)
    assert distinct([folder]) == (sorted(folder.iterdir()), [])


def test_a_card_names_files_of_the_same_name_apart(tmp_path: Path) -> None:
    files = []
    for number, parent in enumerate(("x", "y")):
        (tmp_path / parent).mkdir()
        folder = write_set(tmp_path / parent / "data", scattered(20, seed=number), files=1)
        files.append(folder / "0.positions")
    (made_alike,) = data_of(files)
    assert list(made_alike["files"]) == ["data/0.positions", "y/data/0.positions"]
    assert len(set(made_alike["files"].values())) == 2
