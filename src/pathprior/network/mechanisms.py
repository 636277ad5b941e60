"""`Mechanism`: how a variable comes about in some rows, and those of all rows of a data set."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.data.strata import target_sets
from pathprior.graph.dag import Dag
from pathprior.network.conditionals import Conditional, Linear, Table
from pathprior.network.estimate import estimate_network
from pathprior.network.tables import estimate_table

Rows = NDArray[np.bool_]

LEAST = 1e-9
"""Deviation, over the mean, of what was always set to the same number."""


@dataclass(frozen=True, slots=True)
class Mechanism:
    """The distribution of a variable given its parents, by their numbers."""

    parents: tuple[int, ...]
    conditional: Conditional


def find_mechanisms(
    dag: Dag, dataset: Dataset, *, equivalent_sample_size: float
) -> list[tuple[Rows, tuple[Mechanism, ...]]]:
    """Estimate from complete data how each variable comes about, in sets of rows.

    Where a value was set, it depends on nothing, see `as_set`. Where its mechanism was changed,
    that is estimated from the rows with the same targets.
    """
    usual = _mechanisms(dag, dataset, equivalent_sample_size)
    if dataset.intervened is None:
        return [(np.ones(dataset.num_rows, dtype=bool), usual)]
    found = []
    for targets, rows in target_sets(dataset):
        here = list(usual)
        if targets and dataset.are_soft and rows.sum() > 1:  # one row tells of no spread
            changed = _mechanisms(dag, _as_observed(dataset.among(rows)), equivalent_sample_size)
            for v in targets:
                here[v] = changed[v]
        for v in () if dataset.are_soft else targets:
            here[v] = as_set(dataset, v)
        found.append((rows, tuple(here)))
    return found


def _mechanisms(dag: Dag, dataset: Dataset, size: float) -> tuple[Mechanism, ...]:
    network = estimate_network(dag, dataset, equivalent_sample_size=size)
    return tuple(
        Mechanism(tuple(np.flatnonzero(dag.adjacency[:, v]).tolist()), conditional)
        for v, conditional in enumerate(network.conditionals)
    )


def as_set(dataset: Dataset, v: int) -> Mechanism:
    """How a variable is distributed where it was set: as it was observed to be.

    By the cells that are no draws, as long as there are such; with one row's worth of all states.
    """
    assert dataset.intervened is not None
    is_known = np.ones(dataset.num_rows, bool) if dataset.imputed is None else ~dataset.imputed[v]
    rows = is_known & dataset.intervened[v]
    alone = dataset.select([dataset.variables[v]]).among(rows if rows.any() else is_known)
    if alone.coded.variables:
        shape = (len(alone.coded.states[0]),)
        return Mechanism((), Table(estimate_table([alone.coded.codes[0]], shape, 1.0)))
    values = alone.reals.values[0]
    mean = float(values.mean())
    return Mechanism((), Linear(mean, (), max(float(values.std()), LEAST * max(1.0, abs(mean)))))


def _as_observed(dataset: Dataset) -> Dataset:
    return replace(dataset, intervened=None)


def children_of(mechanisms: Sequence[Mechanism], v: int) -> list[int]:
    """The variables that depend on one."""
    return [child for child, mechanism in enumerate(mechanisms) if v in mechanism.parents]
