"""The exact reach sum: DAGs of a plan, summed over the sizes of its lumps by elimination."""

from collections.abc import Callable
from decimal import Decimal
from functools import cache
from math import comb
from typing import Protocol, TypeVar

from pathprior.counting.plan import LumpTerm, Plan, PowerSum
from pathprior.counting.robinson import dags_by_sinks, num_labelled_dags
from pathprior.kernels.counting.reach_sum import SIZE_BITS, SIZE_MASK

Number = TypeVar("Number", int, Decimal)


class Factor(Protocol[Number]):
    """What one lump multiplies a state by."""

    def at(self, state: int, num_free: int) -> list[Number]:
        """Values for 0 … num_free free nodes, given the sizes in ``state``; [] where all are 0."""
        ...


def evaluate(plan: Plan, num_free: int) -> list[int]:
    """DAGs in which every node reaches a belief node, by their number of other nodes.

    Entry f is the number of labelled DAGs on the belief nodes and f further nodes, f ≤ num_free.
    """
    return eliminate(plan, num_free, _LumpFactor, 1)


def eliminate(
    plan: Plan,
    num_free: int,
    make_factor: Callable[[LumpTerm, dict[int, int]], Factor[Number]],
    one: Number,
) -> list[Number]:
    """The reach sum by the number of free nodes, 0 … num_free, in numbers of the kind of ``one``.

    The lumps are summed out one by one; a state keeps only the sizes later lumps depend on, packed
    into one integer so that adding nodes to a lump is one addition.
    """
    choose = [[comb(n, k) * one for k in range(n + 1)] for n in range(num_free + 1)]
    table = {0: one}
    zero = one - one
    summed = 0
    placed_beliefs = 0
    for step, index in enumerate(plan.order):
        term = plan.terms[index]
        old, new = plan.states[step], plan.states[step + 1]
        shifts = {mask: SIZE_BITS * i for i, mask in enumerate(old)}
        factor = make_factor(term, shifts)
        kept = [
            (shifts[rest], SIZE_BITS * i)
            for i, mask in enumerate(new)
            if (rest := mask & ~(1 << index)) != 0
        ]
        gain = sum(1 << (SIZE_BITS * i) for i, mask in enumerate(new) if mask >> index & 1)
        longer: dict[int, Number] = {}
        for state, weight in table.items():
            free = size_of(state, shifts, summed) - placed_beliefs
            key = term.num_beliefs * gain
            for source, target in kept:
                key += (state >> source & SIZE_MASK) << target
            for extra, value in enumerate(factor.at(state, num_free - free)):
                if value:
                    value *= weight * choose[free + extra][extra]
                    longer[key] = longer.get(key, zero) + value
                key += gain
        table = longer
        summed |= 1 << index
        placed_beliefs += term.num_beliefs
    return [table.get(placed_beliefs + free, zero) for free in range(num_free + 1)]


def size_of(state: int, shifts: dict[int, int], mask: int) -> int:
    """Number of nodes in the lumps of ``mask``."""
    return state >> shifts[mask] & SIZE_MASK if mask else 0


class _LumpFactor:
    """DAGs inside one lump with their links downward, by its number of free nodes.

    With u nodes of which j are belief nodes, L nodes in lower lumps and c child sets that cover:
    Σ_s a(u, s) C(s, j) / C(u, j) · c^{s−j} · 2^{L(u−s)} · Π_t w_t. The s sinks include the j
    belief nodes; every other sink must cover, every non-sink links downward freely; w_t counts the
    child sets of belief node t.
    """

    def __init__(self, term: LumpTerm, shifts: dict[int, int]) -> None:
        self.term = term
        self.shifts = shifts
        self.memo: dict[tuple[int, int, int], list[int]] = {}

    def at(self, state: int, num_free: int) -> list[int]:
        """Values for 0 … num_free free nodes, given the sizes in ``state``."""
        lower = size_of(state, self.shifts, self.term.lower)
        covers = self._power_sum(self.term.covers, state)
        children = 1
        for power_sum in self.term.belief_children:
            children *= self._power_sum(power_sum, state)
        if children == 0:
            return []
        values = self.memo.setdefault((lower, covers, children), [])
        for extra in range(len(values), num_free + 1):
            sinks = dags_with_given_sinks(extra + self.term.num_beliefs, self.term.num_beliefs)
            total = 0
            power = children
            for s, count in enumerate(sinks):  # s sinks besides the belief nodes
                total += (count * power) << (lower * (extra - s))
                power *= covers
                if power == 0:
                    break
            values.append(total)
        return values[: num_free + 1]

    def _power_sum(self, power_sum: PowerSum, state: int) -> int:
        total = 0
        for mask, coefficient in power_sum:
            total += coefficient << size_of(state, self.shifts, mask)
        return total


@cache
def dags_with_given_sinks(num_nodes: int, num_given: int) -> tuple[int, ...]:
    """DAGs in which given nodes are sinks, by the number of further sinks."""
    by_sinks = dags_by_sinks(num_nodes)
    ways = comb(num_nodes, num_given)
    return tuple(by_sinks[s] * comb(s, num_given) // ways for s in range(num_given, num_nodes + 1))


def complete(reaching: list[int], num_beliefs: int) -> int:
    """Add the nodes that reach no belief node: Σ_f C(F, f) W_f 2^{(m+f)(F−f)} N(F − f)."""
    num_free = len(reaching) - 1
    return sum(
        (comb(num_free, free) * value * num_labelled_dags(num_free - free))
        << ((num_beliefs + free) * (num_free - free))
        for free, value in enumerate(reaching)
    )
