"""Conflicts in a web, found by local reasoning: small cycles of belief pairs, one at a time.

Components whose configurations can be listed are left to the linear program of
`pathprior.prior.listed.conflicts`. In the others, beliefs on pairs that form a tree can always hold
together; what clashes closes a cycle, most often a triangle x ⇒ y ⇒ z against x, z. Each short
chordless cycle is small enough for the linear program. Conflicts that only a longer cycle or a
denser group shows are not found.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.counting.ties import spread_edges
from pathprior.counting.validity import valid_configurations
from pathprior.graph.alphabets import Alphabets
from pathprior.graph.tie import LINKS, WAYS
from pathprior.prior.listed.conflicts import (
    Conflict,
    find_conflicts,
    require_consistent_hard_beliefs,
)
from pathprior.prior.listed.linear_program import SLACK, MarginalProgram
from pathprior.prior.listed.listing import Listing
from pathprior.prior.listed.problem import Constraint, Problem, build_problem
from pathprior.prior.reference import Component, components

MAX_CYCLE = 5
MAX_CYCLES = 1000
"""Cycles looked at, shortest first; a few milliseconds each."""
MAX_SHOWN = 10


@dataclass(frozen=True, slots=True)
class WebConflicts:
    """The conflicts found in a web."""

    worst: tuple[Conflict, ...]
    """Minimal groups of beliefs that cannot hold, the ten worst."""
    is_proof: bool
    """Whether finding none proves the beliefs coherent: every component was judged whole."""


def find_web_conflicts(
    pairs: NDArray[np.int64],
    num_nodes: int,
    constraints: Sequence[Constraint],
    beliefs: Sequence[Belief],
    *,
    deadline: float = inf,
    num_jobs: int | None = None,
    is_possible: NDArray[np.bool_] | None = None,
) -> WebConflicts:
    """Find minimal groups of beliefs that cannot hold together.

    Components and cycles are ranked by the least total amount by which stated probabilities must
    be missed; a group found in several cycles is told once. Nothing is begun after ``deadline``, a
    reading of `monotonic`. So many components and cycles are looked at a time; None leaves that to
    joblib. With ``is_possible`` a pair has only some of the ties: each by itself, so that nothing
    is proved.
    """
    from joblib import Parallel, delayed

    by_pair: dict[int, list[Constraint]] = {}
    for constraint in constraints:
        by_pair.setdefault(constraint.column, []).append(constraint)
    alphabets = _alphabets(by_pair)
    parts = components(pairs, num_nodes, alphabets)
    is_proof = is_possible is None and all(part.is_listable for part in parts)
    in_time = _InTime(deadline)
    judged = Parallel(n_jobs=num_jobs, prefer="threads")(
        delayed(_clash)(pairs, columns, alphabets, num_nodes, _local(columns, by_pair), is_possible)
        for columns in in_time.until(_sub_webs(pairs, parts, by_pair))
    )
    is_proof = is_proof and not in_time.is_over
    clashes = [clash for clash in judged if clash is not None]
    found: dict[tuple[Belief, ...], Conflict] = {}
    for _, problem in sorted(clashes, key=lambda clash: clash[0]):
        for conflict in find_conflicts(problem, beliefs):
            found.setdefault(conflict.beliefs, conflict)
        if len(found) >= MAX_SHOWN or monotonic() > deadline:
            break
    return WebConflicts(tuple(found.values())[:MAX_SHOWN], is_proof)


def require_web_hard_beliefs(
    pairs: NDArray[np.int64],
    num_nodes: int,
    constraints: Sequence[Constraint],
    beliefs: Sequence[Belief],
    *,
    deadline: float = inf,
    is_possible: NDArray[np.bool_] | None = None,
) -> None:
    """Raise an error that names contradictory hard beliefs, if the same reasoning finds some."""
    hard = [constraint for constraint in constraints if 0.0 in constraint.targets]
    if not hard:
        return
    columns = sorted({constraint.column for constraint in hard})
    by_pair: dict[int, list[Constraint]] = {}
    for constraint in hard:
        by_pair.setdefault(columns.index(constraint.column), []).append(constraint)
    within, alphabets = pairs[columns], _alphabets(by_pair)
    for some in _sub_webs(within, components(within, num_nodes, alphabets), by_pair):
        if monotonic() > deadline:
            return
        left = None if is_possible is None else is_possible[columns]
        listing = _list_columns(within, some, alphabets, num_nodes, left)
        require_consistent_hard_beliefs(listing, _local(some, by_pair), beliefs)


class _InTime:
    """Goes through what there is to do until time is over."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self.is_over = False

    def until(self, items: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
        """Those that can be begun."""
        for item in items:
            if monotonic() > self._deadline:
                self.is_over = True
                return
            yield item


def _clash(
    pairs: NDArray[np.int64],
    columns: tuple[int, ...],
    alphabets: Alphabets,
    num_nodes: int,
    constraints: list[Constraint],
    is_possible: NDArray[np.bool_] | None,
) -> tuple[float, Problem] | None:
    """Minus the least amount by which probabilities must be missed, and where; None if by none."""
    listing = _list_columns(pairs, columns, alphabets, num_nodes, is_possible)
    problem = build_problem(listing, constraints, keep_excluded=True)
    slack = MarginalProgram(problem).least_slack(np.arange(problem.num_events))
    return (-round(slack, 9), problem) if slack > SLACK else None


def _local(columns: tuple[int, ...], by_pair: dict[int, list[Constraint]]) -> list[Constraint]:
    """The constraints on ``columns``, which are numbered by their place there."""
    return [
        replace(constraint, column=place)
        for place, column in enumerate(columns)
        for constraint in by_pair[column]
    ]


def _sub_webs(
    pairs: NDArray[np.int64], parts: Sequence[Component], by_pair: dict[int, list[Constraint]]
) -> Iterator[tuple[int, ...]]:
    """Components that can be listed; of the others single pairs with several beliefs, then
    chordless cycles, short ones first."""
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph()
    for part in parts:
        if part.is_listable:
            yield part.columns
            continue
        for column in part.columns:
            graph.add_edge(*pairs[column].tolist(), column=column)
    for *_, column in graph.edges(data="column"):
        if len(by_pair[column]) > 1:
            yield (column,)
    left = MAX_CYCLES
    for bound in range(3, MAX_CYCLE + 1):
        cycles: Iterator[list[int]] = (
            cycle
            for cycle in nx.chordless_cycles(graph, length_bound=bound)  # type: ignore[call-overload]
            if len(cycle) == bound
        )
        for cycle in islice(cycles, left):
            left -= 1
            ends = zip(cycle, cycle[1:] + cycle[:1], strict=True)
            yield tuple(sorted(graph.edges[i, j]["column"] for i, j in ends))


def _alphabets(by_pair: dict[int, list[Constraint]]) -> Alphabets:
    """Which ties of the pairs some belief tells apart."""
    return Alphabets.of((k, one.told) for k, stated in by_pair.items() for one in stated)


def _list_columns(
    pairs: NDArray[np.int64],
    columns: tuple[int, ...],
    alphabets: Alphabets,
    num_nodes: int,
    is_possible: NDArray[np.bool_] | None,
) -> Listing:
    """The valid configurations of some pairs, equally weighted: linear programs ask no more."""
    rows = valid_configurations([(int(i), int(j)) for i, j in pairs[list(columns)]], num_nodes)
    told_apart = alphabets.at(columns).edges
    if told_apart:
        num_hidden = num_nodes - len(np.unique(pairs[list(columns)]))
        rows = spread_edges(rows, told_apart, num_hidden)
    if is_possible is not None:
        left = is_possible[list(columns)].copy()
        paths = [k for k in range(len(columns)) if k not in told_apart]
        left[np.ix_(paths, WAYS)] |= left[np.ix_(paths, LINKS)]
        rows = rows[left[np.arange(len(columns)), rows].all(axis=1)]
    return Listing(
        columns=columns,
        configurations=rows,
        probabilities=np.full(len(rows), 1 / len(rows)),
    )
