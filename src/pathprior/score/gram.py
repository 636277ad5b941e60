"""The scores that are functions of matrices of products: one compiled form of all."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.data.scatter import Scatter
from pathprior.data.strata import RowStrata, find_strata
from pathprior.graph.bitset import num_words
from pathprior.graph.dag import Dag
from pathprior.kernels.data.gram import make_gram_room
from pathprior.kernels.data.grams import Grams, grams_column
from pathprior.network.conditionals import Linear
from pathprior.network.estimate import estimate_network
from pathprior.network.gaussian import GaussianNetwork
from pathprior.network.model import Network
from pathprior.score.moments import Moments, find_moments
from pathprior.score.score import Drawer, Scorer
from pathprior.score.strata import make_strata
from pathprior.score.sums import Floats

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


LinearDrawer = Callable[[Moments, GramForm, Sequence[int], np.random.Generator], Linear]
"""Draws the regression of the last of some variables, all real, on the others."""


class GramScore(ABC):
    """Base of the scores of this form; all are functions of sets, so equivalent graphs tie."""

    @property
    def prior_rows(self) -> float:
        """See `Scorer.prior_rows`; a score without a prior gives its networks that of BGe."""
        return 1.0

    def drawer(self) -> LinearDrawer | None:
        """What draws regressions, if this is the marginal likelihood of a model that has some."""
        return None

    @abstractmethod
    def bind(self, dataset: Dataset) -> "GramScorer":
        """Sum the data up; no row is looked at again."""


@dataclass(frozen=True, slots=True, eq=False)
class GramScorer(Scorer):
    """A compiled score on one data set: its form on each stratum, and the moments of all rows."""

    score: GramScore
    dataset: Dataset
    moments: Moments
    strata: RowStrata
    by_stratum: tuple[Moments, ...]
    forms: tuple[GramForm, ...]

    @property
    def is_score_equivalent(self) -> bool:
        """True: turning a covered edge u → v leaves f(P ∪ {u, v}) − f(P)."""
        return True

    @property
    def may_rule_out(self) -> bool:
        """Whether a column may depend on others, or a family have too many of them."""
        most = self.moments.num_columns
        return any(form.least is not None or form.max_columns < most for form in self.forms)

    def local(self, child: int, parents: Sequence[int]) -> float:
        """Score of one family, to the bit as in a search. O(d_P² d) for d columns."""
        num_variables = len(self.moments.variables)
        column = np.empty(num_variables)
        everyone = np.full(num_words(num_variables), ~np.uint64(0))
        members = np.sort(np.asarray(parents, dtype=np.int64))
        grams_column(self.kernel(), child, members, everyone, column)
        return float(column[child])

    @property
    def prior_rows(self) -> float:
        """That of the score."""
        return self.score.prior_rows

    def drawer(self) -> Drawer | None:
        """That of the score, on the rows of a stratum."""
        draw = self.score.drawer()
        if draw is None:
            return None

        def draw_given(
            child: int, parents: Sequence[int], stratum: int, generator: np.random.Generator
        ) -> Linear:
            form, moments = self.forms[stratum], self.by_stratum[stratum]
            return draw(moments, form, (*parents, child), generator)

        return draw_given

    def estimate(self, dag: Dag, *, equivalent_sample_size: float) -> Network:
        """Posterior means under BGe; from the rows where one sum of products does not do."""
        if self.dataset.coded.variables or self.dataset.intervened is not None:
            return estimate_network(
                dag, self.dataset, equivalent_sample_size=equivalent_sample_size
            )
        moments = self.moments
        place = {name: v for v, name in enumerate(moments.variables)}
        order = [place[name] for name in dag.nodes]
        means = moments.means + moments.centre * moments.scales
        scales = moments.scales[order]
        products = moments.products[np.ix_(order, order)] * scales * scales[:, np.newaxis]
        return GaussianNetwork.from_scatter(
            dag,
            Scatter(moments.num_rows, means[order], products),
            equivalent_sample_size=equivalent_sample_size,
        )

    def kernel(self) -> Grams:
        """The matrices, the constants and scratch."""
        forms, first_column = self.forms, self.moments.first_column
        max_block = max(1, int(np.diff(first_column).max(initial=1)))
        diagonals = np.stack([form.matrix.diagonal() for form in forms])
        may_all_be = all(form.least is None for form in forms)
        least = [form.least or 0.0 for form in forms]
        return Grams(
            _stacked([form.matrix for form in forms]),
            first_column,
            np.stack([form.constants for form in forms]),
            np.stack([form.powers for form in forms]),
            np.stack([form.offsets for form in forms]),
            FLOOR * diagonals,
            np.empty((len(forms), 0)) if may_all_be else np.array(least)[:, None] * diagonals,
            np.array([form.max_columns for form in forms]),
            make_strata(self.strata),
            np.empty(len(self.moments.variables)),
            make_gram_room(self.moments.num_columns, max_block),
        )


def bind_form(
    score: GramScore, dataset: Dataset, form: Callable[[Moments], GramForm]
) -> GramScorer:
    """Sum the data up, stratum by stratum, and bring the score into its form on each."""
    strata = find_strata(dataset)
    moments, by_stratum = find_moments(dataset, strata)
    return GramScorer(score, dataset, moments, strata, by_stratum, tuple(map(form, by_stratum)))


def _stacked(matrices: list[Floats]) -> Floats:
    """One array of all; of one no copy."""
    return matrices[0][np.newaxis] if len(matrices) == 1 else np.stack(matrices)


def cumulated(steps: NDArray[np.float64]) -> Floats:
    """Sums of the first 0, 1, … steps."""
    return np.concatenate([[0.0], np.cumsum(steps)])
