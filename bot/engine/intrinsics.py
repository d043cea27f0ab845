"""What Python has no word for: single machine instructions, the clock, and a flag that others may set."""

from __future__ import annotations

import sys
from typing import Any

from bot.engine.jit import cgutils, intrinsic, ir, types

#: CLOCK_MONOTONIC of clock_gettime, which is what time.monotonic() reads, too.
_CLOCK_MONOTONIC = 6 if sys.platform == "darwin" else 1
_I64 = ir.IntType(64)


@intrinsic
def lsb(_context: Any, _bits: Any) -> Any:
    """The lowest member of a set that has one."""

    def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), build


@intrinsic
def popcount(_context: Any, _bits: Any) -> Any:
    """How many members a set has."""

    def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), build


@intrinsic
def byte_swap(_context: Any, _bits: Any) -> Any:
    """The board upside down: the first rank becomes the eighth."""

    def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bswap(arguments[0])

    return types.uint64(types.uint64), build


@intrinsic
def now_ns(_context: Any) -> Any:
    """Nanoseconds of the monotonic clock: time.monotonic_ns(), without the interpreter."""

    def build(_context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        timespec = ir.LiteralStructType([_I64, _I64])
        clock_type = ir.FunctionType(ir.IntType(32), [ir.IntType(32), timespec.as_pointer()])
        clock = cgutils.get_or_insert_function(builder.module, clock_type, "clock_gettime")
        place = cgutils.alloca_once(builder, timespec)
        builder.call(clock, [ir.Constant(ir.IntType(32), _CLOCK_MONOTONIC), place])
        seconds, nanoseconds = (cgutils.gep_inbounds(builder, place, 0, part) for part in (0, 1))
        whole = builder.mul(builder.load(seconds), ir.Constant(_I64, 1_000_000_000))
        return builder.add(whole, builder.load(nanoseconds))

    return types.int64(), build


@intrinsic
def load_shared(_context: Any, array: Any, _index: Any) -> Any:
    """`array[index]` of int64, read from memory each time: another thread may have written it.

    LLVM may read an ordinary element once and for all, before a loop.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        address = builder.gep(view.data, [arguments[1]])
        return builder.load_atomic(address, ordering="monotonic", align=8)

    return types.int64(array, types.int64), build


@intrinsic
def prefetch(_context: Any, array: Any, _index: Any) -> Any:
    """Have the cache line of `array[index]` fetched while other things are done."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        byte = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        fetch = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [byte, number, number, number]), "llvm.prefetch.p0"
        )
        address = builder.bitcast(builder.gep(view.data, [arguments[1]]), byte)
        read, everywhere, data = (ir.Constant(number, value) for value in (0, 3, 1))
        builder.call(fetch, [address, read, everywhere, data])
        return context.get_dummy_value()

    return types.void(array, types.int64), build
