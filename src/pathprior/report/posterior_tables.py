"""Edges and paths of a posterior with what their probabilities are worth, as tables."""

from typing import TYPE_CHECKING

import numpy as np

from pathprior.beliefs.event import RELATION_EVENTS
from pathprior.posterior.errors_table import EDGE, PATH

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.posterior.posterior import Posterior


def edge_table(posterior: "Posterior") -> "pd.DataFrame":
    """Every directed edge with its probability and what that is worth; the most probable first.

    ``either_way`` is the probability that there is an edge between the two at all.
    """
    errors = posterior.errors
    table = errors[errors["kind"] == EDGE].rename(columns={"x": "parent", "y": "child"})
    place = {name: k for k, name in enumerate(posterior.variables)}
    parents, children = (table[end].map(place).to_numpy(np.int64) for end in ("parent", "child"))
    table["either_way"] = posterior.adjacencies.to_numpy()[parents, children]
    columns = ["parent", "child", "either_way", "probability"]
    columns += ["error", "r_hat", "effective_samples", "is_settled"]
    return table[columns].sort_values("probability", ascending=False, kind="stable")


def path_table(posterior: "Posterior") -> "pd.DataFrame":
    """`Posterior.paths`, of the four errors of each pair the largest, and whether all settled."""
    errors = posterior.errors
    by_pair = errors.loc[errors["kind"] == PATH, "error"].to_numpy()
    largest = by_pair.reshape(-1, len(RELATION_EVENTS)).max(axis=1)  # NaN if one is not known
    return posterior.paths.assign(error=largest, is_settled=posterior.pairs_settled)
