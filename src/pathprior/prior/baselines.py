"""How probable the ties of a pair are before anything is believed.

Without rules that is the same for all pairs, and counted. Within rules each pair has its own: it
is counted where the graphs that matter to it are few enough to be looked at, and else comes from
chains.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.within import tie_shares_within
from pathprior.graph.edge_rules import EdgeRules
from pathprior.graph.possible_ties import possible_ties
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.reference import CountSettings, tie_probabilities

Floats = NDArray[np.float64]

SELDOM = 1e-6
"""Probability of what is possible, but was never met."""

Sample = Callable[[NDArray[np.int64]], Floats]
"""Probabilities of the ties of some pairs, from chains."""


def baselines(
    pairs: NDArray[np.int64], num_nodes: int, settings: CountSettings, sample: Sample
) -> Floats:
    """Probability of each tie of each pair under the base measure, within the rules."""
    if settings.rules is None or not len(pairs):
        return np.tile(tie_probabilities(num_nodes, settings.edge_odds), (len(pairs), 1))
    counted = tie_shares_within(settings.rules, pairs, settings.edge_odds)
    if counted is not None:
        return counted
    shares = np.zeros((len(pairs), NUM_TIES))
    is_open = np.zeros(len(pairs), dtype=bool)
    for k, pair in enumerate(pairs):
        alone = tie_shares_within(settings.rules, pair[None], settings.edge_odds)
        is_open[k] = alone is None
        if alone is not None:
            shares[k] = alone[0]
    if is_open.any():
        shares[is_open] = _from_chains(settings.rules, pairs[is_open], sample)
    return shares


def _from_chains(rules: EdgeRules, pairs: NDArray[np.int64], sample: Sample) -> Floats:
    is_possible = possible_ties(rules, pairs)
    shares = np.where(is_possible, np.maximum(sample(pairs), SELDOM), 0.0)
    # where one tie is left it is certain, to the last bit
    total: Floats = shares.sum(axis=1, keepdims=True)
    return shares / total
