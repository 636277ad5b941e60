"""`Posterior`: what data and beliefs together say of edges, paths and anything else in a graph."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior import showing
from pathprior.beliefs.testimony import Testimony
from pathprior.data.dataset import Dataset
from pathprior.data.door import Tabular, read_dataset
from pathprior.errors import PosteriorError
from pathprior.graph.dag import Dag
from pathprior.network.detection import detect
from pathprior.network.draw_summary import NUM_DRAWS
from pathprior.network.effect import AnyEffect
from pathprior.posterior.ask_next import Relations, ask_next
from pathprior.posterior.belief_rows import belief_rows
from pathprior.posterior.doubts import Doubts
from pathprior.posterior.drawing import Sample
from pathprior.posterior.effects import prepare_effects
from pathprior.posterior.errors_table import errors_by, unknown_errors
from pathprior.posterior.judge import Judge, judge_unsettled, make_judge
from pathprior.posterior.settings import PosteriorSettings
from pathprior.posterior.settling import PosteriorStop
from pathprior.posterior.source_rows import source_rows, statement_rows
from pathprior.posterior.weighed import WeighedGraphs
from pathprior.problem.problem import Problem
from pathprior.search.method import Method

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Posterior(WeighedGraphs):
    """Graphs from P(G | data, beliefs), and averages over them.

    Made by `sample_posterior` and `Fit.posterior`.

    Attributes
    ----------
    best
        The graph of highest score that was seen; where missing cells were drawn along with the
        graphs, so that scores do not compare, the one that `learn` found.
    best_score
        Its data score plus prior score.
    stopped_because
        Why there are no more graphs; `str` gives the sentence.
    settings
        How it was asked for: the options as they were given.
    prior_rows
        How many rows the prior on parameters is worth, by which effects are drawn: the equivalent
        sample size that was asked for, for real columns that of the score.
    problem, method
        What the graphs were weighed by, and how they were found; None for a posterior that was read
        from a file.
    before
        Probability of the event of each row of ``prior.table`` within the rules, before the data;
        NaN where it was not drawn, None where there are no rules and it is the fitted one.
    ruled_out_by
        The rules that leave no graph with that event, or none without it, one text for each row;
        empty where they leave some, and no texts where there are no rules.
    completions
        Where missing cells were drawn along with the graphs, the data as each chain left them.
    testimony
        The statements, and what was known of their sources beforehand; None if there were none.
    judged
        `errors` as far as there was time for them, NaN beyond; None where they are computed when
        asked for.
    judge
        What judged them, and judges what is asked later; None where that has all the time.
    left_out
        What there was no time for, in sentences.
    fixed
        Variables that no experiment can set: those that were named, or else the first tier.
    tables
        The score by whose posterior distribution tables of states are drawn for effects.
    unseen
        The share of edges that may have no visible effect in the data.
    doubts
        What other models of the tables say of each row of ``prior.table``, and what the two columns
        show by themselves; None where nothing is believed.
    """

    best: Dag
    best_score: float
    stopped_because: PosteriorStop
    settings: PosteriorSettings
    prior_rows: float
    problem: Problem | None = None
    method: Method[Sample] | None = None
    before: NDArray[np.float64] | None = None
    ruled_out_by: tuple[str, ...] = ()
    completions: tuple[Dataset, ...] = ()
    testimony: Testimony | None = None
    judged: "pd.DataFrame | None" = None
    judge: Judge | None = None
    left_out: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    tables: str = "bdeu"
    unseen: float = 0.0
    doubts: Doubts | None = None

    def __repr__(self) -> str:
        chains = "all" if self.is_exact else f"{self.draws.num_chains} chains of"
        return f"Posterior({len(self.variables)} variables, {chains} {self.draws.num_draws} graphs)"

    @property
    def data(self) -> Dataset | None:
        """What the graphs were weighed by; None for a posterior that was read from a file."""
        return None if self.problem is None else self.problem.data

    @property
    def errors(self) -> "pd.DataFrame":
        """See `WeighedGraphs.errors`."""
        return super().errors if self.judged is None else self.judged

    def judged_by(self, end: float) -> "Posterior":
        """Return the same with what errors can be computed by ``end``, a reading of `monotonic`."""
        if self.judged is not None or self.is_exact:
            return self
        judge = self._judged_by(end)
        judged = errors_by(end, judge, self.variables, self.prior.table)
        left_out = (*self.left_out, *unknown_errors(judged))
        return replace(self, judged=judged, judge=judge, left_out=left_out)

    # -- answers ---------------------------------------------------------------------------------

    def beliefs(self) -> "pd.DataFrame":
        """What the data make of each belief, those first that they contradict.

        Returns
        -------
        DataFrame
            x, y and the event; its probability at the ``baseline``, without beliefs and data, as
            ``stated``, as ``fitted`` to the other beliefs, ``before`` the data, which is the same
            within the rules, and ``after`` them, with the Monte Carlo standard ``error`` of the
            latter, and whether it ``is_settled``; of what is not nothing more is said. Then the
            ``log_bayes_factor`` of the data for the event, in nats: log odds after
            less log odds before; ``is_bound`` where it is at least so far from 0. It is ``low`` to
            ``high`` by those reasonable models of the tables that the data do not rule out (see
            `Doubts`), and ``weakest`` by the one that is nearest to 0, or 0 where they do not agree
            on its sign. The ``evidence`` in words is that of the weakest; where two columns by
            themselves show nothing, and would have shown a difference of ten points with a
            ``chance_to_show`` below one half, it is not detectable. Whether it ``is_contradicted``:
            whether there is some against what was stated; and a ``sentence``.
        """
        if not len(self.prior.beliefs):
            raise PosteriorError(
                "there were no beliefs: pass them to sample_posterior, or ask .paths"
            )
        return self._beliefs.copy()

    def sources(self) -> "pd.DataFrame":
        """How reliable each source of statements is, given the data.

        Returns
        -------
        DataFrame
            Of each ``source`` the number of ``statements``, what they count for together
            (``strength``), and how much of that should ``hold``; its ``reliability``, the
            probability that it is right, ``before`` and after the data, the latter from ``low`` to
            ``high`` with a probability of 90 %, and the Monte Carlo standard ``error`` of its mean,
            with whether it ``is_settled``.
        """
        return source_rows(self._heard, self._judge)

    def statements(self) -> "pd.DataFrame":
        """What the data make of each statement, those first that are least probable.

        Returns
        -------
        DataFrame
            ``source``, x, y, the event and the ``strength`` of the statement; the ``others`` who
            say the same; the probability of the event at the ``baseline``, without beliefs,
            statements and data, and ``after`` all of them, with the Monte Carlo standard ``error``
            of the latter, and whether it ``is_settled``.
        """
        return statement_rows(self._heard, self._judge, self.prior.uninformative_ties)

    @property
    def _heard(self) -> Testimony:
        if self.testimony is None:
            raise PosteriorError("there were no statements: pass some to sample_posterior")
        return self.testimony

    def effect(
        self,
        x: str,
        y: str,
        *,
        data: "Tabular | None" = None,
        equivalent_sample_size: float | None = None,
        num_draws: int = NUM_DRAWS,
        seed: int = 0,
    ) -> AnyEffect:
        """What setting ``x`` does to ``y``: draws of P(y | do(x)), of a slope or of means.

        An `Effect` where columns are of states, a `Slope` between real ones, a `Response` where
        states stand among them.

        Each draw is a graph of the posterior with parameters drawn from what the data say about
        them, so both are uncertain. In graphs without a path from x to y there is no effect. Cells
        that were missing are as the graph's chain left them.

        Parameters
        ----------
        x, y
            What is set, and what is looked at.
        data
            For a posterior that was read from a file: the data it was made from.
        equivalent_sample_size
            How many rows the prior on the parameters is worth; ``prior_rows`` unless given.
        num_draws
            Draws, spread evenly over the graphs.
        seed
            Of the draws.
        """
        given = self.data if data is None else read_dataset(data)
        if given is None:
            raise PosteriorError("this posterior was read from a file, without data: pass data=")
        filled = self.completions if data is None and self.completions else (given,)
        rows = self.prior_rows if equivalent_sample_size is None else equivalent_sample_size
        ask = prepare_effects(
            self.draws,
            self.variables,
            filled,
            prior_rows=rows,
            tables=self.tables,
            num_draws=num_draws,
        )
        is_settled = self.estimate(x, "causes", y).is_settled
        return replace(ask(x, y, seed), is_settled=is_settled, detection=detect(given, x, y))

    def ask_next(
        self,
        kind: str = "belief",
        *,
        top: int = 10,
        about: Iterable[str] | None = None,
        reliability: float = 0.9,
        fixed: Iterable[str] | None = None,
    ) -> "pd.DataFrame":
        """What to look at next: the questions that should settle most of what is open.

        What is open are the relations of all pairs, as the sum of their entropies in bits. A
        question is worth what its answer, averaged over what the graphs say it will be, should take
        off that sum.

        Parameters
        ----------
        kind
            ``"belief"``: of which two variables an expert should say how they are related.
            ``"experiment"``: which variable should be randomised, to see which others change.
        top
            Most questions.
        about
            Variables that matter; then only pairs with an end among them count.
        reliability
            Probability that an expert names the true relation, and otherwise one of the three
            others; or that an experiment shows rightly whether a variable changes.
        fixed
            Variables that no experiment can set, in place of `Posterior.fixed`; an empty list says
            that all can be set.

        Returns
        -------
        DataFrame
            For beliefs ``x`` and ``y``, the ``entropy`` of their relation and the expected
            ``gain``, in bits; for experiments the ``variable`` and the gain, counting of each
            relation only what the most telling of the outcomes says by itself. Whether that rests
            on relations that have settled (``is_settled``), and a ``sentence``; the best first.
            ``attrs["entropy"]`` is all that is open.
        """
        return ask_next(
            Relations.of(self.draws, self.variables),
            self.variables,
            kind=kind,
            top=top,
            about=about,
            reliability=reliability,
            settled=self.pairs_settled,
            fixed=fixed,
            usually_fixed=self.fixed,
        )

    @cached_property
    def _judge(self) -> Judge:
        return self._judged_by(inf) if self.judge is None else self.judge

    def _judged_by(self, end: float) -> Judge:
        is_whole = self.stopped_because in (PosteriorStop.EXACT, PosteriorStop.SETTLED)
        return make_judge(self.draws) if is_whole else judge_unsettled(self.draws, end)

    @cached_property
    def _beliefs(self) -> "pd.DataFrame":
        stated = self.prior.table
        before = stated["fitted"].to_numpy(float) if self.before is None else self.before
        ruled_out_by = self.ruled_out_by or ("",) * len(stated)
        return belief_rows(stated, self._judge, before, ruled_out_by, self.doubts)

    # -- keeping and showing it ------------------------------------------------------------------

    def save(self, path: str | PathLike[str]) -> None:
        """Write the posterior to a file of arrays; `load_posterior` gives it back."""
        from pathprior.posterior.posterior_file import save_posterior

        save_posterior(self, path)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the probability of every causal path: rows are causes, columns effects."""
        return showing.plot(self, ax)

    def plot_beliefs(self, ax: "Axes | None" = None) -> "Axes":
        """Draw each belief's probability at the baseline, as stated, and after the data."""
        return showing.plot_beliefs(self, ax)

    def report(self, path: str | PathLike[str], *, title: str | None = None) -> None:
        """Write one self-contained HTML file: answers in sentences, the graph, any two variables.

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
