"""`Mind`: what one source's beliefs weigh, at once, from where the last look left off."""

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.counting.expected_parents import ExpectedParents
from pathprior.counting.progress import Progress, silent
from pathprior.errors import PathPriorWarning
from pathprior.prior.fit import fit_prior
from pathprior.prior.listed.conflicts import Conflict
from pathprior.prior.path_prior import PathPrior
from pathprior.studio.allowed import nearby_conflicts
from pathprior.studio.graph_pool import MOST_NODES, num_records
from pathprior.studio.sketch import Sketch

FEW_NODES = 4
"""Variables of connected beliefs that are counted exactly in a moment."""
MOST_NEW = 5
"""Beliefs around which conflicts are sought at once; the careful reading finds all."""
ROUND_SECONDS, JUDGE_SECONDS = 0.005, 0.03
"""What chains may take for a round of a sketch, and to judge it, about."""


class Mind:
    """The beliefs of one source, and their weights."""

    def __init__(
        self, variables: tuple[str, ...], expected_parents: ExpectedParents, edge_odds: float
    ) -> None:
        self._variables = variables
        self._expected_parents = expected_parents
        self._sketch = Sketch(variables, edge_odds) if len(variables) <= MOST_NODES else None
        self._beliefs: tuple[Belief, ...] = ()
        self.conflicts: tuple[Conflict, ...] = ()
        self.field: NDArray[np.float64] | None = None
        """Log weights by pair; None where there are too many."""

    def consider(self, beliefs: tuple[Belief, ...]) -> None:
        """Weigh ``beliefs``, if they are others than before."""
        if beliefs == self._beliefs:
            return
        self.field = None
        sketch = self._sketch
        if is_countable(beliefs):
            prior = quiet_fit(beliefs, self._variables, self._expected_parents)
            self.conflicts = prior.conflicts
            if sketch is not None:
                self.field = sketch.pool.field_of(prior.pairs, prior.log_weights)
        else:
            self.conflicts = self._find_conflicts(beliefs)
            if sketch is not None:
                size = len(self._variables)
                self.field = sketch.fit(
                    beliefs,
                    num_records(size, ROUND_SECONDS),
                    num_records(size, JUDGE_SECONDS),
                    is_coherent=not self.conflicts,
                )
        self._beliefs = beliefs

    def _find_conflicts(self, beliefs: tuple[Belief, ...]) -> tuple[Conflict, ...]:
        """The conflicts that still are, and those around what is new."""
        kept = [c for c in self.conflicts if set(c.beliefs) <= set(beliefs)]
        found = {conflict.beliefs: conflict for conflict in kept}
        new = [belief for belief in beliefs if belief not in self._beliefs]
        for conflict in nearby_conflicts(beliefs, self._variables, new[-MOST_NEW:]):
            found.setdefault(conflict.beliefs, conflict)
        return tuple(found.values())


def is_countable(beliefs: Sequence[Belief]) -> bool:
    """Whether every group of connected beliefs has few enough variables to be counted at once."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph([(belief.x, belief.y) for belief in beliefs])
    return all(len(part) <= FEW_NODES for part in nx.connected_components(graph))


def quiet_fit(
    beliefs: Sequence[Belief],
    variables: Sequence[str],
    expected_parents: ExpectedParents,
    progress: Progress = silent,
) -> PathPrior:
    """Fit the prior without warnings: the page says beside each number what they are about."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PathPriorWarning)
        return fit_prior(
            BeliefSet(beliefs), variables, expected_parents=expected_parents, progress=progress
        )
