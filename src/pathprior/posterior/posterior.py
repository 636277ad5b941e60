"""`Posterior`: what data and beliefs together say of edges, paths and anything else in a graph."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from pathprior import showing
from pathprior.beliefs.event import RELATION_EVENTS, Event
from pathprior.errors import PosteriorError
from pathprior.graph.dag import Dag, node_index
from pathprior.posterior.answers import Estimate, WeightedGraph, find_distinct, weigh_graphs
from pathprior.posterior.diagnostics import Diagnostics
from pathprior.posterior.draws import Draws
from pathprior.posterior.errors_table import BELIEF, edge_rows, error_rows, path_rows
from pathprior.posterior.indicators import (
    all_pairs,
    edge_probabilities,
    relation_codes,
    relation_probabilities,
)
from pathprior.posterior.judge import Judge, make_judge
from pathprior.posterior.median import edges_above
from pathprior.posterior.settling import PosteriorStop
from pathprior.prior.path_prior import PathPrior

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Question = Callable[[Dag], float]
"""A number, or true or false, of each graph."""


@dataclass(frozen=True, eq=False, repr=False)
class Posterior:
    """Graphs from P(G | data, beliefs), and averages over them.

    Made by `sample_posterior` and `Fit.posterior`.

    Attributes
    ----------
    variables
        Names, in the order of the data's columns.
    draws
        The graphs in packed form.
    prior
        The fitted prior; without beliefs the base measure alone.
    best
        The graph of highest score that was seen.
    best_score
        Its data score plus prior score.
    stopped_because
        Why there are no more graphs; `str` gives the sentence.
    """

    variables: tuple[str, ...]
    draws: Draws
    prior: PathPrior
    best: Dag
    best_score: float
    stopped_because: PosteriorStop

    def __repr__(self) -> str:
        chains = "all" if self.is_exact else f"{self.draws.num_chains} chains of"
        graphs = f"{chains} {self.draws.num_draws} graphs"
        return f"Posterior({len(self.variables)} variables, {graphs})"

    @property
    def is_exact(self) -> bool:
        """Whether every graph was weighed, so that there is no Monte Carlo error."""
        return self.draws.is_exact

    # -- probabilities ---------------------------------------------------------------------------

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

    def beliefs(self) -> "pd.DataFrame":
        """What the data make of each belief.

        Returns
        -------
        DataFrame
            x, y and the event; its probability at the ``baseline``, without beliefs and data, as
            ``stated``, as ``fitted`` to the other beliefs, and ``after`` the data, with the Monte
            Carlo standard ``error`` of the latter.
        """
        if not len(self.prior.beliefs):
            raise PosteriorError(
                "there were no beliefs: pass them to sample_posterior, or ask .paths"
            )
        table = self.prior.table[["x", "y", "event", "baseline", "stated", "fitted"]].copy()
        found = [
            self.estimate(x, event, y)
            for x, event, y in zip(table["x"], table["event"], table["y"], strict=True)
        ]
        table["after"] = [estimate.value for estimate in found]
        table["error"] = [estimate.error for estimate in found]
        return table

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
        return self._estimate(x, event, y).value

    @overload
    def estimate(self, x: str, event: str, y: str) -> Estimate: ...

    @overload
    def estimate(self, x: Question) -> Estimate: ...

    def estimate(
        self, x: str | Question, event: str | None = None, y: str | None = None
    ) -> Estimate:
        """Return what `probability` does, with its Monte Carlo error."""
        return self._estimate(x, event, y)

    @cached_property
    def errors(self) -> "pd.DataFrame":
        """Probability, Monte Carlo standard error, R-hat and effective samples, one by one.

        Every edge (``kind`` edge: x is a parent of y), every relation of every pair (path) and
        every belief.
        """
        import pandas as pd

        frames = [*edge_rows(self._judge, self.variables), *path_rows(self._judge, self.variables)]
        table = self.prior.table
        for x, event, y in zip(table["x"], table["event"], table["y"], strict=True):
            frames.append(error_rows(BELIEF, x, event, y, self._event(x, event, y)))
        return pd.concat(frames, ignore_index=True)

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

        Such edges may close a cycle though no graph has one. Then the least probable of the edges
        on cycles is left out, until there is none.
        """
        if not 0 <= threshold <= 1:
            raise PosteriorError(f"threshold must be between 0 and 1, not {threshold!r}")
        return Dag(self.variables, edges_above(self.edges.to_numpy(), threshold))

    # -- keeping and showing it ------------------------------------------------------------------

    def save(self, path: str | PathLike[str]) -> None:
        """Write the posterior to a file of arrays; `load_posterior` gives it back."""
        from pathprior.posterior.posterior_file import save_posterior

        save_posterior(self, path)

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

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the probability of every causal path: rows are causes, columns effects."""
        return showing.plot(self, ax)

    def plot_beliefs(self, ax: "Axes | None" = None) -> "Axes":
        """Draw each belief's probability at the baseline, as stated, and after the data."""
        return showing.plot_beliefs(self, ax)

    def report(self, path: str | PathLike[str], *, title: str | None = None) -> None:
        """Write one self-contained HTML file: beliefs, paths, edges, and how they settled.

        Parameters
        ----------
        path
            Where to write it.
        title
            What stands at its top.
        """
        showing.report(self, path, title=title)

    def __str__(self) -> str:
        return showing.text(self)

    def _repr_html_(self) -> str:
        return showing.html(self)

    # -- inside ----------------------------------------------------------------------------------

    @cached_property
    def _place(self) -> NDArray[np.int64]:
        """Positions of ``variables`` in those of the draws."""
        index = {name: v for v, name in enumerate(self.draws.variables)}
        return np.array([index[name] for name in self.variables], dtype=np.int64)

    @cached_property
    def _judge(self) -> Judge:
        return make_judge(self.draws)

    def _estimate(self, x: str | Question, event: str | None, y: str | None) -> Estimate:
        if callable(x):
            found = self._answers(x)
        elif event is None or y is None:
            raise PosteriorError(
                "ask for a variable, an event and a variable, such as ('a', 'causes', 'b'), or "
                "for a function of a graph"
            )
        else:
            found = self._event(x, event, y)
        return Estimate(
            float(found.mean[0]),
            float(found.error[0]),
            float(found.r_hat[0]),
            float(found.effective_samples[0]),
        )

    def _event(self, x: str, event: str, y: str) -> Diagnostics:
        relations = sorted(Event.parse(event).relations)
        index = {name: v for v, name in enumerate(self.draws.variables)}
        i, j = node_index(index, x), node_index(index, y)
        if i == j:
            raise PosteriorError(f"a relation needs two different variables, not {x!r} twice")
        (codes,) = relation_codes(self.draws, np.array([[i, j]]))
        return self._judge.indicators(np.isin(codes, relations))

    def _answers(self, question: Question) -> Diagnostics:
        first, group = find_distinct(self.draws.graphs)
        values = [question(self.draws.dag(int(k), self.variables)) for k in first]
        series = np.array(values)[group].reshape(*self.draws.scores.shape, 1)
        if series.dtype == bool:
            return self._judge.indicators(series)
        return self._judge.numbers(series.astype(np.float64))
