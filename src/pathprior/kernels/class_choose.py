"""The best move between equivalence classes, beliefs and limits included.

A class weighs its data score plus the highest prior among its DAGs. Pairs are tried best first, by
their data gain plus the most that the prior can gain, until no other can win.
"""

import numpy as np

from pathprior.kernels.ancestors import Words, close_ancestors, has_bit, relation_code, set_size
from pathprior.kernels.class_gains import cliques_of, list_allowed, move_gain
from pathprior.kernels.class_member import apply_class_move, comply, fill_class
from pathprior.kernels.class_moves import is_valid
from pathprior.kernels.class_state import NUM_MOVES, ROUND, TRUNCATIONS, ClassClimb, ClassOptions
from pathprior.kernels.climb_state import PRIOR, Problem
from pathprior.kernels.equivalence import topological_order
from pathprior.kernels.graph_state import INSERT, REMOVE, REVERSE, Limits
from pathprior.kernels.inner import inner
from pathprior.kernels.prior_gains import Beliefs
from pathprior.kernels.swap import TRUNCATED, swap_equivalent

COST_OF_TRIAL = 200_000
"""Work of trying a move, in the unit of ``ClassClimb.cost``."""


@inner
def rank_row(climb: ClassClimb, move: int, y: int, first_tabu: int) -> None:
    """Look up the best pair of a row that was not tried in this round.

    Leaves out insertions that would close a cycle with directed edges alone, whatever the clique.
    """
    this_round = climb.counters[ROUND]
    best, parent = -np.inf, -1
    bounds, last_tried = climb.bounds[move, y], climb.last_tried[move, y]
    for x in range(bounds.shape[0]):
        if (
            bounds[x] > best
            and last_tried[x] != this_round
            and climb.last_moved[y, x] < first_tabu
            and (move != INSERT or not has_bit(climb.certain[x], y))
        ):
            best, parent = bounds[x], x
    climb.row_best[move, y] = best
    climb.row_parent[move, y] = parent


@inner
def bound_prior_gains(climb: ClassClimb, beliefs: Beliefs) -> None:
    """Bound what a move can add to the prior, for each kind of move.

    x ⇎ y is marginal independence, the same in all DAGs of a class. Inserting never makes a pair
    independent and deleting never makes one dependent.
    """
    slack = climb.slack
    slack[:] = 0.0
    for k in range(beliefs.pairs.shape[0]):
        weights, relation = beliefs.log_weights[k], beliefs.relations[k]
        related = max(weights[0], weights[1], weights[2]) - weights[relation]
        either = max(related, weights[3] - weights[relation])
        slack[INSERT] += either if relation == 3 else related
        slack[REMOVE] += either if relation < 3 else 0.0
        slack[REVERSE] += either


@inner
def is_within(parents: Words, limits: Limits) -> bool:
    """Whether no node has a forbidden parent or too many."""
    for v in range(parents.shape[0]):
        if set_size(parents[v]) > limits.max_parents:
            return False
        for w in range(parents.shape[1]):
            if parents[v, w] & limits.forbidden[v, w]:
                return False
    return True


@inner
def settle(problem: Problem, options: ClassOptions, climb: ClassClimb) -> float:
    """Make ``climb.trial.graph`` the best DAG of its class; return its prior, −∞ if none will do.

    A DAG without forbidden edges is found if there is one. ``max_parents`` is then asked of that
    DAG, not of every other in the class.
    """
    trial, limits, beliefs = climb.trial, problem.limits, problem.beliefs
    parents, ancestors = trial.graph
    if options.is_limited and not is_within(parents, limits):
        fill_class(parents, trial.order, trial.pdag)
        if not comply(trial.pdag, limits.forbidden, trial.trail, parents):
            return -np.inf
        if not is_within(parents, limits):
            return -np.inf
    if beliefs.pairs.shape[0] == 0:
        return 0.0
    topological_order(parents, trial.order)
    close_ancestors(parents, trial.order, ancestors)
    status = swap_equivalent(
        parents, ancestors, beliefs.pairs, beliefs.log_weights,
        limits.forbidden, options.swap_budget,
    )  # fmt: skip
    if status & TRUNCATED:
        climb.counters[TRUNCATIONS] += 1
    prior = 0.0
    for k in range(beliefs.pairs.shape[0]):
        relation = relation_code(ancestors, beliefs.pairs[k, 0], beliefs.pairs[k, 1])
        prior += beliefs.log_weights[k, relation]
    return prior


@inner
def try_pair(
    problem: Problem, options: ClassOptions, climb: ClassClimb, move: int, x: int, y: int
) -> None:
    """Try the moves of a pair that can still beat ``climb.record``, one for each clique."""
    record, trial, allowed = climb.record, climb.trial, climb.sets[1]
    for i in range(cliques_of(climb, y)):
        clique = climb.cliques[i]
        if not list_allowed(problem, climb, move, y, clique, allowed) or not has_bit(allowed, x):
            continue
        gain = move_gain(problem, climb, move, x, y, clique)
        best = record[3] + record[4]
        if gain + climb.slack[move] <= best or not is_valid(climb.pdag, move, x, y, clique):
            continue
        climb.cost[0] += COST_OF_TRIAL
        trial.pdag[:] = climb.pdag
        trial.graph.parents[:] = climb.graph.parents
        apply_class_move(trial.pdag, move, x, y, clique, trial.trail, trial.graph.parents)
        prior_gain = settle(problem, options, climb) - climb.totals[PRIOR]
        if gain + prior_gain > best:
            record[0], record[1], record[2], record[3], record[4] = move, x, y, gain, prior_gain
            climb.found.parents[:] = trial.graph.parents


@inner
def find_move(
    problem: Problem, options: ClassOptions, climb: ClassClimb, least: float, first_tabu: int
) -> bool:
    """Find the move with the highest total gain above ``least``; no row may be stale.

    Ties go to the pair tried first: the higher bound, then Insert before Delete before Turn, then
    the lower y, then the lower x.
    """
    num_nodes = climb.graph.parents.shape[0]
    climb.counters[ROUND] += 1
    bound_prior_gains(climb, problem.beliefs)
    for move in range(NUM_MOVES):
        for y in range(num_nodes):
            if climb.is_unranked[move, y]:
                rank_row(climb, move, y, first_tabu)
                climb.is_unranked[move, y] = False
    record = climb.record
    record[0], record[3], record[4] = -1.0, least, 0.0
    while True:
        top, top_move, top_child = record[3] + record[4], -1, -1
        for move in range(NUM_MOVES):
            for y in range(num_nodes):
                if climb.row_best[move, y] + climb.slack[move] > top:
                    top = climb.row_best[move, y] + climb.slack[move]
                    top_move, top_child = move, y
        if top_move < 0:
            return record[0] >= 0
        parent = climb.row_parent[top_move, top_child]
        try_pair(problem, options, climb, top_move, parent, top_child)
        climb.last_tried[top_move, top_child, parent] = climb.counters[ROUND]
        climb.is_unranked[top_move, top_child] = True
        rank_row(climb, top_move, top_child, first_tabu)
