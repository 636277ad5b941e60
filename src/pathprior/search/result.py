"""`Fit`: what a search found, how it got there and why it stopped."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import inf
from os import PathLike
from typing import TYPE_CHECKING

from pathprior import onward, showing
from pathprior.errors import SearchError
from pathprior.graph.dag import Dag
from pathprior.network.draw_summary import NUM_DRAWS, check_draws
from pathprior.network.effect import AnyEffect, effect_drawer
from pathprior.network.model import Network
from pathprior.score.table_draws import curve_draws, table_draws
from pathprior.search.learned_graph import LearnedGraph
from pathprior.search.method import Search
from pathprior.search.missing_cells import MissingCells
from pathprior.search.progress import OnProgress, watching
from pathprior.search.settings import LearnSettings
from pathprior.search.steps import Step
from pathprior.search.stop_reason import StopReason
from pathprior.search.weighed import WeighedScore

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from pathprior.posterior.posterior import Posterior


@dataclass(frozen=True)
class Fit(LearnedGraph):
    """A learned graph with its scores, its history and what became of the beliefs.

    Attributes
    ----------
    dag
        The graph, its nodes in the order of the data's columns.
    data_score
        Σ_v local score of v's family. Where the score tells members of a class apart and
        ``directions="class"``, that of the member which it likes best.
    prior_score
        log P(dag | beliefs) without its constant: Σ_k log λ_k(relation of pair k), and log β for
        each edge.
    steps
        Every accepted step, first to last; for a search with restarts, of the run that won.
    stopped_because
        Why the search stopped.
    num_truncated_swaps
        How often the swap-equivalent operator ran out of its node budget, so that a better
        equivalent graph may exist.
    method
        What found the graph.
    settings
        What the search was asked to do: the options as they were given.
    resolved
        What it did: the same with every choice that was left open, and the graph it started from.
    rounds
        Where missing cells were drawn, the graphs of the later rounds; see `missing`. Scores and
        steps are then those of the round that was chosen, on its draws: they do not compare with
        those of other draws.
    num_searches, found_again
        How many searches began elsewhere, and how many of them ended at the same score again.
    weighed
        Where ``score="auto"`` chose among scores of real columns, these with their evidence in
        nats of the same data, the one it chose first.
    bound
        No graph within the rules has a higher `score`, as far as that was proved: infinite without
        ``search="exact"``, with statements and where missing cells were drawn.
    bound_parents
        Beyond 25 variables the ``bound`` is one for graphs in which no variable has more parents;
        None if it is one for all graphs.
    """

    data_score: float
    prior_score: float
    steps: tuple[Step, ...] = field(repr=False)
    stopped_because: StopReason
    num_truncated_swaps: int
    method: Search = field(repr=False)
    settings: LearnSettings = field(repr=False)
    resolved: LearnSettings = field(repr=False)
    rounds: tuple[Dag, ...] = field(default=(), repr=False)
    bound: float = field(default=inf, repr=False)
    bound_parents: int | None = field(default=None, repr=False)
    num_searches: int = field(default=0, repr=False)
    found_again: int = field(default=0, repr=False)
    weighed: tuple[WeighedScore, ...] = field(default=(), repr=False)

    @property
    def score(self) -> float:
        """Data score plus prior score, what the search maximised.

        With statements edges that they alone hold up may have been replaced at the end, for less.
        """
        return self.data_score + self.prior_score

    @property
    def optimality(self) -> str:
        """What is known of how good the graph is among all.

        ``"proven"``: none scores higher. ``"gap ≤ …"``: none scores higher by more; beyond 25
        variables these may say up to how many parents of a variable that was proved.
        ``"found again 5 times of 8"``: so many of the searches from elsewhere ended at this score
        again. ``"stopped early"``: there was no time. ``"local"``: no better graph is near.
        """
        if self.bound == inf:
            if self.stopped_because in (StopReason.INTERRUPTED, StopReason.OUT_OF_TIME):
                return "stopped early"
            if self.num_searches:
                return f"found again {self.found_again} times of {self.num_searches}"
            return "local"
        within = "" if self.bound_parents is None else f" with at most {self.bound_parents} parents"
        if self.stopped_because in (StopReason.PROVEN, StopReason.LIMITED):
            return f"proven{within}"
        return f"gap ≤ {self.bound - self.score:.3g}{within}"

    @cached_property
    def missing(self) -> MissingCells | None:
        """What was missing in the data, what was done, and how far rounds agreed.

        None if nothing was missing.
        """
        data = self.problem.data
        if data.gaps is None:
            return None
        return MissingCells(data.gaps, data.num_rows, self.cpdag, self.rounds)

    def evidence(
        self,
        *,
        restarts: int = 10,
        seed: int = 0,
        num_jobs: int = 1,
        progress: bool | OnProgress = False,
    ) -> "pd.DataFrame":
        """What the data say of each belief, by two searches: the best graphs with it and without.

        Quicker than `posterior`, and blind to how many graphs are on either side.

        Parameters
        ----------
        restarts
            Further climbs of each search, which may miss the best graph of its side without them.
        seed
            For the restarts.
        num_jobs
            Restarts at a time.
        progress
            Show a live line on standard error, or call this, as in `learn`.

        Returns
        -------
        DataFrame
            Beliefs, those first that the data contradict: x, y, event, ``baseline``, ``stated`` and
            ``fitted``; the best scores ``with_event`` and ``without_event``, −∞ where the rules
            and hard beliefs leave no graph; the ``log_ratio`` in nats: their difference, less what
            beliefs have moved the log odds from baseline to fitted; the ``evidence`` in words,
            whether it ``is_contradicted``, and a ``sentence``.
        """
        from pathprior.search.evidence import profile_evidence

        if not self.has_beliefs:
            raise SearchError("the search had no beliefs: pass them to learn")
        with watching(progress) as on_progress:
            return profile_evidence(
                self,
                restarts=restarts,
                seed=seed,
                num_jobs=num_jobs,
                on_progress=on_progress,
            )

    def network(self, *, equivalent_sample_size: float | None = None) -> Network:
        """Fit the parameters of `dag` to the data: posterior means.

        Parameters
        ----------
        equivalent_sample_size
            How many rows the prior on the parameters is worth; ``problem.prior_rows`` unless given:
            the ``equivalent_sample_size`` of the search for columns of states, α_μ of BGe (1) for
            real ones. A score object brings its own.

        Returns
        -------
        BayesianNetwork, GaussianNetwork or MixedNetwork
            By the columns: all of states, all real, or both.
        """
        size = self._rows_worth(equivalent_sample_size)
        return self.problem.scorer.estimate(self.dag, equivalent_sample_size=size)

    def effect(
        self,
        x: str,
        y: str,
        *,
        equivalent_sample_size: float | None = None,
        num_draws: int = NUM_DRAWS,
        seed: int = 0,
    ) -> AnyEffect:
        """What setting ``x`` does to ``y`` in `dag`: draws of P(y | do(x)), of a slope or of means.

        The graph is taken as certain, its parameters are not: see `Posterior.effect` for both.

        Parameters
        ----------
        x, y
            What is set, and what is looked at.
        equivalent_sample_size
            How many rows the prior on the parameters is worth; ``problem.prior_rows`` unless given.
        num_draws
            Draws of the parameters.
        seed
            Of the draws.
        """
        graphs = [self.dag] * check_draws(num_draws)
        data = self.problem.data.select(self.dag.nodes)
        rows = self._rows_worth(equivalent_sample_size)
        tables = partial(table_draws, self.problem.scorer.tables)
        curves = partial(curve_draws, self.problem.scorer.tables)
        draw = effect_drawer([data], [0] * len(graphs), rows, tables, curves)
        return draw(graphs, x, y, seed)

    def _rows_worth(self, given: float | None) -> float:
        return self.problem.prior_rows if given is None else given

    def posterior(
        self,
        *,
        method: str = "auto",
        num_chains: int = 4,
        precision: float = 0.02,
        time_limit: float = 600.0,
        num_jobs: int = 1,
        seed: int = 0,
        progress: bool | OnProgress = False,
        checkpoint: str | PathLike[str] | None = None,
        fixed: Iterable[str] | None = None,
        unseen: float | str = "auto",
    ) -> "Posterior":
        """Weigh other graphs beside `dag`, by the same data, beliefs, score and rules.

        Parameters as in `sample_posterior`; one of the chains starts from `dag`.
        """
        return onward.posterior(
            self,
            method=method,
            num_chains=num_chains,
            precision=precision,
            time_limit=time_limit,
            num_jobs=num_jobs,
            seed=seed,
            progress=progress,
            checkpoint=checkpoint,
            fixed=fixed,
            unseen=unseen,
        )

    # -- showing it: the report registers how -----------------------------------------------------

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw `dag` on axes: edges by what supports them, beliefs as bands behind them."""
        return showing.plot(self, ax)

    def plot_trace(self, ax: "Axes | None" = None) -> "Axes":
        """Plot the score after each step of the search."""
        return showing.plot_trace(self, ax)

    def report(
        self,
        path: str | PathLike[str],
        *,
        title: str | None = None,
        posterior: "Posterior | None" = None,
    ) -> None:
        """Write one self-contained HTML file with the graph, the beliefs and the search.

        Parameters
        ----------
        path
            Where to write it.
        title
            What stands at its top; names the data file unless given, if there was one.
        posterior
            What `posterior` gave; the file then says how probable edges, paths and beliefs are.
        """
        showing.report(self, path, title=title, posterior=posterior)

    def to_dot(self) -> str:
        """Return `dag` as Graphviz DOT text, open edges dashed, beliefs as pale bands."""
        return showing.dot(self)

    def __str__(self) -> str:
        return showing.text(self)

    def _repr_html_(self) -> str:
        return showing.html(self)
