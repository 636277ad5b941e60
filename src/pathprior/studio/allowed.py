"""What beliefs rule out, from linear programs on few pairs at a time: quick, and never too narrow.

Only pairs on a common cycle of the beliefs' graph bear on each other; of those the nearest are
taken, as long as their configurations can be listed in a moment. A range from some of the beliefs
contains that from all of them, and a conflict among some is a conflict.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.event import Event
from pathprior.counting.validity import valid_configurations
from pathprior.errors import CountingError
from pathprior.graph.tie import Tie
from pathprior.prior.constraints import make_constraints
from pathprior.prior.listed.conflicts import Conflict, find_conflicts
from pathprior.prior.listed.linear_program import MarginalProgram
from pathprior.prior.listed.listing import Listing
from pathprior.prior.listed.problem import build_problem
from pathprior.studio.within import Within

MAX_ROWS = 4000
"""Most configurations of one program: some tens of milliseconds."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Allowed:
    """The probabilities that other beliefs leave to an event.

    Attributes
    ----------
    lower, upper
        The range.
    is_whole
        Whether all beliefs that bear on it were taken into account.
    """

    lower: float
    upper: float
    is_whole: bool


def allowed_range(
    beliefs: Sequence[Belief],
    variables: Sequence[str],
    x: str,
    relation: str,
    y: str,
    *,
    within: Within | None = None,
) -> Allowed | None:
    """The range that beliefs on other pairs leave to an event; None where they clash themselves.

    ``within`` tiers, if there are any: also where the others clash with those.
    """
    others = [belief for belief in beliefs if {belief.x, belief.y} != {x, y}]
    direct = {frozenset((b.x, b.y)) for b in others if b.is_about_edge}
    if Event.parse(relation).is_about_edge:
        direct.add(frozenset((x, y)))
    near = _near(others, len(variables), (x, y), direct)
    index = {name: k for k, name in enumerate(variables)}
    pairs = np.array([[index[a], index[b]] for a, b in near.pairs])
    columns = tuple(range(len(pairs)))
    rows = near.rows if within is None else _possible_rows(near, direct, within)
    if not len(rows):
        return None
    problem = build_problem(
        _equally_weighted(rows),
        make_constraints(others, index, pairs, columns, None),
        probe=(0, Event.parse(relation).ties),
    )
    program, events = MarginalProgram(problem), np.arange(problem.num_events)
    if not len(problem.events) or not program.is_feasible(events):
        return None
    bounds = program.bounds(events, problem.probe)
    return Allowed(max(0.0, bounds.lower), min(1.0, bounds.upper), near.is_whole)


def nearby_conflicts(
    beliefs: Sequence[Belief],
    variables: Sequence[str],
    about: Sequence[Belief],
    *,
    within: Within | None = None,
) -> tuple[Conflict, ...]:
    """Minimal groups of beliefs that cannot hold together, found around each of ``about``."""
    index = {name: k for k, name in enumerate(variables)}
    direct = {frozenset((b.x, b.y)) for b in beliefs if b.is_about_edge}
    found: dict[tuple[Belief, ...], Conflict] = {}
    seen: set[tuple[Pair, ...]] = set()
    for belief in about:
        near = _near(beliefs, len(variables), (belief.x, belief.y), direct)
        key = tuple(sorted(near.pairs))
        if key in seen:
            continue
        seen.add(key)
        pairs = np.array([[index[a], index[b]] for a, b in near.pairs])
        constraints = make_constraints(beliefs, index, pairs, tuple(range(len(pairs))), None)
        rows = near.rows if within is None else _possible_rows(near, direct, within)
        problem = build_problem(_equally_weighted(rows), constraints, keep_excluded=True)
        if not MarginalProgram(problem).is_feasible(np.arange(problem.num_events)):
            for conflict in find_conflicts(problem, beliefs):
                found.setdefault(conflict.beliefs, conflict)
    return tuple(found.values())


@dataclass(frozen=True, slots=True, eq=False)
class _Near:
    """The asked pair first, then others that bear on it, with their valid configurations."""

    pairs: tuple[Pair, ...]
    rows: NDArray[np.int8]
    is_whole: bool


def _near(
    beliefs: Sequence[Belief], num_nodes: int, asked: Pair, direct: Collection[frozenset[str]]
) -> _Near:
    """As many pairs around the ``asked`` one as can be listed, the nearest first.

    Of pairs that are ``direct`` a path is told from an edge.
    """
    ordered = _by_distance(beliefs, asked)
    whole = len(ordered)
    taken = whole
    while True:
        try:
            rows = valid_configurations(ordered[:taken], num_nodes, max_rows=MAX_ROWS)
            for column, pair in enumerate(ordered[:taken]):
                if frozenset(pair) in direct:
                    rows = _with_edges(rows, column)
            return _Near(tuple(ordered[:taken]), rows, taken == whole)
        except CountingError:
            taken = max(1, taken * 3 // 4)


def _possible_rows(
    near: _Near, direct: Collection[frozenset[str]], within: Within
) -> NDArray[np.int8]:
    """Those of the configurations in which each pair has a tie that the tiers leave it."""
    is_possible = np.ones(len(near.rows), dtype=bool)
    for column, (x, y) in enumerate(near.pairs):
        ties = within.possible(x, y)
        if frozenset((x, y)) not in direct:  # a path stands for an edge as well
            ties[[Tie.CAUSES, Tie.CAUSED_BY]] |= ties[[Tie.EDGE, Tie.EDGE_BACK]]
        is_possible &= ties[near.rows[:, column]]
    return near.rows[is_possible]


def _with_edges(rows: NDArray[np.int8], column: int) -> NDArray[np.int8]:
    """The same rows, and those with an edge in place of a path: at least all that are valid."""
    found = [rows]
    for path, edge in ((Tie.CAUSES, Tie.EDGE), (Tie.CAUSED_BY, Tie.EDGE_BACK)):
        linked = rows[rows[:, column] == path].copy()
        linked[:, column] = edge
        found.append(linked)
    return np.concatenate(found)


def _by_distance(beliefs: Sequence[Belief], asked: Pair) -> list[Pair]:
    """The asked pair, and the believed pairs on a cycle with it, by distance from it."""
    import networkx as nx

    stated = {frozenset((b.x, b.y)): (b.x, b.y) for b in reversed(beliefs)}
    stated[frozenset(asked)] = asked
    graph: nx.Graph[str] = nx.Graph(list(stated.values()))
    block = next(
        {frozenset(edge) for edge in edges}
        for edges in nx.biconnected_component_edges(graph)
        if frozenset(asked) in {frozenset(edge) for edge in edges}
    )
    steps = nx.multi_source_dijkstra_path_length(graph, set(asked))
    pairs = [pair for ends, pair in stated.items() if ends in block]

    def rank(pair: Pair) -> tuple[object, ...]:
        # the two sides of a triangle on the asked pair together: one alone rules out nothing
        others = sorted(end for end in pair if end not in asked)
        return pair != asked, sum(steps[end] for end in pair), others, pair

    return sorted(pairs, key=rank)


def _equally_weighted(rows: NDArray[np.int8]) -> Listing:
    """Valid configurations as a listing: linear programs ask no more."""
    return Listing(
        columns=tuple(range(rows.shape[1])),
        configurations=rows,
        probabilities=np.full(len(rows), 1 / len(rows)),
    )
