"""BIC: the likelihood less half a log N per parameter (Schwarz, 1978)."""

import math
from dataclasses import dataclass

from pathprior.data.merged import Coded
from pathprior.kernels.data.families import Rule
from pathprior.kernels.data.special import LIKELIHOOD
from pathprior.score.counted import CountedScore


@dataclass(frozen=True, slots=True)
class Bic(CountedScore):
    """Σ_jk N_jk log(N_jk/N_j) − ½ log N · q (r − 1).

    0 for a column that was set in every row: there is no family, and no parameter to pay for.
    """

    is_score_equivalent = True  # both terms are functions of the equivalence class

    def rule(self, table: Coded) -> Rule:
        """A likelihood with a penalty of ½ log N per parameter."""
        return Rule(LIKELIHOOD, 0.0, False, 0.5 * math.log(table.num_rows))
