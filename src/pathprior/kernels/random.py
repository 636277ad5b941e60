"""xoshiro256++ on a state passed in: four words that are not all 0."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pathprior.kernels.inner import inner, wrapping

Words = NDArray[np.uint64]

LOW_HALF = np.uint64(0xFFFFFFFF)
UNIT = 1.0 / 9007199254740992.0
"""2^−53: scales 53 random bits to [0, 1)."""


@njit(cache=True, nogil=True, inline="always")
def _rotate(word: np.uint64, by: int) -> np.uint64:
    return (word << np.uint64(by)) | (word >> np.uint64(64 - by))


@inner
@wrapping
def next_word(state: Words) -> np.uint64:
    """The next 64 random bits (Blackman and Vigna's xoshiro256++ 1.0)."""
    result = _rotate(state[0] + state[3], 23) + state[0]
    shifted = state[1] << np.uint64(17)
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = _rotate(state[3], 45)
    return result


@inner
def draw_below(state: Words, bound: int) -> int:
    """A uniform integer in 0 … bound − 1, bound < 2³², without bias (Lemire's rejection)."""
    limit = np.uint64(bound)
    scaled = (next_word(state) >> np.uint64(32)) * limit
    if scaled & LOW_HALF < limit:
        threshold = ((LOW_HALF + np.uint64(1)) - limit) % limit
        while scaled & LOW_HALF < threshold:
            scaled = (next_word(state) >> np.uint64(32)) * limit
    return int(scaled >> np.uint64(32))


@njit(cache=True, nogil=True, inline="always")
def draw_unit(state: Words) -> float:
    """A uniform number in [0, 1)."""
    return float(next_word(state) >> np.uint64(11)) * UNIT


@njit(cache=True, nogil=True, inline="always")
def scale_half(half: np.uint64, bound: int) -> int:
    """An integer in 0 … bound − 1 from 32 random bits: uniform up to 2⁻³² bound."""
    return int(np.int64((half * np.uint64(bound)) >> np.uint64(32)))
