"""`WeighedGraphs`: what graphs say of edges and paths, averaged by their weights."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.event import RELATION_EVENTS
from pathprior.posterior.answers import Estimate
from pathprior.posterior.draws import Draws
from pathprior.posterior.errors_table import PATH, error_frames
from pathprior.posterior.indicators import (
    all_pairs,
    edge_probabilities,
    relation_probabilities,
)
from pathprior.posterior.judge import Judge, make_judge
from pathprior.posterior.questions import Question, estimate
from pathprior.prior.path_prior import PathPrior

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class WeighedGraphs:
    """Graphs with their weights; base of `Posterior`, which says how they came about."""

    variables: tuple[str, ...]
    draws: Draws
    prior: PathPrior

    @property
    def is_exact(self) -> bool:
        """Whether every graph was weighed, so that there is no Monte Carlo error."""
        return self.draws.is_exact

    @cached_property
    def edges(self) -> "pd.DataFrame":
        """Probability of each directed edge: rows are parents, columns children."""
        import pandas as pd

        matrix = edge_probabilities(self.draws)[np.ix_(self._place, self._place)]
        return pd.DataFrame(
            matrix,
            index=pd.Index(self.variables, name="parent"),
            columns=pd.Index(self.variables, name="child"),
        )

    @property
    def adjacencies(self) -> "pd.DataFrame":
        """Probability that two variables are neighbours, whichever way; symmetric."""
        return (self.edges + self.edges.to_numpy().T).rename_axis(index="x", columns="y")

    @cached_property
    def paths(self) -> "pd.DataFrame":
        """Probabilities of the four relations, one row per pair.

        x causes y along a path of edges, is caused by it, is confounded with it by a common cause,
        or none of these; they sum to one.
        """
        import pandas as pd

        pairs = all_pairs(len(self.variables))
        names = np.array(self.variables, dtype=object)
        frame = pd.DataFrame({"x": names[pairs[:, 0]], "y": names[pairs[:, 1]]})
        found = relation_probabilities(self.draws, self._place[pairs])
        for event, probabilities in zip(RELATION_EVENTS, found.T, strict=True):
            frame[event.value] = probabilities
        return frame

    @overload
    def probability(self, x: str, event: str, y: str) -> float: ...

    @overload
    def probability(self, x: Question) -> float: ...

    def probability(
        self, x: str | Question, event: str | None = None, y: str | None = None
    ) -> float:
        """Posterior probability of an event of two variables, or of whatever a graph can be asked.

        Parameters
        ----------
        x, event, y
            Two variables and an event word, such as ``"causes"`` or ``"associated"``; or one
            function of a `Dag` that returns true or false, or a number to be averaged.
        """
        return estimate(self._judge, self.variables, x, event, y).value

    @overload
    def estimate(self, x: str, event: str, y: str) -> Estimate: ...

    @overload
    def estimate(self, x: Question) -> Estimate: ...

    def estimate(
        self, x: str | Question, event: str | None = None, y: str | None = None
    ) -> Estimate:
        """Return what `probability` does, with its Monte Carlo error."""
        return estimate(self._judge, self.variables, x, event, y)

    @cached_property
    def errors(self) -> "pd.DataFrame":
        """Probability, Monte Carlo standard error, R-hat and effective samples, one by one.

        Every edge (``kind`` edge: x is a parent of y), every relation of every pair (path) and
        every belief; and whether each ``is_settled``.
        """
        import pandas as pd

        frames = error_frames(self._judge, self.variables, self.prior.table)
        return pd.concat(frames, ignore_index=True)

    @property
    def relations_settled(self) -> NDArray[np.bool_]:
        """Whether each relation has settled: four columns, and rows, as in ``paths``."""
        num_relations = len(RELATION_EVENTS)
        if self.is_exact:
            return np.ones((len(self.paths), num_relations), dtype=bool)
        errors = self.errors
        found = errors.loc[errors["kind"] == PATH, "is_settled"].to_numpy(bool)
        return found.reshape(-1, num_relations)

    @property
    def pairs_settled(self) -> NDArray[np.bool_]:
        """Whether all relations of a pair have settled: one entry for each row of ``paths``."""
        return np.asarray(self.relations_settled.all(axis=1))

    # -- inside ----------------------------------------------------------------------------------

    @cached_property
    def _place(self) -> NDArray[np.int64]:
        """Positions of ``variables`` in those of the draws."""
        index = {name: v for v, name in enumerate(self.draws.variables)}
        return np.array([index[name] for name in self.variables], dtype=np.int64)

    @cached_property
    def _judge(self) -> Judge:
        return make_judge(self.draws)
