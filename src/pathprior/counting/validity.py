"""Which configurations some DAG has: the paper's §6.5, exact also when nodes are few."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.result import MAX_ROWS
from pathprior.counting.shape import Pair, Shape, read_pairs
from pathprior.errors import CountingError
from pathprior.kernels.counting.validity import list_valid

MAX_BELIEF_NODES = 62
"""Belief nodes in one listing: a set of them is one machine word."""


def valid_configurations(
    pairs: Sequence[Pair], num_nodes: int, *, max_rows: int = MAX_ROWS
) -> NDArray[np.int8]:
    """List the configurations of ``pairs`` that at least one DAG on ``num_nodes`` nodes has.

    Depth first over the pairs; every prefix kept is valid by itself, so the cost is proportional
    to the number of configurations listed, never to 4^pairs. A configuration is valid iff its ⇒
    are acyclic, no ⇔ or ⇎ pair is ordered by them, and no ⇎ pair lies below a common source (a
    node, or the two ends of a ⇔ pair); with few nodes besides the belief nodes, also iff these
    suffice as common ancestors of all ⇔ pairs.

    Parameters
    ----------
    pairs
        Pairs of node labels.
    num_nodes
        Number of nodes of the DAGs.
    max_rows
        Largest listing wanted.

    Returns
    -------
    ndarray
        Relation codes, one row per configuration in lexicographic order, one column per pair.

    Raises
    ------
    CountingError
        If there are more than ``max_rows``, or more than 62 nodes in pairs.

    Examples
    --------
    >>> len(valid_configurations([("x", "y"), ("y", "z"), ("x", "z")], 10))
    41
    """
    shape = read_pairs(pairs, num_nodes)
    rows = list_valid_rows(shape, num_nodes, max_rows)
    if rows is None:
        raise CountingError(
            f"{len(pairs)} pairs on {shape.num_belief_nodes} nodes have more than {max_rows} "
            f"valid configurations; list each connected component by itself or raise max_rows"
        )
    return rows


def list_valid_rows(shape: Shape, num_nodes: int, max_rows: int) -> NDArray[np.int8] | None:
    """The valid configurations of ``shape``, or None where there are more than ``max_rows``."""
    if shape.num_belief_nodes > MAX_BELIEF_NODES:
        return None
    edges = np.array(shape.edges, dtype=np.int64)
    rows = np.empty((max_rows, len(edges)), dtype=np.int8)
    num_hidden = num_nodes - shape.num_belief_nodes
    count = list_valid(
        np.ascontiguousarray(edges[:, 0]),
        np.ascontiguousarray(edges[:, 1]),
        shape.num_belief_nodes,
        num_hidden,
        rows,
    )
    return rows[:count].copy() if count <= max_rows else None
