"""A hash of 64-bit words, and two machine instructions that numba does not offer by itself.

Each of these is a plain Python function, used when the JIT is off, and an overload that lowers to
the LLVM intrinsic, so that LLVM can vectorise loops over it.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from pathprior.kernels.inner import inner, wrapping
from pathprior.kernels.linking import linking_options

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@inner
@wrapping
def mix(mark: np.uint64, word: np.uint64) -> np.uint64:
    """Fold ``word`` into the hash ``mark``, 0 at first; the upper half of it is mixed best."""
    return (mark ^ word ^ (mark >> np.uint64(29))) * _MULTIPLIER


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


@overload(popcount, jit_options=linking_options())  # type: ignore[arg-type]
def _popcount(word: Any) -> Any:
    def implementation(word: Any) -> Any:
        return _ctpop(word)  # type: ignore[call-arg]

    return implementation


@overload(lowest_bit, jit_options=linking_options())  # type: ignore[arg-type]
def _lowest_bit(word: Any) -> Any:
    def implementation(word: Any) -> Any:
        return _cttz(word)  # type: ignore[call-arg]

    return implementation
