"""`Augmentation`: missing cells drawn along with graphs (Tanner and Wong, 1987).

Given a graph and the cells, its parameters are drawn from their posterior distribution; given the
graph and those, the cells from theirs. Together with moves of the graph given the cells this is a
Markov chain whose graphs have the posterior distribution given what was observed alone.
"""

import warnings

import numpy as np

from pathprior.data.dataset import Dataset
from pathprior.data.strata import find_strata, strata_by_rows
from pathprior.errors import PathPriorWarning, PosteriorError
from pathprior.graph.dag import Dag
from pathprior.network.imputation import draw_again, first_draw
from pathprior.network.mechanisms import Mechanism, as_set
from pathprior.problem.problem import Problem
from pathprior.score.score import Score, Scorer


class Augmentation:
    """Draws the missing cells of a problem's data again and again."""

    def __init__(self, problem: Problem) -> None:
        if problem.scorer.drawer() is None:
            raise PosteriorError(
                "missing values are drawn with the parameters of a network, which this score has "
                "no distribution of: use bdeu, k2, families, bge or mixed, or missing='drop'"
            )
        self.data = problem.data.select(problem.rules.variables)
        self._score: Score = problem.score
        self._strata = strata_by_rows(self.data, find_strata(self.data))
        were_set = {v for _, here in self._strata for v, s in enumerate(here) if s is None}
        self._as_set = {v: as_set(self.data, v) for v in were_set}

    def begin(self, generator: np.random.Generator) -> Dataset:
        """Fill the gaps anew, by what was observed of each column alone."""
        return first_draw(self.data, generator)

    def bind(self, data: Dataset) -> Scorer:
        """Score graphs on filled data."""
        with warnings.catch_warnings():
            # what there is to say of the columns was said when the problem was made
            warnings.simplefilter("ignore", PathPriorWarning)
            return self._score.bind(data)

    def draw(
        self, data: Dataset, scorer: Scorer, dag: Dag, generator: np.random.Generator
    ) -> Dataset:
        """Draw parameters of ``dag``, and by them every missing cell once."""
        families = [tuple(np.flatnonzero(column).tolist()) for column in dag.adjacency.T]
        parents = [scorer.draw_seen(v, family, generator) for v, family in enumerate(families)]
        drawn: dict[tuple[int, int], Mechanism] = {}
        draw_given = scorer.drawer()
        assert draw_given is not None  # asked of the problem

        def mechanism(v: int, stratum: int | None) -> Mechanism:
            if stratum is None:
                return self._as_set[v]
            if (v, stratum) not in drawn:
                given = draw_given(v, parents[v], stratum, generator)
                drawn[v, stratum] = Mechanism(parents[v], given)
            return drawn[v, stratum]

        mechanisms = [
            (rows, tuple(mechanism(v, stratum) for v, stratum in enumerate(here)))
            for rows, here in self._strata
        ]
        return draw_again(data, mechanisms, generator, num_sweeps=1)
