"""The trainer's inner loops, compiled: from a batch of positions to its gradient, and a step along it.

The one place of the trainer that knows numba. It imports it directly, for what the engine has no use for:
32-bit floats whose sums may be regrouped (`fastmath`), so that they become vector instructions. A function
here calls none of another file but the engine's: numba's cache would not see it change. What `features` is
made of is the engine's, too, but for MAX_MEN: whoever changes that empties the cache.

A position is a row of four words, a `positions.POSITION` as it lies in memory: occupied squares; 16 men; 16
men; score, result, turn and ply. Parameters lie in one vector, so that an optimiser need not know what they
are; see `parameters`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from bot.engine.intrinsics import lsb
from bot.engine.jit import types  # and with it, where compiled code is kept
from bot.engine.network import INPUTS, OUTPUTS, SCALE
from bot.learning.features import MAX_MEN, MEN_PER_OUTPUT, OTHERS

import numba  # isort: skip  # after that

WORDS = numba.uint64[:, ::1]
FLOATS, MATRIX = numba.float32[::1], numba.float32[:, ::1]
ORDER, ROWS = numba.int32[::1], numba.int64[:, ::1]
INT64, FLOAT32, FLOAT64 = numba.int64, numba.float32, numba.float64

U = np.uint64
ZERO, ONE, TWO = np.float32(0), np.float32(1), np.float32(2)
SCALE_FLOAT = np.float32(SCALE)
#: What Adam keeps of its means of slopes and of their squares in a step.
MEAN_KEPT, SQUARE_KEPT = 0.9, 0.999
MEAN_OLD, MEAN_NEW = np.float32(MEAN_KEPT), np.float32(1 - MEAN_KEPT)
SQUARE_OLD, SQUARE_NEW = np.float32(SQUARE_KEPT), np.float32(1 - SQUARE_KEPT)
EPSILON = np.float32(1e-8)
#: So that its logarithm can be taken.
LEAST_MISS = np.float32(1e-12)

#: What LLVM may do to sums of floats. (But it must not take for granted that none is infinite.)
REGROUPED = {"reassoc", "nsz", "contract", "arcp"}

Function = TypeVar("Function", bound=Callable[..., Any])


def _compiled(signature: Any, *, fast: bool = False) -> Callable[[Function], Function]:
    """`fast`: sums of floats may be regrouped; the same machine groups them the same way each time."""
    liberties = REGROUPED if fast else set()

    def decorate(function: Function) -> Function:
        made = numba.njit(signature, nogil=True, cache=True, error_model="numpy", fastmath=liberties)(
            function
        )
        return cast(Function, made)

    return decorate


@_compiled(INT64(WORDS))
def first_fault(words: Any) -> int:
    """The first row that is no position to learn from, or -1: the other functions do not look."""
    for row in range(len(words)):
        place, black_kings, white_kings = 0, 0, 0
        for square in range(64):
            if words[row, 0] >> U(square) & U(1):
                if place == MAX_MEN:
                    return row
                man = np.int64(words[row, 1 + (place >> 4)] >> U(4 * (place & 15)) & U(15))
                if man & 7 == 0 or man & 7 == 7:
                    return row
                black_kings += man == 6
                white_kings += man == 14
                place += 1
        rest = words[row, 3]
        if black_kings != 1 or white_kings != 1:
            return row
        if (rest >> U(16) & U(255)) > U(2) or (rest >> U(24) & U(255)) > U(1):
            return row
    return -1


@_compiled(INT64(WORDS, INT64, ROWS))
def _inputs(words: Any, row: int, found: Any) -> int:
    """Write the inputs of a position by perspective, the mover's first; returns how many men there are."""
    squares, men = np.empty(MAX_MEN, np.int64), np.empty(MAX_MEN, np.int64)
    flips = np.zeros(2, np.int64)
    occupied, men_left, count = words[row, 0], words[row, 1], 0
    while occupied:
        square = lsb(occupied)
        occupied &= occupied - U(1)
        if count == 16:
            men_left = words[row, 2]
        man = np.int64(men_left & U(15))
        men_left >>= U(4)
        squares[count], men[count] = square, man
        if man & 7 == 6:
            side = man >> 3
            flips[side] = (56 if side == 0 else 0) ^ (7 if square & 4 else 0)
        count += 1
    turn = np.int64(words[row, 3] >> U(24) & U(1))
    for perspective in range(2):
        side = turn ^ perspective
        for place in range(count):
            man = men[place]
            other = OTHERS if man >> 3 != side else 0
            found[perspective, place] = other + ((man & 7) - 1) * 64 + (squares[place] ^ flips[side])
    return count


