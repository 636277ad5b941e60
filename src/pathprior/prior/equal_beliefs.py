"""Dozens of equal probabilities: statements that somebody gave a number, rather than beliefs."""

import warnings
from collections import Counter
from collections.abc import Sequence

from pathprior.beliefs.belief import Belief
from pathprior.errors import PathPriorWarning
from pathprior.prior.sources import source_words

DOZENS = 24
"""Equal probabilities of one source from which nobody weighed them one by one."""
STEPS = 20
"""Parts of one that a round probability is a whole number of."""
MAX_NAMED = 5
"""Most sources that one warning names."""


class EqualBeliefsWarning(PathPriorWarning):
    """Dozens of beliefs of one source have the same round probability."""


def warn_of_equal_beliefs(beliefs: Sequence[Belief]) -> None:
    """Warn once of the sources that give dozens of events the same round probability."""
    counted = Counter(
        (belief.source.strip(), belief.stated[0])
        for belief in beliefs
        if len(belief.named_events) == 1 and _is_round(belief.stated[0])
    )
    found = [(*key, number) for key, number in counted.most_common() if number >= DOZENS]
    if not found:
        return
    named = "; ".join(
        f"{number} of {source_words(source)!r} are {p:g}" for source, p, number in found[:MAX_NAMED]
    )
    more = f"; and {len(found) - MAX_NAMED} more" if len(found) > MAX_NAMED else ""
    warnings.warn(
        f"dozens of beliefs with the same round probability: {named}{more}; if nobody weighed them "
        "one by one, nobody knows how many are right, and those that are wrong do harm: enter them "
        "as statements, whose reliability is learned, with says(source, x, relation, y), or in a "
        "file as rows with a source and no probability",
        EqualBeliefsWarning,
        stacklevel=3,
    )


def _is_round(probability: float) -> bool:
    steps = probability * STEPS
    return 0.0 < probability < 1.0 and abs(steps - round(steps)) < 1e-9
