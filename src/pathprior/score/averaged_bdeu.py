"""BDeu averaged over equivalent sample sizes."""

from dataclasses import dataclass

from pathprior.data.merged import Coded
from pathprior.kernels.data.averaged import AveragedRule
from pathprior.kernels.data.special import AVERAGED
from pathprior.score.counted import CountedScore
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE, require_positive


@dataclass(frozen=True, slots=True)
class AveragedBdeu(CountedScore):
    """log Σ_e P_e(child, parents) − log Σ_e P_e(parents), P_e of BDeu with sample size e.

    P_e(S) = Γ(e)/Γ(e + N) Π_c Γ(e/q + N_c)/Γ(e/q) over the configurations c of S; there can be q.
    The sizes are 0.1, 0.32, 1, 3.2 and 10 times `equivalent_sample_size`, all as probable.
    P_e of fewer variables is what P_e of more comes to in sum, and so is their average: so this is
    a distribution of the child given the parents. Being a difference of values of two sets, it is
    the same for all graphs of a class. It is no product of a prior on tables and their likelihood,
    for how probable a size is depends on the parents' values: so no tables are drawn by it.

    Attributes
    ----------
    equivalent_sample_size
        The size in the middle.
    """

    is_score_equivalent = True

    equivalent_sample_size: float = DEFAULT_SAMPLE_SIZE

    def __post_init__(self) -> None:
        require_positive(self.equivalent_sample_size)

    @property
    def prior_rows(self) -> float:
        """The equivalent sample size."""
        return self.equivalent_sample_size

    def rule(self, table: Coded) -> AveragedRule:
        """A rule of its own, with the size in the middle."""
        return AveragedRule(AVERAGED, float(self.equivalent_sample_size))
