"""What holds each edge of a learned graph up: the data, the beliefs, or both."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from pathprior.graph.dag import Dag
from pathprior.prior.path_prior import PathPrior
from pathprior.report import style

if TYPE_CHECKING:
    from pathprior.search.result import Fit

RELATIVE_TOLERANCE = 1e-10
"""Losses below this part of a local score are rounding."""


class Support(StrEnum):
    """Which of the two scores falls when an edge is removed."""

    DATA = "data"
    BELIEFS = "beliefs"
    BOTH = "both"
    NEITHER = "neither"

    @property
    def colour(self) -> str:
        """Colour of such an edge on paper."""
        return _COLOURS[self]

    @property
    def phrase(self) -> str:
        """The legend's words."""
        return _PHRASES[self]

    @classmethod
    def of(cls, *, data: bool, beliefs: bool) -> "Support":
        """Return the member for the two answers."""
        if data:
            return cls.BOTH if beliefs else cls.DATA
        return cls.BELIEFS if beliefs else cls.NEITHER


_COLOURS = {
    Support.DATA: style.DATA,
    Support.BELIEFS: style.BELIEFS,
    Support.BOTH: style.BOTH,
    Support.NEITHER: style.NEITHER,
}
_PHRASES = {
    Support.DATA: "supported by the data",
    Support.BELIEFS: "supported by the beliefs",
    Support.BOTH: "supported by both",
    Support.NEITHER: "supported by neither",
}


@dataclass(frozen=True, slots=True)
class EdgeSupport:
    """What a graph would lose without one of its edges, all other edges kept.

    Attributes
    ----------
    data_loss
        Local score of the child less that without this parent.
    prior_loss
        Σ_k log λ_k(relation of pair k) less that without the edge; infinite where a hard belief
        needs the edge.
    is_direction_fixed
        Whether every graph of the equivalence class directs the edge this way.
    """

    parent: str
    child: str
    data_loss: float
    prior_loss: float
    support: Support
    is_direction_fixed: bool


def edge_support(fit: "Fit") -> tuple[EdgeSupport, ...]:
    """Weigh every edge of ``fit.dag``, in the order of ``fit.dag.edges``.

    Costs two family scores and one closure of the ancestor sets per edge.
    """
    dag, bound = fit.dag, fit._score.bind(fit._table)
    fixed = set(fit.cpdag.directed_edges)
    family = {
        v: bound.local(v, np.flatnonzero(dag.adjacency[:, v]).tolist())
        for v in range(dag.num_nodes)
    }
    prior_score = _prior_score(fit.prior, dag)
    found = []
    for parent, child in dag.edges:
        u, v = dag.index(parent), dag.index(child)
        others = [w for w in np.flatnonzero(dag.adjacency[:, v]).tolist() if w != u]
        data_loss = family[v] - bound.local(v, others)
        adjacency = dag.adjacency.copy()
        adjacency[u, v] = False
        prior_loss = prior_score - _prior_score(fit.prior, Dag(dag.nodes, adjacency))
        found.append(
            EdgeSupport(
                parent,
                child,
                data_loss,
                prior_loss,
                Support.of(
                    data=data_loss > RELATIVE_TOLERANCE * abs(family[v]),
                    beliefs=prior_loss > RELATIVE_TOLERANCE,
                ),
                (parent, child) in fixed,
            )
        )
    return tuple(found)


def supports_found(edges: Iterable[EdgeSupport]) -> tuple[Support, ...]:
    """Return the kinds of support that occur, in the order of a legend."""
    found = {edge.support for edge in edges}
    return tuple(support for support in Support if support in found)


def has_open_edges(edges: Iterable[EdgeSupport]) -> bool:
    """Whether the class leaves some direction open."""
    return not all(edge.is_direction_fixed for edge in edges)


def _prior_score(prior: PathPrior | None, dag: Dag) -> float:
    if prior is None:
        return 0.0
    codes = prior.configuration(dag)
    return float(prior.log_weights[np.arange(len(codes)), codes].sum())
