"""`WeighedGraphs`: what graphs say of edges and paths, averaged by their weights."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.event import RELATION_EVENTS
from pathprior.errors import PosteriorError
from pathprior.graph.dag import Dag
from pathprior.posterior.answers import Estimate, WeightedGraph, weigh_graphs
from pathprior.posterior.draws import Draws
from pathprior.posterior.errors_table import PATH, error_frames
from pathprior.posterior.indicators import (
    all_pairs,
    edge_probabilities,
    relation_probabilities,
)
from pathprior.posterior.judge import Judge, make_judge
from pathprior.posterior.median import edges_above
from pathprior.posterior.proposals import proposed_pairs
from pathprior.posterior.questions import Question, estimate
from pathprior.prior.path_prior import PathPrior

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class WeighedGraphs:
    """Graphs with their weights; base of `Posterior`, which says how they came about."""

    variables: tuple[str, ...]
    """Names, in the order of the data's columns."""
    draws: Draws
    """The graphs in packed form."""
    prior: PathPrior
    """The fitted prior; without beliefs the base measure alone."""

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

    def proposed_pairs(self, *, edges_only: bool = False) -> list[tuple[str, str]]:
        """The pairs whose relation is in doubt, those first that are least known.

        In doubt are pairs whose most probable relation is wrong with a probability of a quarter or
        more: whether the graphs propose an edge, a longer path or nothing. ``edges_only`` leaves
        out those that have an edge with a probability below 0.05. `make_questions` asks about them.
        """
        return proposed_pairs(self.adjacencies, self.paths, edges_only=edges_only)

    # -- graphs ----------------------------------------------------------------------------------

    @cached_property
    def graphs(self) -> tuple[WeightedGraph, ...]:
        """Distinct graphs, those of most weight first; the weights sum to one.

        All that are possible where every graph was weighed; of chains, evenly spaced draws, 1000
        in all at most.
        """
        return weigh_graphs(self.draws, self.variables)

    def median_graph(self, threshold: float = 0.5) -> Dag:
        """Return the graph of all edges that are more probable than ``threshold``.

        Where such edges close a cycle, the least probable on one is left out, until there is none.
        """
        if not 0 <= threshold <= 1:
            raise PosteriorError(f"threshold must be between 0 and 1, not {threshold!r}")
        return Dag(self.variables, edges_above(self.edges.to_numpy(), threshold))

    def to_networkx(self, threshold: float = 0.5) -> "nx.DiGraph[str]":
        """Return `median_graph` for networkx, each edge with its ``probability``.

        An edge's ``either_way`` is the probability that there is one between the two at all. DoWhy
        takes the graph as it is, and ``networkx.write_gml`` writes it to a file.
        """
        dag = self.median_graph(threshold)
        directed, either_way = self.edges.to_numpy(float), self.adjacencies.to_numpy(float)
        graph = dag.to_networkx()
        for parent, child in dag.edges:
            place = dag.index(parent), dag.index(child)
            edge = graph.edges[parent, child]
            edge["probability"] = float(directed[place])
            edge["either_way"] = float(either_way[place])
        return graph

    def to_arviz(self) -> Any:
        """Return the chains as ArviZ takes them, for its plots and summaries.

        Returns
        -------
        InferenceData, or DataTree from ArviZ 1 on
            In ``posterior`` by chain and draw ``edge`` (parent, child), ``path`` (cause, effect)
            and ``belief`` (event), true or false; in ``sample_stats`` the score, ``lp``.
        """
        from pathprior.posterior.arviz_data import to_arviz

        return to_arviz(self)

    # -- inside ----------------------------------------------------------------------------------

    @cached_property
    def _place(self) -> NDArray[np.int64]:
        """Positions of ``variables`` in those of the draws."""
        index = {name: v for v, name in enumerate(self.draws.variables)}
        return np.array([index[name] for name in self.variables], dtype=np.int64)

    @cached_property
    def _judge(self) -> Judge:
        return make_judge(self.draws)
