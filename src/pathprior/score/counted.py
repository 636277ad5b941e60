"""The scores that are functions of counts: one compiled form, of which each is a rule."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pathprior.data.dataset import Dataset
from pathprior.data.merged import Coded
from pathprior.data.strata import find_strata, one_stratum
from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.data.cells import make_workspace
from pathprior.kernels.data.families import AnyRule, Rule, family_score
from pathprior.kernels.data.rows import Rows
from pathprior.kernels.data.score_column import Counted
from pathprior.kernels.data.special import DIRICHLET
from pathprior.kernels.data.strata import Strata
from pathprior.network.conditionals import Table
from pathprior.network.network import BayesianNetwork
from pathprior.network.tables import count_cells, draw_table
from pathprior.score.rows import make_rows, times_of
from pathprior.score.score import Drawer, Scorer
from pathprior.score.strata import make_strata


class CountedScore(ABC):
    """Base of the scores that have the form of `kernels.data.families`."""

    is_score_equivalent: ClassVar[bool]
    """Whether Markov-equivalent graphs always score alike."""
    never_falls: ClassVar[bool] = False
    """Whether an edge never lowers the score."""

    @property
    def prior_rows(self) -> float | None:
        """See `Scorer.prior_rows`."""
        return None

    @abstractmethod
    def rule(self, table: Coded) -> AnyRule:
        """The score in the common form."""

    def bind(self, dataset: Dataset) -> "CountedScorer":
        """Lay the data out as bitsets of rows, one per state."""
        table = dataset.states(may_be_set=True)
        if dataset.intervened is None:
            rows = make_rows(table)
            strata = one_stratum(rows.codes.shape[1], dataset.num_variables)
        else:
            rows, strata = make_rows(table, may_merge=False), find_strata(dataset)
        return CountedScorer(self, dataset, self.rule(table), rows, make_strata(strata))


@dataclass(frozen=True, slots=True)
class CountedScorer(Scorer):
    """A compiled score on one data set: its rule and the data in the form the kernels count."""

    score: CountedScore
    dataset: Dataset
    rule: AnyRule
    rows: Rows
    strata: Strata

    @property
    def is_score_equivalent(self) -> bool:
        """Whether Markov-equivalent graphs always score alike."""
        return self.score.is_score_equivalent

    @property
    def never_falls(self) -> bool:
        """Whether an edge never lowers the score."""
        return self.score.never_falls

    @property
    def may_rule_out(self) -> bool:
        """False: counts rule nothing out."""
        return False

    @property
    def prior_rows(self) -> float | None:
        """Those of the score."""
        return self.score.prior_rows

    def local(self, child: int, parents: Sequence[int]) -> float:
        """Score of one family; one pass over the rows per parent, memory linear in the rows.

        Strata without a row score 0: there is no family in them to pay for.
        """
        members = np.sort(np.asarray(parents, dtype=np.int64))
        rows, strata = self.rows, self.strata
        score = 0.0
        own = strata.which[strata.first[child] : strata.first[child + 1]]
        for s in own[strata.sizes[own] > 0]:
            score += family_score(
                rows.codes, rows.num_states, rows.shifts, self.rule, strata.rows[s],
                strata.sizes[s], child, members,
            )  # fmt: skip
        return float(score)

    def kernel(self) -> Counted:
        """The data, the rule and scratch."""
        # a copy from another process can be written to, which is another type to the compiler
        self.rows.codes.flags.writeable = False
        work = make_workspace(self.rows, self.strata)
        return Counted(self.rows, self.rule, self.strata, work)

    def drawer(self) -> Drawer | None:
        """Under a Dirichlet score tables have a posterior distribution."""
        is_dirichlet = isinstance(self.rule, Rule) and self.rule.kind == DIRICHLET
        return self._draw_table if is_dirichlet else None

    def _draw_table(
        self, child: int, parents: Sequence[int], stratum: int, generator: np.random.Generator
    ) -> Table:
        """Draw a table from its posterior distribution given the rows of a stratum."""
        assert isinstance(self.rule, Rule)
        rows = unpack_row(self.strata.rows[stratum], self.rows.codes.shape[1])
        family = (*parents, child)
        shape = tuple(int(self.rows.num_states[v]) for v in family)
        codes = [self.rows.codes[v][rows] for v in family]
        counts = count_cells(codes, shape, times_of(self.rows)[rows])
        alpha = self.rule.cell_weight / (counts.size if self.rule.is_shared else 1)
        return Table(draw_table(counts, alpha, generator))

    def estimate(self, dag: Dag, *, equivalent_sample_size: float) -> BayesianNetwork:
        """Posterior means under the BDeu prior."""
        return BayesianNetwork.estimate(
            dag, self.dataset, equivalent_sample_size=equivalent_sample_size
        )
