"""Pairs of which a posterior says something, those first that it is least sure of."""

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import entr

from pathprior.beliefs.event import RELATION_EVENTS

if TYPE_CHECKING:
    import pandas as pd

LEAST_EDGE = 0.05
"""Probability from which an edge is proposed."""
LEAST_PATH = 0.5
"""Probability from which a path is proposed."""


def proposed_pairs(
    adjacencies: "pd.DataFrame", paths: "pd.DataFrame", *, edges_only: bool = False
) -> list[tuple[str, str]]:
    """Choose among the rows of `Posterior.paths`."""
    either_way = [float(adjacencies.loc[x, y]) for x, y in zip(paths["x"], paths["y"], strict=True)]
    relations = paths[[event.value for event in RELATION_EVENTS]].to_numpy(float)
    is_proposed = np.array(either_way) >= LEAST_EDGE
    if not edges_only:
        is_proposed |= relations[:, :2].sum(axis=1) >= LEAST_PATH
    entropy = entr(relations).sum(axis=1).round(9)
    order = np.argsort(-entropy, kind="stable")
    chosen = paths[["x", "y"]].iloc[order[is_proposed[order]]]
    return [(str(x), str(y)) for x, y in chosen.itertuples(index=False, name=None)]
