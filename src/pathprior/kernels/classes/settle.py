"""The best DAG of the class that is on trial."""

import numpy as np

from pathprior.kernels.apart import call_bound
from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.classes.state import TRIED, ClassClimb, ClassProblem
from pathprior.kernels.graph.ancestors import ONE, Words, set_size
from pathprior.kernels.graph.swap import TRUNCATED
from pathprior.kernels.inner import inner


@inner
def is_within(parents: Words, rows: Words, forbidden: Words, max_parents: int) -> bool:
    """Whether none of the nodes ``rows`` has a forbidden parent or too many."""
    for block in range(rows.shape[0]):
        word = rows[block]
        while word != 0:
            v = (block << 6) + lowest_bit(word)
            word &= word - ONE
            if set_size(parents[v]) > max_parents:
                return False
            for w in range(parents.shape[1]):
                if parents[v, w] & forbidden[v, w]:
                    return False
    return True


@inner
def fill_set(row: Words, num_nodes: int) -> None:
    """Put all nodes into the set ``row``."""
    for w in range(row.shape[0]):
        row[w] = ~np.uint64(0)
    if num_nodes & 63:
        row[row.shape[0] - 1] = (ONE << np.uint64(num_nodes & 63)) - ONE


@inner
def settle(problem: ClassProblem, climb: ClassClimb) -> float:
    """Make the trial's DAG the best of its class; return its prior, −∞ if none will do.

    A DAG without forbidden edges is found if there is one. ``max_parents`` is then asked of that
    DAG, not of every other in the class.
    """
    parents, rows = climb.trial.parents, climb.sets[TRIED]
    forbidden, max_parents = problem.forbidden, problem.max_parents
    if problem.has_beliefs:
        fill_set(rows, parents.shape[0])
    if problem.is_limited and not is_within(parents, rows, forbidden, max_parents):
        fill_set(rows, parents.shape[0])
        if call_bound(problem.rare.comply, ()) == 0.0:
            return -np.inf
        if not is_within(parents, rows, forbidden, max_parents):
            return -np.inf
    if not problem.has_beliefs:
        return 0.0
    status = np.int64(call_bound(problem.rare.swap, ()))
    if status & TRUNCATED:
        climb.tally.num_truncated += 1
    return call_bound(problem.rare.read, ())
