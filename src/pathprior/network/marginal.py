"""Marginal distributions of a Bayesian network by variable elimination."""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag

Factor = tuple[tuple[int, ...], NDArray[np.float64]]


def joint_marginal(
    dag: Dag, tables: Sequence[NDArray[np.float64]], nodes: Sequence[int]
) -> NDArray[np.float64]:
    """P(nodes), one axis per node in the order given.

    Only ancestors of ``nodes`` matter. Of the others, the one whose elimination makes the smallest
    table goes first, ties to the lower node.
    """
    relevant = np.zeros(dag.num_nodes, dtype=bool)
    for node in nodes:
        relevant |= unpack_row(dag.ancestor_words[node], dag.num_nodes)
    members = np.flatnonzero(relevant).tolist()
    factors: list[Factor] = [
        ((*np.flatnonzero(dag.adjacency[:, v]).tolist(), v), tables[v]) for v in members
    ]
    joined = {v: {w for axes, _ in factors if v in axes for w in axes} for v in members}
    sizes = {v: tables[v].shape[-1] for v in members}
    hidden = set(members) - set(nodes)
    while hidden:
        v = min(hidden, key=lambda v: (prod(sizes[w] for w in joined[v]), v))
        hidden.remove(v)
        scope = joined.pop(v) - {v}
        for w in scope:
            joined[w] = (joined[w] | scope) - {v}
        touching = [factor for factor in factors if v in factor[0]]
        axes = tuple(sorted(scope))
        factors = [factor for factor in factors if v not in factor[0]]
        factors.append((axes, _multiply(touching, axes)))
    return _multiply(factors, tuple(nodes))


def effect_table(
    dag: Dag, tables: Sequence[NDArray[np.float64]], x: int, y: int
) -> NDArray[np.float64]:
    """P(y | do(x)): one row per state of x, one column per state of y.

    Whatever x depends on is cut off: its edges go, and it has one state as often as another.
    """
    adjacency = dag.adjacency.copy()
    adjacency[:, x] = False
    num_states = tables[x].shape[-1]
    cut = [*tables[:x], np.full(num_states, 1 / num_states), *tables[x + 1 :]]
    joint = joint_marginal(Dag(dag.nodes, adjacency), cut, (x, y))
    return np.asarray(num_states * joint, dtype=np.float64)


def _multiply(factors: Sequence[Factor], axes: tuple[int, ...]) -> NDArray[np.float64]:
    """Multiply the factors and sum out all but ``axes``; einsum on local axis numbers."""
    number = {w: i for i, w in enumerate(sorted({w for scope, _ in factors for w in scope}))}
    operands: list[Any] = []
    for scope, table in factors:
        operands += [table, [number[w] for w in scope]]
    operands.append([number[w] for w in axes])
    # finding an order costs more than it saves where there is hardly a choice
    plan = "greedy" if len(factors) > 3 else False
    result: NDArray[np.float64] = np.einsum(*operands, optimize=plan)
    return result
