"""What the plots and tables say of each belief besides its numbers."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.prior.path_prior import PathPrior
from pathprior.report.draw import BeliefMark
from pathprior.report.legend import Verdict

if TYPE_CHECKING:
    import pandas as pd


WITHOUT_SUPPORT = "by edges that the data hardly support"
"""Said of a belief whose fate rests on edges worth less than a nat to the data score."""


def belief_marks(held: "pd.DataFrame") -> list[BeliefMark]:
    """One mark per pair with a belief; of several beliefs on a pair the worst verdict counts."""
    verdicts: dict[tuple[str, str], set[Verdict]] = {}
    # of a four-vector only the likeliest relation counts as what was believed
    likely = held[held["stated"] >= 0.5]
    for row in likely.itertuples(index=False):
        verdict = Verdict.HELD if row.holds else Verdict.NOT_HELD
        verdict = Verdict.WEAK if row.is_weak else verdict
        verdicts.setdefault((str(row.x), str(row.y)), set()).add(verdict)
    worst_first = (Verdict.NOT_HELD, Verdict.WEAK, Verdict.HELD)
    return [
        BeliefMark(x, y, next(verdict for verdict in worst_first if verdict in found))
        for (x, y), found in verdicts.items()
    ]


def in_conflict(prior: PathPrior) -> NDArray[np.bool_]:
    """For each row of ``prior.table`` whether its belief is in a conflict."""
    claims = {
        (belief.x, belief.y, event.value, stated, belief.source)
        for conflict in prior.conflicts
        for belief in conflict.beliefs
        for event, stated in zip(belief.named_events, belief.stated, strict=True)
    }
    columns = ["x", "y", "event", "stated", "source"]
    rows = prior.table[columns].itertuples(index=False, name=None)
    return np.array([row in claims for row in rows], dtype=bool)
