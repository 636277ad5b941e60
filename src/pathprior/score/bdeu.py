"""BDeu: the marginal likelihood under a uniform Dirichlet prior (Heckerman et al., 1995)."""

from dataclasses import dataclass

from pathprior.data.merged import Coded
from pathprior.kernels.data.families import Rule
from pathprior.kernels.data.special import DIRICHLET
from pathprior.score.counted import CountedScore
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE, require_positive


@dataclass(frozen=True, slots=True)
class Bdeu(CountedScore):
    """log Π_j Γ(α_j)/Γ(α_j + N_j) Π_k Γ(α_jk + N_jk)/Γ(α_jk) with α_jk = ess/(q r), α_j = ess/q.

    Attributes
    ----------
    equivalent_sample_size
        ess > 0: how many rows the prior is worth.
    """

    is_score_equivalent = True  # Heckerman et al., 1995

    equivalent_sample_size: float = DEFAULT_SAMPLE_SIZE

    def __post_init__(self) -> None:
        require_positive(self.equivalent_sample_size)

    @property
    def prior_rows(self) -> float:
        """The equivalent sample size."""
        return self.equivalent_sample_size

    def rule(self, table: Coded) -> Rule:
        """A Dirichlet score whose total weight the cells share."""
        return Rule(DIRICHLET, float(self.equivalent_sample_size), True, 0.0)
