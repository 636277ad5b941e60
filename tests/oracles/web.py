"""Tilted measures over DAGs by enumeration, and closures from their definition."""

from collections.abc import Collection, Sequence
from itertools import combinations
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from tests.oracles.counting import Pairs, configuration
from tests.oracles.graph import BoolMatrix, all_dags
from tests.oracles.ties import tie


def configuration_weights(
    num_nodes: int,
    pairs: Pairs,
    log_beta: float,
    field: NDArray[np.float64],
    direct: Collection[int] = (),
) -> dict[tuple[int, ...], float]:
    """Σ_G β^edges · Π_p λ_p(r_p(G)) by the configuration of G; of ties at ``direct``."""
    weights: dict[tuple[int, ...], float] = {}
    for dag in all_dags(num_nodes):
        relations = configuration(dag, pairs)
        codes = tuple(
            tie(dag, x, y) if k in direct else relations[k] for k, (x, y) in enumerate(pairs)
        )
        tilt = sum(float(field[p, code]) for p, code in enumerate(codes))
        weights[codes] = weights.get(codes, 0.0) + exp(log_beta * int(dag.sum()) + tilt)
    return weights


def log_total(
    num_nodes: int,
    pairs: Pairs,
    log_beta: float,
    field: NDArray[np.float64],
    direct: Collection[int] = (),
) -> float:
    """log Σ_G β^edges · Π_p λ_p(r_p(G))."""
    return log(sum(configuration_weights(num_nodes, pairs, log_beta, field, direct).values()))


def is_partial_order(reaches: BoolMatrix) -> bool:
    """Whether the matrix is reflexive, antisymmetric and transitive."""
    size = len(reaches)
    return all(reaches[i, i] for i in range(size)) and all(
        not (reaches[i, j] and reaches[j, i] and i != j)
        and not any(reaches[i, j] and reaches[j, k] and not reaches[i, k] for k in range(size))
        for i in range(size)
        for j in range(size)
    )


def count_pairs(reaches: BoolMatrix) -> tuple[int, int]:
    """Cover pairs (nothing between) and ordered pairs of a partial order."""
    return len(cover_pairs(reaches)), int(reaches.sum()) - len(reaches)


def cover_pairs(reaches: BoolMatrix) -> set[tuple[int, int]]:
    """The ordered pairs with nothing between."""
    size = len(reaches)
    return {
        (i, j)
        for i in range(size)
        for j in range(size)
        if i != j
        and reaches[i, j]
        and not any(reaches[i, k] and reaches[k, j] for k in range(size) if k not in (i, j))
    }


def closed_set_chances(
    beyond: BoolMatrix, nodes: Sequence[int], chances: NDArray[np.float32]
) -> dict[frozenset[int], float]:
    """Probability of every closed set when ``nodes`` are asked in turn.

    ``beyond[x]`` are the nodes that x takes along, ``chances`` those of a node before and after
    any has joined.
    """
    if not nodes:
        return {frozenset(): 1.0}
    x, rest = nodes[0], nodes[1:]
    joins = float(chances[0, x])
    taken = frozenset(int(y) for y in np.flatnonzero(beyond[x]))
    without = closed_set_chances(beyond, rest, chances)
    then = np.stack([chances[1], chances[1]])
    having = closed_set_chances(beyond, [y for y in rest if y not in taken], then)
    result = {chosen: (1 - joins) * chance for chosen, chance in without.items()}
    for chosen, chance in having.items():
        # a set that comes about in two ways would be added up, and found out by its ends
        result[chosen | taken] = result.get(chosen | taken, 0.0) + joins * chance
    return result


def closed_sets(beyond: BoolMatrix, nodes: Sequence[int]) -> set[frozenset[int]]:
    """All sets of ``nodes`` that have everything beyond each of their nodes."""
    every = (frozenset(c) for k in range(len(nodes) + 1) for c in combinations(nodes, k))
    return {
        chosen for chosen in every if all(set(np.flatnonzero(beyond[x])) <= chosen for x in chosen)
    }
