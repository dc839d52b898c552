"""Sets as the bits of a word: how many there are, the lowest and the highest.

Compiled, each is one instruction of the machine. Words have 64 bits with a sign, so that a set with
the last bit is a negative number.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

_intrinsic: Any = intrinsic
_overload: Any = overload


def ones(bits: int) -> int:
    """How many bits are set."""
    return int(bits).bit_count()


def highest(bits: int) -> int:
    """The number of the highest bit."""
    return int(bits).bit_length() - 1


def lowest(bits: int) -> int:
    """The number of the lowest bit."""
    return (int(bits) & -int(bits)).bit_length() - 1


@_intrinsic  # type: ignore[untyped-decorator]
def _ctpop(context: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@_intrinsic  # type: ignore[untyped-decorator]
def _ctlz(context: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@_intrinsic  # type: ignore[untyped-decorator]
def _cttz(context: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@_overload(ones)
def _ones(bits):  # type: ignore[no-untyped-def]
    return lambda bits: _ctpop(bits)


@_overload(highest)
def _highest(bits):  # type: ignore[no-untyped-def]
    return lambda bits: 63 - _ctlz(bits)


@_overload(lowest)
def _lowest(bits):  # type: ignore[no-untyped-def]
    return lambda bits: _cttz(bits)
