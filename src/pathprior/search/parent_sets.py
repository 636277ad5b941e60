"""`ParentSets`: the parent sets that can be in a best graph, up to a number of parents.

A set that scores no higher than one of its subsets is left out: with the subset in its place a
graph stays within the rules and scores no less. Where paths count, the parents that it has more may
be worth what paths can add, so that sets are left out only if they fall by that much.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import comb, inf, prod

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import SearchError
from pathprior.graph.edge_rules import EdgeRules
from pathprior.kernels.data.averaged import FACTORS, AveragedRule
from pathprior.kernels.data.columns import Kernel, make_filler
from pathprior.kernels.data.families import Rule
from pathprior.kernels.data.score_column import Counted
from pathprior.kernels.exact.subsets import (
    fill_subsets,
    list_subsets,
    score_subsets,
    spread_subsets,
)
from pathprior.problem.problem import Problem
from pathprior.search.interrupt import StopRequest
from pathprior.search.set_values import count_values, is_by_set

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Score = Callable[[int, Ints, Ints, int, Floats], None]
"""Writes the scores of a child's families: required parents, others, most of these, places."""

MOST_WORK = 25 * 10**9
"""Rows that are sorted for all sets: about a minute."""
WORK_PER_SECOND = 10**8
"""The same for each second of a time limit: about a quarter of it."""
MOST_BYTES = 1 << 30
"""Memory of the tables."""
ROWS_OF_A_FAMILY = 10
"""What it costs to count one family by itself, in sets that are counted together."""
WORK_OF_A_MATRIX = 512
"""What a family of real columns costs, in rows."""
WORK_OF_A_CALL = 10**5
"""What a family costs that is scored in Python."""
SLICE = 1 << 12
"""Parent sets that are extended at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class ParentSets:
    """Families by child, the best first: those of v are ``first[v]`` … ``first[v + 1] − 1``.

    Attributes
    ----------
    sets
        Parents, as the bits of a number.
    scores
        Scores, edge terms included.
    most
        No family has more parents; None where none with more can be in a best graph.
    """

    first: Ints
    sets: Ints
    scores: Floats
    most: int | None

    @property
    def num_nodes(self) -> int:
        """How many children there are."""
        return len(self.first) - 1

    @property
    def children(self) -> Ints:
        """The child of each family."""
        return np.repeat(np.arange(self.num_nodes), np.diff(self.first))

    def only(self, kept: NDArray[np.bool_]) -> "ParentSets":
        """Return those of the families that are ``kept``."""
        first = np.concatenate([[0], np.cumsum(kept)])[self.first]
        return ParentSets(first, self.sets[kept], self.scores[kept], self.most)


def set_steps(num_nodes: int, most: int) -> Ints:
    """What members add to the place of a set, see `pathprior.kernels.exact.subsets`.

    One row for each member of the largest sets, one column for each node.
    """
    steps = [[comb(num_nodes, i) + comb(v, i + 1) for v in range(num_nodes)] for i in range(most)]
    return np.array(steps, np.int64).reshape(most, num_nodes)


def num_sets(num_nodes: int, most: int) -> int:
    """How many sets have at most so many members."""
    return sum(comb(num_nodes, size) for size in range(min(most, num_nodes) + 1))


class ScoredFamilies:
    """The families of a problem, as many parents as a share of the time and the memory allow."""

    def __init__(self, problem: Problem, stop: StopRequest, time_limit: float = inf) -> None:
        self.problem, self.stop = problem, stop
        self.most = _choose_most(problem, time_limit)
        self._score = _scoring(problem, self.most, stop)

    def list_best(self, slack: float = 0.0) -> ParentSets | None:
        """Those within ``slack`` of all their subsets, and better; None if a stop was asked for."""
        first, sets, scores = [0], [], []
        for v in range(self.problem.start.num_nodes):
            own_sets, own_scores = self._list_own(v, slack)
            if self.stop.is_set:
                return None
            first.append(first[-1] + len(own_sets))
            sets.append(own_sets)
            scores.append(own_scores)
        limit = None if _is_no_limit(self.problem, self.most) else self.most
        return ParentSets(np.array(first), np.concatenate(sets), np.concatenate(scores), limit)

    def _list_own(self, v: int, slack: float) -> tuple[Ints, Floats]:
        """The families of v, the best first."""
        required, others = _free_parents(self.problem.rules, v)
        most_others = min(self.most - len(required), len(others))
        steps = set_steps(len(others), most_others)
        best = np.full(num_sets(len(others), most_others), -inf)
        self._score(v, required, others, most_others, best)
        own, is_better = best.copy(), np.empty(len(best), np.bool_)
        count = spread_subsets(best, steps, len(others), most_others, slack, is_better)
        sets, scores = np.empty(count, np.int64), np.empty(count)
        base = sum(1 << int(u) for u in required)
        list_subsets(is_better, own, others, base, most_others, sets, scores)
        order = np.argsort(-scores, kind="stable")
        return sets[order], scores[order]


# -- how many parents ------------------------------------------------------------------------------


def _free_parents(rules: EdgeRules, v: int) -> tuple[Ints, Ints]:
    """The required parents of v, and who else may be one."""
    required, forbidden = rules.required[:, v], rules.forbidden[:, v]
    return np.flatnonzero(required), np.flatnonzero(~forbidden & ~required)


def _joined_nodes(rules: EdgeRules) -> Ints:
    """Who may have an edge; constant columns may not."""
    may_be = ~rules.forbidden
    return np.flatnonzero(may_be.any(axis=0) | may_be.any(axis=1))


def _most_allowed(rules: EdgeRules) -> int:
    """Parents of the largest families that the rules allow."""
    most = int((~rules.forbidden).sum(axis=0).max(initial=0))
    return min(most, rules.max_parents)


def _choose_most(problem: Problem, time_limit: float) -> int:
    """The largest number of parents whose families take no more work and memory than there is.

    As many as are required at least, however short the time.
    """
    least = int(problem.rules.required.sum(axis=0).max(initial=0))
    work, num_bytes = _cost(problem, least)
    if work > MOST_WORK or num_bytes > MOST_BYTES:
        raise SearchError(
            f"search='exact' has no room for the families of a variable with {least} required "
            "parents: require fewer edges, or use another search"
        )
    most_work = min(MOST_WORK, time_limit * WORK_PER_SECOND)
    for number in range(least + 1, _most_allowed(problem.rules) + 1):
        work, num_bytes = _cost(problem, number)
        if work > most_work or num_bytes > MOST_BYTES:
            return number - 1
    return max(least, _most_allowed(problem.rules))


def _cost(problem: Problem, most: int) -> tuple[float, int]:
    """Work and bytes for families of at most so many parents."""
    n, rules, kernel = problem.start.num_nodes, problem.rules, problem.scorer.kernel()
    sizes = [
        num_sets(len(others), most - len(required))
        for required, others in (_free_parents(rules, v) for v in range(n))
    ]
    # two tables of scores and one of answers, while the families of one child are listed
    num_bytes = 17 * max(sizes, default=0)
    if isinstance(kernel, Counted):
        rows = problem.data.num_rows
        tables = len(FACTORS) if isinstance(kernel.rule, AveragedRule) else 1
        if is_by_set(problem):
            values = num_sets(len(_joined_nodes(rules)), most + 1)
            return tables * rows * values + 10 * sum(sizes), num_bytes + 16 * values
        return tables * rows * ROWS_OF_A_FAMILY * sum(sizes), num_bytes
    each = WORK_OF_A_CALL if kernel is None else WORK_OF_A_MATRIX
    return each * sum(sizes), num_bytes


def _is_no_limit(problem: Problem, most: int) -> bool:
    """Whether no family with more parents can be in a best graph.

    BIC and AIC take more for each of its configurations than all rows can be worth.
    """
    rules, kernel = problem.rules, problem.scorer.kernel()
    if most >= _most_allowed(rules):
        return True
    if not isinstance(kernel, Counted) or not isinstance(kernel.rule, Rule):
        return False
    if kernel.rule.penalty == 0.0:
        return False
    num_states = kernel.rows.num_states
    for v in range(problem.start.num_nodes):
        required, others = _free_parents(rules, v)
        more = most + 1 - len(required)
        if len(others) < more:
            continue
        fewest = np.sort(num_states[others])[:more]
        configurations = prod([*num_states[required].tolist(), *fewest.tolist()])
        penalty = kernel.rule.penalty * configurations * (num_states[v] - 1)
        if penalty < -problem.scorer.local(v, required.tolist()):
            return False
    return True


# -- scores ----------------------------------------------------------------------------------------


def _scoring(problem: Problem, most: int, stop: StopRequest) -> Score:
    """What scores the families, as suits the score and the data."""
    kernel = problem.scorer.kernel()
    if kernel is None:
        return _asking(problem, stop)
    if isinstance(kernel, Counted) and is_by_set(problem):
        return _by_set(problem, kernel, most, stop)
    return _filling(problem, kernel, stop)


def _by_set(problem: Problem, kernel: Counted, most: int, stop: StopRequest) -> Score:
    """Take differences between the values of sets."""
    joined = _joined_nodes(problem.rules)
    steps = set_steps(len(joined), min(most + 1, len(joined)))
    values = count_values(problem, kernel, joined, steps, num_sets(len(joined), most + 1), stop)

    def score(v: int, required: Ints, others: Ints, most_others: int, scores: Floats) -> None:
        if v not in joined:
            scores[0] = problem.scorer.local(v, [])
            return
        child, must, may = (np.searchsorted(joined, nodes) for nodes in (v, required, others))
        odds = problem.weights.log_edge_odds
        fill_subsets(values, steps, int(child), must, may, most_others, odds, scores)

    return score


def _filling(problem: Problem, kernel: Kernel, stop: StopRequest) -> Score:
    """Let a kernel fill columns."""
    filler, column = make_filler(kernel), np.empty(problem.start.num_nodes)

    def score(v: int, required: Ints, others: Ints, most_others: int, scores: Floats) -> None:
        steps = set_steps(len(others), most_others)
        num_extended = num_sets(len(others), max(most_others - 1, 0))
        for first in range(0, num_extended, SLICE):
            if not stop.is_set:
                score_subsets(
                    filler, v, required, others, steps, most_others,
                    problem.weights.log_edge_odds, first, first + SLICE, column, scores,
                )  # fmt: skip

    return score


def _asking(problem: Problem, stop: StopRequest) -> Score:
    """Ask a score without a kernel."""

    def score(v: int, required: Ints, others: Ints, most_others: int, scores: Floats) -> None:
        steps = set_steps(len(others), most_others)
        for size in range(most_others + 1):
            for chosen in combinations(range(len(others)), size):
                if stop.is_set:
                    return
                parents = sorted([*required.tolist(), *others[list(chosen)].tolist()])
                place = sum(int(steps[i, u]) for i, u in enumerate(chosen))
                edges = problem.weights.log_edge_odds * len(parents)
                scores[place] = problem.scorer.local(v, parents) + edges

    return score
