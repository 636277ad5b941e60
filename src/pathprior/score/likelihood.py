"""Log-likelihood at the maximum, which grows with every parent."""

from dataclasses import dataclass

from pathprior.data.merged import Coded
from pathprior.kernels.data.families import Rule
from pathprior.kernels.data.special import LIKELIHOOD
from pathprior.score.counted import CountedScore


@dataclass(frozen=True, slots=True)
class LogLikelihood(CountedScore):
    """Σ_jk N_jk log(N_jk/N_j)."""

    is_score_equivalent = True
    never_falls = True

    def rule(self, table: Coded) -> Rule:
        """A likelihood without penalty."""
        return Rule(LIKELIHOOD, 0.0, False, 0.0)
