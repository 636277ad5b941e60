"""The way to another class: what has to be brought up to date there, and no more."""

import numpy as np

from pathprior.kernels.apart import call_bound
from pathprior.kernels.bits import lowest_bit, mix
from pathprior.kernels.classes.labels import label_edges, replace_edges
from pathprior.kernels.classes.state import (
    BENT,
    BEST,
    CHANGED,
    MOVED,
    PENDING,
    TRIED,
    TURNED,
    UNSCORED,
    ClassClimb,
    ClassProblem,
    Ranking,
)
from pathprior.kernels.graph.ancestors import (
    ONE,
    Words,
    clear_bit,
    has_bit,
    set_bit,
)
from pathprior.kernels.graph.cpdag import (
    ADJACENT,
    CHILDREN,
    NEIGHBOURS,
    PARENTS,
    order_within,
)
from pathprior.kernels.graph.flood import spread
from pathprior.kernels.inner import inner, pasted
from pathprior.kernels.steps import INSERT


@inner
def copy_rows(rows: Words, source: Words, target: Words) -> None:
    """Copy the sets of the nodes ``rows``."""
    for block in range(rows.shape[0]):
        word = rows[block]
        while word != 0:
            v = (block << 6) + lowest_bit(word)
            word &= word - ONE
            for w in range(source.shape[1]):
                target[v, w] = source[v, w]


@inner
def clear_set(row: Words) -> None:
    """Empty the set ``row``."""
    for w in range(row.shape[0]):
        row[w] = np.uint64(0)


@inner
def reset_trial(climb: ClassClimb) -> None:
    """Make the trial's DAG that of the present class."""
    copy_rows(climb.sets[TRIED], climb.here.parents, climb.trial.parents)
    clear_set(climb.sets[TRIED])


@inner
def enter_class(problem: ClassProblem, climb: ClassClimb, parents: Words, rows: Words) -> None:
    """Go to the class of the DAG ``parents``, which differs from the present one in ``rows`` alone.

    The trial must be this DAG, or the present one.
    """
    here, sets = climb.here, climb.sets
    for k in range(MOVED, sets.shape[0]):
        clear_set(sets[k])
    list_moved(here.parents, parents, rows, sets[MOVED])
    if problem.has_cut:
        copy_rows(sets[MOVED], parents, here.parents)
        redraw(problem, climb)
    else:
        replace_edges(here, parents, sets)
        label_edges(here, sets)
    copy_rows(sets[MOVED], here.parents, climb.trial.parents)
    clear_set(sets[TRIED])
    for w in range(rows.shape[0]):
        sets[BEST, w] |= sets[MOVED, w]
        sets[UNSCORED, w] |= sets[MOVED, w]
    renew_reach(climb)
    mark_changed(climb)


@pasted
def list_moved(parents: Words, others: Words, rows: Words, moved: Words) -> None:
    """List those of ``rows`` whose parents are not the same."""
    for block in range(rows.shape[0]):
        word = rows[block]
        while word != 0:
            v = (block << 6) + lowest_bit(word)
            word &= word - ONE
            difference = np.uint64(0)
            for w in range(rows.shape[0]):
                difference |= parents[v, w] ^ others[v, w]
            if difference != 0:
                set_bit(moved, v)


@inner
def redraw(problem: ClassProblem, climb: ClassClimb) -> None:
    """Draw the whole class, and note what has changed."""
    new, old, sets = climb.trial.pdag, climb.here.pdag, climb.sets
    call_bound(problem.rare.draw, ())
    for v in range(old.shape[1]):
        for w in range(old.shape[2]):
            is_turned = old[PARENTS, v, w] != new[PARENTS, v, w]
            is_bent = old[ADJACENT, v, w] != new[ADJACENT, v, w]
            if is_turned:
                set_bit(sets[TURNED], v)
            if is_bent:
                set_bit(sets[BENT], v)
            if is_turned or is_bent or old[NEIGHBOURS, v, w] != new[NEIGHBOURS, v, w]:
                set_bit(sets[CHANGED], v)
            for kind in range(4):
                old[kind, v, w] = new[kind, v, w]