@_compiled(FLOAT32(MATRIX, FLOATS, FLOATS, FLOAT32, INT64, ROWS, MATRIX), fast=True)
def _forward(first: Any, bias: Any, weights: Any, last: float, count: int, inputs: Any, sums: Any) -> float:
    """The network's output; leaves the accumulators in `sums`."""
    hidden = len(bias)
    total = last
    for perspective in range(2):
        into = sums[perspective]
        for unit in range(hidden):
            into[unit] = bias[unit]
        place = 0
        while place + 4 <= count:
            a, b = first[inputs[perspective, place]], first[inputs[perspective, place + 1]]
            c, d = first[inputs[perspective, place + 2]], first[inputs[perspective, place + 3]]
            for unit in range(hidden):
                into[unit] += (a[unit] + b[unit]) + (c[unit] + d[unit])
            place += 4
        while place < count:
            a = first[inputs[perspective, place]]
            for unit in range(hidden):
                into[unit] += a[unit]
            place += 1
        half = weights[perspective * hidden : (perspective + 1) * hidden]
        for unit in range(hidden):
            clipped = min(max(into[unit], ZERO), ONE)
            total += clipped * clipped * half[unit]
    return total


@_compiled(types.void(WORDS, FLOATS, INT64, FLOATS), fast=True)
def evaluate(words: Any, parameters: Any, hidden: int, found: Any) -> None:
    """What the network says of each position, for the side to move; 1.0 is `network.SCALE` centipawns."""
    ends = INPUTS * hidden
    first = parameters[:ends].reshape(INPUTS, hidden)
    bias = parameters[ends : ends + hidden]
    begin = ends + hidden
    last = begin + OUTPUTS * 2 * hidden
    inputs, sums = np.empty((2, MAX_MEN), np.int64), np.empty((2, hidden), np.float32)
    for row in range(len(words)):
        count = _inputs(words, row, inputs)
        chosen = (count - 2) // MEN_PER_OUTPUT
        weights = parameters[begin + chosen * 2 * hidden : begin + (chosen + 1) * 2 * hidden]
        found[row] = _forward(first, bias, weights, parameters[last + chosen], count, inputs, sums)


@_compiled(FLOAT32(WORDS, INT64, FLOAT32, FLOAT32), fast=True)
def _target(words: Any, row: int, mix: float, spread: float) -> float:
    """The share of a point to expect: `mix` parts as the score says, the rest as the game ended."""
    rest = words[row, 3]
    score = np.float32(np.int16(rest & U(0xFFFF)))
    result = np.float32(np.int64(rest >> U(16) & U(255)))
    return mix / (ONE + np.exp(-score / spread)) + (ONE - mix) * result / TWO


@_compiled(types.void(WORDS, FLOAT32, FLOAT32, FLOATS), fast=True)
def targets(words: Any, mix: float, spread: float, found: Any) -> None:
    """`_target` of each position."""
    for row in range(len(words)):
        found[row] = _target(words, row, mix, spread)


@_compiled(
    types.void(FLOAT32, FLOATS, INT64, ROWS, MATRIX, MATRIX, FLOATS, FLOATS, FLOATS),
    fast=True,
)
def _backward(
    slope: float,
    weights: Any,
    count: int,
    inputs: Any,
    sums: Any,
    first_slopes: Any,
    bias_slopes: Any,
    weight_slopes: Any,
    back: Any,
) -> None:
    """Add the gradient of a position, from the `slope` of its output; `back` is room for a perspective's."""
    hidden = len(back)
    for perspective in range(2):
        into = sums[perspective]
        half = weights[perspective * hidden : (perspective + 1) * hidden]
        half_slopes = weight_slopes[perspective * hidden : (perspective + 1) * hidden]
        for unit in range(hidden):
            clipped = min(max(into[unit], ZERO), ONE)
            half_slopes[unit] += slope * clipped * clipped
            inside = clipped if into[unit] < ONE else ZERO  # 0 wherever it is clipped
            back[unit] = TWO * slope * half[unit] * inside
        for unit in range(hidden):
            bias_slopes[unit] += back[unit]
        place = 0
        while place + 4 <= count:
            a, b = first_slopes[inputs[perspective, place]], first_slopes[inputs[perspective, place + 1]]
            c, d = first_slopes[inputs[perspective, place + 2]], first_slopes[inputs[perspective, place + 3]]
            for unit in range(hidden):
                a[unit] += back[unit]
                b[unit] += back[unit]
                c[unit] += back[unit]
                d[unit] += back[unit]
            place += 4
        while place < count:
            a = first_slopes[inputs[perspective, place]]
            for unit in range(hidden):
                a[unit] += back[unit]
            place += 1


