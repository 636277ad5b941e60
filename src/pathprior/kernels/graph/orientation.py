"""Branch and bound over the acyclic orientations of one chain component.

The graph is ``pdag[4, n, words]`` of `pathprior.kernels.graph.cpdag`, holding undirected edges and
what was directed of them so far; compelled edges come in through ``certain`` alone (see
`pathprior.kernels.graph.swap`).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import (
    CAUSED_BY,
    CAUSES,
    CONFOUNDED,
    ONE,
    UNRELATED,
    Words,
    has_bit,
    relation_code,
    set_bit,
    set_size,
)
from pathprior.kernels.graph.cpdag import ADJACENT, CHILDREN, NEIGHBOURS, PARENTS
from pathprior.kernels.graph.flood import spread
from pathprior.kernels.graph.meek import apply_meek_rules, direct_edge, undo_edges
from pathprior.kernels.inner import allocating, inner

TIE = 1e-9  # nats; a smaller gain is a tie, and a tie keeps the given graph
IMPOSSIBLE, POSSIBLE, CERTAIN = 0, 1, 2


@allocating
def search_component(
    pdag: Words,
    nodes: NDArray[np.int64],
    parents: Words,
    ancestors: Words,
    certain: Words,
    pairs: NDArray[np.int64],
    log_weights: NDArray[np.float64],
    budget: int,
) -> tuple[bool, int]:
    """Direct the edges among ``nodes`` so that the beliefs weigh most; write them to ``parents``.

    Depth first: one edge at a time, closed under Meek's rules, cut where the bound is no better
    than the best orientation so far, at first the given one. A belief that is decided stays so
    further down and leaves the list; the rows of ``pairs`` and ``log_weights``, which hold the
    component's own beliefs, are permuted for that. Returns whether ``parents`` was improved and
    how many search nodes that took, more than ``budget`` iff the search was cut short.
    """
    num_free = 0
    for v in nodes:
        num_free += set_size(pdag[NEIGHBOURS, v])
    num_free //= 2
    trail = np.empty((num_free + 1, 2), np.int64)
    # Per level: trail length before its edge u → v, whose reverse is untried; undecided beliefs.
    level = np.empty((num_free + 1, 4), np.int64)
    level_value = np.empty(num_free + 1, np.float64)
    # Nodes that a node reaches for certain, and possibly; as of the search node in ``fresh``.
    reach = np.empty((2, pdag.shape[1], pdag.shape[2]), np.uint64)
    fresh = np.zeros(pdag.shape[1], np.int64)

    best = 0.0
    for k in range(len(pairs)):
        best += log_weights[k, relation_code(ancestors, pairs[k, 0], pairs[k, 1])]
    is_improved = False
    num_open, value = len(pairs), 0.0
    depth, used = 0, 0
    length: Any = np.int64(0)  # not a literal, for which numba would compile the callees again
    while True:
        used += 1
        if used > budget:
            break
        for k in range(num_open):
            for column in range(2):
                _refresh(pdag, reach, fresh, used, pairs[k, column])
        num_open, value, bound, pick = _evaluate(
            reach, pdag[ADJACENT], certain, pairs, log_weights, num_open, value
        )
        if bound > best + TIE and length < num_free:
            if num_open > 0:
                u, v = _choose_edge(pdag, reach, certain, pairs[pick], log_weights[pick])
            else:
                u, v = _next_given(pdag, nodes, ancestors)
            level[depth, 0] = length
            level[depth, 1] = u
            level[depth, 2] = v
            level[depth, 3] = num_open
            level_value[depth] = value
            depth += 1
            kept = length
            length = direct_edge(pdag, trail, kept, u, v)
            length = apply_meek_rules(pdag, trail, kept, length)
            continue
        if bound > best + TIE:
            best = value
            is_improved = True
            for v in nodes:
                for w in range(pdag.shape[2]):
                    parents[v, w] &= ~pdag[ADJACENT, v, w]
                    parents[v, w] |= pdag[PARENTS, v, w]
        if depth == 0:
            break
        depth -= 1
        kept, u, v, num_open = level[depth, 0], level[depth, 1], level[depth, 2], level[depth, 3]
        value = level_value[depth]
        undo_edges(pdag, trail, length, kept)
        length = direct_edge(pdag, trail, kept, v, u)
        length = apply_meek_rules(pdag, trail, kept, length)
    return is_improved, used


@inner
def _refresh(pdag: Words, reach: Words, fresh: NDArray[np.int64], used: int, v: int) -> None:
    """Recompute what v reaches, once per search node."""
    if fresh[v] == used:
        return
    fresh[v] = used
    for w in range(pdag.shape[2]):
        reach[0, v, w] = 0
    set_bit(reach[0, v], v)
    spread(pdag, CHILDREN, CHILDREN, reach[0, v])
    for w in range(pdag.shape[2]):
        reach[1, v, w] = reach[0, v, w]
    spread(pdag, CHILDREN, NEIGHBOURS, reach[1, v])


@inner
def _meets(a: Words, b: Words) -> bool:
    common = np.uint64(0)
    for w in range(len(a)):
        common |= a[w] & b[w]
    return common != 0


@inner
def _path(reach: Words, start: int, target: Words) -> int:
    """Whether a directed path from ``start`` into ``target`` is certain, possible or impossible."""
    if _meets(reach[0, start], target):
        return CERTAIN
    return POSSIBLE if _meets(reach[1, start], target) else IMPOSSIBLE


@inner
def _evaluate(
    reach: Words,
    adjacent: Words,
    certain: Words,
    pairs: NDArray[np.int64],
    log_weights: NDArray[np.float64],
    num_open: int,
    value: float,
) -> tuple[int, float, float, int]:
    """Return the number of undecided beliefs, the value of the others, a bound, and a belief.

    The bound of an undecided belief is its highest weight over the relations still possible: ⇒
    iff a possibly directed path exists, certainly iff a directed one does; ⇔ unless adjacent. The
    belief returned is the undecided one with the most at stake, by position in ``pairs``.
    """
    rest, stake, pick = 0.0, 0.0, -1
    k: Any = np.int64(0)
    while k < num_open:
        x, y = pairs[k, 0], pairs[k, 1]
        forward, backward = _path(reach, x, certain[y]), _path(reach, y, certain[x])
        best, worst = -np.inf, np.inf
        for relation in range(UNRELATED):
            if (
                (relation == CAUSES and forward > IMPOSSIBLE and backward < CERTAIN)
                or (relation == CAUSED_BY and backward > IMPOSSIBLE and forward < CERTAIN)
                or (
                    relation == CONFOUNDED
                    and max(forward, backward) < CERTAIN
                    and not has_bit(adjacent[x], y)
                )
            ):
                best = max(best, log_weights[k, relation])
                worst = min(worst, log_weights[k, relation])
        if best == worst:
            value += best
            num_open -= 1
            _swap_rows(pairs, k, num_open)
            _swap_rows(log_weights, k, num_open)
            continue
        rest += best
        if best - worst > stake:
            stake, pick = best - worst, k
        k += 1
    return num_open, value, value + rest, pick


@inner
def _swap_rows(table: NDArray[np.generic], i: int, j: int) -> None:
    for column in range(table.shape[1]):
        table[i, column], table[j, column] = table[j, column], table[i, column]


@allocating
def _choose_edge(
    pdag: Words,
    reach: Words,
    certain: Words,
    pair: NDArray[np.int64],
    log_weight: NDArray[np.float64],
) -> tuple[int, int]:
    """Return an undirected edge that an undecided belief hangs on, the better direction first.

    If x may reach y but not for certain, an undirected edge leads from a node that x reaches for
    certain to one that it does not and that may reach y. Directed that way it brings ⇒ nearer,
    directed the other way it takes some paths to y away.
    """
    x, y = pair[0], pair[1]
    forward, backward = _path(reach, x, certain[y]), _path(reach, y, certain[x])
    wanted = CAUSES
    if backward == POSSIBLE and (
        forward == IMPOSSIBLE or log_weight[CAUSED_BY] > log_weight[CAUSES]
    ):
        x, y = y, x
        wanted = CAUSED_BY
    is_wanted = has_bit(pdag[ADJACENT, x], y) or log_weight[wanted] > log_weight[CONFOUNDED]
    num_words = pdag.shape[2]
    origin = np.empty(num_words, np.uint64)  # the nodes that may reach y
    for w in range(num_words):
        origin[w] = reach[1, x, w] & certain[y, w]
    spread(pdag, PARENTS, NEIGHBOURS, origin)
    for block in range(num_words):
        word = reach[0, x, block]
        while word != 0:
            u = (block << 6) + lowest_bit(word)
            word &= word - ONE
            for w in range(num_words):
                ahead = pdag[NEIGHBOURS, u, w] & origin[w] & ~reach[0, x, w]
                if ahead != 0:
                    v = (w << 6) + lowest_bit(ahead)
                    return (u, v) if is_wanted else (v, u)
    return -1, -1  # not reached: the path is possible


@inner
def _next_given(pdag: Words, nodes: NDArray[np.int64], ancestors: Words) -> tuple[int, int]:
    """Return the first undirected edge left, directed as in the given graph."""
    for u in nodes:
        for w in range(pdag.shape[2]):
            if pdag[NEIGHBOURS, u, w] != 0:
                v = (w << 6) + lowest_bit(pdag[NEIGHBOURS, u, w])
                return (u, v) if has_bit(ancestors[v], u) else (v, u)
    return -1, -1  # not reached: an edge is left
