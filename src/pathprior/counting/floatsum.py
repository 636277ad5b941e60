"""The reach sum in scaled floating point: nothing is pruned.

For sums too long for integers, and for weighted DAGs, where q = 1 + β stands in the place of 2.
"""

from decimal import Decimal, localcontext
from functools import lru_cache
from math import comb, floor, frexp, ldexp
from operator import add

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.base import DIGITS, UNIFORM, source_shares
from pathprior.counting.plan import Plan
from pathprior.counting.reach_sum import dags_with_given_sinks
from pathprior.counting.robinson import num_labelled_dags
from pathprior.kernels.counting.reach_sum import (
    SIZE_BITS,
    Scaled,
    States,
    Step,
    base_keys,
    cover_shares,
    group,
    number,
    sink_sums,
    sum_out,
)

NUM_SINKS = 16
"""Sinks kept of a lump of a uniform DAG. More than these have less than 2⁻¹⁰⁰ of the DAGs with
fewer, and a cover share of at most 1 does not raise it."""

Powers = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]
"""The powers of q of `Scaled`: raised, exponents, falling and low."""


def share_of_dags(plan: Plan, num_free: int, edge_odds: float = UNIFORM) -> float:
    """The share of all DAGs on the belief nodes and ``num_free`` others that ``plan`` counts.

    All terms are positive and none is left out that is above rounding.
    """
    num_beliefs = sum(term.num_beliefs for term in plan.terms)
    num_nodes = num_beliefs + num_free
    scale = _scale(num_nodes, edge_odds)
    powers = _powers(num_nodes, edge_odds)
    keys = np.zeros(1, dtype=np.int64)
    values = np.array([0.5 ** int(scale[0])])
    choose = _choose(num_free)
    for index in range(len(plan.order)):
        step = _step(plan, index, num_free)
        sinks, sink_scale = _sink_table(step.num_beliefs, num_nodes, edge_odds)
        slots = _slots(plan, index + 1, num_free)
        new_keys, new_values = np.full(slots, -1, dtype=np.int64), np.zeros(slots)
        scaled = Scaled(sinks, sink_scale, scale, choose, *powers)
        filled = np.flatnonzero(values > 0)
        keys, values = keys[filled], values[filled]
        # those that add to the same new states one after the other
        numbers, distinct = number(base_keys(step, keys))
        order = group(numbers, len(distinct))
        keys, values, bases = keys[order], values[order], distinct[numbers[order]]
        rows, covers = number(cover_shares(step, scaled, keys).view(np.int64))
        inside = sink_sums(step, scaled, covers.view(np.float64))
        states = States(keys, values, bases, rows)
        sum_out(step, scaled, states, inside, new_keys, new_values)
        keys, values = new_keys, new_values
    filled = np.flatnonzero(keys >= 0)
    share = 0.0
    for size, value in zip(keys[filled].tolist(), values[filled].tolist(), strict=True):
        share += value * _completion(size, num_nodes, num_free, edge_odds)
    return share


def _completion(size: int, num_nodes: int, num_free: int, edge_odds: float) -> float:
    """Ways to add the nodes that reach no belief node to a DAG on ``size`` nodes that all do.

    As a share of all DAGs, and times the power of 2 that is split off from the states.
    """
    rest = num_nodes - size
    scale = int(_scale(num_nodes, edge_odds)[size])
    if edge_odds == UNIFORM:
        ways = comb(num_free, rest) * num_labelled_dags(rest)
        return (ways << (size * rest + scale)) / num_labelled_dags(num_nodes)
    base = source_shares(num_nodes, edge_odds)
    raised, exponents, _, _ = _powers(num_nodes, edge_odds)
    links = size * rest
    ratio = base.sums[rest] / base.sums[num_nodes] * raised[links]
    exponent = base.exponents[rest] - base.exponents[num_nodes] + exponents[links] + scale
    return ldexp(comb(num_free, rest) * ratio, int(exponent))


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
def _scale(num_nodes: int, edge_odds: float) -> NDArray[np.int64]:
    """Bits of the number of DAGs, or of their weight, on 0 … num_nodes nodes."""
    if edge_odds != UNIFORM:
        return source_shares(num_nodes, edge_odds).exponents
    return np.array([num_labelled_dags(n).bit_length() for n in range(num_nodes + 1)])


@lru_cache(maxsize=8)
def _choose(num_free: int) -> NDArray[np.float64]:
    choose = np.zeros((num_free + 1, num_free + 1))
    row = [1]  # Pascal's triangle in integers: each number to all bits of a float
    for n in range(num_free + 1):
        choose[n, : n + 1] = row
        row = [1, *map(add, row, row[1:]), 1]
    return choose


@lru_cache(maxsize=8)
def _powers(num_nodes: int, edge_odds: float) -> Powers:
    """Powers of q up to that of all links between two parts of the nodes."""
    exponents = np.arange(num_nodes + num_nodes**2 // 4 + 1)
    raised, falling, low = np.ones(len(exponents)), np.ones(num_nodes + 1), np.zeros(num_nodes + 1)
    if edge_odds == UNIFORM:
        falling[:] = 0.5 ** np.arange(num_nodes + 1)
        return raised, exponents, falling, low[:0]
    with localcontext() as context:
        context.prec = DIGITS
        q = 1 + Decimal(edge_odds)
        raised, exponents = _raise(q.ln() / Decimal(2).ln(), len(exponents))
        for i in range(1, num_nodes + 1):
            power = 1 / q**i
            falling[i] = float(power)
            low[i] = float(power - Decimal(falling[i]))
    return raised, exponents, falling, low


def _raise(log_two: Decimal, num_powers: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Powers of a number, given by its log to base 2, as floats near 1 times powers of 2.

    With the log in two parts, the first of so few bits that its multiples are exact, to all bits.
    """
    mantissa, exponent = frexp(float(log_two))
    bits = 53 - num_powers.bit_length()
    high = ldexp(floor(ldexp(mantissa, bits)), exponent - bits)
    multiples = np.arange(num_powers) * high
    whole = np.floor(multiples)
    fraction = multiples - whole + np.arange(num_powers) * float(log_two - Decimal(high))
    return np.exp2(fraction), whole.astype(np.int64)


@lru_cache(maxsize=8)
def _sink_table(
    num_given: int, num_nodes: int, edge_odds: float
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """`dags_with_given_sinks` for every size, each row divided by a power of 2."""
    if edge_odds != UNIFORM:
        return _weighted_sink_table(num_given, num_nodes, edge_odds)
    sinks = np.zeros((num_nodes + 1, NUM_SINKS))
    scale = np.zeros(num_nodes + 1, dtype=np.int64)
    for size in range(num_given, num_nodes + 1):
        counts = dags_with_given_sinks(size, num_given)[:NUM_SINKS]
        scale[size] = max(count.bit_length() for count in counts)
        sinks[size, : len(counts)] = [count / (1 << int(scale[size])) for count in counts]
    return sinks, scale


def _weighted_sink_table(
    num_given: int, num_nodes: int, edge_odds: float
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    base = source_shares(num_nodes, edge_odds)
    sinks = np.zeros((num_nodes + 1, int(base.lasts.max()) + 1))
    ways = np.array([comb(s, num_given) for s in range(num_nodes + 1)], dtype=np.float64)
    for size in range(num_given, num_nodes + 1):
        last = base.lasts[size]
        given = ways[num_given : last + 1] / ways[size]
        sinks[size, : len(given)] = base.shares[size, num_given : last + 1] * given
        sinks[size] *= base.sums[size]
    return sinks, base.exponents
