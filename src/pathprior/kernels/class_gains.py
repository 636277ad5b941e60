"""Data gains of the moves between equivalence classes, from cached columns of local scores.

With s(y, P) the local score and P = pa(y) ∪ C, a move (x, y, C) gains

- Insert: s(y, P ∪ {x}) − s(y, P);
- Delete: s(y, P ∖ {x}) − s(y, P ∪ {x});
- Turn y → x: s(y, P ∪ {x}) − s(y, P) + s(x, pa(x) ∖ {y}) − s(x, pa(x));
- Turn x − y: s(y, P ∪ {x}) − s(y, P) + s(x, Q) − s(x, Q ∪ {y}), Q = pa(x) ∪ (C ∩ ne(x)).

So everything about y is read off one column of scores for each clique C of its neighbours.
"""

import numpy as np

from pathprior.kernels.ancestors import ONE, Words, has_bit, set_bit, set_size
from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.cells import split_family
from pathprior.kernels.class_moves import list_candidates, list_cliques
from pathprior.kernels.class_state import CLIQUES_CUT, ClassClimb
from pathprior.kernels.climb_state import Problem
from pathprior.kernels.column import score_additions, score_column
from pathprior.kernels.column_cache import find_column
from pathprior.kernels.equivalence import NEIGHBOURS, PARENTS
from pathprior.kernels.graph_state import INSERT, REMOVE, list_parents
from pathprior.kernels.inner import inner


@inner
def find_wanted(
    problem: Problem, climb: ClassClimb, child: int, family: Words, wanted: Words
) -> int:
    """Return the cache's entry of (child, family), with the scores of all ``wanted`` additions."""
    rows, work = problem.rows, climb.work
    entry, is_known = find_column(climb.cache, child, family)
    scores = climb.cache.scores[entry]
    num_missing = 0
    for block in range(wanted.shape[0]):
        word = wanted[block]
        while word != 0:
            u = (block << 6) + lowest_bit(word)
            word &= word - ONE
            if not is_known or scores[u] == -np.inf:
                num_missing += 1
    if is_known and num_missing == 0:
        return entry
    members = climb.members[: list_parents(family, climb.members)]
    climb.cost[0] += rows.codes.shape[1] * (num_missing + 1) * (members.shape[0] + 1)
    if not is_known:
        score_column(rows, problem.rule, child, members, ~wanted, work, scores)
        return entry
    nominal = 1.0
    for v in members:
        nominal *= rows.num_states[v]
    num_configurations = split_family(rows, child, members, work)
    score_additions(
        rows, problem.rule, child, members, ~wanted, num_configurations, nominal, work, scores
    )
    return entry


@inner
def toggle_gain(
    problem: Problem, climb: ClassClimb, child: int, parent: int, family: Words
) -> float:
    """Change of the child's score when the parent joins the family, or leaves it."""
    wanted = climb.sets[3]
    wanted[:] = np.uint64(0)
    if not has_bit(family, parent):
        set_bit(wanted, parent)
    scores = climb.cache.scores[find_wanted(problem, climb, child, family, wanted)]
    return scores[parent] - scores[child]


@inner
def finish_gain(
    problem: Problem, climb: ClassClimb, move: int, x: int, y: int, clique: Words, gain: float
) -> float:
    """Gain of a Delete or Turn, given the change of y's score when x is toggled in pa(y) ∪ C."""
    pdag, family = climb.pdag, climb.sets[2]
    is_undirected = has_bit(pdag[NEIGHBOURS, y], x)
    if move == REMOVE:
        return -gain if is_undirected else gain
    # Where y → x, C and ne(x) are disjoint: the neighbours of x are children of y.
    for w in range(clique.shape[0]):
        family[w] = pdag[PARENTS, x, w] | (clique[w] & pdag[NEIGHBOURS, x, w])
    undone = toggle_gain(problem, climb, x, y, family)
    return gain - undone if is_undirected else gain + undone


@inner
def move_gain(
    problem: Problem, climb: ClassClimb, move: int, x: int, y: int, clique: Words
) -> float:
    """Change of the data score by one candidate move; the formulas are at the top."""
    family = climb.sets[2]
    for w in range(clique.shape[0]):
        family[w] = climb.pdag[PARENTS, y, w] | clique[w]
    gain = toggle_gain(problem, climb, y, x, family)
    if move == INSERT:
        return gain
    return finish_gain(problem, climb, move, x, y, clique, gain)


@inner
def cliques_of(climb: ClassClimb, y: int) -> int:
    """List the cliques among the neighbours of y in ``climb.cliques``; return how many."""
    num_cliques = list_cliques(climb.pdag, y, climb.cliques)
    if num_cliques < 0:
        climb.counters[CLIQUES_CUT] += 1
        num_cliques = climb.cliques.shape[0]
    return num_cliques


@inner
def list_allowed(
    problem: Problem, climb: ClassClimb, move: int, y: int, clique: Words, allowed: Words
) -> bool:
    """Fill ``allowed`` with the candidates x of (move, y, C) within the limits on y and on x, y.

    Returns whether there are any. Limits on other edges, which the new class may compel, are
    looked at when the move is tried.
    """
    if move != REMOVE:
        size = set_size(climb.pdag[PARENTS, y]) + set_size(clique)
        if size >= problem.limits.max_parents:
            return False
    list_candidates(climb.pdag, move, y, clique, allowed)
    excluded = climb.must_join if move == REMOVE else climb.must_part
    is_any = False
    for w in range(allowed.shape[0]):
        allowed[w] &= ~excluded[y, w]
        is_any |= allowed[w] != 0
    return is_any


@inner
def fill_row(problem: Problem, climb: ClassClimb, move: int, y: int) -> None:
    """Fill ``climb.bounds[move, y]``."""
    bounds = climb.bounds[move, y]
    bounds[:] = -np.inf
    family, wanted = climb.sets[0], climb.sets[1]
    for i in range(cliques_of(climb, y)):
        clique = climb.cliques[i]
        if not list_allowed(problem, climb, move, y, clique, wanted):
            continue
        for w in range(clique.shape[0]):
            family[w] = climb.pdag[PARENTS, y, w] | clique[w]
        # All wanted scores at once: one by one, the family would be split for each.
        scores = climb.cache.scores[find_wanted(problem, climb, y, family, wanted)]
        for x in range(bounds.shape[0]):
            climb.column[x] = scores[x] - scores[y]  # the cache may be emptied below
        for block in range(wanted.shape[0]):
            word = wanted[block]
            while word != 0:
                x = (block << 6) + lowest_bit(word)
                word &= word - ONE
                gain = climb.column[x]
                if move != INSERT:
                    gain = finish_gain(problem, climb, move, x, y, clique, gain)
                bounds[x] = max(bounds[x], gain)


@inner
def class_score(problem: Problem, climb: ClassClimb) -> float:
    """Data score of the class, summed over the families of its DAG."""
    none = climb.sets[3]
    none[:] = np.uint64(0)
    total = 0.0
    for v in range(climb.graph.parents.shape[0]):
        entry = find_wanted(problem, climb, v, climb.graph.parents[v], none)
        total += climb.cache.scores[entry, v]
    return total
