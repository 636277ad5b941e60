"""AIC: the likelihood less one per parameter (Akaike, 1974)."""

from dataclasses import dataclass

from pathprior.data.merged import Coded
from pathprior.kernels.data.families import Rule
from pathprior.kernels.data.special import LIKELIHOOD
from pathprior.score.counted import CountedScore


@dataclass(frozen=True, slots=True)
class Aic(CountedScore):
    """Σ_jk N_jk log(N_jk/N_j) − q (r − 1); 0 for a column that was set in every row."""

    is_score_equivalent = True  # both terms are functions of the equivalence class

    def rule(self, table: Coded) -> Rule:
        """A likelihood with a penalty of one per parameter."""
        return Rule(LIKELIHOOD, 0.0, False, 1.0)
