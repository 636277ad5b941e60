"""Whether a web fit has converged: errors from the spread of its chains."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import PathPriorWarning

MAX_R_HAT = 1.1
NUM_PARTS = 4
"""Parts that each chain is cut into: errors are read from 4 parts of 8 chains, 32 averages."""


class WebConvergenceWarning(PathPriorWarning):
    """A web fit stopped before its errors were as small as asked for."""


class WebStop(StrEnum):
    """Why a web fit stopped."""

    CONVERGED = "converged"
    TIME_LIMIT = "time limit reached"


@dataclass(frozen=True, slots=True)
class WebDiagnostics:
    """How a web fit went; its errors are those of Monte Carlo.

    Residuals and errors come from runs with weights held fixed, carried over to the fitted ones.
    """

    stopped_because: str
    num_chains: int
    num_sweeps: int
    """Sweeps that each chain made."""
    seconds: float
    standard_error: float
    """Root mean square of the standard errors of the fitted event probabilities."""
    max_standard_error: float
    max_residual: float
    """Largest gap between an event's average and what the fit's equations want it to be."""
    max_r_hat: float
    """Largest R-hat of any event, chains cut in four; 1 when they agree with each other."""
    least_effective: float
    """Least effective sample size of any event."""
    log_constant_error: float
    """Standard error of the constant in `PathPrior.log_prob`."""

    @property
    def has_converged(self) -> bool:
        """Whether all criteria were met."""
        return self.stopped_because == WebStop.CONVERGED

    @property
    def sentence(self) -> str:
        """The outcome in words, with what to do if it fell short."""
        found = (
            f"{self.stopped_because} after {self.seconds:.0f} s: fitted probabilities have a "
            f"standard error of {self.standard_error:.3f} ({self.max_standard_error:.3f} at most), "
            f"gaps up to {self.max_residual:.3f}, R-hat up to {self.max_r_hat:.2f}"
        )
        if self.has_converged:
            return found
        return (
            f"{found}; raise time_limit or tolerance, or lower strengths, of the beliefs in "
            "prior.conflicts first"
        )


@dataclass(frozen=True, slots=True)
class Agreement:
    """Averages of the events over some of the chains' past, with their errors."""

    marginals: NDArray[np.float64]
    standard_errors: NDArray[np.float64]
    r_hat: float
    least_effective: float
    num_effective: float
    """Independent samples that would have the same errors, taken over all events."""

    @classmethod
    def of_parts(
        cls,
        marginals: NDArray[np.float64],
        parts: NDArray[np.float64],
        *,
        drawn: NDArray[np.float64] | None = None,
    ) -> "Agreement":
        """Judge ``marginals`` by the spread of the averages over parts of chains, part × event.

        ``drawn`` are the averages as they were drawn, if they were carried to other weights since:
        a rare event carried from 1e-6 to 1e-9 keeps the spread that it had at 1e-6.
        """
        spread = parts.var(axis=0, ddof=1)
        errors = np.sqrt(spread / len(parts))
        drawn = marginals if drawn is None else drawn
        variance = drawn * (1 - drawn)
        is_seen = (variance > 0) & (errors > 0)
        # an indicator's variance within a chain is p (1 − p), however slow the chain
        ratio = spread[is_seen] / variance[is_seen]
        effective = variance[is_seen] / errors[is_seen] ** 2
        return cls(
            marginals=marginals,
            standard_errors=errors,
            r_hat=float(np.sqrt(1 + ratio.max(initial=0.0))),
            least_effective=float(effective.min(initial=np.inf)),
            num_effective=float(variance[is_seen].sum() / (errors[is_seen] ** 2).sum())
            if is_seen.any()
            else np.inf,
        )

    @property
    def max_standard_error(self) -> float:
        """The largest of the standard errors; 0 for none."""
        return float(self.standard_errors.max(initial=0.0))

    def has_settled(self, tolerance: float) -> bool:
        """Whether twice every error is within ``tolerance``, and chains agree."""
        return 2 * self.max_standard_error <= tolerance and self.r_hat <= MAX_R_HAT

    def solves(self, wanted: NDArray[np.float64], tolerance: float) -> bool:
        """Whether averages are what the fit's equations want, within errors."""
        gaps = np.abs(self.marginals - wanted)
        return bool((gaps <= tolerance + 3 * self.standard_errors).all())


def cut_blocks(
    blocks: NDArray[np.float32],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The average of ``blocks``, block × chain × value, and those of the parts of each chain.

    There must be a block per part at least.
    """
    parts = [part.mean(axis=0, dtype=np.float64) for part in np.array_split(blocks, NUM_PARTS)]
    return blocks.mean(axis=(0, 1), dtype=np.float64), np.concatenate(parts)


def root_mean_square(values: NDArray[np.float64]) -> float:
    """√ mean of squares; 0 for none."""
    return float(np.sqrt(np.mean(values**2))) if len(values) else 0.0
