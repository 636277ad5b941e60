"""`LearnedGraph`: a graph, what it was learned from, and what it says of beliefs and statements."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pathprior.beliefs.event import Event
from pathprior.beliefs.reliability import source_table
from pathprior.beliefs.repeated import others_who_say
from pathprior.data.strata import target_names
from pathprior.errors import SearchError
from pathprior.graph.cpdag import Cpdag
from pathprior.graph.dag import Dag
from pathprior.network.draw_summary import LEVEL
from pathprior.prior.belief_table import belief_probabilities
from pathprior.prior.path_prior import PathPrior
from pathprior.problem.problem import Problem
from pathprior.problem.statement_weights import StatementWeights
from pathprior.search.belief_gains import belief_gains_table
from pathprior.search.family_parts import families_table
from pathprior.search.odds_ratios import References, odds_ratios_table
from pathprior.search.reliability import graph_codes
from pathprior.search.support import edge_support, proposed_edges, support_table, without_weak_edges

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class LearnedGraph:
    """A graph and its problem; base of `Fit`, which says how it was found."""

    dag: Dag
    problem: Problem = field(repr=False)

    @cached_property
    def cpdag(self) -> Cpdag:
        """The equivalence class of `dag`: the graphs that these data cannot tell from it.

        Without experiments these are the Markov-equivalent ones.
        """
        return Cpdag.from_dag(self.dag, targets=target_names(self.problem.data))

    @property
    def prior(self) -> PathPrior:
        """The fitted prior that was used; without beliefs the base measure alone."""
        return self.problem.prior

    @property
    def has_beliefs(self) -> bool:
        """Whether there were any beliefs."""
        return len(self.prior.beliefs) > 0

    def beliefs_held(self) -> "pd.DataFrame":
        """What became of each belief.

        Returns
        -------
        DataFrame
            The prior's table (x, y, event, baseline, stated, fitted, and ``within`` where there are
            several sources) with the ``relation`` that the pair has in the learned graph (for a
            belief in an edge → or ← where there is one), whether the event ``holds`` there, and
            whether that answer ``is_weak``: another one without the edges that the data support by
            less than a nat. An event that holds by such edges alone holds because it was believed.
        """
        if not self.has_beliefs:
            raise SearchError("the search had no beliefs: pass them to learn")
        table = belief_probabilities(self.prior.table)
        named = [Event.parse(event) for event in table["event"]]
        events = [event.ties for event in named]
        by_name = self.dag.reorder(self.problem.rules.variables)
        strong = without_weak_edges(by_name, self.problem.scorer)
        here, there = (
            [dag.tie(x, y) for x, y in zip(table["x"], table["y"], strict=True)]
            for dag in (self.dag, strong)
        )
        table["relation"] = [
            (tie if event.is_about_edge else tie.relation).symbol
            for tie, event in zip(here, named, strict=True)
        ]
        table["holds"] = [a in event for a, event in zip(here, events, strict=True)]
        table["is_weak"] = [
            (a in event) != (b in event) for a, b, event in zip(here, there, events, strict=True)
        ]
        return table

    def edge_support(self) -> "pd.DataFrame":
        """What each edge is worth, beside the other parents of its child and by itself.

        Returns
        -------
        DataFrame
            ``parent``, ``child`` and what is the ``support`` of the edge, data or beliefs; how far
            the data score falls without it while all others stay (``data_loss``), and how far it
            rises by the edge where the child has no other parent (``data_alone``); how far the
            prior score falls without it (``prior_loss``); whether its direction is fixed, and
            whether by experiments or by rules.
        """
        return support_table(edge_support(self))

    def proposed_pairs(self, *, edges_only: bool = False) -> list[tuple[str, str]]:
        """The pairs (x, y) of which `dag` says that x causes y, the least sure first.

        Least sure are edges whose direction the data leave open, then those worth least to the
        data; a path is as sure as its weakest edge. `make_questions` asks about them.
        """
        from pathprior.graph.proposals import pairs_by_sureness

        return pairs_by_sureness(proposed_edges(edge_support(self)), edges_only=edges_only)

    @property
    def has_statements(self) -> bool:
        """Whether there were any statements."""
        return self.problem.has_statements

    def sources(self) -> "pd.DataFrame":
        """How reliable each source of statements is, given the learned graph.

        Returns
        -------
        DataFrame
            As `Posterior.sources`; ``hold`` is what holds in the learned graph, which is taken as
            certain.
        """
        heard = self._heard
        shapes = heard.shapes_given(graph_codes(self.problem, self.dag))
        no_errors = [0.0] * len(shapes)
        return source_table(heard.testimony, shapes[None], np.ones(1), no_errors)

    def statements_held(self) -> "pd.DataFrame":
        """What became of each statement.

        Returns
        -------
        DataFrame
            ``source``, x, y, the event and the ``strength`` of the statement; the ``others`` who
            say the same; the probability of the event at the ``baseline``; the ``relation`` that
            the pair has in the learned graph, whether the event ``holds`` there, and whether that
            answer ``is_weak``, as in
            `beliefs_held`.
        """
        import pandas as pd

        baseline = self.problem.prior.uninformative_ties
        strong = without_weak_edges(
            self.dag.reorder(self.problem.rules.variables), self.problem.scorer
        )
        rows = []
        statements = self._heard.testimony.statements
        for statement, others in zip(statements, others_who_say(statements), strict=True):
            x, y, event = statement.x, statement.y, statement.event
            here, there = self.dag.tie(x, y), strong.tie(x, y)
            rows.append(
                {
                    "source": statement.source,
                    "x": x,
                    "y": y,
                    "event": event.value,
                    "strength": statement.strength,
                    "others": others,
                    "baseline": float(baseline[sorted(event.ties)].sum()),
                    "relation": here.relation.symbol,
                    "holds": here in event.ties,
                    "is_weak": (here in event.ties) != (there in event.ties),
                }
            )
        return pd.DataFrame(rows)

    def belief_gains(self) -> "pd.DataFrame":
        """What the data say of the edge between the two variables of each belief.

        Returns
        -------
        DataFrame
            For each stated probability (``x``, ``event``, ``y``) an edge: ``parent`` and ``child``
            as the belief has them, or as the learned graph where the belief leaves that open. What
            the edge is worth to the data in nats, ``beside`` the ``others`` that are parents of
            the child in the learned graph and ``alone``; and a ``sentence``.
        """
        return belief_gains_table(self)

    def families(self) -> "pd.DataFrame":
        """How the parents of each variable act together; of ``score="families"`` alone.

        Returns
        -------
        DataFrame
            For each ``child`` its ``parents`` and the ``part`` of the score that carries the
            family: ``"additive"`` where each parent moves the odds by itself, else ``"table"`` or,
            where each of its rows counts as one row of data beforehand, ``"rows"``. Then how
            probable each of the three is, and a ``sentence``. In rows from experiments it is about
            those in which the child was left alone.
        """
        return families_table(self)

    def odds_ratios(
        self, *, references: References | None = None, level: float = LEVEL
    ) -> "pd.DataFrame":
        """By what each parent multiplies the odds of its child, where the effects add up.

        Of ``score="families"`` alone, and of the families that `families` calls ``"additive"``:
        there an odds ratio is the same whatever the other parents are, and adjusted for these. It
        speaks of the learned graph; what is not in it is not adjusted for.

        Parameters
        ----------
        references
            Of some variables the state that the others are compared with, as in
            ``{"smokes": "no"}``; the most frequent one unless given. Of the child, too.
        level
            Share of the posterior distribution in an interval.

        Returns
        -------
        DataFrame
            ``child``, its ``outcome`` and the one it is instead of (``otherwise``); ``parent``, its
            ``state`` and the one that this is ``against``; the ``odds_ratio`` at the most probable
            effects, and the interval from ``low`` to ``high``, of a normal approximation to the
            logarithm.
        """
        return odds_ratios_table(self, references, level)

    @property
    def _heard(self) -> StatementWeights:
        if not self.problem.has_statements:
            raise SearchError("there were no statements: pass some to learn")
        return self.problem.statements
