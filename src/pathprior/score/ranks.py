"""BGe on normal scores: whatever increasing function a column is given as, the score is the same.

The model is a normal distribution behind increasing functions that are not known (a nonparanormal,
Liu, Lafferty and Wasserman, 2009). Each column's values are replaced by the normal quantiles of
their ranks over n + 1; the score is a log density of these.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pathprior.data.dataset import Dataset
from pathprior.data.normal_scores import normal_scores, require_drawn_none
from pathprior.graph.dag import Dag
from pathprior.kernels.data.grams import Grams
from pathprior.network.model import Network
from pathprior.score.bge import Bge
from pathprior.score.curves import Additive
from pathprior.score.gram import GramScorer
from pathprior.score.score import Scorer

LINEAR = Additive(columns=1, is_flexible=False, ranks=True)
"""The same score, which knows how to fit networks."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """`Bge` of the ranks of real columns: no matter how skewed they are, or in which units."""

    def bind(self, dataset: Dataset) -> "RanksScorer":
        """Rank the columns, and sum their normal scores up."""
        dataset.real(may_be_set=True)
        require_drawn_none(dataset, "ranks")
        return RanksScorer(dataset, Bge().bind(normal_scores(dataset)))


@dataclass(frozen=True, slots=True, eq=False)
class RanksScorer(Scorer):
    """The score on one data set."""

    dataset: Dataset
    ranked: GramScorer
    """BGe of the normal scores."""

    @property
    def is_score_equivalent(self) -> bool:
        """As BGe is."""
        return True

    @property
    def may_rule_out(self) -> bool:
        """As BGe: its prior keeps every variance above zero."""
        return self.ranked.may_rule_out

    @property
    def prior_rows(self) -> float:
        """Those of BGe."""
        return self.ranked.prior_rows

    @property
    def tables(self) -> str:
        """Effects are those of regressions of ranks."""
        return "ranks"

    def local(self, child: int, parents: Sequence[int]) -> float:
        """Score of one family."""
        return self.ranked.local(child, parents)

    def kernel(self) -> Grams:
        """That of BGe."""
        return self.ranked.kernel()

    def estimate(self, dag: Dag, *, equivalent_sample_size: float) -> Network:
        """Regressions of the normal scores, and what turns these into values again."""
        linear = LINEAR.bind(self.dataset)
        return linear.estimate(dag, equivalent_sample_size=equivalent_sample_size)