@_compiled(FLOAT64(WORDS, ORDER, FLOATS, INT64, FLOAT32, FLOAT32, FLOAT32, FLOAT32, FLOATS), fast=True)
def gradient(
    words: Any,
    order: Any,
    parameters: Any,
    hidden: int,
    mix: float,
    spread: float,
    power: float,
    scale: float,
    slopes: Any,
) -> float:
    """Overwrite `slopes` with the gradient of `scale` times the sum of the losses of the rows `order`;
    returns that sum, not scaled. A loss is |share - target| ** power, where the share of a point that is
    foretold is sigmoid(centipawns / spread)."""
    ends = INPUTS * hidden
    begin = ends + hidden
    last = begin + OUTPUTS * 2 * hidden
    first = parameters[:ends].reshape(INPUTS, hidden)
    first_slopes = slopes[:ends].reshape(INPUTS, hidden)
    slopes[:] = ZERO
    batch = np.empty((len(order), 4), np.uint64)
    for place in range(len(order)):  # all at once: the processor waits for several of them at a time
        batch[place] = words[order[place]]
    inputs, sums = np.empty((2, MAX_MEN), np.int64), np.empty((2, hidden), np.float32)
    back = np.empty(hidden, np.float32)
    steepness = SCALE_FLOAT / spread
    loss = 0.0
    for row in range(len(batch)):
        count = _inputs(batch, row, inputs)
        chosen = (count - 2) // MEN_PER_OUTPUT
        at, end = begin + chosen * 2 * hidden, begin + (chosen + 1) * 2 * hidden
        bias, weights = parameters[ends:begin], parameters[at:end]
        output = _forward(first, bias, weights, parameters[last + chosen], count, inputs, sums)
        expected = ONE / (ONE + np.exp(-output * steepness))
        miss = expected - _target(batch, row, mix, spread)
        if power == TWO:
            loss += miss * miss
            slope = TWO * miss
        else:
            size = max(abs(miss), LEAST_MISS)
            steep = size ** (power - ONE)
            loss += steep * size
            slope = power * steep * (ONE if miss > ZERO else -ONE)
        slope *= scale * steepness * expected * (ONE - expected)
        slopes[last + chosen] += slope
        _backward(slope, weights, count, inputs, sums, first_slopes, slopes[ends:begin], slopes[at:end], back)
    return loss


@_compiled(types.void(FLOATS, MATRIX, FLOATS, FLOATS, FLOAT32, FLOAT32, FLOAT32, FLOAT32, INT64, INT64))
def adam(
    parameters: Any,
    slopes: Any,
    means: Any,
    squares: Any,
    rate: float,
    decay: float,
    correction: float,
    limit: float,
    begin: int,
    end: int,
) -> None:
    """One step of Adam (Kingma and Ba 2015; decay beside it as in Loshchilov and Hutter 2019) for the
    parameters from `begin` to `end`, along the sum of the rows of `slopes`; then keep them within `limit`.

    `rate` and `correction` hold what Adam corrects of the first steps: the step is
    rate * mean / (sqrt(square) * correction + 1e-8).
    """
    for place in range(begin, end):
        slope = slopes[0, place]
        for shard in range(1, len(slopes)):
            slope += slopes[shard, place]
        mean = MEAN_OLD * means[place] + MEAN_NEW * slope
        square = SQUARE_OLD * squares[place] + SQUARE_NEW * slope * slope
        means[place], squares[place] = mean, square
        value = parameters[place] * (ONE - decay)
        value -= rate * mean / (np.sqrt(square) * correction + EPSILON)
        parameters[place] = min(max(value, -limit), limit)
