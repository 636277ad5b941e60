"""Two machine instructions on 64-bit words that numba does not offer by itself.

Each is a plain Python function, used when the JIT is off, and an overload that lowers to the LLVM
intrinsic, so that LLVM can vectorise loops over it.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload


def popcount(word: np.uint64) -> int:
    """Number of set bits of ``word``."""
    return int(word).bit_count()


def lowest_bit(word: np.uint64) -> int:
    """Position of the lowest set bit of ``word``, which must not be 0."""
    value = int(word)
    return (value & -value).bit_length() - 1


@intrinsic
def _ctpop(typing_context: Any, word: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), lower


@intrinsic
def _cttz(typing_context: Any, word: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), lower


@overload(popcount)
def _popcount(word: Any) -> Any:
    def implementation(word: Any) -> Any:
        return _ctpop(word)  # type: ignore[call-arg]

    return implementation


@overload(lowest_bit)
def _lowest_bit(word: Any) -> Any:
    def implementation(word: Any) -> Any:
        return _cttz(word)  # type: ignore[call-arg]

    return implementation
