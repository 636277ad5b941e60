"""Columns that say next to nothing about structure, and beliefs that hold through them."""

import warnings
from typing import TYPE_CHECKING

import numpy as np

from pathprior.beliefs.event import Event
from pathprior.data.dataset import Dataset
from pathprior.errors import PathPriorWarning
from pathprior.graph.dag import Dag

if TYPE_CHECKING:
    from pathprior.search.result import Fit

MAX_DIFFERING = 2
"""Rows in which a nearly constant column differs from its most common value, at most.

What a superfluous edge costs depends on these rows and hardly on all the others: under BDeu with
sample size 1 between binary columns 0.5 nats for one row and 0.8 for two on average, beyond a nat
from three rows on.
"""

MAX_SHARE = 0.05
"""Share of such rows, at most: a short table has no nearly constant columns, only few rows."""


def warn_of_nearly_constant(fit: "Fit") -> None:
    """Say once which beliefs hold, with hardly any support, through nearly constant columns."""
    data = fit.problem.data
    most = min(MAX_DIFFERING, MAX_SHARE * data.num_rows)
    near = {name: number for name, number in num_differing(data).items() if 0 < number <= most}
    is_near = np.array([name in near for name in fit.dag.nodes])
    adjacency = fit.dag.adjacency.copy()
    adjacency[is_near], adjacency[:, is_near] = False, False
    if not fit.has_beliefs or np.array_equal(adjacency, fit.dag.adjacency):
        return
    without = Dag(fit.dag.nodes, adjacency)
    believed = []
    for row in fit.beliefs_held().query("holds and is_weak and stated < 1").itertuples(index=False):
        event, x, y = Event.parse(str(row.event)), str(row.x), str(row.y)
        if without.tie(x, y) not in event.ties:
            believed.append(event.phrase(x, y))
    if believed:
        differing = ", ".join(f"{name!r} ({number})" for name, number in near.items())
        warnings.warn(
            "what holds only through nearly constant columns holds without evidence, because edges "
            f"there cost the data score next to nothing: {'; '.join(believed)}; drop the columns, "
            f"here with the number of rows that differ: {differing}",
            PathPriorWarning,
            stacklevel=3,
        )


def num_differing(data: Dataset) -> dict[str, int]:
    """Number of values, for each column of states, that differ from its most common one."""
    coded = data.select(data.coded.variables)
    times = coded.coded.times
    if times is None:
        found = {name: np.bincount(codes) for name, codes in coded.known()}
    else:
        held = zip(coded.variables, coded.coded.held, strict=True)
        found = {name: np.bincount(codes, times) for name, codes in held}
    return {name: int(counts.sum() - counts.max(initial=0)) for name, counts in found.items()}
