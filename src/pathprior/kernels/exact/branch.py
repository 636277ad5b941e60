"""The best DAG where paths count: last nodes taken off one after the other, with their families.

A node without children among those that are left is taken off with a family from its list. The
families of the nodes that are left are bounded by the best DAG on them (`pathprior.kernels.exact.
order`), what paths add by the best that each pair can still become. All descendants of a node are
taken off before it, so that paths from there are known; paths into it are known as far as they go
back among the nodes taken off.

Each DAG is met once: of several nodes without children the last goes first. So the nodes after one
that is taken off owe a child: until they have one they are not taken off.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.graph.ancestors import CAUSED_BY, CAUSES, UNRELATED
from pathprior.kernels.inner import entry, inner
from pathprior.kernels.prior.graph_prior import GraphPrior, most_of
from pathprior.kernels.prior.ties import ANY_TIE, COMMON, EDGE, EDGE_BACK, NOT_BACK, NOT_FORWARD


class Branching(NamedTuple):
    """What is fixed."""

    first: NDArray[np.int64]  # the families of v are first[v] … first[v + 1] − 1, the best first
    sets: NDArray[np.int64]
    scores: NDArray[np.float64]
    best: NDArray[np.float64]  # by set of nodes, see `sum_best`
    prior: GraphPrior


class Path(NamedTuple):
    """The nodes taken off, by depth."""

    depth: NDArray[np.int64]  # of the one number: how many are off; −1 once all was tried
    left: NDArray[np.int64]  # the set of those that are left before
    node: NDArray[np.int64]  # tried as the next; −1 before the first
    family: NDArray[np.int64]  # of it, the next to be tried
    owing: NDArray[np.int64]  # the set of those that cannot be the next
    score: NDArray[np.float64]  # of the families before
    limit: NDArray[np.float64]  # the most that paths can add, given the families before
    parents: NDArray[np.int64]  # by node
    ancestors: NDArray[np.int64]  # by depth and node, those known
    descendants: NDArray[np.int64]  # by node


@inner
def close_paths(path: Path, depth: int) -> None:
    """Find what is known of paths once ``depth`` nodes are off, of which the last is new.

    All that it reaches was taken off before, so that its parents are ancestors of these alone.
    """
    before, now = path.ancestors[depth - 1], path.ancestors[depth]
    v = path.node[depth - 1]
    above, below = path.parents[v], np.int64(0)
    for d in range(depth - 1):
        u = path.node[d]
        now[u] = before[u]
        if (before[u] >> v) & 1:
            now[u] |= above
            below |= np.int64(1) << u
    now[v] = above
    path.descendants[v] = below


@inner
def ties_left(path: Path, depth: int, x: int, y: int, left: int) -> int:
    """What the pair (x, y) can still become, as a set of ties."""
    ancestors = path.ancestors[depth]
    x_left, y_left = (left >> x) & 1, (left >> y) & 1
    if x_left and y_left:
        return ANY_TIE
    if (not x_left and (path.descendants[x] >> y) & 1) or (not y_left and (ancestors[y] >> x) & 1):
        return 1 << (EDGE if (path.parents[y] >> x) & 1 else CAUSES)
    if (not y_left and (path.descendants[y] >> x) & 1) or (not x_left and (ancestors[x] >> y) & 1):
        return 1 << (EDGE_BACK if (path.parents[x] >> y) & 1 else CAUSED_BY)
    if x_left:  # y is off: only paths that end in it are open
        return NOT_BACK
    if y_left:
        return NOT_FORWARD
    if ancestors[x] & ancestors[y]:
        return COMMON
    if (ancestors[x] & left) == 0 or (ancestors[y] & left) == 0:
        return 1 << UNRELATED
    return NOT_BACK & NOT_FORWARD


@inner
def bound_paths(branching: Branching, path: Path, depth: int, left: int) -> float:
    """The most that paths can add once ``depth`` nodes are off."""
    prior, total = branching.prior, 0.0
    for k in range(prior.pairs.shape[0]):
        among = ties_left(path, depth, prior.pairs[k, 0], prior.pairs[k, 1], left)
        total += most_of(prior.log_weights[k], among)
    return total


@entry
def search_branches(
    branching: Branching,
    path: Path,
    above: float,
    budget: int,
    best_parents: NDArray[np.int64],
    best_score: NDArray[np.float64],
) -> int:
    """Find the best DAG that scores more than ``above`` and more than ``best_score`` so far.

    Writes it to ``best_parents`` and its score to ``best_score``. Returns how many families were
    tried, at most ``budget``; another call goes on from there.
    """
    num_nodes = branching.first.shape[0] - 1
    tries = 0
    depth = path.depth[0]
    path.limit[0] = path_limit(branching.prior)
    while depth >= 0:
        left, v = path.left[depth], path.node[depth]
        least = max(above, best_score[0])
        if v < 0 or path.family[depth] >= branching.first[v + 1]:
            v = next_node(left & ~path.owing[depth], v + 1, num_nodes)
            if v == num_nodes:
                depth -= 1
                continue
            path.node[depth], path.family[depth] = v, branching.first[v]
        if tries == budget:
            break
        tries += 1
        number = path.family[depth]
        path.family[depth] += 1
        rest = left ^ (np.int64(1) << v)
        score = path.score[depth] + branching.scores[number]
        if score + branching.best[rest] + path.limit[depth] <= least:
            path.family[depth] = branching.first[v + 1]  # those that follow are no better
            continue
        if branching.sets[number] & ~rest:
            continue
        path.parents[v] = branching.sets[number]
        close_paths(path, depth + 1)
        limit = bound_paths(branching, path, depth + 1, rest)
        total = score + branching.best[rest] + limit
        if total <= least:
            continue
        if rest == 0:
            best_score[0] = total
            for u in range(num_nodes):
                best_parents[u] = path.parents[u]
            continue
        owing = (path.owing[depth] | (rest >> v << v)) & ~path.parents[v]
        depth += 1
        path.left[depth], path.owing[depth], path.score[depth] = rest, owing, score
        path.limit[depth], path.node[depth], path.family[depth] = limit, -1, 0
    path.depth[0] = depth
    return tries


@inner
def next_node(among: int, start: int, num_nodes: int) -> int:
    """The next node of a set from ``start`` on; the number of nodes if there is none."""
    v = start
    while v < num_nodes and not (among >> v) & 1:
        v += 1
    return v


@inner
def path_limit(prior: GraphPrior) -> float:
    """The most that paths can add to any graph."""
    total = 0.0
    for k in range(prior.pairs.shape[0]):
        total += most_of(prior.log_weights[k], ANY_TIE)
    return total


def make_path(num_nodes: int) -> Path:
    """Where `search_branches` begins: no node is off."""
    room = np.zeros((6, num_nodes + 1), np.int64)
    left, node, family, owing, parents, descendants = room
    left[0], node[0] = (1 << num_nodes) - 1, -1
    ancestors = np.zeros((num_nodes + 1, num_nodes), np.int64)
    depth, (scores, limits) = np.zeros(1, np.int64), np.zeros((2, num_nodes + 1))
    return Path(depth, left, node, family, owing, scores, limits, parents, ancestors, descendants)
