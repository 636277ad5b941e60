"""Marginal distributions of a Bayesian network by variable elimination."""

from collections.abc import Sequence
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
    sizes = [table.shape[-1] for table in tables]
    factors: list[Factor] = []
    for v in np.flatnonzero(relevant).tolist():
        axes = (*np.flatnonzero(dag.adjacency[:, v]).tolist(), v)
        factors.append((axes, tables[v]))
    hidden = set(np.flatnonzero(relevant).tolist()) - set(nodes)
    while hidden:
        v = min(hidden, key=lambda v: (_product_size(factors, v, sizes), v))
        hidden.remove(v)
        touching = [factor for factor in factors if v in factor[0]]
        rest = [factor for factor in factors if v not in factor[0]]
        axes = tuple(sorted({w for scope, _ in touching for w in scope} - {v}))
        factors = [*rest, (axes, _multiply(touching, axes))]
    return _multiply(factors, tuple(nodes))


def _product_size(factors: Sequence[Factor], v: int, sizes: Sequence[int]) -> float:
    scope = {w for axes, _ in factors if v in axes for w in axes}
    return float(np.prod([float(sizes[w]) for w in scope]))


def _multiply(factors: Sequence[Factor], axes: tuple[int, ...]) -> NDArray[np.float64]:
    """Multiply the factors and sum out all but ``axes``; einsum on local axis numbers."""
    number = {w: i for i, w in enumerate(sorted({w for scope, _ in factors for w in scope}))}
    operands: list[Any] = []
    for scope, table in factors:
        operands += [table, [number[w] for w in scope]]
    operands.append([number[w] for w in axes])
    result: NDArray[np.float64] = np.einsum(*operands, optimize="greedy")
    return result
