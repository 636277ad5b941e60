"""Graphs far apart for the chains to start from."""

import numpy as np

from pathprior.graph.bitset import num_words, unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.posterior.lists import Lists
from pathprior.problem.pair_codes import breaks_belief, graph_of
from pathprior.problem.problem import Problem
from pathprior.search.restarts import disturb

MAX_ORDERS = 20
"""Random orders tried for a graph that breaks no hard belief."""


def dispersed_start(
    problem: Problem, start: Dag, lists: Lists, generator: np.random.Generator
) -> Dag:
    """The best listed sets along a random order within the rules.

    Where hard beliefs rule out what `MAX_ORDERS` orders give, random legal moves away from
    ``start``.
    """
    for _ in range(MAX_ORDERS):
        dag = _best_along(problem, _random_order(problem.rules.required, generator), lists)
        if dag is not None and not breaks_belief(problem.weights, graph_of(dag)):
            return dag
    return disturb(start, problem.rules, problem.weights, generator)


def _random_order(required: np.ndarray, generator: np.random.Generator) -> list[int]:
    """Draw the next variable uniformly from those whose required parents are all drawn."""
    order: list[int] = []
    left = set(range(len(required)))
    while left:
        ready = [v for v in sorted(left) if not left & set(np.flatnonzero(required[:, v]).tolist())]
        order.append(int(generator.choice(ready)))
        left.remove(order[-1])
    return order


def _best_along(problem: Problem, order: list[int], lists: Lists) -> Dag | None:
    """Give each variable its best listed set of earlier ones; None if one has no such set."""
    num_nodes = len(order)
    adjacency = np.zeros((num_nodes, num_nodes), dtype=bool)
    earlier = np.zeros(num_words(num_nodes), np.uint64)
    for v in order:
        rows = lists.sets.parents[lists.first[v] : lists.first[v + 1]]
        fitting = np.flatnonzero(((rows & ~earlier) == 0).all(axis=1))
        if len(fitting) == 0:
            return None
        adjacency[:, v] = unpack_row(rows[fitting[0]], num_nodes)
        earlier[v >> 6] |= np.uint64(1) << np.uint64(v & 63)
    return Dag(problem.rules.variables, adjacency)
