"""`Posterior`: what data and beliefs together say of edges, paths and anything else in a graph."""

from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from pathprior import showing
from pathprior.beliefs.event import RELATION_EVENTS
from pathprior.data.dataset import Dataset
from pathprior.data.door import Tabular, read_dataset
from pathprior.errors import PosteriorError
from pathprior.graph.dag import Dag
from pathprior.network.effect import NUM_DRAWS, Effect
from pathprior.posterior.answers import Estimate, WeightedGraph, weigh_graphs
from pathprior.posterior.draws import Draws
from pathprior.posterior.effects import effect_over
from pathprior.posterior.errors_table import error_frames
from pathprior.posterior.indicators import (
    all_pairs,
    edge_probabilities,
    relation_probabilities,
)
from pathprior.posterior.judge import Judge, make_judge
from pathprior.posterior.median import edges_above
from pathprior.posterior.questions import Question, estimate
from pathprior.posterior.settling import PosteriorStop
from pathprior.prior.path_prior import PathPrior
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


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
        The graph of highest score that was seen; where missing cells were drawn along with the
        graphs, so that scores do not compare, the one that `learn` found.
    best_score
        Its data score plus prior score.
    stopped_because
        Why there are no more graphs; `str` gives the sentence.
    data
        What the graphs were weighed by; None for a posterior that was read from a file.
    completions
        Where missing cells were drawn along with the graphs, the data as each chain left them.
    """

    variables: tuple[str, ...]
    draws: Draws
    prior: PathPrior
    best: Dag
    best_score: float
    stopped_because: PosteriorStop
    data: Dataset | None = None
    completions: tuple[Dataset, ...] = ()

    def __repr__(self) -> str:
        chains = "all" if self.is_exact else f"{self.draws.num_chains} chains of"
        return f"Posterior({len(self.variables)} variables, {chains} {self.draws.num_draws} graphs)"

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

    def effect(
        self,
        x: str,
        y: str,
        *,
        data: "Tabular | None" = None,
        equivalent_sample_size: float = DEFAULT_SAMPLE_SIZE,
        num_draws: int = NUM_DRAWS,
        seed: int = 0,
    ) -> Effect:
        """What setting ``x`` does to ``y``, for columns of states: draws of P(y | do(x)).

        Each draw is a graph of the posterior with tables drawn from what the data say about them,
        so both are uncertain. In graphs without a path from x to y there is no effect. Cells that
        were missing are as the graph's chain left them.

        Parameters
        ----------
        x, y
            What is set, and what is looked at.
        data
            For a posterior that was read from a file: the data it was made from.
        equivalent_sample_size
            How many rows the prior on the tables is worth.
        num_draws, seed
            Draws, spread evenly over the graphs, and what they are a function of.
        """
        given = self.data if data is None else read_dataset(data)
        if given is None:
            raise PosteriorError("this posterior was read from a file, without data: pass data=")
        filled = self.completions if data is None and self.completions else (given,)
        datasets = [dataset.select(self.variables) for dataset in filled]
        return effect_over(
            self.draws, datasets, x, y, size=equivalent_sample_size, num_draws=num_draws, seed=seed
        )

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
        every belief.
        """
        import pandas as pd

        frames = error_frames(self._judge, self.variables, self.prior.table)
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

        Where such edges close a cycle, the least probable on one is left out, until there is none.
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
        path, title
            Where to write it, and what stands at its top.
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
