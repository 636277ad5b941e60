"""BGe: the marginal likelihood of linear regressions with normal noise.

The prior on means and precisions is normal–Wishart (Geiger and Heckerman, 2002); that a set S of
the columns has α_w − p + |S| degrees of freedom and the block T_S is the correction of Kuipers,
Moffa and Heckerman (2014).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pathprior.data.dataset import Dataset
from pathprior.errors import SearchError
from pathprior.network.conditionals import Linear
from pathprior.score.gram import GramForm, GramScore, GramScorer, LinearDrawer, bind_form, cumulated
from pathprior.score.moments import Moments
from pathprior.score.sums import Floats


@dataclass(frozen=True, slots=True)
class Bge(GramScore):
    """log of ∫ Π_rows N(x; μ, W⁻¹) dP(μ, W), W ~ Wishart(α_w, T⁻¹), μ | W ~ N(ν, (α_μ W)⁻¹).

    With n rows, means x̄, scatter S and R = T + S + n α_μ/(n + α_μ) (x̄ − ν)(x̄ − ν)ᵀ, a family of l
    parents scores

        ½ log(α_μ/(n + α_μ)) + log Γ((n + a + 1)/2) − log Γ((a + 1)/2) − (n/2) log π
        + ½(a + 1) log|T_Pv| − ½a log|T_P| + ½(n + a) log|R_P| − ½(n + a + 1) log|R_Pv|,

    a = α_w − p + l. T is t times the variances of the columns, t = α_μ(α_w − p − 1)/(α_μ + 1), and
    ν their means, so that units and origins do not matter. Of a column that was set in some rows
    both are those of the other rows.

    Attributes
    ----------
    alpha_mu
        α_μ > 0: how many rows the prior on the means is worth.
    alpha_w
        α_w > p + 1 for p columns; p + α_μ + 1 unless given.
    scale
        Whether T is in units of the columns' variances. False is T = t I in the data's units, as
        bnlearn and pybnesian have it: the graph then depends on the units.
    nu
        ν: ``"mean"`` or ``"zero"``.
    """

    alpha_mu: float = 1.0
    alpha_w: float | None = None
    scale: bool = True
    nu: str = "mean"

    def __post_init__(self) -> None:
        if not 0.0 < self.alpha_mu < math.inf:
            raise SearchError(f"alpha_mu must be a positive number, not {self.alpha_mu!r}")
        if self.nu not in ("mean", "zero"):
            raise SearchError(f"nu must be 'mean' or 'zero', not {self.nu!r}")

    @property
    def prior_rows(self) -> float:
        """α_μ."""
        return self.alpha_mu

    def bind(self, dataset: Dataset) -> GramScorer:
        """Sum up columns of real numbers."""
        dataset.real(may_be_set=True)
        return bind_form(self, dataset, self.form)

    def form(self, moments: Moments) -> GramForm:
        """The score as a function of sets; d columns take the place of p variables."""
        d, n = moments.num_columns, moments.num_rows
        alpha_w = self._freedom(d)
        if not d + 1.0 < alpha_w < math.inf:
            raise SearchError(
                f"alpha_w must be more than {d + 1} with {d} columns, not {self.alpha_w!r}"
            )
        t = self.alpha_mu * (alpha_w - d - 1.0) / (self.alpha_mu + 1.0)
        units = self._units(moments)
        matrix = moments.products * units * units[:, None] + t * np.eye(d)
        away = moments.centre * units - self._prior_means(moments)
        if away.any():
            matrix += n * self.alpha_mu / (n + self.alpha_mu) * np.outer(away, away)
        k = np.arange(d + 1)
        freedom: Floats = alpha_w - d + k.astype(np.float64)
        return GramForm(
            matrix=matrix,
            constants=self._constants(n, freedom) + 0.5 * freedom * k * math.log(t),
            powers=0.5 * (n + freedom),
            offsets=-n * moments.log_scales if self.scale else np.zeros(len(moments.variables)),
            least=None,  # T keeps every variance above zero
            max_columns=d,
        )

    def drawer(self) -> LinearDrawer:
        """Precisions and means have a posterior distribution."""
        return self._draw_linear

    def _draw_linear(
        self,
        moments: Moments,
        form: GramForm,
        family: Sequence[int],
        generator: np.random.Generator,
    ) -> Linear:
        """Draw a regression from its posterior distribution.

        With R, n and l as above and m the posterior mean of the means, σ² = R_v|P/χ² with
        n + α_w − p + l + 1 degrees of freedom, weights ~ N(R_P⁻¹ R_Pv, σ² R_P⁻¹), and the intercept
        ~ N(m_v − weights · m_P, σ²/(n + α_μ)).
        """
        from scipy.linalg import solve_triangular

        chosen = list(family)
        n, d, num_parents = moments.num_rows, moments.num_columns, len(chosen) - 1
        factor = np.linalg.cholesky(form.matrix[np.ix_(chosen, chosen)])
        freedom = n + self._freedom(d) - d + num_parents + 1.0
        deviation = float(factor[-1, -1] / np.sqrt(generator.chisquare(freedom)))
        noise = generator.standard_normal(num_parents + 1)
        weights = solve_triangular(
            factor[:-1, :-1], factor[-1, :-1] + deviation * noise[:-1], lower=True, trans="T"
        )
        units = self._units(moments)
        prior_means = self._prior_means(moments)
        share = n / (n + self.alpha_mu)
        means = (prior_means + share * (moments.centre * units - prior_means))[chosen]
        intercept = means[-1] - weights @ means[:-1]
        intercept += deviation * noise[-1] / math.sqrt(n + self.alpha_mu)
        # from the matrix's units, about the columns' means, to the data's
        scales, origins = (moments.scales / units)[chosen], moments.means[chosen]
        weights = weights * scales[-1] / scales[:-1]
        intercept = origins[-1] + scales[-1] * intercept - weights @ origins[:-1]
        return Linear(float(intercept), tuple(weights), float(scales[-1]) * deviation)

    def _freedom(self, num_columns: int) -> float:
        """α_w."""
        return num_columns + self.alpha_mu + 1.0 if self.alpha_w is None else float(self.alpha_w)

    def _units(self, moments: Moments) -> Floats:
        """What the standardised columns are multiplied with."""
        return np.ones(moments.num_columns) if self.scale else moments.scales

    def _prior_means(self, moments: Moments) -> Floats:
        """ν, of columns about their means and in those units."""
        if self.nu == "mean":
            return np.zeros(moments.num_columns)
        return -moments.means / moments.scales * self._units(moments)

    def _constants(self, n: int, freedom: Floats) -> Floats:
        from scipy.special import gammaln

        half = 0.5 * freedom[1:]
        first = 0.5 * math.log(self.alpha_mu / (n + self.alpha_mu)) - 0.5 * n * math.log(math.pi)
        return cumulated(first + gammaln(0.5 * n + half) - gammaln(half))
