"""BIC of linear regressions with normal noise."""

import math
import warnings
from dataclasses import dataclass

import numpy as np

from pathprior.data.dataset import Dataset
from pathprior.errors import PathPriorWarning, SearchError
from pathprior.score.gram import GramForm, GramScore, GramScorer, bind_form, cumulated
from pathprior.score.moments import Moments
from pathprior.score.sums import Floats

LEAST = 1e-6
"""Part of its variance that must be left of a column, given others, not to depend on them.

With less, rounding shows in the scores: equivalent graphs would differ by more than a search takes
for equal.
"""

SHOWN = 1e-6
"""Smallest coefficient, on standardised columns, that a dependence is said to have."""


@dataclass(frozen=True, slots=True)
class GaussianBic(GramScore):
    """−(n/2)(log 2πσ̂² + 1) − penalty · ½ log N · (l + 2), σ̂² the mean square left of l parents.

    n are the rows in which the child was not set, N all of them; mostly the same.

    Families in which a column is nearly a linear function of the others, with a millionth of its
    variance left or less, score −∞: the likelihood has no maximum, or rounding decides it. So do
    all of more than n − 1 columns. A column that was set in every row has no family: it scores 0.

    Attributes
    ----------
    penalty
        Factor of the penalty: 1 is BIC, 2 what Tetrad calls a penalty discount of 2.
    unbiased
        Whether the density is that of the variance with denominator n − l − 1, as bnlearn and
        pybnesian have it, instead of the likelihood's maximum.
    """

    penalty: float = 1.0
    unbiased: bool = False

    def __post_init__(self) -> None:
        if not 0.0 <= self.penalty < math.inf:
            raise SearchError(f"penalty must be a number of at least 0, not {self.penalty!r}")

    def bind(self, dataset: Dataset) -> GramScorer:
        """Sum up columns of real numbers."""
        dataset.real(may_be_set=True)
        scorer = bind_form(self, dataset, self.form)
        warn_of_dependent(scorer.moments)
        return scorer

    def form(self, moments: Moments) -> GramForm:
        """The score as a function of sets of columns."""
        n, d = moments.num_rows, moments.num_columns
        price = self.penalty * 0.5 * math.log(moments.num_all_rows)
        if n == 0:  # no family, and no parameter to pay for
            price = 0.0
        if n < 2:  # nothing to explain, and nothing to explain it by
            constants = cumulated(np.full(d, -price) * (2.0 + np.arange(d)))
            nothing = np.zeros(len(moments.variables))
            return GramForm(np.eye(d), constants, np.zeros(d + 1), nothing, LEAST, d)
        most = min(d, n - 1)
        left = n - 1.0 - np.arange(most)  # degrees of freedom beside 0, 1, … parents
        if self.unbiased:
            likelihood = -0.5 * n * np.log(2.0 * math.pi * n / left) - 0.5 * left
        else:
            likelihood = np.full(most, -0.5 * n * (1.0 + math.log(2.0 * math.pi)))
        steps = likelihood - price * (2.0 + np.arange(most))
        constants = np.zeros(d + 1)
        constants[: most + 1] = cumulated(steps)
        offsets = -n * moments.log_scales
        matrix = moments.products / n
        for j in np.flatnonzero(moments.is_constant):  # nothing to explain: 0 by itself
            matrix[j, j] = 1.0
            offsets[np.searchsorted(moments.first_column, j, side="right") - 1] -= constants[1]
        powers = np.full(d + 1, 0.5 * n)
        least = LEAST if may_depend(matrix) else None
        return GramForm(matrix, constants, powers, offsets, least, most)


def may_depend(matrix: Floats) -> bool:
    """Whether some column has next to no variance left, given all the others or some of them."""
    from scipy.linalg.lapack import dpotrf, dtrtri

    factor, failed = dpotrf(matrix)
    if failed:
        return True
    # 1/(R⁻¹)_jj is what is left of column j given all others; fewer leave more. R⁻¹ = U⁻¹ U⁻ᵀ, of
    # which dpotri would make all, in threads that wait for each other.
    left = 1.0 / np.square(dtrtri(factor)[0]).sum(axis=1)
    return bool((left <= 2.0 * LEAST * matrix.diagonal()).any())


def warn_of_dependent(moments: Moments) -> None:
    """Say which column is a linear function of others, where there are rows enough to tell."""
    if moments.num_rows <= moments.num_columns:
        return
    from scipy.linalg.lapack import dpstrf

    is_varied = np.flatnonzero(~moments.is_constant)
    correlations = moments.products[np.ix_(is_varied, is_varied)] / moments.num_rows
    _, order, rank, _ = dpstrf(correlations, tol=LEAST)
    if rank == len(correlations):
        return
    basis, dependent = order[:rank] - 1, int(order[rank:].min()) - 1
    weights = np.linalg.solve(correlations[np.ix_(basis, basis)], correlations[basis, dependent])
    others = sorted(is_varied[basis[np.abs(weights) > SHOWN]].tolist())
    warnings.warn(
        f"{_name(moments, is_varied[dependent])} is a linear function of "
        f"{', '.join(_name(moments, j) for j in others)}: no family may hold them all; drop one of "
        "them, or use score='bge'",
        PathPriorWarning,
        stacklevel=5,
    )


def _name(moments: Moments, column: int) -> str:
    return repr(moments.variables[int(np.searchsorted(moments.first_column, column, "right")) - 1])
