"""What a fit must keep of what was stated, and the word that it did not.

Every way to fit a part says how near beliefs that can hold together must come; whoever puts parts
together holds all of them to it here, whatever they say of their own convergence.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.errors import PathPriorWarning
from pathprior.prior.belief_table import MAX_NAMED, find_vectors
from pathprior.prior.unmet import Unmet

ROUNDING = 1e-12
"""Where a probability near 1 is met as well as floats can tell."""


class UnmetBeliefWarning(PathPriorWarning):
    """Beliefs that are not known to contradict each other are not met by the fit."""


@dataclass(frozen=True, slots=True)
class Promise:
    """How near to what was stated a fit must come."""

    absolute: float
    relative: float
    """Share of the smaller of the probability and its complement."""
    excuse: str
    """Why it may fall short, and what to do about it."""

    def is_kept(self, stated: float, fitted: float) -> bool:
        """Whether ``fitted`` is near enough to ``stated``; a value that is no number is not."""
        allowed = max(self.absolute, self.relative * min(stated, 1 - stated))
        return abs(fitted - stated) <= allowed


def broken_promises(
    beliefs: Sequence[Belief],
    index: Mapping[str, int],
    pairs: NDArray[np.int64],
    marginals: NDArray[np.float64],
    promises: Iterable[tuple[Sequence[int], Promise | None]],
) -> tuple[Unmet, ...]:
    """What was missed of each promise that is not kept.

    Parameters
    ----------
    marginals
        Fitted probabilities of the ties of ``pairs``.
    promises
        Rows of ``pairs``, with what was promised of the beliefs on them; None if nothing was.
    """
    fitted = find_vectors(beliefs, index, pairs, marginals)
    found = []
    for columns, promise in promises:
        if promise is None:
            continue
        ends = {frozenset(pairs[column].tolist()) for column in columns}
        own = [b for b in beliefs if frozenset((index[b.x], index[b.y])) in ends]
        missed = list(_missed(own, fitted, promise))
        if missed:
            more = f"; and {len(missed) - MAX_NAMED} more" if len(missed) > MAX_NAMED else ""
            named = "; ".join(words for _, words in missed[:MAX_NAMED])
            those = {belief for belief, _ in missed}
            beliefs_missed = tuple(belief for belief in own if belief in those)
            found.append(Unmet(beliefs_missed, f"{named}{more}", promise.excuse))
    return tuple(found)


def _missed(
    beliefs: Iterable[Belief], fitted: Mapping[Belief, NDArray[np.float64]], promise: Promise
) -> Iterator[tuple[Belief, str]]:
    """The beliefs that are missed, what was stated and what became of it, widest gap first."""
    gaps = []
    for belief in beliefs:
        for event, stated in zip(belief.named_events, belief.probabilities, strict=False):
            after = float(fitted[belief][sorted(event.ties)].sum())
            if not promise.is_kept(stated, after):
                who = f" by {belief.source}" if belief.source else ""
                words = f"{event.phrase(belief.x, belief.y)} {after:.6g}, stated {stated:.6g}{who}"
                gaps.append((abs(after - stated), belief, words))
    gaps.sort(key=lambda gap: -round(gap[0], 9))
    return ((belief, words) for _, belief, words in gaps)
