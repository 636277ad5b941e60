"""What a prior makes of each belief: stated and fitted probabilities beside the baseline."""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.evidence import HALF
from pathprior.errors import PathPriorWarning
from pathprior.graph.tie import Tie
from pathprior.prior.constraints import find_pair
from pathprior.prior.sources import SourceFit, source_words

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("x", "y", "event", "baseline", "stated", "fitted", "change", "strength", "source")
WITHIN = "within"
"""The column of what each belief's own source makes of it; only where there are several."""

DIGITS, MOST_DIGITS = 2, 17
"""Of a baseline, to which whoever means it may round it: two at least, all at most."""
MAX_NAMED = 10
"""Most beliefs that one warning names."""


Vectors = Mapping[Belief, NDArray[np.float64]]
"""Probabilities of the ties of each belief's pair, as the belief orders the pair."""


class BaselineWarning(PathPriorWarning):
    """A belief makes what it names less probable than it is without any belief."""


def belief_table(
    beliefs: Sequence[Belief],
    usual: Vectors,
    fitted: Vectors,
    within: Vectors | None = None,
) -> "pd.DataFrame":
    """One row per stated probability, largest change first.

    ``usual`` and ``fitted`` are probabilities without beliefs and with them; ``within`` those by
    each belief's source alone, if there are several.
    """
    import pandas as pd

    rows, alone = [], []
    for belief in beliefs:
        for event, stated in zip(belief.named_events, belief.stated, strict=True):
            ties = sorted(event.ties)
            if within is not None:
                alone.append(float(within[belief][ties].sum()))
            before = _share(usual[belief], ties)
            # what is certain from the start no belief moves, nor rounding
            after = before if before in (0.0, 1.0) else _share(fitted[belief], ties)
            change = after - stated
            about = (belief.x, belief.y, event.value, before, stated, after, change)
            rows.append((*about, belief.strength, belief.source))
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    if within is not None:
        frame.insert(COLUMNS.index("fitted"), WITHIN, alone)
    # rounding first: changes that differ by solver noise keep the order of the beliefs
    order = np.argsort(-np.abs(frame["change"].to_numpy(float)).round(9), kind="stable")
    return frame.iloc[order].reset_index(drop=True)


def _share(vector: NDArray[np.float64], ties: Sequence[int]) -> float:
    """Probability of some ties; of all that are possible 1, to the last bit."""
    return float(vector[ties].sum()) if np.delete(vector, ties).any() else 1.0


def find_vectors(
    beliefs: Sequence[Belief],
    index: Mapping[str, int],
    pairs: NDArray[np.int64],
    marginals: NDArray[np.float64],
) -> Vectors:
    """Read the vectors of ``beliefs`` from the ``marginals`` of ``pairs``."""
    vectors = {}
    for belief in beliefs:
        found = find_pair(pairs, index[belief.x], index[belief.y])
        assert found is not None  # every belief's pair is listed
        order = [tie.reverse if found[1] else tie for tie in Tie]
        vectors[belief] = marginals[found[0], order]
    return vectors


def source_vectors(
    sources: Iterable[SourceFit], index: Mapping[str, int], pairs: NDArray[np.int64]
) -> Vectors:
    """The vectors of each source's beliefs by its own fit."""
    vectors: dict[Belief, NDArray[np.float64]] = {}
    for source in sources:
        own = pairs[list(source.columns)]
        vectors |= find_vectors(source.beliefs, index, own, source.marginals)
    return vectors


def belief_probabilities(table: "pd.DataFrame") -> "pd.DataFrame":
    """Of the table of a prior what other tables begin with."""
    columns = ["x", "y", "event", "baseline", "stated", WITHIN, "fitted"]
    return table[[name for name in columns if name in table]].copy()


def speakers(table: "pd.DataFrame") -> list[str]:
    """Who said what is in each row of a prior's table, to begin a sentence with.

    One mind's beliefs are the user's, whatever they are founded on.
    """
    names = [source_words(str(name).strip() if WITHIN in table else "") for name in table["source"]]
    return [name[0].upper() + name[1:] for name in names]


def contradicted_first(table: "pd.DataFrame", factor: str) -> "pd.DataFrame":
    """Sort by how far data go against what was stated; their log factors are in one column."""
    factors, stated = table[factor].round(9), table["stated"]
    # what was called neither likely nor unlikely is never contradicted; what is not known is last
    agreement = np.where(stated > HALF, factors, np.where(stated < HALF, -factors, factors.abs()))
    return table.iloc[np.argsort(agreement, kind="stable")].reset_index(drop=True)


def warn_of_low_beliefs(beliefs: Sequence[Belief], usual: Vectors) -> None:
    """Warn once of all beliefs that count against what they name."""
    low = list(_low_beliefs(beliefs, usual))
    if low:
        more = f"; and {len(low) - MAX_NAMED} more" if len(low) > MAX_NAMED else ""
        named = "; ".join(
            f"{belief.phrase}, {usual:.3g} without beliefs" for belief, usual in low[:MAX_NAMED]
        )
        warnings.warn(
            "less probable than without any belief, so that stating it counts against what it "
            f"names: {named}{more}; if that is not meant, raise it, or change expected_parents",
            BaselineWarning,
            stacklevel=3,
        )


def _low_beliefs(beliefs: Sequence[Belief], usual: Vectors) -> Iterator[tuple[Belief, float]]:
    """The beliefs in one event that make it less probable, with its baseline.

    Not those of 0: they mean never; nor those of what rules make certain.
    """
    for belief in beliefs:
        if len(belief.named_events) == 1:
            before = float(usual[belief][sorted(belief.named_events[0].ties)].sum())
            # who says 0.25 of a baseline of 0.2504, or 0.143 of one of 0.142857, means the baseline
            rounded = {float(f"{before:.{digits}g}") for digits in range(DIGITS, MOST_DIGITS + 1)}
            least = min(before, *rounded)
            if before < 1.0 and 0 < belief.stated[0] < least:
                yield belief, before
