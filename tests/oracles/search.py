"""Greedy search by the letter: every move tried, every score computed anew."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tests.oracles.counting import Pairs
from tests.oracles.graph import BoolMatrix, is_acyclic, reaches
from tests.oracles.prior import log_prior

Candidate = tuple[float, str, int, int]


@dataclass(frozen=True)
class OracleProblem:
    """Local score, path weights and edge rules; ``matrix[u, v]`` is u → v."""

    local: Callable[[int, frozenset[int]], float]
    pairs: Pairs
    log_weights: NDArray[np.float64]
    required: BoolMatrix
    forbidden: BoolMatrix
    max_parents: int
    tolerance: float

    def data_score(self, matrix: BoolMatrix) -> float:
        """Sum of the local scores."""
        return sum(self.local(v, parents_of(matrix, v)) for v in range(len(matrix)))

    def prior_score(self, matrix: BoolMatrix) -> float:
        """Sum of the weights of the relations."""
        return log_prior(matrix, self.pairs, self.log_weights)

    def total(self, matrix: BoolMatrix) -> float:
        """Data score plus prior score."""
        return self.data_score(matrix) + self.prior_score(matrix)

    def is_legal(self, matrix: BoolMatrix) -> bool:
        """Whether a graph is acyclic and keeps the edge rules."""
        return not (
            not is_acyclic(matrix)
            or (matrix & self.forbidden).any()
            or (self.required & ~matrix).any()
            or (matrix.sum(axis=0) > self.max_parents).any()
        )


def parents_of(matrix: BoolMatrix, v: int) -> frozenset[int]:
    """The parents of v."""
    return frozenset(np.flatnonzero(matrix[:, v]).tolist())


def neighbours(
    problem: OracleProblem, matrix: BoolMatrix
) -> Iterator[tuple[str, int, int, BoolMatrix]]:
    """Every legal graph one move away."""
    for u in range(len(matrix)):
        for v in range(len(matrix)):
            if u == v:
                continue
            changes = {"remove": [(u, v, False)], "reverse": [(u, v, False), (v, u, True)]}
            if not matrix[u, v]:
                changes = {"insert": [(u, v, True)]}
            for move, entries in changes.items():
                after = matrix.copy()
                for i, j, value in entries:
                    after[i, j] = value
                if problem.is_legal(after):
                    yield move, u, v, after


def collider_sign(problem: OracleProblem, matrix: BoolMatrix, u: int, v: int) -> float:
    """max_w [gain(w → v | u) − max(0, gain(w → v))] over the w that may become parents of v."""
    parents = parents_of(matrix, v)
    below = reaches(matrix, v)
    sign = -np.inf
    for w in range(len(matrix)):
        if w in (u, v) or w in parents or w in below or problem.forbidden[w, v]:
            continue
        if len(parents) + 2 > problem.max_parents:
            continue
        local = problem.local
        alone = local(v, parents | {w}) - local(v, parents)
        beside = local(v, parents | {u, w}) - local(v, parents | {u})
        sign = max(sign, beside - max(0.0, alone))
    return sign


def oracle_climb(
    problem: OracleProblem, start: BoolMatrix, *, is_turning: bool
) -> list[BoolMatrix]:
    """The graphs of a climb, first to last."""
    graphs = [start]
    while True:
        matrix = graphs[-1]
        gains = gains_of(problem, matrix)
        top = max((gain for gain, *_ in gains), default=-np.inf)
        if top > problem.tolerance:
            tied = [candidate for candidate in gains if candidate[0] >= top - problem.tolerance]
            graphs.append(moved(matrix, *choose(problem, matrix, tied)[1:]))
            continue
        turn = best_turn(problem, matrix) if is_turning else None
        if turn is None:
            return graphs
        graphs.append(turn)


def gains_of(problem: OracleProblem, matrix: BoolMatrix) -> list[Candidate]:
    """Total gain of every legal move."""
    now = problem.total(matrix)
    return [
        (problem.total(after) - now, move, u, v)
        for move, u, v, after in neighbours(problem, matrix)
    ]


def choose(problem: OracleProblem, matrix: BoolMatrix, tied: list[Candidate]) -> Candidate:
    """Among ties the strongest sign of a collider, then parent, child, removal before reversal."""
    signs = [
        collider_sign(problem, matrix, u, v) if move == "insert" and len(tied) > 1 else -np.inf
        for _, move, u, v in tied
    ]
    least = max(signs) - problem.tolerance
    rest = [c for c, sign in zip(tied, signs, strict=True) if sign >= least]
    return min(rest, key=lambda candidate: (candidate[2], candidate[3], candidate[1]))


def moved(matrix: BoolMatrix, move: str, u: int, v: int) -> BoolMatrix:
    """The graph after a move."""
    after = matrix.copy()
    after[u, v] = move == "insert"
    if move == "reverse":
        after[v, u] = True
    return after


def best_turn(problem: OracleProblem, matrix: BoolMatrix) -> BoolMatrix | None:
    """Turn the covered edge after which the best move into one of its ends gains most in all."""
    now, best, result = problem.total(matrix), 0.0, None
    for v in range(len(matrix)):
        for u in range(len(matrix)):
            if not matrix[u, v] or parents_of(matrix, v) != parents_of(matrix, u) | {u}:
                continue
            turned = moved(matrix, "reverse", u, v)
            if not problem.is_legal(turned) or problem.prior_score(turned) == -np.inf:
                continue
            after = [
                problem.total(graph) - now
                for _, _, child, graph in neighbours(problem, turned)
                if child in (u, v)
            ]
            if max(after, default=-np.inf) >= best + 2 * problem.tolerance:
                best, result = max(after), turned
    return result


def cached(local: Callable[[int, frozenset[int]], float]) -> Callable[[int, frozenset[int]], float]:
    """The same local score, each family once."""
    return cache(local)
