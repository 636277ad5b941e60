"""`Sketch`: the weights of one mind's beliefs, roughly and at once.

The same equations as the fit of a web (`pathprior.prior.web.moments`), but from a warm start:
chains and weights go on from the last sketch, of which one belief, mostly, has changed.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.graph.alphabets import RELATIONS_ALONE, Alphabets
from pathprior.graph.possible_ties import possible_ties
from pathprior.prior.constraints import make_constraints
from pathprior.prior.ruled import sort_by_rules
from pathprior.prior.web.fit import EXACT_STRENGTH
from pathprior.prior.web.moments import EXCLUDED, SoftEquations
from pathprior.prior.web.run import ROUND_EFFECTIVE
from pathprior.studio.graph_pool import GraphPool, alphabets_of_rows
from pathprior.studio.within import Within

NUM_ROUNDS, MANY_ROUNDS = 8, 40
"""Rounds where at most `FEW` beliefs are new, and where more are."""
FEW = 3


class Sketch:
    """Chains and weights of one mind."""

    def __init__(
        self,
        variables: Sequence[str],
        edge_odds: float,
        within: Within | None = None,
    ) -> None:
        self._edge_odds, self._within = edge_odds, within
        self.pool = self._make_pool(len(variables), RELATIONS_ALONE)
        self._index = {name: k for k, name in enumerate(variables)}
        self._known: dict[Belief, NDArray[np.float64]] = {}

    def fit(
        self, beliefs: Sequence[Belief], num_records: int, num_judged: int, *, is_coherent: bool
    ) -> NDArray[np.float64]:
        """Log weights by pair and tie, after a few rounds of so many records.

        What all rounds led to is judged by more records, and mended by what these show.
        """
        alphabets = alphabets_of_rows(beliefs, self._index)
        if alphabets != self.pool.alphabets:
            self.pool = self._make_pool(len(self._index), alphabets)
        pairs = self.pool.pairs
        columns = tuple(range(len(pairs)))
        constraints = make_constraints(beliefs, self._index, pairs, columns, None)
        if self._within is not None:
            is_possible = possible_ties(self._within.rules, pairs)
            constraints = list(sort_by_rules(constraints, is_possible).open)
        strength = EXACT_STRENGTH if is_coherent else None
        equations = self._warm(SoftEquations.start(constraints, len(pairs), strength), beliefs)
        num_new = sum(belief not in self._known for belief in beliefs)
        num_rounds = NUM_ROUNDS if num_new <= FEW else MANY_ROUNDS
        passed = []
        for step in range(num_rounds):
            equations = self._step(equations, num_records, min(1.0, 3 / (step + 1)))
            passed.append(equations.theta)
        # the later half, averaged, is steadier than the last step
        equations = replace(equations, theta=np.mean(passed[num_rounds // 2 :], axis=0))
        equations = self._step(equations, num_judged, 1.0)
        tilts = equations.theta - equations.strength
        self._known = {
            beliefs[constraint.belief]: tilts[equations.owner == k]
            for k, constraint in enumerate(constraints)
        }
        return equations.field()

    def _make_pool(self, size: int, alphabets: Alphabets) -> GraphPool:
        barred = None if self._within is None else self._within.barred
        return GraphPool(size, self._edge_odds, alphabets=alphabets, barred=barred, seed=1)

    def _step(self, equations: SoftEquations, num_records: int, gain: float) -> SoftEquations:
        """Let the chains go on, and close the gaps that they show."""
        codes = self.pool.pass_through(equations.field(EXCLUDED), num_records)
        moments = equations.moments(codes)
        matrix = equations.newton_matrix(moments, ROUND_EFFECTIVE)
        return equations.moved(matrix @ (equations.wanted - moments.marginals), gain)

    def _warm(self, equations: SoftEquations, beliefs: Sequence[Belief]) -> SoftEquations:
        """The weights that beliefs had in the last sketch, as a step from none."""
        step = np.zeros(len(equations.theta))
        for k, constraint in enumerate(equations.constraints):
            known = self._known.get(beliefs[constraint.belief])
            if known is not None:
                step[equations.owner == k] = known
        return replace(equations, theta=np.maximum(equations.theta + step, 0.1 * equations.theta))
