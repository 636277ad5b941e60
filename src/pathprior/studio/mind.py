"""`Mind`: what one source's beliefs weigh, at once, from where the last look left off."""

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.counting.expected_parents import ExpectedParents
from pathprior.counting.progress import Progress, silent
from pathprior.counting.within import is_listable_within
from pathprior.errors import PathPriorWarning
from pathprior.prior.fit import fit_prior
from pathprior.prior.listed.conflicts import Conflict
from pathprior.prior.path_prior import PathPrior
from pathprior.studio.allowed import nearby_conflicts
from pathprior.studio.graph_pool import MOST_NODES, num_records
from pathprior.studio.sketch import Sketch
from pathprior.studio.within import Within

FEW_NODES = 4
"""Variables of connected beliefs that are counted exactly in a moment."""
FEW_WITHIN = 15
"""Variables in all of which so few are counted within tiers in a moment."""
MOST_NEW = 5
"""Beliefs around which conflicts are sought at once; the careful reading finds all."""
ROUND_SECONDS, JUDGE_SECONDS = 0.005, 0.03
"""What chains may take for a round of a sketch, and to judge it, about."""


class Mind:
    """The beliefs of one source, and their weights."""

    def __init__(
        self,
        variables: tuple[str, ...],
        expected_parents: ExpectedParents,
        edge_odds: float,
        within: Within | None = None,
    ) -> None:
        self._variables = variables
        self._expected_parents = expected_parents
        self._within = within
        is_drawn = len(variables) <= MOST_NODES
        self._sketch = Sketch(variables, edge_odds, within) if is_drawn else None
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
        if is_countable(beliefs, self._variables, self._within):
            prior = quiet_fit(beliefs, self._variables, self._expected_parents, within=self._within)
            self.conflicts = conflicts_of(prior, self._within)
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
        if self._within is not None:  # what single ones say against tiers is told apart
            beliefs = tuple(b for b in beliefs if not self._within.speaks_against(b))
        kept = [c for c in self.conflicts if set(c.beliefs) <= set(beliefs)]
        found = {conflict.beliefs: conflict for conflict in kept}
        new = [belief for belief in beliefs if belief not in self._beliefs]
        for conflict in nearby_conflicts(
            beliefs, self._variables, new[-MOST_NEW:], within=self._within
        ):
            found.setdefault(conflict.beliefs, conflict)
        return tuple(found.values())


def is_countable(
    beliefs: Sequence[Belief], variables: Sequence[str], within: Within | None = None
) -> bool:
    """Whether every group of connected beliefs has few enough variables to be counted at once.

    Within tiers all together must: no group is apart from the others there.
    """
    import networkx as nx

    if within is not None:
        index = {name: k for k, name in enumerate(variables)}
        pairs = np.array([[index[b.x], index[b.y]] for b in beliefs], np.int64).reshape(-1, 2)
        is_small = len(np.unique(pairs)) <= FEW_NODES and len(variables) <= FEW_WITHIN
        return not len(pairs) or (is_small and is_listable_within(within.rules, pairs, 1.0))
    graph: nx.Graph[str] = nx.Graph([(belief.x, belief.y) for belief in beliefs])
    return all(len(part) <= FEW_NODES for part in nx.connected_components(graph))


def quiet_fit(
    beliefs: Sequence[Belief],
    variables: Sequence[str],
    expected_parents: ExpectedParents,
    progress: Progress = silent,
    *,
    within: Within | None = None,
) -> PathPrior:
    """Fit the prior without warnings: the page says beside each number what they are about."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PathPriorWarning)
        return fit_prior(
            BeliefSet(beliefs),
            variables,
            expected_parents=expected_parents,
            tiers=None if within is None else within.tiers,
            progress=progress,
        )


def conflicts_of(prior: PathPrior, within: Within | None) -> tuple[Conflict, ...]:
    """What a prior's beliefs say against each other; what single ones say against tiers is told
    apart."""
    if within is None:
        return prior.conflicts
    return tuple(
        conflict
        for conflict in prior.conflicts
        if len(conflict.beliefs) > 1 or not within.speaks_against(conflict.beliefs[0])
    )
