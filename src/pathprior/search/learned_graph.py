"""`LearnedGraph`: a graph, what it was learned from, and what it says of statements."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from pathprior.beliefs.reliability import source_table
from pathprior.beliefs.repeated import others_who_say
from pathprior.errors import SearchError
from pathprior.graph.dag import Dag
from pathprior.network.draw_summary import LEVEL
from pathprior.problem.problem import Problem
from pathprior.problem.statement_weights import StatementWeights
from pathprior.search.belief_gains import belief_gains_table
from pathprior.search.family_parts import families_table
from pathprior.search.odds_ratios import References, odds_ratios_table
from pathprior.search.reliability import graph_codes
from pathprior.search.support import without_weak_edges

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class LearnedGraph:
    """A graph and its problem; base of `Fit`, which says how it was found."""

    dag: Dag
    problem: Problem = field(repr=False)

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
