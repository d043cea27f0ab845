"""The transposition table: what has been found out of a position, for all threads and all moves of a game.

Two words an entry, four entries a bucket (64 bytes, a cache line). The first word is the key xored with the
second, so that an entry which two threads wrote at once belongs to no position.

    second word: 0-15 move's name · 16-31 score · 32-47 evaluation · 48-55 depth · 56-57 bound · 58-63 age
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from bot.engine.intrinsics import prefetch
from bot.engine.jit import BOOLEAN, INT64, TABLE, UINT64, VOID, Bits, U, compiled
from bot.engine.memory import most_mib
from bot.engine.moves import NAME
from bot.engine.state import STATE_T, State

Table: TypeAlias = "np.ndarray[Any, np.dtype[np.uint64]]"

#: The score is exact, or the true one is at least or at most so much. 0 is no entry.
AT_MOST, AT_LEAST, EXACT = 1, 2, 3
AGES = 64
_BUCKET_WORDS, _BUCKET_BYTES = 8, 64
_HALF, _HALF_SIGN = 0xFFFF, 0x8000
#: An entry of an older search counts so many plies less, for each search since.
_PLIES_PER_AGE = 4


def new_table(mib: int) -> Table:
    """An empty table of at most `mib` MiB, and of what the machine can spare: the largest power of two.

    Its memory is taken now, which costs some 2 ms a MiB, and not when a search first comes there.
    """
    mib = min(mib, most_mib())
    buckets = 1 << (mib * (1 << 20) // _BUCKET_BYTES).bit_length() - 1
    words = buckets * _BUCKET_WORDS
    space = np.empty(words + _BUCKET_WORDS, np.uint64)
    begin = -space.ctypes.data % _BUCKET_BYTES // 8  # a bucket in two cache lines would be fetched twice
    table = space[begin : begin + words]
    table.fill(0)
    return table


def hashfull(table: Table, age: int) -> int:
    """How many of a thousand entries the search of this number has written."""
    sample = table[1:2001:2]
    return int(
        np.count_nonzero((sample != 0) & (sample >> np.uint64(58) == age % AGES)) * 1000 // len(sample)
    )


@compiled(INT64(TABLE, UINT64), inline=True)
def _bucket(T: Table, key: Bits) -> int:
    """Where the bucket of a key begins."""
    return INT64(key & U(len(T) // _BUCKET_WORDS - 1)) * _BUCKET_WORDS


@compiled(VOID(TABLE, UINT64), inline=True)
def expect(T: Table, key: Bits) -> None:
    """Have the bucket of a position at hand soon: memory takes longer than all that a node does first."""
    prefetch(T, _bucket(T, key))


@compiled(UINT64(TABLE, UINT64))
def find(T: Table, key: Bits) -> Bits:
    """The entry of a position, 0 for none."""
    begin = _bucket(T, key)
    for place in range(begin, begin + _BUCKET_WORDS, 2):
        data = T[place + 1]
        if T[place] ^ data == key and data != U(0):
            return data
    return U(0)


@compiled(INT64(UINT64, INT64), inline=True)
def _signed(data: Bits, shift: int) -> int:
    """Sixteen bits with their sign."""
    return (INT64(data >> U(shift)) & _HALF ^ _HALF_SIGN) - _HALF_SIGN


@compiled(INT64(UINT64), inline=True)
def name_of(data: Bits) -> int:
    """The best move's name (see `moves`), 0 for none."""
    return INT64(data) & NAME


@compiled(INT64(UINT64), inline=True)
def score_of(data: Bits) -> int:
    """The score, from the position itself (see `scores.from_root`)."""
    return _signed(data, 16)


@compiled(INT64(UINT64), inline=True)
def evaluation_of(data: Bits) -> int:
    """The mover's evaluation, or scores.UNKNOWN."""
    return _signed(data, 32)


@compiled(INT64(UINT64), inline=True)
def depth_of(data: Bits) -> int:
    """The plies that were searched."""
    return INT64(data >> U(48)) & 0xFF


@compiled(INT64(UINT64), inline=True)
def bound_of(data: Bits) -> int:
    """EXACT, AT_LEAST or AT_MOST."""
    return INT64(data >> U(56)) & 3


@compiled(INT64(UINT64), inline=True)
def age_of(data: Bits) -> int:
    """The number of the search that wrote it."""
    return INT64(data >> U(58))


@compiled(BOOLEAN(INT64, INT64, INT64), inline=True)
def settles(bound: int, score: int, beta: int) -> bool:
    """Whether a score and its bound tell on which side of the window (beta - 1, beta) the true score is."""
    return bound & (AT_LEAST if score >= beta else AT_MOST) != 0


@compiled(VOID(TABLE, STATE_T, INT64, INT64, INT64, INT64, INT64))
def keep(T: Table, S: State, move: int, score: int, evaluation: int, depth: int, bound: int) -> None:
    """Keep what was found of the position in the record; `score` as the position itself sees it.

    It replaces what is known of the position, unless that is from much deeper in the same search, or else the
    entry of its bucket that is the least deep and the oldest.
    """
    begin = _bucket(T, S.key)
    place, least = begin, 1 << 30
    for candidate in range(begin, begin + _BUCKET_WORDS, 2):
        data = T[candidate + 1]
        if T[candidate] ^ data == S.key and data != U(0):
            if bound != EXACT and depth + 3 < depth_of(data) and age_of(data) == S.age:
                return
            if move == 0:
                move = name_of(data)
            place = candidate
            break
        value = depth_of(data) - _PLIES_PER_AGE * (S.age - age_of(data) & AGES - 1)
        if data == U(0):
            value = -(1 << 20)
        if value < least:
            place, least = candidate, value
    data = (
        U(move & NAME)
        | U(score & _HALF) << U(16)
        | U(evaluation & _HALF) << U(32)
        | U(depth) << U(48)
        | U(bound) << U(56)
        | U(S.age) << U(58)
    )
    T[place] = S.key ^ data
    T[place + 1] = data
