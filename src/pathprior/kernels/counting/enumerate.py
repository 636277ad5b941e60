"""Every labelled DAG once: the configuration of each, or its parent sets."""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.graph.ancestors import CAUSED_BY, CAUSES, CONFOUNDED, UNRELATED
from pathprior.kernels.inner import allocating_entry, inner


@allocating_entry
def enumerate_codes(
    num_nodes: int,
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    codes: NDArray[np.uint64],
    num_edges: NDArray[np.uint8],
) -> int:
    """Write the configuration of every DAG on ``num_nodes`` ≥ 2 nodes into ``codes``.

    A DAG on v + 1 nodes is a DAG on the first v, parents A of node v and children B of it; it is
    acyclic iff B avoids all ancestors of A, so that every (A, B) tried gives a DAG. Two bits per
    pair, the first pair highest. ``num_edges`` is filled likewise unless empty. Returns the number
    of DAGs.
    """
    ancestors = np.zeros((num_nodes + 1, num_nodes), np.int64)
    ancestors[1, 0] = 1
    parents = np.zeros(num_nodes + 1, np.int64)
    children = np.zeros(num_nodes + 1, np.int64)
    count = 0
    v = _complete(1, num_nodes, ancestors, parents, children)
    while v > 0:
        codes[count] = _configuration(ancestors[v], left, right)
        if num_edges.shape[0] > 0:
            num_edges[count] = _num_links(parents, v) + _num_links(children, v)
        count += 1
        _advance(ancestors[v - 1], v - 1, parents, children)
        v = _complete(v - 1, num_nodes, ancestors, parents, children)
    return count


@allocating_entry
def enumerate_parents(num_nodes: int, sets: NDArray[np.int64]) -> int:
    """Write the parent sets of every DAG on ``num_nodes`` ≥ 1 nodes into the rows of ``sets``.

    A set is a number, node u its bit u. The DAGs come as from `enumerate_codes`. Returns the number
    of DAGs.
    """
    ancestors = np.zeros((num_nodes + 1, num_nodes), np.int64)
    ancestors[1, 0] = 1
    parents = np.zeros(num_nodes + 1, np.int64)
    children = np.zeros(num_nodes + 1, np.int64)
    count = 0
    v = _complete(1, num_nodes, ancestors, parents, children)
    while v > 0:
        for u in range(num_nodes):
            sets[count, u] = parents[u]
            for w in range(u + 1, num_nodes):
                sets[count, u] |= (children[w] >> u & 1) << w
        count += 1
        _advance(ancestors[v - 1], v - 1, parents, children)
        v = _complete(v - 1, num_nodes, ancestors, parents, children)
    return count


@inner
def _complete(
    v: int,
    num_nodes: int,
    ancestors: NDArray[np.int64],
    parents: NDArray[np.int64],
    children: NDArray[np.int64],
) -> int:
    """Go on from a DAG on ``v`` nodes to the next on all of them; 0 if there is none."""
    while 0 < v < num_nodes:
        if parents[v] == 1 << v:
            v -= 1
            _advance(ancestors[v], v, parents, children)
        else:
            _add_node(ancestors, v, parents[v], children[v])
            v += 1
            parents[v] = 0
            children[v] = 0
    return v


@inner
def _num_links(chosen: NDArray[np.int64], num_nodes: int) -> int:
    """How many nodes the sets of the first ``num_nodes`` nodes hold in all."""
    count = 0
    for v in range(num_nodes):
        rest = chosen[v]
        while rest != 0:
            rest &= rest - 1
            count += 1
    return count


@inner
def _above(ancestors: NDArray[np.int64], v: int, chosen: int) -> int:
    """The ancestors of the set ``chosen`` of the first ``v`` nodes, itself included."""
    above = 0
    for u in range(v):
        if chosen >> u & 1:
            above |= ancestors[u]
    return above


@inner
def _advance(
    ancestors: NDArray[np.int64], v: int, parents: NDArray[np.int64], children: NDArray[np.int64]
) -> None:
    """The next (A, B) for node v: B runs through the subsets of what A leaves it."""
    allowed = ((1 << v) - 1) & ~_above(ancestors, v, parents[v])
    children[v] = (children[v] - allowed) & allowed
    if children[v] == 0:
        parents[v] += 1


@inner
def _add_node(ancestors: NDArray[np.int64], v: int, parents: int, children: int) -> None:
    """Ancestors of v + 1 nodes from those of v: descendants of B gain v and its ancestors."""
    above = _above(ancestors[v], v, parents) | 1 << v
    for u in range(v):
        gained = above if ancestors[v, u] & children else 0
        ancestors[v + 1, u] = ancestors[v, u] | gained
    ancestors[v + 1, v] = above


@inner
def _configuration(
    ancestors: NDArray[np.int64], left: NDArray[np.int64], right: NDArray[np.int64]
) -> np.uint64:
    code = 0
    for i in range(left.shape[0]):
        x = left[i]
        y = right[i]
        if ancestors[y] >> x & 1:
            relation = CAUSES
        elif ancestors[x] >> y & 1:
            relation = CAUSED_BY
        elif ancestors[x] & ancestors[y]:
            relation = CONFOUNDED
        else:
            relation = UNRELATED
        code = code << 2 | relation
    return np.uint64(code)
