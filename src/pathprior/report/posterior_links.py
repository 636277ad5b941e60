"""Edges of a posterior as a picture shows them: one line a pair, as wide as it is probable."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.dag import Dag
from pathprior.posterior.errors_table import EDGE

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior

LEAST = 0.05
"""Probability below which a pair gets no line."""
SHOWN = 0.5
"""Probability from which a line has room of its own, and is shown to begin with."""
DIRECTED = 0.9
"""Share of a line's probability that one direction must have, or the line is dashed."""
MOST, MOST_EACH = 300, 4
"""Most lines; with many variables so many for each of them."""


@dataclass(frozen=True, slots=True)
class Link:
    """Two variables that an edge may link, the likelier direction first unless one was learned.

    Attributes
    ----------
    parent, child
        Numbers of the variables.
    either
        Probability of an edge whichever way.
    forward
        Probability of parent → child.
    is_settled
        Whether the probabilities of both directions have settled.
    """

    parent: int
    child: int
    either: float
    forward: float
    is_settled: bool = True

    @property
    def is_open(self) -> bool:
        """Whether the direction is not all but sure, or nothing is."""
        return not self.is_settled or self.forward < DIRECTED * self.either


def edge_matrix(posterior: "Posterior", nodes: Sequence[str]) -> NDArray[np.float64]:
    """Probability of u → v at ``[u, v]``, in the order of ``nodes``."""
    return np.asarray(posterior.edges.loc[list(nodes), list(nodes)].to_numpy(float))


def links_of(
    posterior: "Posterior", nodes: Sequence[str], learned: Dag | None = None
) -> list[Link]:
    """`find_links` of a posterior, with what has not settled marked."""
    links = find_links(edge_matrix(posterior, nodes), learned)
    if posterior.is_exact:
        return links
    errors = posterior.errors
    found = errors[(errors["kind"] == EDGE) & ~errors["is_settled"]]
    open_pairs = {frozenset(pair) for pair in zip(found["x"], found["y"], strict=True)}
    return [
        replace(
            link, is_settled=frozenset((nodes[link.parent], nodes[link.child])) not in open_pairs
        )
        for link in links
    ]


def find_links(edges: NDArray[np.float64], learned: Dag | None = None) -> list[Link]:
    """The edges of a learned graph in their order, then all other pairs, the surest first."""
    links, taken = [], np.zeros(edges.shape, dtype=bool)
    either = edges + edges.T
    for u, v in [] if learned is None else np.argwhere(learned.adjacency).tolist():
        links.append(Link(u, v, float(either[u, v]), float(edges[u, v])))
        taken[u, v] = taken[v, u] = True
    others = np.argwhere(np.triu((either >= LEAST) & ~taken, k=1))
    order = np.argsort(-either[tuple(others.T)], kind="stable")
    for u, v in others[order[: max(MOST, MOST_EACH * len(edges))]].tolist():
        a, b = (u, v) if edges[u, v] >= edges[v, u] else (v, u)
        links.append(Link(a, b, float(either[a, b]), float(edges[a, b])))
    return links


def backbone(nodes: tuple[str, ...], links: Iterable[Link], learned: Dag | None = None) -> Dag:
    """A graph to lay out: what was learned, and an edge for each link that is shown to begin with.

    Links that would close a cycle are turned: one of the two directions closes none.
    """
    adjacency = np.zeros((len(nodes),) * 2, bool) if learned is None else learned.adjacency.copy()
    below = np.eye(len(nodes), dtype=bool)
    for u in reversed([] if learned is None else learned.order.tolist()):
        below[u] |= below[adjacency[u]].any(axis=0)
    for link in links:
        u, v = link.parent, link.child
        if link.either >= SHOWN and not adjacency[u, v]:
            u, v = (v, u) if below[v, u] else (u, v)
            adjacency[u, v] = True
            below |= np.outer(below[:, u], below[v])
    return Dag(nodes, adjacency)
