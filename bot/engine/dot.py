"""The network's output layer as vector instructions: what LLVM makes of a plain loop takes twice as long."""

from __future__ import annotations

from typing import Any

from bot.engine.jit import cgutils, intrinsic, ir, types
from bot.engine.network import HIDDEN, QA

#: So many int16 are taken at a time; LLVM splits them into what the machine has.
_LANES = 32
_I16, _I32, _I64 = (ir.IntType(bits) for bits in (16, 32, 64))
_SHORTS, _WORDS = ir.VectorType(_I16, _LANES), ir.VectorType(_I32, _LANES)


@intrinsic
def clipped_squares_dot(_context: Any, values: Any, weights: Any) -> Any:
    """The sum of clip(value, 0, QA)² * weight over two arrays of HIDDEN int16.

    A clipped value times a weight fits into an int16, and the sum into an int32: see `network`.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        places = [
            builder.bitcast(context.make_array(kind)(context, builder, array).data, _SHORTS.as_pointer())
            for kind, array in zip(signature.args, arguments, strict=True)
        ]
        none, most = (ir.Constant(_SHORTS, [bound] * _LANES) for bound in (0, QA))
        total: Any = ir.Constant(_WORDS, [0] * _LANES)
        for part in range(HIDDEN // _LANES):
            at = [ir.Constant(_I32, part)]
            value, weight = (builder.load(builder.gep(place, at), align=8) for place in places)
            value = builder.select(builder.icmp_signed(">", value, none), value, none)
            value = builder.select(builder.icmp_signed("<", value, most), value, most)
            product = builder.mul(value, weight)
            total = builder.add(
                total, builder.mul(builder.sext(value, _WORDS), builder.sext(product, _WORDS))
            )
        add_up = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_I32, [_WORDS]), f"llvm.vector.reduce.add.v{_LANES}i32"
        )
        return builder.sext(builder.call(add_up, [total]), _I64)

    return types.int64(values, weights), build
