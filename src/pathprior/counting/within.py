"""DAGs within edge rules, counted by looking at every one, or by an exact sum over tiers.

What beliefs see of a DAG are the nodes above their own. Nodes from which the rules let no path lead
to any of these are left out first: edges to and from them are free of all that is asked.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.base import UNIFORM, log_sum_of_weights
from pathprior.counting.robinson import log_num_dags
from pathprior.counting.tiers import find_tiers, sum_over_tiers
from pathprior.graph.alphabets import RELATIONS_ALONE, Alphabets
from pathprior.graph.bitset import num_words, pack_rows
from pathprior.graph.edge_rules import EdgeRules
from pathprior.graph.possible_ties import PossibleTies
from pathprior.graph.tie import Tie
from pathprior.kernels.counting.within import (
    count_within,
    fill_codes_within,
    tally_ties_within,
)
from pathprior.kernels.prior.ties import NUM_TIES

_REVERSED = np.array([tie.reverse for tie in Tie], np.int8)

MAX_DAGS = 4_000_000
"""Most DAGs that are looked at: a second or two. All those on six nodes are 3,781,503."""
MAX_NODES = 64
"""Most nodes of one listing: a set of them is one machine word."""


@dataclass(frozen=True, slots=True, eq=False)
class WithinRules:
    """The configurations that DAGs within rules have, and what these DAGs weigh.

    Attributes
    ----------
    configurations
        Tie codes, one row per configuration in lexicographic order.
    probabilities
        Share of the weight of all DAGs within the rules.
    """

    configurations: NDArray[np.int8]
    probabilities: NDArray[np.float64]


def list_within(
    rules: EdgeRules,
    pairs: NDArray[np.int64],
    edge_odds: float,
    *,
    alphabets: Alphabets = RELATIONS_ALONE,
) -> WithinRules | None:
    """The configurations of ``pairs`` within ``rules``; None where there are too many DAGs.

    Of the pairs the ties of their ``alphabets`` are told apart.
    """
    around, places = _around(rules, pairs)
    table = _from_tiers(around, places, alphabets, edge_odds)
    if table is not None:
        return table
    number = count_dags_within(around)
    if number is None:
        return None
    codes = np.empty((number, len(pairs)), np.int8)
    num_edges = np.empty(number, np.uint16)
    counted_as = alphabets.counted_as(len(pairs))
    fill_codes_within(*_sets(around), places, counted_as, codes, num_edges)
    distinct, group = _distinct(codes)
    sizes = np.bincount(num_edges)
    cells = np.bincount(
        group * len(sizes) + num_edges, minlength=len(distinct) * len(sizes)
    ).reshape(len(distinct), -1)
    weights = cells @ edge_odds ** np.arange(len(sizes), dtype=np.float64)
    return WithinRules(distinct, weights / weights.sum())


def tie_shares_within(
    rules: EdgeRules, pairs: NDArray[np.int64], edge_odds: float
) -> NDArray[np.float64] | None:
    """Probability of each tie of each pair; None where there are too many DAGs to look at."""
    around, places = _around(rules, pairs)
    if count_dags_within(around) is None:
        return _tie_shares_of_tiers(rules, pairs, edge_odds)
    most = around.num_possible
    counts = np.zeros((len(pairs), NUM_TIES, most + 1), np.int64)
    totals = np.zeros(most + 1, np.int64)
    tally_ties_within(*_sets(around), places, counts, totals)
    powers = edge_odds ** np.arange(most + 1.0)
    shares: NDArray[np.float64] = counts @ powers / (totals @ powers)
    return shares


def log_sum_within(rules: EdgeRules, edge_odds: float) -> float | None:
    """log Σ β^edges over the DAGs within the rules; None where it is not known exactly.

    Edges between blocks of nodes that reach each other are free of all others, so that the sum is a
    product, unless the number of parents is limited. A block within which everything may be has
    Robinson's sum; any other has its DAGs looked at.
    """
    from scipy.sparse.csgraph import connected_components

    may_be = PossibleTies(rules).edges | rules.required
    is_limited = bool((may_be.sum(axis=0) > rules.max_parents).any())
    if is_limited:
        return _listed_log_sum(rules, edge_odds)
    _, block = connected_components(may_be, directed=True, connection="strong")
    is_between = block[:, None] != block[None, :]
    num_free = int((may_be & is_between & ~rules.required).sum())
    log_sum = num_free * float(np.log1p(edge_odds))
    log_sum += int((rules.required & is_between).sum()) * float(np.log(edge_odds))
    for number in range(block.max(initial=-1) + 1):
        nodes = np.flatnonzero(block == number)
        inside = rules.among(nodes)
        if inside.required.any() or may_be[np.ix_(nodes, nodes)].sum() != _all(len(nodes)):
            found = _listed_log_sum(inside, edge_odds)
            if found is None:
                return None
            log_sum += found
        elif edge_odds == UNIFORM:
            log_sum += log_num_dags(len(nodes))
        else:
            log_sum += log_sum_of_weights(len(nodes), edge_odds)
    return log_sum


def _all(num_nodes: int) -> int:
    """Ordered pairs of so many nodes."""
    return num_nodes * (num_nodes - 1)


def _listed_log_sum(rules: EdgeRules, edge_odds: float) -> float | None:
    if count_dags_within(rules) is None:
        return None
    none = np.zeros((0, 2), np.int64)
    totals = np.zeros(rules.num_possible + 1, np.int64)
    tally_ties_within(*_sets(rules), none, np.zeros((0, NUM_TIES, len(totals)), np.int64), totals)
    return float(np.log(totals @ edge_odds ** np.arange(len(totals), dtype=np.float64)))


def is_listable_within(
    rules: EdgeRules,
    pairs: NDArray[np.int64],
    edge_odds: float,
    alphabets: Alphabets = RELATIONS_ALONE,
) -> bool:
    """Whether `list_within` finds the configurations of ``pairs``."""
    around, places = _around(rules, pairs)
    if count_dags_within(around) is not None:
        return True
    return _from_tiers(around, places, alphabets, edge_odds) is not None


def _from_tiers(
    rules: EdgeRules, pairs: NDArray[np.int64], alphabets: Alphabets, edge_odds: float
) -> WithinRules | None:
    """The configurations by an exact sum over tiers, if the rules are tiers and no more."""
    if count_dags_within(rules) is not None:
        return None
    tier = find_tiers(rules)
    if tier is None:
        return None
    nodes = np.unique(pairs).tolist()
    place = {node: k for k, node in enumerate(nodes)}
    ends = [(place[x], place[y]) for x, y in pairs.tolist()]
    told = [ends[k] for k in alphabets.edges]
    table = sum_over_tiers(tier, nodes, edge_odds, told)
    if table is None:
        return None
    number = {pair: k for k, pair in enumerate(combinations(range(len(nodes)), 2))}
    columns = [table.configurations[:, number[min(pair), max(pair)]] for pair in ends]
    rows = np.column_stack(
        [_REVERSED[c] if x > y else c for c, (x, y) in zip(columns, ends, strict=True)]
    )
    distinct, group = _distinct(rows)
    shares = np.zeros(len(distinct))
    np.add.at(shares, group, table.probabilities)
    return WithinRules(distinct, shares)


def _tie_shares_of_tiers(
    rules: EdgeRules, pairs: NDArray[np.int64], edge_odds: float
) -> NDArray[np.float64] | None:
    shares = np.zeros((len(pairs), NUM_TIES))
    for k, pair in enumerate(pairs):
        around, place = _around(rules, pair[None])
        found = _from_tiers(around, place, Alphabets(edges=(0,)), edge_odds)
        if found is None:
            return None
        shares[k, found.configurations[:, 0]] = found.probabilities
    return shares


def count_dags_within(rules: EdgeRules) -> int | None:
    """How many DAGs keep the rules; None for more than `MAX_DAGS`."""
    if len(rules.variables) > MAX_NODES:
        return None
    return _count(*(array.tobytes() for array in _sets(rules)))


@lru_cache(maxsize=256)
def _count(required: bytes, optional: bytes, room: bytes) -> int | None:
    # copies: numba compiles a kernel anew for an array that may not be written to
    number = count_within(
        np.frombuffer(required, np.uint64).copy(),
        np.frombuffer(optional, np.uint64).copy(),
        np.frombuffer(room, np.int64).copy(),
        MAX_DAGS,
    )
    return number if number <= MAX_DAGS else None


def _around(rules: EdgeRules, pairs: NDArray[np.int64]) -> tuple[EdgeRules, NDArray[np.int64]]:
    """The rules among the nodes from which a path can lead to some of ``pairs``, and these there.

    Edges to other nodes are left out: none of those leads back.
    """
    above = PossibleTies(rules).above(*np.unique(pairs).tolist())
    nodes = np.flatnonzero(above)
    places = np.searchsorted(nodes, pairs).reshape(-1, 2)
    return rules.among(nodes), places


def _sets(
    rules: EdgeRules,
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.int64]]:
    """The parents that each node must and may have, and room for how many of the latter."""
    assert num_words(len(rules.variables)) == 1
    optional = PossibleTies(rules).edges & ~rules.required
    room = np.minimum(rules.max_parents - rules.required.sum(axis=0), len(rules.variables))
    return (
        pack_rows(rules.required.T)[:, 0].copy(),
        pack_rows(optional.T)[:, 0].copy(),
        room.astype(np.int64),
    )


def _distinct(codes: NDArray[np.int8]) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """The different rows in lexicographic order, and which of them each row is."""
    key = np.zeros(len(codes), np.int64)
    size = 1
    for column in codes.T:
        if size > np.iinfo(np.int64).max // NUM_TIES:
            values, key = np.unique(key, return_inverse=True)
            size = len(values)
        key = key * NUM_TIES + column
        size *= NUM_TIES
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return codes[first], group
