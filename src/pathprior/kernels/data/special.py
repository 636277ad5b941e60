"""Logarithms that LLVM can vectorise, and the two per-cell functions of the discrete scores.

``math.log`` is a call into libm, one value at a time. The loops below are plain arithmetic on the
bits of the numbers, so that eight of them run at once where the machine can.
"""

import math
import struct
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

LARGE = 64
"""Counts below this are looked up in a table, the others go through the vectorised loops."""

DIRICHLET = 0
"""Cell function log Γ(N + α) − log Γ(α)."""
LIKELIHOOD = 1
"""Cell function N log N."""
AVERAGED = 2
"""No cell function: `pathprior.kernels.data.averaged` scores the whole table."""

_LOG_2 = math.log(2.0)
_HALF_LOG_2_PI = 0.5 * math.log(2.0 * math.pi)
_MANTISSA_FROM = 0x3FE6A09E00000000  # the bits of √½, cut to 32: mantissas run from √½ to √2


def float_bits(value: float) -> int:
    """The 64 bits of ``value`` as a signed integer."""
    return int(struct.unpack("<q", struct.pack("<d", value))[0])


def bits_float(bits: int) -> float:
    """The number whose 64 bits are ``bits``."""
    return float(struct.unpack("<d", struct.pack("<q", bits))[0])


@intrinsic
def _float_to_bits(typing_context: Any, value: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), lower


@intrinsic
def _bits_to_float(typing_context: Any, bits: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), lower


@overload(float_bits, inline="always")
def _float_bits(value: Any) -> Any:
    def implementation(value: Any) -> Any:
        return _float_to_bits(value)  # type: ignore[call-arg]

    return implementation


@overload(bits_float, inline="always")
def _bits_float(bits: Any) -> Any:
    def implementation(bits: Any) -> Any:
        return _bits_to_float(bits)  # type: ignore[call-arg]

    return implementation


@njit(cache=True, nogil=True, inline="always", error_model="numpy")
def log_positive(x: float) -> float:
    """log x for a normal x > 0, to 1 part in 10^15.

    x = 2^e m with m in [√½, √2); log m = 2 artanh s, s = (m − 1)/(m + 1), |s| < 0.172, by ten terms
    of its series.
    """
    bits = float_bits(x)
    exponent = (bits - _MANTISSA_FROM) >> 52
    m = bits_float(bits - (exponent << 52))
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    tail = 1.0 / 19.0
    tail = 1.0 / 17.0 + z * tail
    tail = 1.0 / 15.0 + z * tail
    tail = 1.0 / 13.0 + z * tail
    tail = 1.0 / 11.0 + z * tail
    tail = 1.0 / 9.0 + z * tail
    tail = 1.0 / 7.0 + z * tail
    tail = 1.0 / 5.0 + z * tail
    tail = 1.0 / 3.0 + z * tail
    return exponent * _LOG_2 + (2.0 * s + 2.0 * s * z * tail)


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def log_gamma_large(values: NDArray[np.float64], num_values: int) -> None:
    """Replace the first values, each at least `LARGE`, by their log Γ (Stirling, error < 1e-14)."""
    for i in range(num_values):
        x = values[i]
        inverse = 1.0 / x
        square = inverse * inverse
        series = inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0)))
        values[i] = (x - 0.5) * log_positive(x) - x + _HALF_LOG_2_PI + series


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def x_log_x(values: NDArray[np.float64], num_values: int) -> None:
    """Replace the first values, each positive, by x log x."""
    for i in range(num_values):
        values[i] *= log_positive(values[i])


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def small_counts(kind: int, alpha: float, table: NDArray[np.float64]) -> float:
    """Tabulate the cell function at 0 … LARGE − 1, and 0 at LARGE; return log Γ(α), or 0.

    log Γ(N + α) − log Γ(α) = Σ_{i<N} log(i + α).
    """
    table[0] = 0.0
    table[LARGE] = 0.0
    if kind == LIKELIHOOD:
        for i in range(1, LARGE):
            table[i] = i * log_positive(float(i))
        return 0.0
    for i in range(1, LARGE):
        table[i] = log_positive(i - 1 + alpha)
    for i in range(1, LARGE):
        table[i] += table[i - 1]
    return math.lgamma(alpha)
