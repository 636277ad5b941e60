"""Judgements of a web's weights, and the weights that several of them together call for.

A judgement at weights θ_j finds the gaps g_j = wanted − average. Near the solution gaps are linear
in the weights, so judgements at nearby weights are worth one long judgement at their mean, whose
gap is the mean of theirs: one Newton step from there uses every sample that was drawn.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pathprior.prior.web_diagnostics import Agreement, root_mean_square
from pathprior.prior.web_moments import Moments, SoftEquations

NEAR = 2.0
"""Gaps of so many standard errors, root mean square, may be noise alone."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a run with fixed weights found."""

    equations: SoftEquations
    """The weights that were judged."""
    events: Agreement
    relations: NDArray[np.float64]
    """Probability of each pair's relations."""
    moments: Moments
    num_rounds: int

    @property
    def gaps(self) -> NDArray[np.float64]:
        """What the events' averages are short of what the weights want them to be."""
        gaps: NDArray[np.float64] = self.equations.wanted - self.events.marginals
        return gaps

    def is_good(self, tolerance: float) -> bool:
        """Whether every event is where it should be, and that is known well enough."""
        return self.events.has_settled(tolerance) and bool((np.abs(self.gaps) <= tolerance).all())

    def meets(self, tolerance: float) -> bool:
        """Whether noise explains what stated beliefs are missed by beyond ``tolerance``."""
        missed = np.abs(self.events.marginals - self.equations.target)
        beyond = np.maximum(missed - tolerance, 0.0) / self._errors
        return bool(beyond.max(initial=0.0) <= 3.0) and root_mean_square(beyond) <= 1.0

    @property
    def is_near(self) -> bool:
        """Whether gaps are about as large as their errors."""
        return root_mean_square(self.gaps / self._errors) <= NEAR

    @property
    def _errors(self) -> NDArray[np.float64]:
        return np.maximum(self.events.standard_errors, 1e-9)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Judgements at nearby weights, as one at their mean."""

    equations: SoftEquations
    gaps: NDArray[np.float64]
    moments: Moments
    num_effective: float
    num_rounds: int
    is_near: bool

    @classmethod
    def of(cls, judged: Judgement) -> "Evidence":
        """The evidence of a single judgement."""
        return cls(
            judged.equations,
            judged.gaps,
            judged.moments,
            judged.events.num_effective,
            judged.num_rounds,
            judged.is_near,
        )

    def joined(self, judged: Judgement) -> "Evidence":
        """This and another judgement, each with the weight of its rounds.

        Gaps beyond noise, in one or the other, may be too large to be linear: then the new
        judgement stands alone.
        """
        if not (self.is_near and judged.is_near):
            return Evidence.of(judged)
        num_rounds = self.num_rounds + judged.num_rounds
        share = judged.num_rounds / num_rounds
        theta = self.equations.theta + share * (judged.equations.theta - self.equations.theta)
        return Evidence(
            replace(self.equations, theta=theta),
            self.gaps + share * (judged.gaps - self.gaps),
            self.moments.mixed(judged.moments, share),
            self.num_effective + judged.events.num_effective,
            num_rounds,
            is_near=True,
        )

    def corrected(self) -> SoftEquations:
        """The equations after the Newton step that closes the gaps."""
        matrix = self.equations.newton_matrix(self.moments, self.num_effective)
        return self.equations.moved(matrix @ self.gaps, 1.0)