@inner
def renew_reach(climb: ClassClimb) -> None:
    """Renew the certain ancestors below the nodes whose parents in the class have changed."""
    pdag, certain, sets = climb.here.pdag, climb.reach.certain, climb.sets
    order, row = climb.scratch.order, climb.scratch.family
    below, renewed = sets[MOVED], sets[PENDING]  # neither is needed any more
    for w in range(row.shape[0]):
        below[w] = sets[TURNED, w]
    spread(pdag, CHILDREN, CHILDREN, below)
    for k in range(order_within(pdag[PARENTS], below, order)):
        v = order[k]
        is_due = has_bit(sets[TURNED], v)
        for w in range(row.shape[0]):
            is_due |= pdag[PARENTS, v, w] & renewed[w] != 0
            row[w] = np.uint64(0)
        if not is_due:
            continue
        set_bit(row, v)
        for block in range(row.shape[0]):
            word = pdag[PARENTS, v, block]
            while word != 0:
                u = (block << 6) + lowest_bit(word)
                word &= word - ONE
                for w in range(row.shape[0]):
                    row[w] |= certain[u, w]
        for w in range(row.shape[0]):
            word = row[w] ^ certain[v, w]
            certain[v, w] = row[w]
            while word != 0:
                set_bit(renewed, v)
                bit = np.int64(lowest_bit(word))
                word &= word - ONE
                is_barred = (row[w] >> np.uint64(bit)) & ONE != 0
                review_insertion(climb.ranking, v, (w << 6) + bit, is_barred)


@inner
def review_insertion(ranking: Ranking, x: int, y: int, is_barred: bool) -> None:
    """Bar x → y or allow it; have the row ranked again if its best is no longer that, or may be."""
    if is_barred:
        set_bit(ranking.barred[y], x)
    else:
        clear_bit(ranking.barred[y], x)
    best, bound = ranking.top_best[INSERT, y], ranking.bounds[INSERT, y, x]
    parent = ranking.top_parent[INSERT, y]
    if parent == x if is_barred else bound > best or (bound == best and x < parent):
        set_bit(ranking.unranked[INSERT], y)


@inner
def mark_changed(climb: ClassClimb) -> None:
    """Mark the moves whose bounds have changed, and the class.

    The moves on y depend on its parents, neighbours and children, on what is adjacent to its
    neighbours, and those that turn an edge with x also on the surroundings of x.
    """
    pdag, sets, stale = climb.here.pdag, climb.sets, climb.ranking.stale
    num_words = pdag.shape[2]
    for block in range(num_words):
        nodes = sets[CHANGED, block]
        while nodes != 0:
            v = (block << 6) + lowest_bit(nodes)
            nodes &= nodes - ONE
            stale[v] = 2
            is_bent = has_bit(sets[BENT], v)
            mark, content = mix(np.uint64(0), np.uint64(v + 1)), np.uint64(0)
            for w in range(num_words):
                mark = mix(mix(mark, pdag[PARENTS, v, w]), pdag[NEIGHBOURS, v, w])
                content |= pdag[PARENTS, v, w] | pdag[NEIGHBOURS, v, w]
                word = pdag[PARENTS, v, w] | pdag[NEIGHBOURS, v, w]
                while word != 0:  # who may turn an edge with v
                    u = (w << 6) + lowest_bit(word)
                    word &= word - ONE
                    is_near = is_bent and has_bit(pdag[NEIGHBOURS, v], u)
                    stale[u] = 2 if is_near else max(stale[u], 1)
            for _ in range(2):  # the last word must spread: marks of rows are joined
                mark = mix(mark, np.uint64(v + 1))
            if content == 0:
                mark = np.uint64(0)
            climb.tally.mark ^= climb.marks[v] ^ mark
            climb.marks[v] = mark
