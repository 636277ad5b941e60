"""`Listing`: the configurations of some pairs, with their uninformative probabilities."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.prior.ties import NUM_TIES


@dataclass(frozen=True, slots=True)
class Listing:
    """Configurations C with U_C, and the joints J_C ∝ U_C · Π_p λ_p(C_p) on them."""

    columns: tuple[int, ...]
    """Which of the prior's pairs are listed."""
    configurations: NDArray[np.int8]
    """Tie codes, one row per configuration and one column per pair; no edges (4, 5) but of pairs
    whose edges are told apart."""
    probabilities: NDArray[np.float64]
    """U_C, positive, summing to 1."""
    num_samples: int = 0
    """DAGs that U was estimated from; 0 where it was counted."""
    is_complete: bool = True
    """Whether all valid configurations are listed, not only those a sample showed."""

    @property
    def is_exact(self) -> bool:
        """Whether U was counted, not estimated from samples."""
        return self.num_samples == 0

    def scores(self, log_weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """log (U_C · Π_p λ_p(C_p)) of each configuration; ``log_weights`` is pairs × ties."""
        scores = np.log(self.probabilities)
        for row, codes in zip(log_weights, self.configurations.T, strict=True):
            scores += row[codes]
        return scores

    def log_total(self, log_weights: NDArray[np.float64]) -> float:
        """log Σ_C U_C · Π_p λ_p(C_p)."""
        scores = self.scores(log_weights)
        top = scores.max()
        return float(top + np.log(np.exp(scores - top).sum()))

    def joint(self, log_weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """J_C, normalised."""
        scores = self.scores(log_weights)
        joint: NDArray[np.float64] = np.exp(scores - scores.max())
        joint /= joint.sum()
        return joint

    def marginals(self, joint: NDArray[np.float64]) -> NDArray[np.float64]:
        """Probability of each tie of each pair, pairs × ties."""
        return np.array(
            [
                np.bincount(codes, weights=joint, minlength=NUM_TIES)
                for codes in self.configurations.T
            ]
        )

    def effective_samples(self, joint: NDArray[np.float64]) -> float:
        """Number of sampled DAGs that an estimate under ``joint`` rests on: S / Σ_C J_C² / U_C."""
        return float(self.num_samples / np.sum(joint**2 / self.probabilities))
