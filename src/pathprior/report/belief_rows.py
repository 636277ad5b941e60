"""What the plots and tables say of each belief besides its numbers."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.prior.path_prior import PathPrior
from pathprior.report.draw import BeliefMark

if TYPE_CHECKING:
    import pandas as pd


WITHOUT_SUPPORT = "by edges that the data hardly support"
"""Said of a belief whose fate rests on edges worth less than a nat to the data score."""


def belief_marks(held: "pd.DataFrame") -> list[BeliefMark]:
    """One mark per pair with a belief; held only if every belief on the pair is."""
    agrees: dict[tuple[str, str], bool] = {}
    # of a four-vector only the likeliest relation counts as what was believed
    likely = held[held["stated"] >= 0.5]
    for row in likely.itertuples(index=False):
        pair = (str(row.x), str(row.y))
        agrees[pair] = agrees.get(pair, True) and bool(row.holds)
    return [BeliefMark(x, y, held=agree) for (x, y), agree in agrees.items()]


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
