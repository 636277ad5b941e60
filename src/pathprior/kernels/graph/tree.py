"""The best orientation of a chain component that is a tree, without branching.

A tree is oriented away from one node, its root, and any node can be that. With the tree numbered
depth first from the given root, the roots from which x has a directed path to y are an interval of
numbers or the complement of one, so all roots are compared in O(beliefs · nodes).
"""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit, popcount
from pathprior.kernels.graph.ancestors import (
    CAUSED_BY,
    CAUSES,
    CONFOUNDED,
    ONE,
    Words,
    clear_bit,
    set_bit,
    set_size,
)
from pathprior.kernels.graph.cpdag import ADJACENT, PARENTS
from pathprior.kernels.graph.orientation import TIE
from pathprior.kernels.inner import allocating, inner


@allocating
def search_tree(
    pdag: Words,
    nodes: NDArray[np.int64],
    parents: Words,
    certain: Words,
    pairs: NDArray[np.int64],
    log_weights: NDArray[np.float64],
) -> bool:
    """Root the tree on ``nodes`` where the beliefs weigh most, and write that to ``parents``.

    Parameters as in `kernels.graph.orientation.search_component`. Returns whether ``parents``
    was improved. Among equally good roots the one nearest the given root is taken, since that
    turns the fewest edges, then the lowest node.
    """
    num_members = len(nodes)
    order = np.empty(num_members, np.int64)
    above = np.empty(num_members, np.int64)
    depth = np.empty(num_members, np.int64)
    end = np.empty(num_members, np.int64)
    number = np.empty(len(parents), np.int64)
    _number_tree(pdag, _given_root(pdag, nodes, parents), order, above, depth, end, number)

    value = np.zeros(num_members, np.float64)
    for k in range(len(pairs)):
        x, y = number[pairs[k, 0]], number[pairs[k, 1]]
        lo, hi, is_inside = _sources(x, certain[pairs[k, 1]], above, end, number)
        lo_back, hi_back, is_inside_back = _sources(y, certain[pairs[k, 0]], above, end, number)
        for i in range(num_members):
            if (lo <= i < hi) == is_inside:
                value[i] += log_weights[k, CAUSES]
            elif (lo_back <= i < hi_back) == is_inside_back:
                value[i] += log_weights[k, CAUSED_BY]
            else:
                value[i] += log_weights[k, CONFOUNDED]

    best = value[0]
    for i in range(num_members):
        if set_size(pdag[PARENTS, order[i]]) > 0:  # a constraint directed an edge into it
            value[i] = -np.inf
        best = max(best, value[i])
    if not best > value[0] + TIE:
        return False
    root = -1
    for i in range(num_members):
        if value[i] >= best - TIE and (
            root < 0
            or depth[i] < depth[root]
            or (depth[i] == depth[root] and order[i] < order[root])
        ):
            root = i
    while above[root] >= 0:  # the edges between the two roots turn round
        child, parent = order[root], order[above[root]]
        clear_bit(parents[child], parent)
        set_bit(parents[parent], child)
        root = above[root]
    return True


@inner
def _given_root(pdag: Words, nodes: NDArray[np.int64], parents: Words) -> int:
    for v in nodes:
        num_inside = 0
        for w in range(parents.shape[1]):
            num_inside += popcount(parents[v, w] & pdag[ADJACENT, v, w])
        if num_inside == 0:
            return v
    return -1  # not reached: an acyclic orientation has a source


@allocating
def _number_tree(
    pdag: Words,
    root: int,
    order: NDArray[np.int64],
    above: NDArray[np.int64],
    depth: NDArray[np.int64],
    end: NDArray[np.int64],
    number: NDArray[np.int64],
) -> None:
    """Number the tree depth first from ``root``; the subtree of i is then i, …, end[i] − 1.

    ``order[i]`` is the node with number i, ``number`` the inverse, −1 outside the tree;
    ``above[i]`` is the number of the node above, −1 for the root.
    """
    for v in range(len(number)):
        number[v] = -1
    stack = np.empty((len(order), 2), np.int64)
    stack[0, 0] = root
    stack[0, 1] = -1
    height, count = 1, 0
    while height > 0:
        height -= 1
        v, i = stack[height, 0], stack[height, 1]
        order[count] = v
        above[count] = i
        depth[count] = 0 if i < 0 else depth[i] + 1
        number[v] = count
        for block in range(pdag.shape[2]):
            word = pdag[ADJACENT, v, block]
            while word != 0:
                u = (block << 6) + lowest_bit(word)
                word &= word - ONE
                if i < 0 or u != order[i]:
                    stack[height, 0] = u
                    stack[height, 1] = count
                    height += 1
        count += 1
    for i in range(count):
        end[i] = i + 1
    for i in range(count - 1, 0, -1):
        end[above[i]] = max(end[above[i]], end[i])


@inner
def _sources(
    x: int,
    target: Words,
    above: NDArray[np.int64],
    end: NDArray[np.int64],
    number: NDArray[np.int64],
) -> tuple[int, int, bool]:
    """Return the roots i from which x reaches ``target``: those with (lo ≤ i < hi) == is_inside.

    x reaches t unless the root lies in the branch of t, as seen from x. So with targets in two
    branches x always reaches one, and with targets in one branch it does unless the root is there.
    """
    never, always = (0, 0, True), (0, 0, False)
    if x < 0:
        return never
    branch = -2  # none yet; −1 for the branch upwards, else the number of the child that heads it
    for block in range(len(target)):
        word = target[block]
        while word != 0:
            t = number[(block << 6) + lowest_bit(word)]
            word &= word - ONE
            if t < 0:
                continue
            if t == x:
                return always
            if x < t < end[x]:
                while above[t] != x:
                    t = above[t]
            else:
                t = -1
            if branch == -2:
                branch = t
            elif branch != t:
                return always
    if branch == -2:
        return never
    return (x, end[x], True) if branch == -1 else (branch, end[branch], False)
