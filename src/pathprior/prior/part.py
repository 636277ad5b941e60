"""A part: pairs whose beliefs are fitted together, and apart from all others.

`Part` is what a way to fit one must offer. There are two: `pathprior.prior.listed.part`, from a
list of configurations, and `pathprior.prior.web.part`, from Markov chains where they are too many.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.counting.progress import Progress, silent
from pathprior.errors import PathPriorWarning
from pathprior.prior.listed.conflicts import Conflict
from pathprior.prior.listed.listing import Listing
from pathprior.prior.listed.problem import Constraint
from pathprior.prior.promise import Promise
from pathprior.prior.web.diagnostics import WebDiagnostics
from pathprior.prior.web.settings import WebSettings

LEAST_SAMPLES = 1000
"""Effective samples below which a fit is doubtful."""


class Repair(StrEnum):
    """What to do with beliefs that are not strictly coherent."""

    SOFT = "soft"
    GEMA = "gema"
    ERROR = "error"
    INDEPENDENT = "independent"

    @property
    def needs_listing(self) -> bool:
        """Whether it works on listed configurations only."""
        return self in (Repair.GEMA, Repair.INDEPENDENT)


@dataclass(frozen=True, slots=True)
class FitSettings:
    """How parts are fitted."""

    repair: Repair
    web: WebSettings


@dataclass(frozen=True, slots=True)
class PartFit:
    """The fit of one part."""

    log_weights: NDArray[np.float64]
    """log λ of each pair's ties, summed over the beliefs on the pair."""
    marginals: NDArray[np.float64]
    """Fitted probability of each pair's ties."""
    is_coherent: bool
    effective_samples: float | None
    """Sampled DAGs that the fit rests on; None where U was counted."""
    warning: PathPriorWarning | None = None
    """Why not to rely on it."""
    promise: Promise | None = None
    """How near to what was stated it must be; None where that contradicts itself, where each belief
    is taken by itself, and of what several sources say."""
    web: WebDiagnostics | None = None
    """How the Markov chains went, if there were any."""

    @property
    def is_sparse(self) -> bool:
        """Whether it rests on so few sampled DAGs that its weights are doubtful."""
        return self.effective_samples is not None and self.effective_samples < LEAST_SAMPLES


class Part(Protocol):
    """Some of a prior's pairs, and a way to fit the beliefs on them.

    ``constraints`` are those beliefs; they name their pair by its place in ``columns``.
    """

    @property
    def columns(self) -> tuple[int, ...]:
        """Positions of its pairs among the prior's."""
        ...

    @property
    def possible_ties(self) -> NDArray[np.bool_]:
        """Which ties graphs can give each of its pairs: no more are left out than none can.

        Where edges are not told from paths there may be no edges.
        """
        ...

    def fit(
        self,
        constraints: Sequence[Constraint],
        beliefs: Sequence[Belief],
        settings: FitSettings,
        *,
        progress: Progress = silent,
    ) -> PartFit:
        """Fit the weights of its pairs."""
        ...

    def pool(
        self,
        log_weights: NDArray[np.float64],
        constraints: Sequence[Constraint],
        beliefs: Sequence[Belief],
        settings: FitSettings,
        *,
        progress: Progress = silent,
    ) -> PartFit:
        """What ``log_weights``, the sum of several sources', make of its pairs, normalised.

        Refuses ``constraints``, the beliefs behind them, if certain ones contradict each other.
        """
        ...

    def conflicts(
        self, constraints: Sequence[Constraint], beliefs: Sequence[Belief]
    ) -> tuple[Conflict, ...]:
        """Minimal groups of its beliefs that cannot hold together."""
        ...

    def require_listing(self, advice: str) -> Listing:
        """Its configurations with their U; an error with ``advice`` if they are not listed."""
        ...


def fitted_means(
    log_weights: NDArray[np.float64], marginals: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The mean log weight of each pair under the fit, as a column.

    For Σ_G Π λ only the sum over pairs matters. Centring every pair on its mean, and giving each an
    equal share of what is left, makes the weights independent of the solver's path.
    """
    mean = np.where(marginals > 0, log_weights, 0.0) * marginals
    means: NDArray[np.float64] = mean.sum(axis=1, keepdims=True)
    return means
