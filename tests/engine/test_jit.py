"""What is promised of every compiled function."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from bot.engine import jit
from bot.engine.intrinsics import byte_swap, load_shared, lsb, now_ns, popcount
from bot.engine.load_all import modules
from bot.timing.clock import SystemClock
from tests.engine.whole_engine import floats

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What two processes tell, one after the other, with a cache that is empty at first."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))}
    return [
        json.loads(
            subprocess.run(
                [sys.executable, "-m", "tests.engine.whole_engine"],
                env=environment,
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        for _ in range(2)
    ]


@pytest.mark.timeout(600)  # it compiles everything: half a minute where there is nothing else to do
def test_a_second_process_compiles_nothing(twice: list[dict[str, Any]]) -> None:
    """It would also die of machine code that cannot be loaded back."""
    first, second = twice
    assert first["functions"] > 100
    assert (first["compiled"], second["compiled"]) == (first["functions"], 0)


@pytest.mark.timeout(600)
def test_no_float_is_inferred_anywhere(twice: list[dict[str, Any]]) -> None:
    """A float64 where a bitboard should be loses bits without a word; numba makes one of an uint64 and an
    int64 that share a variable."""
    assert twice[0]["floats"] == []
    assert twice[0]["variables"] > 5_000


def test_a_float_would_be_seen() -> None:
    assert list(floats(numba.float64)) == [numba.float64]
    assert any(floats(numba.types.UniTuple(numba.float64, 2)))
    assert any(floats(numba.float64[::1]))
    assert not any(floats(numba.uint64[::1]))


def test_every_compiled_function_says_what_it_does() -> None:
    for name in modules():
        importlib.import_module(name)
    assert [function.__name__ for function in jit.COMPILED if not function.py_func.__doc__] == []


@jit.compiled(jit.INT64(jit.UINT64))
def lowest(bits: jit.Bits) -> int:
    """An intrinsic exists in compiled code only."""
    return lsb(bits)


@jit.compiled(jit.INT64(jit.UINT64))
def count(bits: jit.Bits) -> int:
    """See `lowest`."""
    return popcount(bits)


@jit.compiled(jit.UINT64(jit.UINT64))
def swapped(bits: jit.Bits) -> jit.Bits:
    """See `lowest`."""
    return byte_swap(bits)


@jit.compiled(jit.INT64())
def now() -> int:
    """See `lowest`."""
    return now_ns()


@jit.compiled(jit.INT64(numba.int64[::1], jit.INT64))
def load(array: Any, index: int) -> int:
    """See `lowest`."""
    return load_shared(array, index)


def test_single_instructions() -> None:
    for bits in (1, 0x8000_0000_0000_0000, 0x0123_4567_89AB_CDEF, 0xFFFF_FFFF_FFFF_FFFF, 0x10_0000):
        assert lowest(np.uint64(bits)) == (bits & -bits).bit_length() - 1
        assert count(np.uint64(bits)) == bits.bit_count()
        assert int(swapped(np.uint64(bits))) == int.from_bytes(bits.to_bytes(8, "big"), "little")


def test_the_clock_is_pythons() -> None:
    clock = SystemClock()
    before = clock.monotonic()
    between = now() / 1e9
    assert before - 1e-6 <= between <= clock.monotonic() + 1e-6


def test_a_shared_number_is_read() -> None:
    array = np.array([3, -(1 << 60)], np.int64)
    assert [load(array, index) for index in range(2)] == array.tolist()
