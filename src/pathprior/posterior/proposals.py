"""Pairs whose relation a posterior leaves in doubt, those first that it is least sure of."""

from typing import TYPE_CHECKING

import numpy as np

from pathprior.beliefs.event import RELATION_EVENTS

if TYPE_CHECKING:
    import pandas as pd

LEAST_DOUBT = 0.25
"""A pair is in doubt if its most probable relation is wrong with this probability or more."""
LEAST_EDGE = 0.05
"""Probability from which there may be an edge."""


def proposed_pairs(
    adjacencies: "pd.DataFrame", paths: "pd.DataFrame", *, edges_only: bool = False
) -> list[tuple[str, str]]:
    """Choose among the rows of `Posterior.paths`."""
    relations = paths[[event.value for event in RELATION_EVENTS]].to_numpy(float)
    doubt = (1 - relations.max(axis=1, initial=0.0)).round(9)
    is_proposed = doubt >= LEAST_DOUBT
    if edges_only:
        pairs = zip(paths["x"], paths["y"], strict=True)
        is_proposed &= np.array([float(adjacencies.loc[x, y]) >= LEAST_EDGE for x, y in pairs])
    order = np.argsort(-doubt, kind="stable")
    chosen = paths[["x", "y"]].iloc[order[is_proposed[order]]]
    return [(str(x), str(y)) for x, y in chosen.itertuples(index=False, name=None)]
