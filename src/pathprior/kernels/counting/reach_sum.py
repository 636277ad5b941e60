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
    """Tables of scaled numbers; q = 1 + β is 2 for uniform DAGs.

    ``sinks[u, s]`` · 2^{``sink_scale[u]``}: DAGs on u nodes in which the lump's belief nodes are
    sinks, with s sinks more; rows end where nothing is left to add. ``choose``: binomials.
    ``raised[i]`` · 2^{``exponents[i]``} = q^i. ``falling[i]`` + ``low[i]`` = q^−i to twice the bits
    of a float, for differences that are small where β is; ``low`` is empty for q = 2.
    """

    sinks: Floats
    sink_scale: Ints
    scale: Ints
    choose: Floats
    raised: Floats
    exponents: Ints
    falling: Floats
    low: Floats


class Wirings(NamedTuple):
    """The sums over sinks for the last share of covers, by size, as far as they are known."""

    cover: Floats
    num_known: Ints
    inside: Floats


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


@njit(cache=True, nogil=True, inline="always")
def _power_sum(rows: Ints, start: int, stop: int, state: int, top: int, scaled: Scaled) -> float:
    """Σ coefficient · q^(size − top) over rows that end in (shift, coefficient)."""
    total = 0.0
    lost = 0.0  # what rounding takes away (Neumaier), and the low parts
    for i in range(start, stop):
        fall = top - _size(state, rows[i, -2])
        term = rows[i, -1] * scaled.falling[fall]
        longer = total + term
        if scaled.low.shape[0] > 0:
            lost += rows[i, -1] * scaled.low[fall]
            if abs(total) >= abs(term):
                lost += (total - longer) + term
            else:
                lost += (term - longer) + total
        total = longer
    return total + lost


@njit(cache=True, nogil=True)
def cover_shares(step: Step, scaled: Scaled, keys: Ints) -> Floats:
    """The share of the child sets below that cover, for each state."""
    covers = np.empty(keys.shape[0])
    for entry in range(keys.shape[0]):
        covers[entry] = _cover(step, scaled, keys[entry])
    return covers


@njit(cache=True, nogil=True, inline="always")
def _cover(step: Step, scaled: Scaled, state: int) -> float:
    """0 or, for q = 2, at least 1/16."""
    lower = _size(state, step.lower)
    return _power_sum(step.covers, 0, step.covers.shape[0], state, lower, scaled)


@njit(cache=True, nogil=True)
def sum_out(
    step: Step, scaled: Scaled, keys: Ints, values: Floats, new_keys: Ints, new_values: Floats
) -> None:
    """Add every state of (keys, values), with every size of the lump, into the new table.

    Sums over sinks are kept from one state to the next if it has the same share of covers.
    """
    wirings = Wirings(np.full(1, -1.0), np.zeros(1, np.int64), np.empty(step.num_free + 1))
    for entry in range(keys.shape[0]):
        if keys[entry] >= 0 and values[entry] > 0.0:
            _extend(step, scaled, wirings, keys[entry], values[entry], new_keys, new_values)


@njit(cache=True, nogil=True, inline="always")
def _know(wirings: Wirings, cover: float, step: Step, scaled: Scaled, num_extra: int) -> None:
    """Make the sums over sinks known for up to ``num_extra`` nodes besides the belief nodes."""
    if wirings.cover[0] != cover:
        wirings.cover[0] = cover
        wirings.num_known[0] = 0
    for extra in range(wirings.num_known[0], num_extra + 1):
        size = extra + step.num_beliefs
        inside = 0.0
        power_of_cover = 1.0
        for s in range(scaled.sinks.shape[1]):
            if s > extra or power_of_cover == 0.0:
                break
            inside += scaled.sinks[size, s] * power_of_cover
            power_of_cover *= cover
        wirings.inside[extra] = inside
        wirings.num_known[0] = extra + 1


@njit(cache=True, nogil=True)
def _extend(
    step: Step,
    scaled: Scaled,
    wirings: Wirings,
    state: int,
    weight: float,
    new_keys: Ints,
    new_values: Floats,
) -> None:
    lower = _size(state, step.lower)
    exponent = 0
    start = 0
    while start < step.children.shape[0]:
        # one belief node: its child sets, the largest power of q taken out
        stop = start
        largest = 0
        while stop < step.children.shape[0] and step.children[stop, 0] == step.children[start, 0]:
            largest = max(largest, _size(state, step.children[stop, 1]))
            stop += 1
        weight *= _power_sum(step.children, start, stop, state, largest, scaled)
        weight *= scaled.raised[largest]
        exponent += scaled.exponents[largest]
        start = stop
    if weight <= 0.0:
        return
    total = _size(state, step.total)
    free = total - step.placed_beliefs
    key = step.num_beliefs * step.gain
    for i in range(step.kept.shape[0]):
        key += (state >> step.kept[i, 0] & SIZE_MASK) << step.kept[i, 1]
    exponent += scaled.scale[total]
    num_extra = step.num_free - free
    _know(wirings, _cover(step, scaled, state), step, scaled, num_extra)
    for extra in range(num_extra + 1):
        size = extra + step.num_beliefs
        inside = wirings.inside[extra]
        links = lower * extra
        two = exponent + scaled.exponents[links] + scaled.sink_scale[size]
        two -= scaled.scale[total + size]
        if two > -1000 and inside > 0.0:
            value = weight * inside * scaled.choose[free + extra, extra] * scaled.raised[links]
            _add(new_keys, new_values, key, value * 2.0**two)
        key += step.gain
