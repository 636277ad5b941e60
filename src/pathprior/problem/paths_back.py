"""Tiers rule out edges back: which paths back variables without a tier leave open."""

import warnings

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import PathPriorWarning
from pathprior.graph.edge_rules import EdgeRules
from pathprior.graph.possible_ties import PossibleTies

MAX_NAMED = 5
"""Most variables without a tier that the warning names."""


class PathsBackWarning(PathPriorWarning):
    """A variable of a later tier can still cause one of an earlier tier."""


def warn_of_paths_back(rules: EdgeRules) -> None:
    """Warn once if a path can lead from a later tier to an earlier one, with an example."""
    path = find_path_back(rules)
    if not path:
        return
    edges = PossibleTies(rules).edges
    names = [repr(name) for name in rules.variables]
    is_between = (rules.tier < 0) & edges.any(axis=0) & edges.any(axis=1)
    free = [names[v] for v in np.flatnonzero(is_between)]
    listed = ", ".join(free[:MAX_NAMED])
    more = f" and {len(free) - MAX_NAMED} more" if len(free) > MAX_NAMED else ""
    are, them = ("is", "it") if len(free) == 1 else ("are", "them")
    first, last = path[0], path[-1]
    warnings.warn(
        f"tiers rule out edges, not paths: {listed}{more} {are} in no tier, so that {names[first]} "
        f"of tier {rules.tier[first] + 1} can still cause {names[last]} of tier "
        f"{rules.tier[last] + 1}, by {' → '.join(names[v] for v in path)}; put {them} into tiers "
        "if that cannot be",
        PathsBackWarning,
        stacklevel=4,
    )


def find_path_back(rules: EdgeRules) -> tuple[int, ...]:
    """A path that the rules leave open from a tier to an earlier one; empty if there is none.

    One of the fewest steps from the latest tier from which there is one. Each variable is visited
    once: what a later tier reached without finding a way back leads to no earlier tier either.
    """
    if rules.tier.max(initial=-1) < 1 or rules.tier.min() >= 0:
        return ()
    edges = PossibleTies(rules).edges
    is_seen = np.zeros(len(rules.variables), dtype=bool)
    parent = np.full(len(rules.variables), -1)
    for tier in range(rules.tier.max(), 0, -1):
        frontier = np.flatnonzero((rules.tier == tier) & ~is_seen)
        is_seen[frontier] = True
        while len(frontier):
            children = np.flatnonzero(edges[frontier].any(axis=0) & ~is_seen)
            is_seen[children] = True
            parent[children] = frontier[edges[np.ix_(frontier, children)].argmax(axis=0)]
            back = children[(rules.tier[children] >= 0) & (rules.tier[children] < tier)]
            if len(back):
                return _walk(parent, int(back[0]))
            frontier = children
    return ()


def _walk(parent: NDArray[np.int64], end: int) -> tuple[int, ...]:
    path = [end]
    while parent[path[-1]] >= 0:
        path.append(int(parent[path[-1]]))
    return tuple(reversed(path))
