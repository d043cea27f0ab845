"""How a function is compiled: the one place that touches numba's decorators, and so imports numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from bot.engine.cache import prepare

try:
    import numba
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic as _intrinsic
except (AttributeError, OSError, SystemError) as error:  # how it ends with a numpy or LLVM that does not fit
    raise ImportError(f"numba cannot be loaded: {error}") from error

# numba may have been imported, and have read its environment, before
numba.config.CACHE_DIR = str(prepare())  # type: ignore[attr-defined]  # defined when numba is imported

__all__ = [
    "BEFORE_EACH",
    "BOOLEAN",
    "COMPILED",
    "INT64",
    "TABLE",
    "UINT64",
    "VOID",
    "Bits",
    "U",
    "cgutils",
    "compiled",
    "intrinsic",
    "ir",
    "type_of",
    "types",
]

#: Makes an uint64 of a literal.
U = np.uint64
#: Python's side of an uint64 that is a set of squares.
Bits = np.uint64

#: Types for signatures: `INT64(STATE_T, UINT64)` takes a record and a bitboard, and returns a number.
INT64: Any = numba.int64  # in compiled code also: this number as an int64
UINT64: Any = numba.uint64
BOOLEAN: Any = numba.boolean
VOID: Any = numba.void
#: An array of uint64: the transposition table.
TABLE: Any = numba.uint64[::1]

Function = TypeVar("Function", bound=Callable[..., Any])

#: Every compiled function, in the order in which they were made.
COMPILED: list[Any] = []
#: Are called with the name of each function before it is compiled or loaded.
BEFORE_EACH: list[Callable[[str], None]] = []


def compiled(signature: Any, *, inline: bool = False) -> Callable[[Function], Function]:
    """Compile the function at once, for these types, or load it from the cache.

    It does not hold the GIL. There are no checks of bounds, and integers divide as in C. `inline`: put into
    every caller.
    """

    def decorate(function: Function) -> Function:
        for tell in BEFORE_EACH:
            tell(f"{function.__module__}.{function.__name__}")
        made = numba.njit(
            signature,
            nogil=True,
            cache=True,
            error_model="numpy",
            boundscheck=False,
            forceinline=inline,
        )(function)
        COMPILED.append(made)
        return cast(Function, made)

    return decorate


def intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that writes its own LLVM code: `function(typing_context, *argument_types)` returns a
    signature, and a function (context, builder, signature, arguments) that builds the code."""
    return cast(Callable[..., Any], _intrinsic(function))


def type_of(dtype: np.dtype[Any]) -> Any:
    """numba's type of a record of this dtype."""
    return numba.from_dtype(dtype)
