"""The exact class sum: DAGs of a plan, summed over the sizes of its lumps by elimination."""

from functools import cache
from math import comb

from pathprior.counting.plan import LumpTerm, Plan, PowerSum
from pathprior.counting.robinson import dags_by_sinks, num_labelled_dags


def evaluate(plan: Plan, num_free: int) -> list[int]:
    """DAGs in which every node reaches a belief node, by their number of other nodes.

    Entry f is the number of labelled DAGs on the belief nodes and f further nodes, f ≤ num_free.
    The lumps are summed out one by one; a state keeps only the sizes later lumps depend on.
    """
    num_beliefs = sum(term.num_beliefs for term in plan.terms)
    table: dict[tuple[int, ...], int] = {(): 1}
    placed_beliefs = 0
    for step, index in enumerate(plan.order):
        term = plan.terms[index]
        old, new = plan.states[step], plan.states[step + 1]
        position = {mask: i for i, mask in enumerate(old)} | {0: len(old)}
        sources = [(position[mask & ~(1 << index)], mask >> index & 1) for mask in new]
        factor = _LumpFactor(term, position)
        summed = sum(1 << i for i in plan.order[:step])
        longer: dict[tuple[int, ...], int] = {}
        for state, weight in table.items():
            sizes = (*state, 0)
            free = sizes[position[summed]] - placed_beliefs
            polynomial = factor.at(sizes, num_free - free)
            for extra, value in enumerate(polynomial):
                if value:
                    size = extra + term.num_beliefs
                    key = tuple(sizes[i] + size if gains else sizes[i] for i, gains in sources)
                    value *= weight * comb(free + extra, extra)
                    longer[key] = longer.get(key, 0) + value
        table = longer
        placed_beliefs += term.num_beliefs
    return [table.get((free + num_beliefs,), 0) for free in range(num_free + 1)]


class _LumpFactor:
    """DAGs inside one lump with their links downward, by its number of free nodes.

    With u nodes of which j are belief nodes, L nodes in lower lumps and c child sets that cover:
    Σ_s a(u, s) C(s, j) / C(u, j) · c^{s−j} · 2^{L(u−s)} · Π_t w_t. The s sinks include the j
    belief nodes; every other sink must cover, every non-sink links downward freely.
    """

    def __init__(self, term: LumpTerm, position: dict[int, int]) -> None:
        self.term = term
        self.position = position
        self.memo: dict[tuple[int, ...], list[int]] = {}

    def at(self, sizes: tuple[int, ...], num_free: int) -> list[int]:
        """Values for 0 … num_free free nodes, given the sizes of the sets of lumps below."""
        covers = self._power_sum(self.term.covers, sizes)
        lower = sizes[self.position[self.term.lower]]
        children = 1
        for power_sum in self.term.belief_children:
            children *= self._power_sum(power_sum, sizes)
        key = (covers, lower, children)
        values = self.memo.setdefault(key, [])
        if children == 0:
            return []
        j = self.term.num_beliefs
        for extra in range(len(values), num_free + 1):
            u = extra + j
            sinks = _dags_with_given_sinks(u, j)
            if covers == 0:
                total = sinks[0] << (lower * extra)
            else:
                total = 0
                power = 1
                for s, count in enumerate(sinks):  # s sinks besides the belief nodes
                    total += (count * power) << (lower * (extra - s))
                    power *= covers
            values.append(total * children)
        return values[: num_free + 1]

    def _power_sum(self, power_sum: PowerSum, sizes: tuple[int, ...]) -> int:
        return sum(value << sizes[self.position[mask]] for mask, value in power_sum)


@cache
def _dags_with_given_sinks(num_nodes: int, num_given: int) -> tuple[int, ...]:
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
