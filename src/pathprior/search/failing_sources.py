"""Sources of which the data bear out far fewer beliefs than their probabilities promise."""

import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.event import Event
from pathprior.beliefs.evidence import HALF
from pathprior.errors import PathPriorWarning
from pathprior.graph.possible_ties import PossibleTies
from pathprior.prior.sources import source_words

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.search.result import Fit

FEWEST = 10
"""Likely beliefs of a source below which nothing is said of it as a whole."""
SHARE = 0.6
"""Part of what is promised that the learned network must hold.

Where the data leave directions open, or rows are few, true beliefs fail too, and together: of 24 to
60 of them with probabilities of 0.75 or 0.9, right as often as they say, on CHILD, INSURANCE and
ALARM with 100 to 3000 rows, the network held between 0.43 and 1.07 of what they promise.
"""
CHANCE = 0.01
"""Probability of so few, or fewer, below which it is said."""


def warn_of_failing_sources(fit: "Fit") -> None:
    """Warn once of sources whose likely beliefs fail against the data far more often than stated.

    A belief counts by its stated probability, and holds or not in the learned network, which it
    helped to shape: so what fails does so in spite of it.
    """
    if not fit.has_beliefs:
        return
    from scipy.special import bdtr

    held = fit.beliefs_held().assign(source=fit.prior.table["source"].str.strip())
    likely = held[(held["stated"] > HALF) & (held["stated"] < 1.0) & ~_are_excluded(fit, held)]
    failing = []
    for source, rows in likely.groupby("source", sort=False):
        number, hold, promised = len(rows), int(rows["holds"].sum()), float(rows["stated"].sum())
        if number < FEWEST:
            continue
        if bdtr(hold, number, SHARE * promised / number) < CHANCE:
            failing.append(
                f"{hold} of the {number} likely beliefs of {source_words(str(source))!r} hold in "
                f"the learned network, where about {promised:.0f} should"
            )
    if failing:
        warnings.warn(
            f"beliefs fail against the data more often than they say: {'; '.join(failing)}; those "
            "that are wrong and hold do harm: if nobody knows how often a source is right, "
            "enter what it says as statements, whose reliability is learned, with "
            "says(source, x, relation, y), or in a file as rows with a source and no probability",
            PathPriorWarning,
            stacklevel=3,
        )


def _are_excluded(fit: "Fit", held: "pd.DataFrame") -> NDArray[np.bool_]:
    """Whether the rules rule out each event: then it fails against them, not against the data."""
    possible, place = PossibleTies(fit.problem.rules), fit.problem.rules.variables.index
    rows = zip(held["x"], held["event"], held["y"], strict=True)
    are_possible = [
        possible.of(place(x), place(y))[sorted(Event.parse(event).ties)].any()
        for x, event, y in rows
    ]
    return ~np.array(are_possible, bool)
