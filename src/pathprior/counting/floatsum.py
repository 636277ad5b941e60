"""The reach sum in scaled floating point, for sums too long for integers: nothing is pruned."""

from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.plan import Plan
from pathprior.counting.reach_sum import dags_with_given_sinks
from pathprior.counting.robinson import num_labelled_dags
from pathprior.kernels.counting.reach_sum import SIZE_BITS, Scaled, Step, sum_out

NUM_SINKS = 16
"""Sinks kept of a lump. More than these have less than 2⁻¹⁰⁰ of the DAGs with fewer, and a cover
share of at most 1 does not raise it."""


def share_of_dags(plan: Plan, num_free: int) -> float:
    """The share of all DAGs on the belief nodes and ``num_free`` others that ``plan`` counts.

    All terms are positive and none is left out that is above rounding.
    """
    num_beliefs = sum(term.num_beliefs for term in plan.terms)
    num_nodes = num_beliefs + num_free
    scale = _scale(num_nodes)
    keys = np.zeros(1, dtype=np.int64)
    values = np.array([0.5 ** int(scale[0])])
    choose = _choose(num_free)
    for index in range(len(plan.order)):
        step = _step(plan, index, num_free)
        sinks, sink_scale = _sink_table(step.num_beliefs, num_nodes)
        slots = _slots(plan, index + 1, num_free)
        new_keys, new_values = np.full(slots, -1, dtype=np.int64), np.zeros(slots)
        sum_out(step, Scaled(sinks, sink_scale, scale, choose), keys, values, new_keys, new_values)
        keys, values = new_keys, new_values
    total = num_labelled_dags(num_nodes)
    share = 0.0
    filled = np.flatnonzero(keys >= 0)
    for size, value in zip(keys[filled].tolist(), values[filled].tolist(), strict=True):
        rest = num_nodes - size
        ways = comb(num_free, rest) * num_labelled_dags(rest)
        share += value * ((ways << (size * rest + int(scale[size]))) / total)
    return share


def _step(plan: Plan, index: int, num_free: int) -> Step:
    lump = plan.order[index]
    term = plan.terms[lump]
    old, new = plan.states[index], plan.states[index + 1]
    shifts = {mask: SIZE_BITS * i for i, mask in enumerate(old)} | {0: -1}
    summed = sum(1 << i for i in plan.order[:index])
    return Step(
        num_beliefs=term.num_beliefs,
        placed_beliefs=sum(plan.terms[i].num_beliefs for i in plan.order[:index]),
        num_free=num_free,
        total=shifts[summed],
        lower=shifts[term.lower],
        gain=sum(1 << (SIZE_BITS * i) for i, mask in enumerate(new) if mask >> lump & 1),
        covers=_rows([(shifts[mask], value) for mask, value in term.covers], 2),
        children=_rows(
            [
                (belief, shifts[mask], value)
                for belief, power_sum in enumerate(term.belief_children)
                for mask, value in power_sum
            ],
            3,
        ),
        kept=_rows(
            [
                (shifts[mask & ~(1 << lump)], SIZE_BITS * i)
                for i, mask in enumerate(new)
                if mask & ~(1 << lump)
            ],
            2,
        ),
    )


def _rows(rows: list[tuple[int, ...]], width: int) -> NDArray[np.int64]:
    return np.array(rows, dtype=np.int64).reshape(-1, width)


def _slots(plan: Plan, num_summed: int, num_free: int) -> int:
    """A power of 2 that the states after ``num_summed`` lumps fill by two thirds at most."""
    is_last = num_summed == len(plan.order)
    rank = 1 if is_last else plan.ranks[num_summed] - 1
    return 1 << (3 * comb(num_free + rank, rank) // 2 + 1).bit_length()


@lru_cache(maxsize=8)
def _scale(num_nodes: int) -> NDArray[np.int64]:
    """Bits of the number of DAGs on 0 … num_nodes nodes."""
    return np.array([num_labelled_dags(n).bit_length() for n in range(num_nodes + 1)])


@lru_cache(maxsize=8)
def _choose(num_free: int) -> NDArray[np.float64]:
    return np.array([[float(comb(n, k)) for k in range(num_free + 1)] for n in range(num_free + 1)])


@lru_cache(maxsize=8)
def _sink_table(num_given: int, num_nodes: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """`dags_with_given_sinks` for every size, each row divided by a power of 2."""
    sinks = np.zeros((num_nodes + 1, NUM_SINKS))
    scale = np.zeros(num_nodes + 1, dtype=np.int64)
    for size in range(num_given, num_nodes + 1):
        counts = dags_with_given_sinks(size, num_given)[:NUM_SINKS]
        scale[size] = max(count.bit_length() for count in counts)
        sinks[size, : len(counts)] = [count / (1 << int(scale[size])) for count in counts]
    return sinks, scale
