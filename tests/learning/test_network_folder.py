"""The folder of a network: one training at a time, room before it begins, and no half of anything."""

from __future__ import annotations

import contextlib
import json
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.errors import UserError
from bot.lab.files import StorageError
from bot.learning.network_folder import BESIDE, NetworkFolder, network_folder

ROOM = 1 << 16
NAMES = {"network.npz", "network.json", "network.svg"}


@contextlib.contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """What a full disk does, too: a file gets so many bytes, and no more."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def write(folder: NetworkFolder, weights: bytes = b"w" * ROOM) -> None:
    folder.write(weights, json.dumps({"format": "card"}), "<svg/>")


def names(path: Path) -> set[str]:
    return {each.name for each in path.iterdir()}


def test_all_three_are_written_and_nothing_else_is_left(tmp_path: Path) -> None:
    out = tmp_path / "some" / "out"
    with network_folder(out, room=ROOM) as folder:
        assert sum(each.stat().st_size for each in out.iterdir()) == ROOM + BESIDE
        write(folder)
    assert names(out) == NAMES
    assert (out / "network.npz").read_bytes() == b"w" * ROOM
    assert (out / "network.svg").read_text(encoding="utf-8") == "<svg/>"


def test_where_there_is_no_room_it_is_told_before_anything_is_trained(tmp_path: Path) -> None:
    trained = False
    with files_of_at_most(ROOM), pytest.raises(StorageError) as caught, network_folder(tmp_path, room=ROOM):
        trained = True
    assert not trained
    assert "network.npz.tmp" not in names(tmp_path)
    assert f"{tmp_path} cannot be written: File too large" in str(caught.value)
    assert str(caught.value).endswith("nothing was trained")


def test_a_folder_that_cannot_be_written_to_is_told_before(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "out" / "network.npz.tmp").mkdir(parents=True)
    for out in (tmp_path / "file", tmp_path / "file" / "out", tmp_path / "out"):
        with pytest.raises(StorageError, match=f"{out} cannot be written"), network_folder(out, room=ROOM):
            pytest.fail("it began")


def test_half_written_weights_are_not_left_and_the_same_command_goes_again(tmp_path: Path) -> None:
    with (
        pytest.raises(
            StorageError, match=r"network\.npz cannot be written: File too large.*no network is written"
        ),
        network_folder(tmp_path, room=ROOM) as folder,
        files_of_at_most(ROOM // 2),
    ):
        write(folder)
    assert names(tmp_path) == set()
    with network_folder(tmp_path, room=ROOM) as folder:
        write(folder)
    assert names(tmp_path) == NAMES


def test_without_its_card_a_network_is_whole_and_never_a_card_without_a_network(tmp_path: Path) -> None:
    (tmp_path / "network.json.tmp").mkdir()
    with (
        pytest.raises(StorageError, match=r"network\.json cannot be written.*the network itself is whole: "),
        network_folder(tmp_path, room=ROOM) as folder,
    ):
        write(folder)
    assert names(tmp_path) == {"network.npz", "network.json.tmp"}
    assert (tmp_path / "network.npz").read_bytes() == b"w" * ROOM


@pytest.mark.parametrize("name", sorted(NAMES))
def test_nothing_of_an_earlier_network_is_written_over(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("of another")
    with (
        pytest.raises(UserError, match=f"{name} is there already: choose another folder with --out"),
        network_folder(tmp_path, room=ROOM),
    ):
        pytest.fail("it began")
    assert names(tmp_path) == {name}
    assert (tmp_path / name).read_text() == "of another"


def test_two_do_not_train_into_one_folder_and_the_first_one_is_not_disturbed(tmp_path: Path) -> None:
    with network_folder(tmp_path, room=ROOM) as first:
        with (
            pytest.raises(UserError, match=r"another `lab train` .* is writing there; choose another folder"),
            network_folder(tmp_path, room=ROOM),
        ):
            pytest.fail("it began")
        assert names(tmp_path) == {"network.npz.tmp"}
        write(first)
    assert names(tmp_path) == NAMES


def test_what_a_killed_training_left_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / "network.npz.tmp").write_bytes(b"half")
    with network_folder(tmp_path, room=ROOM) as folder:
        write(folder)
    assert names(tmp_path) == NAMES
    assert (tmp_path / "network.npz").read_bytes() == b"w" * ROOM
