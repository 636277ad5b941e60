"""Random disturbances of the best class, from which the search climbs again.

The nodes about one of them are taken, and edges among these put in, taken out and turned at random,
two for each node. Most that fall into such a place are edges put in: sets of parents that say
something only together are found in this way, which no single move gains by.
"""

from pathprior.kernels.classes.enter import clear_set, reset_trial
from pathprior.kernels.classes.stages import log_step
from pathprior.kernels.classes.state import SHAKEN, TRIED, ClassClimb, ClassProblem
from pathprior.kernels.graph.ancestors import clear_bit, has_bit, set_bit, set_size
from pathprior.kernels.graph.cpdag import ADJACENT
from pathprior.kernels.graph.flood import fill_above
from pathprior.kernels.inner import inner
from pathprior.kernels.random import draw_below
from pathprior.kernels.steps import PUT, TAKE

MOVES_PER_NODE = 2


@inner
def gather_nodes(climb: ClassClimb, size: int) -> None:
    """List ``size`` nodes in the scratch: one at random and those about it."""
    nodes, chosen = climb.scratch.order, climb.sets[SHAKEN]
    adjacent, random = climb.here.pdag[ADJACENT], climb.scratch.random
    num_nodes = adjacent.shape[0]
    clear_set(chosen)
    count, at = 0, 0
    while count < size:
        if at == count:  # all about those so far are listed
            v = draw_below(random, num_nodes)
            if has_bit(chosen, v):
                continue
            set_bit(chosen, v)
            nodes[count] = v
            count += 1
            continue
        around = adjacent[nodes[at]]
        at += 1
        first = draw_below(random, num_nodes)
        for i in range(num_nodes):  # from a random one on, so that no side is preferred
            u = (first + i) % num_nodes
            if count < size and has_bit(around, u) and not has_bit(chosen, u):
                set_bit(chosen, u)
                nodes[count] = u
                count += 1


@inner
def may_insert(problem: ClassProblem, climb: ClassClimb, u: int, v: int) -> bool:
    """Whether u → v may be put into the trial."""
    parents, scratch = climb.trial.parents, climb.scratch
    if has_bit(problem.forbidden[v], u) or has_bit(problem.must_part[v], u):
        return False
    if set_size(parents[v]) >= problem.max_parents:
        return False
    fill_above(parents, u, scratch.family, scratch.allowed)
    return not has_bit(scratch.allowed, v)


@inner
def put_edge(climb: ClassClimb, u: int, v: int) -> None:
    """Put u → v into the trial."""
    set_bit(climb.trial.parents[v], u)
    set_bit(climb.sets[TRIED], v)
    log_step(climb, PUT, u, v, 0.0, 0.0)


@inner
def take_edge(climb: ClassClimb, u: int, v: int) -> None:
    """Take u → v out of the trial."""
    clear_bit(climb.trial.parents[v], u)
    set_bit(climb.sets[TRIED], v)
    log_step(climb, TAKE, u, v, 0.0, 0.0)


@inner
def shake(problem: ClassProblem, climb: ClassClimb) -> bool:
    """Make the trial a disturbed copy of the present DAG; False if nothing could be changed."""
    parents, nodes, random = climb.trial.parents, climb.scratch.order, climb.scratch.random
    num_logged = climb.tally.num_logged
    reset_trial(climb)
    size = min(problem.shaken, parents.shape[0])
    gather_nodes(climb, size)
    for _ in range(MOVES_PER_NODE * size):
        u, v = nodes[draw_below(random, size)], nodes[draw_below(random, size)]
        is_turned = draw_below(random, 2) == 1
        if has_bit(parents[u], v):
            u, v = v, u
        if u == v:
            continue
        if not has_bit(parents[v], u):
            if may_insert(problem, climb, u, v):
                put_edge(climb, u, v)
            continue
        if not is_turned and has_bit(problem.must_join[v], u):
            continue
        clear_bit(parents[v], u)
        may_turn = is_turned and may_insert(problem, climb, v, u)
        set_bit(parents[v], u)
        if may_turn or not is_turned:
            take_edge(climb, u, v)
        if may_turn:
            put_edge(climb, v, u)
    return climb.tally.num_logged > num_logged
