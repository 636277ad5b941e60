"""Pairs that a graph joins by an edge or a longer path, those first that hang by the least."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

Sureness = tuple[bool, float]
"""Whether the direction of an edge is fixed, and what the edge is worth: the more, the surer."""


@dataclass(frozen=True, slots=True)
class ProposedEdge:
    """An edge of a graph, and how sure it is."""

    parent: str
    child: str
    sureness: Sureness


def pairs_by_sureness(
    edges: Iterable[ProposedEdge], *, edges_only: bool = False
) -> list[tuple[str, str]]:
    """The pairs (x, y) with an edge x → y, or a path, the least sure first.

    An edge is as sure as it is; a longer path as the least sure of its edges, on the surest way.
    """
    proposed = sorted(edges, key=lambda edge: edge.sureness, reverse=True)
    names = sorted({name for edge in proposed for name in (edge.parent, edge.child)})
    place = {name: v for v, name in enumerate(names)}
    found = {(edge.parent, edge.child): (edge.sureness, 0) for edge in proposed}
    reach = np.eye(len(names), dtype=bool)
    for edge in [] if edges_only else proposed:  # surest first: what it joins hangs by it
        joined = reach[:, place[edge.parent], None] & reach[None, place[edge.child]]
        for x, y in np.argwhere(joined & ~reach).tolist():
            found.setdefault((names[x], names[y]), (edge.sureness, 1))
        reach |= joined
    return sorted(found, key=lambda pair: (*found[pair], pair))
