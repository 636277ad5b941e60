"""States and probability tables of discrete nodes: checked, and estimated from counts."""

from collections.abc import Sequence
from math import isfinite, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import NetworkError
from pathprior.files import unwritable
from pathprior.graph.dag import Dag

# A row of a table may miss one by this much: the rounding of a sum of floats, no more.
ROW_SUM_TOLERANCE = 1e-9

# 400 MB of floats. A larger table is a mistake (a node with dozens of parents), not a model.
MAX_TABLE_CELLS = 50_000_000
MAX_TABLE_AXES = 32  # what every numpy release can hold


def table_shapes(dag: Dag, states: Sequence[tuple[str, ...]]) -> list[tuple[int, ...]]:
    """Shape of each node's table; an error if one is too large to hold."""
    sizes = np.array([len(names) for names in states], dtype=np.int64)
    return [
        check_shape(node, (*sizes[dag.adjacency[:, v]].tolist(), int(sizes[v])))
        for v, node in enumerate(dag.nodes)
    ]


def check_shape(node: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of a node's table, or say that it is too large to hold."""
    if prod(shape) > MAX_TABLE_CELLS or len(shape) > MAX_TABLE_AXES:
        raise NetworkError(
            f"the table of {node!r}, with {len(shape) - 1} parents, is too large to hold: "
            f"give it fewer parents"
        )
    return shape


def estimate_table(
    family: Sequence[NDArray[Any]],
    shape: tuple[int, ...],
    alpha: float | None,
    times: NDArray[np.int64] | None = None,
) -> NDArray[np.float64]:
    """Table of a family's codes, the child last: posterior mean under BDeu, or frequencies.

    Rows that never occur are uniform without a prior, the limit of the formula for α → 0.
    """
    counts = count_cells(family, shape, times)
    posterior = counts + (0.0 if alpha is None else alpha / counts.size)
    totals = posterior.sum(axis=-1, keepdims=True)
    uniform = np.full(shape, 1 / shape[-1])
    return np.asarray(np.divide(posterior, totals, out=uniform, where=totals > 0))


def count_cells(
    family: Sequence[NDArray[Any]], shape: tuple[int, ...], times: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Contingency table of the coded columns, whose rows occur so many times, or once."""
    counts = np.bincount(cell_numbers(family, shape), times, minlength=prod(shape))
    return counts.astype(np.int64).reshape(shape)  # floats hold them exactly


def draw_table(
    counts: NDArray[np.int64], alpha: float, generator: np.random.Generator
) -> NDArray[np.float64]:
    """Draw each row of a table from Dirichlet(N_jk + α)."""
    gammas = generator.standard_gamma(counts + alpha)
    # all may be next to nothing where α is small and no row was seen
    gammas += np.finfo(float).tiny
    return np.asarray(gammas / gammas.sum(axis=-1, keepdims=True))


def cell_numbers(family: Sequence[NDArray[Any]], shape: tuple[int, ...]) -> NDArray[np.int64]:
    """For each row the position of its cell in the flat table."""
    cell = np.zeros(family[0].size, dtype=np.int64)
    for codes, size in zip(family, shape, strict=True):
        cell *= size
        cell += codes
    return cell


def check_sample_size(equivalent_sample_size: float | None) -> None:
    """Refuse a weight of the prior that is neither None nor a positive number."""
    alpha = equivalent_sample_size
    if alpha is not None and not (isfinite(alpha) and alpha > 0):
        raise NetworkError(
            f"equivalent_sample_size must be a positive number or None "
            f"(maximum likelihood), not {alpha!r}"
        )


def check_states(node: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the states of a node as a tuple of distinct strings, or say which one is not."""
    names = tuple(names)
    for name in names:
        if not isinstance(name, str):
            raise NetworkError(f"a state of {node!r} is {name!r}: states must be strings")
        if flaw := unwritable(name):
            raise NetworkError(
                f"the state {name!r} of {node!r} holds {flaw}, which files do not keep: rename it"
            )
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise NetworkError(f"node {node!r} has the state {twice!r} twice")
    return names


def check_table(
    dag: Dag, node: str, shape: tuple[int, ...], given: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return a read-only copy of a node's table, or say what is wrong with it."""
    table = np.array(given, dtype=np.float64, order="C")
    if table.shape != shape:
        raise NetworkError(
            f"the table of {node!r} has shape {table.shape}; "
            f"its parents {dag.parents(node)} and states need {shape}"
        )
    misses_one = ~(np.abs(table.sum(axis=-1) - 1) <= ROW_SUM_TOLERANCE)  # true for NaN
    is_bad = (table < 0).any(axis=-1) | misses_one
    if is_bad.any():
        row = table.reshape(-1, shape[-1])[np.argmax(is_bad)].tolist()
        raise NetworkError(
            f"the table of {node!r} has the row {row}: "
            f"probabilities must be at least zero and sum to one"
        )
    table.flags.writeable = False
    return table
