"""The reach sum under a base measure, in decimal numbers of as many digits as it takes.

Each DAG weighs β^edges. The sums of `reach_sum` hold with q = 1 + β in place of 2: a set of L nodes
to choose children from has q^L weighted subsets. β is a float, so integers would grow too long; and
differences of powers of q, about β^4 for small β, would leave little of a float.
"""

from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from math import comb, log10

from pathprior.counting.plan import LumpTerm, Plan, PowerSum
from pathprior.counting.reach_sum import eliminate, size_of

GUARD_DIGITS = 50
DIGITS_PER_DECADE = 16
"""Digits for each power of ten in β: rare configurations, of many edges, are small differences."""


def num_digits(edge_odds: float) -> int:
    """Digits to calculate with."""
    return GUARD_DIGITS + round(DIGITS_PER_DECADE * abs(log10(edge_odds)))


class Weights:
    """Sums of weights of DAGs on up to ``num_nodes`` nodes, by their number of sinks."""

    def __init__(self, num_nodes: int, edge_odds: float) -> None:
        q = 1 + Decimal(edge_odds)
        self.powers = [Decimal(1)]
        for _ in range(max(num_nodes, num_nodes**2 // 4)):
            self.powers.append(self.powers[-1] * q)
        self.by_sinks = [[Decimal(1)]]
        self.totals = [Decimal(1)]
        for n in range(1, num_nodes + 1):
            row = [Decimal(0)]
            for k in range(1, n):
                others = 1 - 1 / self.powers[k]  # chance of a link to one of k sinks
                value = horner(self.by_sinks[n - k], others)
                row.append(comb(n, k) * self.powers[k * (n - k)] * value)
            self.by_sinks.append([*row, Decimal(1)])
            self.totals.append(sum(self.by_sinks[n], Decimal(0)))
        self.with_given_sinks = cache(self._with_given_sinks)

    def _with_given_sinks(self, num_nodes: int, num_given: int) -> list[Decimal]:
        """Weight of the DAGs in which given nodes are sinks, by the number of further sinks."""
        ways = comb(num_nodes, num_given)
        row = self.by_sinks[num_nodes]
        return [row[s] * comb(s, num_given) / ways for s in range(num_given, num_nodes + 1)]


def horner(coefficients: Sequence[Decimal], x: Decimal) -> Decimal:
    """Σ_s coefficients[s] x^s."""
    total = Decimal(0)
    for coefficient in reversed(coefficients):
        total = total * x + coefficient
    return total


def share_of_weight(plan: Plan, num_free: int, weights: Weights) -> Decimal:
    """The share of the weight of all DAGs that those which ``plan`` counts have."""
    num_beliefs = sum(term.num_beliefs for term in plan.terms)
    reaching = eliminate(
        plan, num_free, lambda term, shifts: _LumpWeight(term, shifts, weights), Decimal(1)
    )
    total = Decimal(0)
    for free, value in enumerate(reaching):
        rest = num_free - free
        ways = comb(num_free, free) * weights.totals[rest]
        total += ways * value * weights.powers[(num_beliefs + free) * rest]
    return total / weights.totals[num_beliefs + num_free]


class _LumpWeight:
    """`reach_sum._LumpFactor` with weights; the sum over sinks is kept for each share of covers."""

    def __init__(self, term: LumpTerm, shifts: dict[int, int], weights: Weights) -> None:
        self.term = term
        self.shifts = shifts
        self.weights = weights
        self.wirings: dict[tuple[int, Decimal], list[Decimal]] = {}

    def at(self, state: int, num_free: int) -> list[Decimal]:
        """Values for 0 … num_free free nodes, given the sizes in ``state``."""
        lower = size_of(state, self.shifts, self.term.lower)
        children = Decimal(1)
        for power_sum in self.term.belief_children:
            children *= self._power_sum(power_sum, state)
        if children == 0:
            return []
        covers = self._power_sum(self.term.covers, state) / self.weights.powers[lower]
        wirings = self.wirings.setdefault((lower, covers), [])
        num_beliefs = self.term.num_beliefs
        for extra in range(len(wirings), num_free + 1):
            sinks = self.weights.with_given_sinks(extra + num_beliefs, num_beliefs)
            wirings.append(horner(sinks, covers) * self.weights.powers[lower * extra])
        return [children * value for value in wirings[: num_free + 1]]

    def _power_sum(self, power_sum: PowerSum, state: int) -> Decimal:
        total = Decimal(0)
        for mask, coefficient in power_sum:
            total += coefficient * self.weights.powers[size_of(state, self.shifts, mask)]
        return total
