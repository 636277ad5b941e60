"""What holds each edge of a learned graph up: the data, the beliefs, or both."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.bitset import pack_rows
from pathprior.graph.dag import Dag
from pathprior.kernels.graph.ancestors import close_ancestors, relation_code
from pathprior.prior.path_prior import PathPrior
from pathprior.report import style
from pathprior.search.data_support import data_losses

if TYPE_CHECKING:
    from pathprior.search.result import Fit

TOLERANCE = 1e-10
"""Losses of the prior below this are rounding."""


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

    Costs two family scores and, where there are beliefs, one closure of the ancestor sets per edge.
    """
    dag = fit.dag
    fixed = set(fit.cpdag.directed_edges)
    losses = data_losses(dag.reorder(fit.task.rules.variables), fit.task.scorer)
    found = []
    for (parent, child), prior_loss in zip(dag.edges, _prior_losses(fit.prior, dag), strict=True):
        data_loss = losses[parent, child]
        found.append(
            EdgeSupport(
                parent,
                child,
                data_loss,
                prior_loss,
                Support.of(data=data_loss > 0, beliefs=prior_loss > TOLERANCE),
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


def _prior_losses(prior: PathPrior | None, dag: Dag) -> list[float]:
    """What Σ_k log λ_k loses without each edge of ``dag``."""
    if prior is None:
        return [0.0] * dag.num_edges
    position = [dag.index(name) for name in prior.variables]
    pairs = [(position[i], position[j]) for i, j in prior.pairs]

    def score(ancestors: NDArray[np.uint64]) -> float:
        codes = [relation_code(ancestors, x, y) for x, y in pairs]
        return float(prior.log_weights[np.arange(len(codes)), codes].sum())

    whole = score(dag.ancestor_words)
    losses = []
    for parent, child in dag.edges:
        u, v = dag.index(parent), dag.index(child)
        others = dag.adjacency[:, v].copy()
        others[u] = False
        parents, ancestors = dag.parent_words.copy(), np.empty_like(dag.parent_words)
        parents[v] = pack_rows(others[None])[0]
        close_ancestors(parents, dag.order, ancestors)  # one edge fewer: the order still holds
        losses.append(whole - score(ancestors))
    return losses
