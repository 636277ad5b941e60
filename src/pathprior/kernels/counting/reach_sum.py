"""One step of the exact reach sum in scaled floating point.

A state packs sizes of sets of lumps into one integer, ``SIZE_BITS`` bits each. Tables are
open-addressed: ``keys`` (−1 where empty) and ``values``. A value is a number of structures on t
nodes divided by 2^{scale[t]}, where scale[t] is about log₂ of the number of DAGs on t nodes, so
that it stays below 1 and what underflows is below 10⁻³⁰⁰ of all DAGs.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pathprior.kernels.bits import mix

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SIZE_BITS = 10
SIZE_MASK = (1 << SIZE_BITS) - 1


class Step(NamedTuple):
    """What summing out one lump does to a state; shifts point into the old state, −1 means 0.

    ``covers`` rows are (shift, coefficient), ``children`` rows (belief node, shift, coefficient),
    ``kept`` rows (shift in the old state, shift in the new one).
    """

    num_beliefs: int
    placed_beliefs: int
    num_free: int
    total: int
    lower: int
    gain: int
    covers: Ints
    children: Ints
    kept: Ints


class Scaled(NamedTuple):
    """Tables of scaled numbers.

    ``sinks[u, s]`` · 2^{``sink_scale[u]``}: DAGs on u nodes in which the lump's belief nodes are
    sinks, with s sinks more; rows end where nothing is left to add. ``choose``: binomials.
    """

    sinks: Floats
    sink_scale: Ints
    scale: Ints
    choose: Floats


@njit(cache=True, nogil=True)
def _size(state: int, shift: int) -> int:
    return 0 if shift < 0 else state >> shift & SIZE_MASK


@njit(cache=True, nogil=True)
def _add(keys: Ints, values: Floats, key: int, value: float) -> None:
    mask = keys.shape[0] - 1
    slot = np.int64(mix(np.uint64(0), np.uint64(key)) >> np.uint64(20)) & mask
    while keys[slot] != key:
        if keys[slot] < 0:
            keys[slot] = key
            break
        slot = (slot + 1) & mask
    values[slot] += value


@njit(cache=True, nogil=True)
def sum_out(
    step: Step, scaled: Scaled, keys: Ints, values: Floats, new_keys: Ints, new_values: Floats
) -> None:
    """Add every state of (keys, values), with every size of the lump, into the new table."""
    for entry in range(keys.shape[0]):
        if keys[entry] >= 0 and values[entry] > 0.0:
            _extend(step, scaled, keys[entry], values[entry], new_keys, new_values)


@njit(cache=True, nogil=True)
def _extend(
    step: Step, scaled: Scaled, state: int, weight: float, new_keys: Ints, new_values: Floats
) -> None:
    lower = _size(state, step.lower)
    cover = 0.0  # share of the child sets below that cover; 0 or at least 1/16
    for i in range(step.covers.shape[0]):
        power = _size(state, step.covers[i, 0]) - lower
        cover += step.covers[i, 1] * 2.0**power
    exponent = 0
    start = 0
    while start < step.children.shape[0]:
        # one belief node: its child sets, the largest power of 2 taken out
        stop = start
        largest = 0
        while stop < step.children.shape[0] and step.children[stop, 0] == step.children[start, 0]:
            largest = max(largest, _size(state, step.children[stop, 1]))
            stop += 1
        share = 0.0
        for i in range(start, stop):
            share += step.children[i, 2] * 2.0 ** (_size(state, step.children[i, 1]) - largest)
        weight *= share
        exponent += largest
        start = stop
    if weight <= 0.0:
        return
    total = _size(state, step.total)
    free = total - step.placed_beliefs
    key = step.num_beliefs * step.gain
    for i in range(step.kept.shape[0]):
        key += (state >> step.kept[i, 0] & SIZE_MASK) << step.kept[i, 1]
    exponent += scaled.scale[total]
    for extra in range(step.num_free - free + 1):
        size = extra + step.num_beliefs
        inside = 0.0
        power_of_cover = 1.0
        for s in range(scaled.sinks.shape[1]):
            if s > extra or power_of_cover == 0.0:
                break
            inside += scaled.sinks[size, s] * power_of_cover
            power_of_cover *= cover
        two = exponent + lower * extra + scaled.sink_scale[size] - scaled.scale[total + size]
        if two > -1000 and inside > 0.0:
            value = weight * inside * scaled.choose[free + extra, extra] * 2.0**two
            _add(new_keys, new_values, key, value)
        key += step.gain
