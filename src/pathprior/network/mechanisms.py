"""`Mechanism`: how a variable comes about in some rows, and those of all rows of a data set."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.data.strata import target_sets
from pathprior.graph.dag import Dag
from pathprior.network.conditionals import Conditional
from pathprior.network.estimate import estimate_network

Rows = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Mechanism:
    """The distribution of a variable given its parents, by their numbers."""

    parents: tuple[int, ...]
    conditional: Conditional


def find_mechanisms(
    dag: Dag, dataset: Dataset, *, equivalent_sample_size: float
) -> list[tuple[Rows, tuple[Mechanism, ...]]]:
    """Estimate from complete data how each variable comes about, in sets of rows.

    Where a value was set, it depends on nothing, and is distributed as it is wherever it was set.
    Where its mechanism was changed, that is estimated from the rows with the same targets.
    """
    usual = _mechanisms(dag, dataset, equivalent_sample_size)
    if dataset.intervened is None:
        return [(np.ones(dataset.num_rows, dtype=bool), usual)]
    found = []
    for targets, rows in target_sets(dataset):
        here = list(usual)
        if targets and dataset.are_soft:
            changed = _mechanisms(dag, _as_observed(dataset.among(rows)), equivalent_sample_size)
            for v in targets:
                here[v] = changed[v]
        for v in () if dataset.are_soft else targets:
            here[v] = _as_set(dataset, v, equivalent_sample_size)
        found.append((rows, tuple(here)))
    return found


def _mechanisms(dag: Dag, dataset: Dataset, size: float) -> tuple[Mechanism, ...]:
    network = estimate_network(dag, dataset, equivalent_sample_size=size)
    return tuple(
        Mechanism(tuple(np.flatnonzero(dag.adjacency[:, v]).tolist()), conditional)
        for v, conditional in enumerate(network.conditionals)
    )


def _as_set(dataset: Dataset, v: int, size: float) -> Mechanism:
    """How the values of a variable are distributed where they were set."""
    assert dataset.intervened is not None
    name = dataset.variables[v]
    alone = _as_observed(dataset.among(dataset.intervened[v])).select([name])
    (mechanism,) = _mechanisms(Dag.from_edges([name], []), alone, size)
    return mechanism


def _as_observed(dataset: Dataset) -> Dataset:
    return replace(dataset, intervened=None)


def children_of(mechanisms: Sequence[Mechanism], v: int) -> list[int]:
    """The variables that depend on one."""
    return [child for child, mechanism in enumerate(mechanisms) if v in mechanism.parents]
