"""Posteriors from their definitions: every DAG, or every subset of the nodes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, fsum, inf, ldexp

import numpy as np
from numpy.typing import NDArray

from tests.oracles.graph import BoolMatrix, all_dags, relation
from tests.oracles.prior import log_prior

LocalScore = Callable[[int, Sequence[int]], float]
"""Score of a child with its parents."""

NO_EDGES = frozenset[tuple[int, int]]()
BITS = 300
"""Weights are integers below 2^BITS: what is smaller than 2^−BITS of the largest counts as none."""


@dataclass(frozen=True)
class Weighed:
    """DAGs and their probabilities."""

    graphs: list[BoolMatrix]
    probabilities: list[float]

    def probability(self, question: Callable[[BoolMatrix], bool]) -> float:
        """Sum of the probabilities of the graphs of which it is true."""
        return fsum(
            p for graph, p in zip(self.graphs, self.probabilities, strict=True) if question(graph)
        )

    def edge(self, u: int, v: int) -> float:
        """Probability of u → v."""
        return self.probability(lambda graph: bool(graph[u, v]))

    def relation(self, x: int, y: int, code: int) -> float:
        """Probability of a relation of x and y."""
        return self.probability(lambda graph: relation(graph, x, y) == code)


def weigh_all(
    num_nodes: int,
    local: LocalScore,
    pairs: Sequence[tuple[int, int]],
    log_weights: NDArray[np.float64],
    *,
    log_edge_odds: float = 0.0,
    required: frozenset[tuple[int, int]] = NO_EDGES,
    forbidden: frozenset[tuple[int, int]] = NO_EDGES,
    max_parents: int = 10,
) -> Weighed:
    """P(G) ∝ exp(Σ local scores + Σ log λ + edges · log β) over all DAGs within the rules."""
    scores: list[tuple[float, BoolMatrix]] = []
    for graph in all_dags(num_nodes):
        edges = {(int(u), int(v)) for u, v in np.argwhere(graph)}
        families = [[u for u in range(num_nodes) if graph[u, v]] for v in range(num_nodes)]
        if not required <= edges or edges & forbidden or max(map(len, families)) > max_parents:
            continue
        score = fsum(local(v, parents) for v, parents in enumerate(families))
        score += log_prior(graph, pairs, log_weights) + len(edges) * log_edge_odds
        if score > -inf:
            scores.append((score, graph))
    highest = max(score for score, _ in scores)
    weights = [exp(score - highest) for score, _ in scores]
    total = fsum(weights)
    return Weighed([graph for _, graph in scores], [weight / total for weight in weights])


def edge_posteriors(family_scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Exact probability of each edge u → v at [u, v], without path beliefs, by subsets of nodes.

    ``family_scores[v, bits]`` is the score of v with the parent set ``bits``, edges' log β in it;
    −∞ excludes. Every DAG counts once (Tian and He, 2009), not once per order of its nodes. In
    whole numbers: the signs of inclusion and exclusion would cost floats their digits.
    O(n² · 3ⁿ): for n ≤ 9.
    """
    size = len(family_scores)
    shifted = family_scores - family_scores.max(axis=1, keepdims=True)
    weights = [[int(ldexp(exp(score), BITS)) for score in row] for row in shifted.tolist()]
    total = _sum_of_dags(weights)
    found = np.zeros((size, size))
    for u in range(size):
        for v in range(size):
            if u != v:
                with_edge = [
                    weight if bits >> u & 1 else 0 for bits, weight in enumerate(weights[v])
                ]
                part = _sum_of_dags([*weights[:v], with_edge, *weights[v + 1 :]])
                found[u, v] = float(Fraction(part, total))
    return found


def _sum_of_dags(weights: list[list[int]]) -> int:
    """Σ over DAGs of Π_v weights[v][parents of v].

    Z(S) = Σ_{∅ ≠ T ⊆ S} (−1)^{|T|+1} Z(S ∖ T) Π_{v ∈ T} A_v(S ∖ T), T a set of sinks, A_v(U) the
    sum of the weights of v's parent sets within U.
    """
    size = len(weights)
    within = [_sums_over_subsets(row, size) for row in weights]
    sums = [1] + [0] * ((1 << size) - 1)
    for nodes in range(1, 1 << size):
        sinks = nodes
        while sinks:
            rest = nodes & ~sinks
            term = sums[rest]
            for v in range(size):
                if sinks >> v & 1:
                    term *= within[v][rest]
            sums[nodes] += term if sinks.bit_count() % 2 else -term
            sinks = (sinks - 1) & nodes
    return sums[-1]


def _sums_over_subsets(row: list[int], size: int) -> list[int]:
    sums = list(row)
    for u in range(size):
        for bits in range(1 << size):
            if bits >> u & 1:
                sums[bits] += sums[bits ^ 1 << u]
    return sums
