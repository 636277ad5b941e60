"""K2: the marginal likelihood with one imagined row per cell (Cooper and Herskovits, 1992)."""

from dataclasses import dataclass

from pathprior.data.merged import Coded
from pathprior.kernels.data.families import Rule
from pathprior.kernels.data.special import DIRICHLET
from pathprior.score.counted import CountedScore


@dataclass(frozen=True, slots=True)
class K2(CountedScore):
    """log Π_j (r − 1)!/(N_j + r − 1)! Π_k N_jk!, the Dirichlet score with α_jk = 1."""

    is_score_equivalent = False  # the prior's weight grows with the number of cells

    def rule(self, table: Coded) -> Rule:
        """A Dirichlet score with weight one in each cell."""
        return Rule(DIRICHLET, 1.0, False, 0.0)
