"""Networks in which some variables are set, whatever their causes."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.errors import NetworkError
from pathprior.graph.dag import Dag

Settings = Mapping[str, str | None]
"""By node the state that it is set to; None draws one at random, all with the same probability."""


def rows_left_alone(dataset: Dataset, v: int) -> NDArray[np.bool_]:
    """The rows in which a variable was not set, which tell of its mechanism.

    All of them where there are fewer than two: then the parameters say how it was set.
    """
    everything = np.ones(dataset.num_rows, dtype=bool)
    if dataset.intervened is None:
        return everything
    kept = ~dataset.intervened[v]
    return kept if kept.sum() > 1 else everything


def intervene(
    dag: Dag,
    states: tuple[tuple[str, ...], ...],
    tables: tuple[NDArray[np.float64], ...],
    do: Settings,
) -> tuple[Dag, tuple[NDArray[np.float64], ...]]:
    """Return the graph without the edges into what is set, and the tables that go with it."""
    adjacency, changed = dag.adjacency.copy(), list(tables)
    for node, state in do.items():
        v = dag.index(node)
        names = states[v]
        if state is not None and state not in names:
            raise NetworkError(f"{node!r} has no state {state!r}: it has {list(names)}")
        adjacency[:, v] = False
        changed[v] = np.array([1.0 if state in (None, name) else 0.0 for name in names])
        changed[v] /= changed[v].sum()
    return Dag(dag.nodes, adjacency), tuple(changed)


def name_targets(dag: Dag, do: Settings, column: str) -> dict[str, str]:
    """Return the column that says what was set, if anything was."""
    if do and column in dag.nodes:
        raise NetworkError(f"{column!r} is a node: pass another target_column")
    return {column: ";".join(do)} if do else {}
