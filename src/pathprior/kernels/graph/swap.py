"""The swap-equivalent operator: the best DAG of a Markov equivalence class under path beliefs.

Each belief depends on one chain component of the CPDAG at most. All nodes of a component have the
same compelled parents, so a directed path that enters a component from outside reaches all of it:
only the part of the path inside the component of its first node is open. Hence, with ``certain[v]``
the ancestors of v by compelled edges alone and K(x) the component of x,

    x ⇒ y  iff  x reaches some node of certain[y] inside K(x),

and x ⇎ y, marginal independence, holds in all members of the class or in none. So the components
are searched one by one, and those that own no belief keep their edges. Two nodes are adjacent in
all members or in none, and the direction of an edge is that of the path, so that within a class an
edge weighs what ⇒ or ⇐ weigh.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import (
    CAUSED_BY,
    CAUSES,
    CONFOUNDED,
    NUM_RELATIONS,
    ONE,
    UNRELATED,
    Words,
    close_ancestors,
    copy_words,
    has_bit,
    relation_code,
    set_bit,
    set_size,
)
from pathprior.kernels.graph.cpdag import (
    ADJACENT,
    CHILDREN,
    NEIGHBOURS,
    PARENTS,
    compelled_parents,
    reversible_neighbours,
    topological_order,
)
from pathprior.kernels.graph.cut import complete_sets, direct_cut, is_cut
from pathprior.kernels.graph.flood import flood
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.graph.meek import apply_meek_rules, direct_edge
from pathprior.kernels.graph.orientation import search_component
from pathprior.kernels.graph.tree import search_tree
from pathprior.kernels.inner import allocating, allocating_entry, inner
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.kernels.prior.ties import NUM_TIES, RELATION, has_edge

CHANGED, TRUNCATED = 1, 2


@allocating
def swap_equivalent(
    graph: Graph, prior: GraphPrior, forbidden: Words, cut: Words, budget: int
) -> int:
    """Move to the equivalent DAG of highest prior.

    Parameters
    ----------
    graph
        The DAG. Overwritten iff a better member was found.
    forbidden
        ``forbidden[v]`` are the nodes that may not be parents of v. Members share one skeleton, so
        a required edge u → v is v forbidden as a parent of u. The given DAG must comply. A bound
        on in-degrees needs no word here: all members have the same largest in-degree.
    cut
        Pairs whose edge experiments direct: it keeps its direction, with all that follows.
    budget
        Search nodes in all, of a few μs each; components that are trees need none. When they run
        out the best member found so far is taken.

    Returns
    -------
    int
        ``CHANGED`` if the DAG was replaced, plus ``TRUNCATED`` if the budget ran out, so that a
        better member may exist. The value never falls, and rises by more than 1e-9 if the
        DAG was replaced: smaller gains are ties, and ties keep the given graph.
    """
    parents, ancestors, pairs = graph.parents, graph.ancestors, prior.pairs
    log_weights = np.empty((len(pairs), NUM_RELATIONS), np.float64)
    _fill_weights(parents, prior, log_weights)
    if not _may_gain(ancestors, pairs, log_weights):
        return 0
    num_nodes, num_words = parents.shape
    order = np.empty(num_nodes, np.int64)
    topological_order(parents, order)
    compelled = np.empty_like(parents)
    compelled_parents(parents, order, compelled)
    pdag = np.zeros((4, num_nodes, num_words), np.uint64)  # the undirected edges alone
    reversible_neighbours(parents, compelled, pdag[NEIGHBOURS])
    if is_cut(pdag[NEIGHBOURS], cut):
        _compel_cut(parents, cut, pdag, compelled)
    certain = np.empty_like(parents)
    close_ancestors(compelled, order, certain)
    component = np.empty(num_nodes, np.int64)
    _label_components(pdag, component)
    owner = np.empty(len(pairs), np.int64)
    for k in range(len(pairs)):
        owner[k] = _owner(ancestors, certain, component, pairs[k], log_weights[k])

    for v in range(num_nodes):
        for w in range(num_words):
            pdag[ADJACENT, v, w] = pdag[NEIGHBOURS, v, w]
    _direct_forbidden(pdag, forbidden)
    status = 0
    for k in range(len(pairs)):
        if owner[k] < 0:
            continue
        nodes = _find(component, owner[k])
        own = _find(owner, owner[k])
        own_pairs = np.empty((len(own), 2), np.int64)
        own_weights = np.empty((len(own), NUM_RELATIONS), np.float64)
        for i in range(len(own)):
            owner[own[i]] = -1
            for column in range(2):
                own_pairs[i, column] = pairs[own[i], column]
            for column in range(NUM_RELATIONS):
                own_weights[i, column] = log_weights[own[i], column]
        if _is_tree(pdag[ADJACENT], nodes):
            is_improved = search_tree(pdag, nodes, parents, certain, own_pairs, own_weights)
        else:
            is_improved, used = search_component(
                pdag,
                nodes,
                parents,
                ancestors,
                certain,
                own_pairs,
                own_weights,
                budget,
            )
            if used > budget:
                status |= TRUNCATED
            budget = max(0, budget - used)
        if is_improved:
            status |= CHANGED
    if status & CHANGED:
        topological_order(parents, order)
        close_ancestors(parents, order, ancestors)
    return status


@allocating_entry
def best_member(graph: Graph, prior: GraphPrior, forbidden: Words, cut: Words, budget: int) -> int:
    """`swap_equivalent`, for Python."""
    return swap_equivalent(graph, prior, forbidden, cut, budget)


@allocating
def _compel_cut(parents: Words, cut: Words, pdag: Words, compelled: Words) -> None:
    """Move the edges that experiments direct from the undirected ones to the compelled."""
    num_nodes, num_words = parents.shape
    trail = np.empty((num_nodes * num_nodes, 2), np.int64)
    copy_words(compelled, pdag[PARENTS])
    complete_sets(pdag)
    direct_cut(parents, cut, trail, pdag)
    copy_words(pdag[PARENTS], compelled)
    for v in range(num_nodes):
        for w in range(num_words):
            pdag[PARENTS, v, w] = np.uint64(0)
            pdag[CHILDREN, v, w] = np.uint64(0)


@inner
def _fill_weights(parents: Words, prior: GraphPrior, log_weights: NDArray[np.float64]) -> None:
    """Fill the weights of relations in the class: those of edges where two nodes are adjacent."""
    for k in range(len(prior.pairs)):
        x, y = prior.pairs[k, 0], prior.pairs[k, 1]
        is_adjacent = has_bit(parents[y], x) or has_bit(parents[x], y)
        for tie in range(NUM_TIES):
            if tie < NUM_RELATIONS or (is_adjacent and has_edge(tie)):
                log_weights[k, RELATION[tie]] = prior.log_weights[k, tie]


@inner
def _may_gain(ancestors: Words, pairs: NDArray[np.int64], log_weights: NDArray[np.float64]) -> bool:
    """Whether some belief could weigh more in an equivalent graph, as far as ⇎ alone can tell."""
    for k in range(len(pairs)):
        relation = relation_code(ancestors, pairs[k, 0], pairs[k, 1])
        if relation != UNRELATED:
            for other in range(UNRELATED):
                if log_weights[k, other] > log_weights[k, relation]:
                    return True
    return False


@allocating
def _label_components(pdag: Words, component: NDArray[np.int64]) -> None:
    """Label each node with the lowest node of its chain component."""
    _, num_nodes, num_words = pdag.shape
    pending = np.zeros(num_words, np.uint64)
    reached = np.zeros(num_words, np.uint64)
    labelled = np.zeros(num_words, np.uint64)
    for root in range(num_nodes):
        if has_bit(labelled, root):
            continue
        set_bit(pending, root)
        set_bit(reached, root)
        flood(pdag, NEIGHBOURS, NEIGHBOURS, pending, reached, reached)
        for block in range(num_words):
            word = reached[block] & ~labelled[block]
            labelled[block] = reached[block]
            while word != 0:
                component[(block << 6) + lowest_bit(word)] = root
                word &= word - ONE


@allocating
def _find(labels: NDArray[np.int64], label: int) -> NDArray[np.int64]:
    """Return the positions of ``label``, in ascending order."""
    positions = np.empty(len(labels), np.int64)
    count = 0
    for i in range(len(labels)):
        if labels[i] == label:
            positions[count] = i
            count += 1
    return positions[:count]


@inner
def _is_tree(adjacent: Words, nodes: NDArray[np.int64]) -> bool:
    """Whether a connected component has one edge less than nodes."""
    num_ends = 0
    for v in nodes:
        num_ends += set_size(adjacent[v])
    return num_ends == 2 * (len(nodes) - 1)


@inner
def _owner(
    ancestors: Words,
    certain: Words,
    component: NDArray[np.int64],
    pair: NDArray[np.int64],
    log_weight: NDArray[np.float64],
) -> int:
    """Return the chain component that decides the belief's weight, −1 if the class fixes it."""
    x, y = pair[0], pair[1]
    if log_weight[CAUSES] == log_weight[CAUSED_BY] == log_weight[CONFOUNDED]:
        return -1
    if relation_code(ancestors, x, y) == UNRELATED:
        return -1
    if has_bit(certain[y], x) or has_bit(certain[x], y):
        return -1
    if _holds_one_of(component, component[x], certain[y]):
        return component[x]
    if _holds_one_of(component, component[y], certain[x]):
        return component[y]
    return -1


@inner
def _holds_one_of(component: NDArray[np.int64], label: int, members: Words) -> bool:
    for block in range(len(members)):
        word = members[block]
        while word != 0:
            if component[(block << 6) + lowest_bit(word)] == label:
                return True
            word &= word - ONE
    return False


@allocating
def _direct_forbidden(pdag: Words, forbidden: Words) -> None:
    """Direct u − v as v → u where u may not be a parent of v, and draw the consequences."""
    num_nodes, num_words = forbidden.shape
    num_ends = 0
    for v in range(num_nodes):
        num_ends += set_size(pdag[NEIGHBOURS, v])
    trail = np.empty((num_ends // 2 + 1, 2), np.int64)
    head: Any = np.int64(0)  # not a literal, for which numba would compile the callees again
    length = head
    for v in range(num_nodes):
        for block in range(num_words):
            word = pdag[NEIGHBOURS, v, block] & forbidden[v, block]
            while word != 0:
                length = direct_edge(pdag, trail, length, v, (block << 6) + lowest_bit(word))
                word &= word - ONE
    apply_meek_rules(pdag, trail, head, length)
