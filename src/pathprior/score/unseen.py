"""`Unseen`: any score, allowing for edges too weak to be seen in the data at hand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import log, log1p

import numpy as np

from pathprior.data.dataset import Dataset
from pathprior.graph.bitset import num_words, pack_rows
from pathprior.graph.dag import Dag
from pathprior.kernels.data.column_cache import make_cache, make_table
from pathprior.kernels.data.columns import Kernel, make_filler
from pathprior.kernels.data.unseen import FEW, WHOLE, UnseenRoom
from pathprior.kernels.data.unseen import Unseen as UnseenKernel
from pathprior.network.model import Network
from pathprior.score.score import Drawer, Score, Scorer

MAX_ALONE = 1 << 14
"""Single families whose scores are remembered; all are forgotten when there are more."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """log Σ_{S ⊆ P} ε^|P ∖ S| (1 − ε)^|S| e^s(v, S), s another score.

    Each edge is without visible effect in these rows with a chance of ε. So the data lower the odds
    of an edge, the others given, by a factor of 1/ε at most: rows that show nothing refute no weak
    effect. Graphs with a prior weight β^edges keep it: an unseen edge is paid for as any.

    Attributes
    ----------
    score
        That of the families of which all is seen.
    share
        ε, above 0 and below 1.
    """

    score: Score
    share: float

    def bind(self, dataset: Dataset) -> "UnseenScorer":
        """Bind the score of what is seen."""
        return UnseenScorer(self.score.bind(dataset), self.share, dataset.num_variables)


@dataclass(frozen=True, slots=True)
class UnseenScorer(Scorer):
    """The score on one data set.

    Attributes
    ----------
    seen
        That of what is seen; parameters are drawn and estimated by it, those of an edge that may be
        unseen too.
    """

    seen: Scorer
    share: float
    num_variables: int
    _known: dict[tuple[int, tuple[int, ...]], float] = field(
        default_factory=dict, repr=False, compare=False
    )

    @property
    def is_score_equivalent(self) -> bool:
        """False: in graphs with triangles an edge may be seen one way and not the other."""
        return False

    @property
    def never_falls(self) -> bool:
        """Whether that of what is seen never does."""
        return self.seen.never_falls

    @property
    def may_rule_out(self) -> bool:
        """Whether that of what is seen may."""
        return self.seen.may_rule_out

    @property
    def prior_rows(self) -> float | None:
        """Those of the score of what is seen."""
        return self.seen.prior_rows

    @property
    def tables(self) -> str:
        """As by the score of what is seen."""
        return self.seen.tables

    @property
    def lister(self) -> Scorer:
        """The score of what is seen: any parent may be there unseen, and walks add such."""
        return self.seen.lister

    @property
    def has_guides(self) -> bool:
        """Whether the score of what is seen is a guide or has some."""
        return self.seen.is_score_equivalent or self.seen.has_guides

    def guides(self) -> Iterator[Scorer]:
        """The score of what is seen and its guides, those of them that are score-equivalent."""
        if self.seen.is_score_equivalent:
            yield self.seen
        yield from self.seen.guides()

    def drawer(self) -> Drawer | None:
        """That of the score of what is seen."""
        return self.seen.drawer()

    def estimate(self, dag: Dag, *, equivalent_sample_size: float) -> Network:
        """By the score of what is seen."""
        return self.seen.estimate(dag, equivalent_sample_size=equivalent_sample_size)

    def local(self, child: int, parents: Sequence[int]) -> float:
        """Score of one family."""
        return float(np.logaddexp.reduce([term for _, term in self._terms(child, parents)]))

    def draw_seen(
        self, child: int, parents: Sequence[int], generator: np.random.Generator
    ) -> tuple[int, ...]:
        """Draw which parents are seen, given that these are the parents."""
        kept, terms = zip(*self._terms(child, parents), strict=True)
        weights = np.exp(np.array(terms) - max(terms))
        drawn = generator.choice(len(kept), p=weights / weights.sum())
        return tuple(kept[drawn])

    def _terms(self, child: int, parents: Sequence[int]) -> Iterator[tuple[tuple[int, ...], float]]:
        """The parents that may be those that are seen, and the log of what each choice weighs."""
        size = len(parents)
        for num_gone in range((size if size <= WHOLE else FEW) + 1):
            chance = num_gone * log(self.share) + (size - num_gone) * log1p(-self.share)
            for kept in combinations(parents, size - num_gone):
                if (child, kept) not in self._known:
                    self._known[child, kept] = self.seen.local(child, list(kept))
                yield kept, chance + self._known[child, kept]

    def kernel(self) -> Kernel | None:
        """That of the score of what is seen, with room for the columns of subsets."""
        seen = self.seen.kernel()
        if seen is None:
            return None
        size, words = self.num_variables, num_words(self.num_variables)
        room = UnseenRoom(
            gone=np.empty(WHOLE + 2, np.int64),
            members=np.empty(size, np.int64),
            subset=np.empty(words, np.uint64),
            taken=np.empty(words, np.uint64),
            everyone=pack_rows(np.ones((1, size), dtype=bool))[0],
            column=np.empty(size),
        )
        return UnseenKernel(
            make_filler(seen),
            log(self.share),
            log1p(-self.share),
            make_cache(size, words),
            make_table(MAX_ALONE, words, np.empty((MAX_ALONE, 1))),
            np.zeros((size, words), np.uint64),
            room,
        )
