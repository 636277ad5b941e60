"""The pairs around one pair, listed where all that are connected with it are too many."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.within import is_listable_within
from pathprior.graph.alphabets import Alphabets
from pathprior.prior.listed.listing import Listing
from pathprior.prior.reference import LISTED, CountSettings, list_configurations

MAX_NEARBY = 4
"""Nodes of the pairs around one, as many as are counted exactly in a moment."""


def nearby_listing(
    pair: int,
    pairs: NDArray[np.int64],
    num_nodes: int,
    counting: CountSettings,
    alphabets: Alphabets,
) -> Listing | None:
    """List the pairs among the ends of ``pair`` and the nodes on short ways between them.

    The shortest ways come first, as long as there are at most `MAX_NEARBY` nodes. None where no
    other pairs lead from one end to the other: then nothing follows for it; and where rules leave
    too many graphs to list.
    """
    ends = pairs[pair].tolist()
    nodes = set(ends)
    for way in _ways(pairs, ends):
        if len(nodes | set(way)) <= MAX_NEARBY:
            nodes |= set(way)
    if len(nodes) == len(ends):
        return None
    columns = np.flatnonzero(np.isin(pairs, list(nodes)).all(axis=1))
    told = alphabets.at(columns.tolist())
    rules = counting.rules
    if rules is not None and not is_listable_within(
        rules, pairs[columns], counting.edge_odds, told
    ):
        return None
    (listing,) = list_configurations(
        pairs[columns],
        num_nodes,
        replace(counting, method=LISTED),
        alphabets=told,
    )
    return replace(listing, columns=tuple(int(columns[k]) for k in listing.columns))


def _ways(pairs: NDArray[np.int64], ends: list[int]) -> Iterator[list[int]]:
    """Ways between the ends over other pairs and at most two more nodes, short ones first."""
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph(pairs.tolist())
    start, end = ends
    graph.remove_edge(start, end)
    ways = nx.all_simple_paths(graph, start, end, cutoff=MAX_NEARBY - 1)
    yield from sorted(ways, key=lambda way: (len(way), way))
