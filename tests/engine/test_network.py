"""Files of weights: what ships, and what is none."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bot.engine.network import (
    DEFAULT,
    FOLDER,
    HIDDEN,
    INPUTS,
    NONE,
    OUTPUTS,
    NetworkFileError,
    chosen,
    find,
    read,
)

Arrays = dict[str, np.ndarray]


def zeros() -> Arrays:
    return {
        "inputs": np.zeros((INPUTS, HIDDEN), np.int16),
        "input_bias": np.zeros(HIDDEN, np.int16),
        "outputs": np.zeros((OUTPUTS, 2 * HIDDEN), np.int16),
        "output_bias": np.zeros(OUTPUTS, np.int32),
    }


def npz(arrays: Arrays) -> bytes:
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **arrays)
    return file.getvalue()


def test_what_ships_is_what_its_card_says_small_and_usable() -> None:
    file = find(DEFAULT)
    network = chosen(DEFAULT)
    assert network is not None
    assert network.digest == json.loads((FOLDER / "default.json").read_text())["sha256"]
    assert file.stat().st_size < 1_000_000
    assert chosen(NONE) is None


def test_a_file_that_was_changed_under_its_name_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "mine.npz"
    file.write_bytes(npz(zeros()))
    before = read(file)
    changed = zeros()
    changed["output_bias"][0] = 7
    file.write_bytes(npz(changed))
    assert read(file).digest != before.digest
    assert read(file).weights["output_bias"][0] == 7


def _bare() -> bytes:
    file = io.BytesIO()
    np.save(file, np.zeros(3))
    return file.getvalue()


def _damaged_stream() -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **zeros())
    data = bytearray(file.getvalue())
    data[90:100] = b"\xff" * 10
    return bytes(data)


def _unknown_compression() -> bytes:
    data = bytearray(npz(zeros()))
    central = data.rindex(b"PK\x01\x02")
    for start in (0, central):  # the method of the first local and the last central header
        data[start + (8 if start == 0 else 10)] = 99
    return bytes(data)


@pytest.mark.parametrize(
    "content",
    [
        bytes,
        lambda: b"rubbish",
        lambda: npz(zeros())[:50_000],
        _bare,
        _damaged_stream,
        _unknown_compression,
        lambda: b"\x80\x04N.",
    ],
    ids=["empty", "rubbish", "truncated", "one array", "damaged", "unknown compression", "a pickle"],
)
def test_what_is_no_file_of_weights_ended_in_a_traceback(
    tmp_path: Path, content: Callable[[], bytes]
) -> None:
    file = tmp_path / "other.npz"
    file.write_bytes(content())
    with pytest.raises(NetworkFileError, match=r"other\.npz: ") as caught:
        read(file)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"inputs": np.zeros((INPUTS, 64), np.int16)},
            r"inputs is int16 \[768, 64\]; this engine's is int16",
        ),
        ({"outputs": np.full((OUTPUTS, 2 * HIDDEN), 128, np.int16)}, "outputs has a 128; 127 is the most"),
        ({"inputs": np.full((INPUTS, HIDDEN), -32768, np.int16)}, "inputs has a 32768; 990 is the most"),
        ({"output_bias": np.zeros(OUTPUTS, np.float32)}, "output_bias is float32"),
    ],
)
def test_weights_that_could_overflow_or_do_not_fit_are_refused(
    tmp_path: Path, change: Arrays, says: str
) -> None:
    file = tmp_path / "other.npz"
    file.write_bytes(npz({**zeros(), **change}))
    with pytest.raises(NetworkFileError, match=rf"other\.npz: {says}"):
        read(file)


@pytest.mark.parametrize("name", ["nowhere.npz", "~nosuchuser/x", "x" * 5_000, "a\0b", "", "."])
def test_a_name_that_is_no_file_is_refused_in_a_line(name: str) -> None:
    with pytest.raises(NetworkFileError, match=r"no network .*neither a file nor one that ships \(default\)"):
        find(name)
