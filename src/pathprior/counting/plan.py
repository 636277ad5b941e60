"""Plans for the exact reach sum: its lumps, what each depends on, and the order to sum them in."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import comb

import numpy as np

from pathprior.counting.lumping import (
    ChildRule,
    Family,
    Lump,
    coarsest_lumping,
    may_link,
    members,
)

PowerSum = tuple[tuple[int, int], ...]
"""Σ coefficient · 2^{nodes in lumps of mask}, as (mask, coefficient) pairs."""


@dataclass(frozen=True, slots=True)
class LumpTerm:
    """How one lump enters the sum; masks are sets of lumps.

    Attributes
    ----------
    num_beliefs
        Belief nodes in the lump; they are sinks of the DAG inside it.
    lower
        The lumps its nodes may link to.
    covers
        Number of child sets in ``lower`` whose reach set lies in the lump: those of its sinks.
    belief_children
        Number of child sets of each of its belief nodes.
    """

    num_beliefs: int
    lower: int
    covers: PowerSum
    belief_children: tuple[PowerSum, ...]

    def masks(self) -> set[int]:
        """The sets of lumps whose number of nodes the term depends on."""
        sums = (self.covers, *self.belief_children)
        return {self.lower, *(mask for power_sum in sums for mask, _ in power_sum)}


@dataclass(frozen=True, slots=True)
class Plan:
    """Lumps in the order in which they are summed out, and its estimated cost.

    ``states[i]`` are the sets of lumps whose sizes are remembered after i lumps; the last one is
    all lumps together.
    """

    terms: tuple[LumpTerm, ...]
    order: tuple[int, ...]
    states: tuple[tuple[int, ...], ...]
    ranks: tuple[int, ...]

    def num_terms(self, num_free: int) -> int:
        """Products formed with ``num_free`` nodes besides the belief nodes."""
        return sum(comb(num_free + rank, rank) for rank in self.ranks)


@dataclass(frozen=True, slots=True)
class SignedPlan:
    """A plan that enters the count with a sign."""

    sign: int
    plan: Plan


@cache
def plan_order(
    below: tuple[int, ...], unrelated: tuple[tuple[int, int], ...]
) -> tuple[SignedPlan, ...]:
    """Plans that add up to the DAGs with order ``below`` and at least ``unrelated`` unrelated.

    The children of a belief node t must reach exactly K = below(t) ∖ t. Inclusion–exclusion over
    the maximal nodes A of K that they miss turns this into free choices within K ∖ A, which may
    allow larger lumps. Tried for every subset of the nodes with two or more maximal nodes in K;
    the cheapest at a nominal size wins.
    """
    wide = [t for t in range(len(below)) if len(_maximal(below, below[t] & ~(1 << t))) > 1]
    choices = [
        tuple(_signed_plans(below, unrelated, frozenset(expanded)))
        for size in range(len(wide) + 1)
        for expanded in combinations(wide, size)
    ]
    return min(choices, key=lambda plans: sum(part.plan.num_terms(_NOMINAL) for part in plans))


_NOMINAL = 33  # free nodes of a 4-node component in the paper's 37-node network


def _signed_plans(
    below: tuple[int, ...], unrelated: tuple[tuple[int, int], ...], expanded: frozenset[int]
) -> Iterator[SignedPlan]:
    options: list[list[ChildRule]] = []
    for t, reach in enumerate(below):
        within = reach & ~(1 << t)
        if t not in expanded:
            options.append([ChildRule(t, within, True)])
            continue
        maximal = _maximal(below, within)
        options.append(
            [
                ChildRule(t, within & ~sum(1 << x for x in missed), False)
                for size in range(len(maximal) + 1)
                for missed in combinations(maximal, size)
            ]
        )
    for rules in product(*options):
        missed_nodes = sum(
            (below[rule.node] & ~(1 << rule.node) & ~rule.within).bit_count() for rule in rules
        )
        yield SignedPlan((-1) ** missed_nodes, _plan(Family(below, unrelated, rules)))


def _maximal(below: tuple[int, ...], ideal: int) -> list[int]:
    """Nodes of ``ideal`` that no other node of it reaches."""
    inside = members(ideal)
    return [x for x in inside if not any(below[y] >> x & 1 for y in inside if y != x)]


def _plan(family: Family) -> Plan:
    lumps = coarsest_lumping(family)
    terms = tuple(_lump_term(lumps, i, family) for i in range(len(lumps)))
    order = _elimination_order(terms)
    states = [_remembered(terms, frozenset(order[:i])) for i in range(len(order) + 1)]
    ranks = tuple(_rank(states[i], len(terms)) + 1 for i in range(len(order)))
    return Plan(terms, order, tuple(states), ranks)


def _lump_term(lumps: list[Lump], index: int, family: Family) -> LumpTerm:
    lump = lumps[index]
    lower = [i for i, other in enumerate(lumps) if i != index and may_link(lump, other)]
    rules = [rule for rule in family.rules if family.below[rule.node] in lump]
    belief_children = []
    for rule in rules:
        allowed = [i for i, other in enumerate(lumps) if min(other) & ~rule.within == 0]
        target = frozenset({rule.within}) if rule.must_cover else None
        belief_children.append(_child_sets(lumps, allowed, target))
    return LumpTerm(
        num_beliefs=len(rules),
        lower=sum(1 << i for i in lower),
        covers=_child_sets(lumps, lower, lump),
        belief_children=tuple(belief_children),
    )


def _child_sets(lumps: list[Lump], allowed: list[int], target: Lump | None) -> PowerSum:
    """Number of child sets in ``allowed`` lumps whose reach set is in ``target`` (None: any).

    A child set touches some set X of lumps in Π_{i∈X} (2^{n_i} − 1) ways; expanding the product
    gives a sum of signed powers of 2.
    """
    everything = sum(1 << i for i in allowed)
    if target is None:
        return ((everything, 1),)
    coefficients: dict[int, int] = {}
    for size in range(len(allowed) + 1):
        for touched in combinations(allowed, size):
            union = 0
            for i in touched:
                union |= min(lumps[i])
            if union not in target:
                continue
            for part_size in range(size + 1):
                for part in combinations(touched, part_size):
                    mask = sum(1 << i for i in part)
                    coefficients[mask] = coefficients.get(mask, 0) + (-1) ** (size - part_size)
    return tuple(sorted((mask, value) for mask, value in coefficients.items() if value != 0))


def _remembered(terms: tuple[LumpTerm, ...], done: frozenset[int]) -> tuple[int, ...]:
    """Sets of summed lumps whose sizes the other lumps, or the total, still need."""
    summed = sum(1 << i for i in done)
    needed = {summed}
    for i, term in enumerate(terms):
        if i not in done:
            needed |= {mask & summed for mask in term.masks()}
    return tuple(sorted(needed - {0}))


def _rank(masks: tuple[int, ...], num_lumps: int) -> int:
    """Number of independent sizes among the sums over ``masks``."""
    if not masks:
        return 0
    rows = np.array([[mask >> i & 1 for i in range(num_lumps)] for mask in masks], dtype=float)
    return int(np.linalg.matrix_rank(rows))


def _elimination_order(terms: tuple[LumpTerm, ...]) -> tuple[int, ...]:
    """Order with the fewest products at the nominal size: shortest path over sets of lumps."""
    best: dict[frozenset[int], tuple[int, tuple[int, ...]]] = {frozenset(): (0, ())}
    for _ in terms:
        longer: dict[frozenset[int], tuple[int, tuple[int, ...]]] = {}
        for done, (cost, order) in best.items():
            rank = _rank(_remembered(terms, done), len(terms)) + 1
            summed = sum(1 << i for i in done)
            for i, term in enumerate(terms):
                if i in done or term.lower & ~summed:
                    continue
                candidate = (cost + comb(_NOMINAL + rank, rank), (*order, i))
                key = done | {i}
                longer[key] = min(longer.get(key, candidate), candidate)
        best = longer
    ((_, order),) = best.values()
    return order
