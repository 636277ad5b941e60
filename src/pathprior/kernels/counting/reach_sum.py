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

LEAST_POWER = -1000
POWERS_OF_TWO = 2.0 ** np.arange(LEAST_POWER, 1024)
"""Looked up: calculating one takes longer than the rest of a term. Scaled numbers of structures on
t nodes are below those of all DAGs, so that powers are hardly above 0."""


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


class States(NamedTuple):
    """States to sum out, in an order in which equal bases follow each other.

    ``bases``: the new state if the lump has no nodes besides belief nodes. ``rows``: the row of
    `sink_sums` for the state's share of covers.
    """

    keys: Ints
    values: Floats
    bases: Ints
    rows: Ints


@njit(cache=True, nogil=True)
def _size(state: int, shift: int) -> int:
    return 0 if shift < 0 else state >> shift & SIZE_MASK


@njit(cache=True, nogil=True)
def _slot(key: int, table: Ints) -> int:
    return np.int64(mix(np.uint64(0), np.uint64(key)) >> np.uint64(20)) & (table.shape[0] - 1)


@njit(cache=True, nogil=True)
def _add(keys: Ints, values: Floats, key: int, value: float) -> None:
    slot = _slot(key, keys)
    while keys[slot] != key:
        if keys[slot] < 0:
            keys[slot] = key
            break
        slot = (slot + 1) & (keys.shape[0] - 1)
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
def sink_sums(step: Step, scaled: Scaled, covers: Floats) -> Floats:
    """Σ_s sinks[u, s] c^s for each share of covers c and each u less the belief nodes."""
    inside = np.zeros((covers.shape[0], step.num_free + 1))
    for row in range(covers.shape[0]):
        for extra in range(step.num_free + 1):
            power_of_cover = 1.0
            for s in range(min(scaled.sinks.shape[1], extra + 1)):
                if power_of_cover == 0.0:
                    break
                inside[row, extra] += scaled.sinks[extra + step.num_beliefs, s] * power_of_cover
                power_of_cover *= covers[row]
    return inside


@njit(cache=True, nogil=True)
def base_keys(step: Step, keys: Ints) -> Ints:
    """The new state of each old one with no further node in the lump."""
    bases = np.empty_like(keys)
    for entry in range(keys.shape[0]):
        key = step.num_beliefs * step.gain
        for i in range(step.kept.shape[0]):
            key += (keys[entry] >> step.kept[i, 0] & SIZE_MASK) << step.kept[i, 1]
        bases[entry] = key
    return bases


@njit(cache=True, nogil=True)
def number(values: Ints) -> tuple[Ints, Ints]:
    """Number the distinct values in the order of their first places; the number of each value."""
    slots = np.full(1024, -1, np.int64)
    distinct = np.empty(512, np.int64)
    num_distinct = 0
    numbers = np.empty(values.shape[0], np.int64)
    for i in range(values.shape[0]):
        slot = _slot(values[i], slots)
        while slots[slot] >= 0 and distinct[slots[slot]] != values[i]:
            slot = (slot + 1) & (slots.shape[0] - 1)
        if slots[slot] < 0:
            slots[slot] = num_distinct
            distinct[num_distinct] = values[i]
            num_distinct += 1
        numbers[i] = slots[slot]
        if num_distinct == distinct.shape[0]:  # slots are half full: double them
            distinct = np.concatenate((distinct, distinct))
            slots = np.full(2 * slots.shape[0], -1, np.int64)
            for known in range(num_distinct):
                slot = _slot(distinct[known], slots)
                while slots[slot] >= 0:
                    slot = (slot + 1) & (slots.shape[0] - 1)
                slots[slot] = known
    return numbers, distinct[:num_distinct].copy()


@njit(cache=True, nogil=True)
def group(numbers: Ints, num_groups: int) -> Ints:
    """An order in which equal numbers follow each other, and otherwise the old order (stable)."""
    places = np.zeros(num_groups + 1, np.int64)
    for i in range(numbers.shape[0]):
        places[numbers[i] + 1] += 1
    for i in range(num_groups):
        places[i + 1] += places[i]
    order = np.empty(numbers.shape[0], np.int64)
    for i in range(numbers.shape[0]):
        order[places[numbers[i]]] = i
        places[numbers[i]] += 1
    return order


@njit(cache=True, nogil=True)
def sum_out(
    step: Step,
    scaled: Scaled,
    states: States,
    inside: Floats,
    new_keys: Ints,
    new_values: Floats,
) -> None:
    """Add every state, with every size of the lump, into the new table; ``inside``: `sink_sums`.

    States with the same base are added up first: looking up a new state takes longer than a term.
    """
    bases = states.bases
    sums = np.zeros(step.num_free + 1)
    for entry in range(bases.shape[0]):
        state = states.keys[entry]
        num_extra = step.num_free + step.placed_beliefs - _size(state, step.total)
        row = inside[states.rows[entry], : num_extra + 1]
        _extend(step, scaled, row, state, states.values[entry], sums)
        if entry + 1 == bases.shape[0] or bases[entry + 1] != bases[entry]:
            free = step.num_free - num_extra
            key = bases[entry]
            for extra in range(num_extra + 1):
                if sums[extra] > 0.0:
                    value = sums[extra] * scaled.choose[free + extra, extra]
                    _add(new_keys, new_values, key, value)
                sums[extra] = 0.0
                key += step.gain


@njit(cache=True, nogil=True)
def _extend(
    step: Step, scaled: Scaled, inside: Floats, state: int, weight: float, sums: Floats
) -> None:
    """Add one state's terms for each size of the lump to ``sums``, as far as ``inside`` goes."""
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
    exponent += scaled.scale[total]
    for extra in range(inside.shape[0]):
        size = extra + step.num_beliefs
        links = lower * extra
        two = exponent + scaled.exponents[links] + scaled.sink_scale[size]
        two -= scaled.scale[total + size]
        if two > LEAST_POWER:
            value = weight * inside[extra] * scaled.raised[links]
            sums[extra] += value * POWERS_OF_TWO[two - LEAST_POWER]
