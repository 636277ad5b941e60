"""The scores that are functions of one matrix of products: one compiled form of all."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.graph.bitset import num_words
from pathprior.graph.dag import Dag
from pathprior.kernels.data.gram import Gram, make_gram_room
from pathprior.kernels.data.gram_column import gram_column
from pathprior.kernels.data.statistics import Statistics, of_gram
from pathprior.network.estimate import estimate_network
from pathprior.network.gaussian import GaussianNetwork
from pathprior.network.model import Network
from pathprior.network.regression import Scatter
from pathprior.score.moments import Floats, Moments
from pathprior.score.score import Scorer

FLOOR = 1e-14
"""Part of its variance below which what is left of a column is rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class GramForm:
    """A score as `kernels.data.gram_column` has it: f(S) = constants[k] − powers[k] log|matrix_S|.

    Attributes
    ----------
    offsets
        What each variable's family scores besides.
    least
        A column of a family whose variance, given those before it, is at most this part of its own
        depends on them, and the family is ruled out; None where no family can be so.
    max_columns
        Families with more columns are ruled out.
    """

    matrix: Floats
    constants: Floats
    powers: Floats
    offsets: Floats
    least: float | None
    max_columns: int


class GramScore(ABC):
    """Base of the scores of this form; all are functions of sets, so equivalent graphs tie."""

    @property
    def may_walk_classes(self) -> bool:
        """See `Scorer.may_walk_classes`."""
        return True

    @property
    def prior_rows(self) -> float:
        """See `Scorer.prior_rows`; a score without a prior gives its networks that of BGe."""
        return 1.0

    @abstractmethod
    def bind(self, dataset: Dataset) -> "GramScorer":
        """Sum the data up; no row is looked at again."""


@dataclass(frozen=True, slots=True, eq=False)
class GramScorer(Scorer):
    """A compiled score on one data set: its form, and the moments it was made from."""

    score: GramScore
    dataset: Dataset
    moments: Moments
    form: GramForm

    @property
    def is_score_equivalent(self) -> bool:
        """True: turning a covered edge u → v leaves f(P ∪ {u, v}) − f(P)."""
        return True

    def local(self, child: int, parents: Sequence[int]) -> float:
        """Score of one family, to the bit as in a search. O(d_P² d) for d columns."""
        num_variables = len(self.moments.variables)
        column = np.empty(num_variables)
        everyone = np.full(num_words(num_variables), ~np.uint64(0))
        members = np.sort(np.asarray(parents, dtype=np.int64))
        gram_column(self._gram(), child, members, everyone, column)
        return float(column[child])

    def kernel(self) -> Statistics:
        """The matrix, the constants and scratch."""
        return of_gram(self._gram())

    @property
    def prior_rows(self) -> float:
        """That of the score."""
        return self.score.prior_rows

    def estimate(self, dag: Dag, *, equivalent_sample_size: float) -> Network:
        """Posterior means under BGe; of states, which have no sums, from the rows."""
        if self.dataset.coded.variables:
            return estimate_network(
                dag, self.dataset, equivalent_sample_size=equivalent_sample_size
            )
        moments = self.moments
        place = {name: v for v, name in enumerate(moments.variables)}
        order = [place[name] for name in dag.nodes]
        scales = moments.scales[order]
        products = moments.products[np.ix_(order, order)] * scales * scales[:, np.newaxis]
        return GaussianNetwork.from_scatter(
            dag,
            Scatter(moments.num_rows, moments.means[order], products),
            equivalent_sample_size=equivalent_sample_size,
        )

    def _gram(self) -> Gram:
        form, first_column = self.form, self.moments.first_column
        max_block = max(1, int(np.diff(first_column).max(initial=1)))
        return Gram(
            form.matrix,
            first_column,
            form.constants,
            form.powers,
            form.offsets,
            FLOOR * form.matrix.diagonal(),
            np.empty(0) if form.least is None else form.least * form.matrix.diagonal(),
            form.max_columns,
            make_gram_room(self.moments.num_columns, max_block),
        )


def cumulated(steps: NDArray[np.float64]) -> Floats:
    """Sums of the first 0, 1, … steps."""
    return np.concatenate([[0.0], np.cumsum(steps)])
