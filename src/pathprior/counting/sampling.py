"""Sampling of labelled DAGs (Kuipers and Moffa): whole graphs, or a stream of codes."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.base import (
    UNIFORM,
    check_edge_odds,
    check_weighted,
    expected_edges,
    source_shares,
)
from pathprior.counting.code import code_places, num_code_words
from pathprior.counting.progress import Progress, silent
from pathprior.counting.robinson import dags_by_sinks
from pathprior.counting.shape import MAX_NUM_NODES, Shape
from pathprior.errors import CountingError
from pathprior.kernels.counting.sampling import Law, sample_adjacency, sample_codes

MAX_EXACT_NODES = 100
"""Above it, layers drawn while more nodes than this remain use the limit distribution.

a(n, k) / N(n) at n = 100 agrees with its limit to all 128 bits kept.
"""

MAX_LAYER = 32
"""Largest layer drawn. A larger one has probability below 2⁻⁵⁰⁰ whenever more than 32 nodes
remain, far below the rounding of the thresholds."""

BATCH = 1 << 14
"""DAGs drawn per batch; batch i has a random stream of its own, derived from (seed, i)."""

SMALL_NODES, FEW = 250, 1 << 8
"""On more nodes than these DAGs are drawn so few at a time: a batch of them takes minutes."""


def sample_dags(
    num_nodes: int,
    size: int,
    seed: int = 0,
    *,
    edge_odds: float = UNIFORM,
    progress: Progress = silent,
) -> NDArray[np.bool_]:
    """Draw labelled DAGs independently, uniformly or with probability ∝ ``edge_odds``^edges.

    After Kuipers and Moffa. Layer sizes, from the sources on, have weights that exact integers
    give; edges between layers are fair coins, conditioned on every node having a parent in the
    layer before it. Cumulative probabilities are rounded to 128 bits, which moves the distribution
    of a DAG on n ≤ 100 nodes by less than 10⁻³⁴ in total variation. Above 100 nodes the first
    layers are drawn from the limit of the layer-size distribution. O(n²/64) words per DAG. With
    ``edge_odds`` other than 1 layer sizes are drawn with 53 bits and edges by the gaps between
    them, on up to 1000 nodes.

    Parameters
    ----------
    num_nodes
        Number of nodes, at least 1.
    size
        Number of DAGs.
    seed
        The result is a function of it.
    edge_odds
        What each edge multiplies the weight of a DAG by: below 1 sparse DAGs, 1 all alike.
    progress
        Called with (done, total) after every batch.

    Returns
    -------
    ndarray of bool, shape (size, num_nodes, num_nodes)
        ``[d, i, j]`` is the edge i → j of DAG d.

    Examples
    --------
    >>> sample_dags(4, 3).shape
    (3, 4, 4)
    """
    if isinstance(num_nodes, bool) or not isinstance(num_nodes, int | np.integer) or num_nodes < 1:
        raise CountingError(f"num_nodes is {num_nodes!r}; give a positive whole number")
    if num_nodes > MAX_NUM_NODES:
        raise CountingError(f"num_nodes is {num_nodes}; at most {MAX_NUM_NODES} are sampled")
    if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 0:
        raise CountingError(f"size is {size!r}; give a whole number, 0 or more")
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise CountingError(f"seed is {seed!r}; give a whole number, 0 or more")
    edge_odds = check_edge_odds(edge_odds)
    if edge_odds != UNIFORM:
        check_weighted(num_nodes)
    try:
        adjacency = np.zeros((size, num_nodes, num_nodes), dtype=np.bool_)
    except (MemoryError, ValueError):  # ValueError: more than an address can hold
        raise CountingError(
            f"{size} DAGs on {num_nodes} nodes do not fit into memory; draw fewer at a time"
        ) from None
    law = _law(int(num_nodes), edge_odds)
    for batch, start in enumerate(range(0, size, BATCH)):
        sample_adjacency(_stream(seed, batch), law, adjacency[start : start + BATCH])
        progress(min(start + BATCH, size), size)
    return adjacency


@dataclass(frozen=True, slots=True)
class CodeLayout:
    """Where the relations of several groups of pairs go in a row of code words.

    Attributes
    ----------
    pairs
        Rows (x, y, word, shift, is_link) for the sampling kernel.
    words
        Words of each group, as a slice of the row.
    """

    pairs: NDArray[np.int64]
    words: tuple[slice, ...]

    @classmethod
    def of(
        cls, shape: Shape, groups: tuple[tuple[int, ...], ...], direct: Collection[int] = ()
    ) -> "CodeLayout":
        """Lay out ``groups`` of positions in ``shape.edges`` one after the other.

        The relations of a group's pairs come first, then the links of those that are ``direct``.
        """
        rows = []
        words = []
        start = 0
        for group in groups:
            linked = [position for position in group if position in direct]
            asked = [*group, *linked]
            edges = np.array([shape.edges[position] for position in asked], dtype=np.int64)
            places = code_places(len(asked)) + np.array([start, 0])
            is_link = np.repeat([0, 1], [len(group), len(linked)])
            rows.append(np.column_stack([edges, places, is_link]))
            stop = start + num_code_words(len(asked))
            words.append(slice(start, stop))
            start = stop
        return cls(np.concatenate(rows), tuple(words))


def stream_codes(
    layout: CodeLayout,
    num_nodes: int,
    num_samples: int,
    placements: int,
    seed: int,
    edge_odds: float = UNIFORM,
) -> Iterator[NDArray[np.uint64]]:
    """Configurations of ``num_samples`` DAGs, batch by batch, large DAGs a few at a time.

    Yields arrays (dag, placement, word). No DAG outlives its turn in the kernel.
    """
    law = _law(num_nodes, edge_odds)
    at_a_time = BATCH if num_nodes <= SMALL_NODES else FEW
    for batch, start in enumerate(range(0, num_samples, BATCH)):
        stop = min(start + BATCH, num_samples)
        state, places = _stream(seed, batch), np.arange(num_nodes)
        for first in range(start, stop, at_a_time):
            size = min(at_a_time, stop - first)
            codes = np.zeros((size, placements, layout.words[-1].stop), dtype=np.uint64)
            sample_codes(state, law, places, layout.pairs, codes)
            yield codes


def sampling_seconds(num_nodes: int, num_samples: int, edge_odds: float = UNIFORM) -> float:
    """Roughly how long the configurations of large DAGs take; weighted ones edge by edge."""
    seconds = 1.2e-10 * num_nodes**2
    if edge_odds != UNIFORM:
        seconds += 1.5e-8 * expected_edges(num_nodes, edge_odds)
    return seconds * num_samples


def _stream(seed: int, batch: int) -> NDArray[np.uint64]:
    words = np.random.SeedSequence(seed, spawn_key=(batch,)).generate_state(4, np.uint64)
    return words.astype(np.uint64)


def _law(num_nodes: int, edge_odds: float) -> Law:
    if edge_odds == UNIFORM:
        nothing = np.zeros((0, 0)), np.zeros(0, dtype=np.int64)
        return Law(UNIFORM, layer_thresholds(num_nodes), *nothing)
    base = source_shares(num_nodes, edge_odds)
    return Law(edge_odds, np.zeros((0, 0, 0, 0), dtype=np.uint64), base.shares, base.lasts)


@lru_cache(maxsize=4)
def layer_thresholds(num_nodes: int) -> NDArray[np.uint64]:
    """Cumulative layer-size probabilities as 128-bit fractions, [remaining, previous, size, word].

    With m nodes remaining below a layer of k, size s has weight (2^k − 1)^s 2^{k(m−s)} a(m, s):
    each of the s nodes that come next has a parent in the layer, every later node may. With no
    layer yet (k = 0) the weight is a(m, s).
    """
    rows = min(num_nodes, MAX_EXACT_NODES)
    sizes = min(num_nodes, MAX_LAYER)
    thresholds = np.zeros((rows + 1, sizes + 1, sizes, 2), dtype=np.uint64)
    for m in range(1, rows + 1):
        by_sources = dags_by_sinks(m)
        for k in range(sizes + 1):
            factor = max((1 << k) - 1, 1)
            weights = [
                (factor**s * by_sources[s]) << (k * (m - s)) for s in range(1, min(m, sizes) + 1)
            ]
            total = sum(weights)
            cumulative = 0
            for i, weight in enumerate(weights):
                cumulative += weight
                fraction = min((cumulative << 128) // total, (1 << 128) - 1)
                thresholds[m, k, i] = fraction >> 64, fraction & ((1 << 64) - 1)
    thresholds.flags.writeable = False
    return thresholds
