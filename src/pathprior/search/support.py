"""What holds each edge of a graph up, data or beliefs, and what is left without the weak ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf, nan
from typing import TYPE_CHECKING

import numpy as np

from pathprior.graph.dag import Dag
from pathprior.graph.equivalence import rule_out
from pathprior.graph.proposals import ProposedEdge
from pathprior.problem.pair_codes import removal_losses
from pathprior.score.score import Scorer

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.search.learned_graph import LearnedGraph

LEAST_SUPPORT = 1.0
"""An edge is weak if the data score falls by less than this, in nats, without it."""
DATA_TOLERANCE = 1e-10
"""Losses below this part of a local score are rounding, and count as none."""
PRIOR_TOLERANCE = 1e-10
"""Losses of the prior below this are rounding."""


NUMBERS = (
    "data_loss",
    "data_alone",
    "prior_loss",
    "is_direction_fixed",
    "is_settled",
    "is_ruled",
)
"""Columns of the table of edges, after the edge and what supports it."""


class Support(StrEnum):
    """Which of the two scores falls when an edge is removed, that of the data by a nat or more."""

    DATA = "data"
    BELIEFS = "beliefs"
    BOTH = "both"
    NEITHER = "neither"

    @classmethod
    def of(cls, *, data: bool, beliefs: bool) -> "Support":
        """Return the member for the two answers."""
        if data:
            return cls.BOTH if beliefs else cls.DATA
        return cls.BELIEFS if beliefs else cls.NEITHER


@dataclass(frozen=True, slots=True)
class EdgeSupport:
    """What a graph would lose without one of its edges, all other edges kept.

    Attributes
    ----------
    data_loss
        Local score of the child less that without this parent.
    prior_loss
        What the beliefs lose, Σ_k log λ_k(relation of pair k) less that without the edge; infinite
        where a hard belief needs the edge. The log β that every edge costs is no part of it.
    is_direction_fixed
        Whether every graph of the equivalence class that keeps the rules directs the edge this way.
    is_settled
        Whether that is so because of experiments.
    is_ruled
        Whether that is so because of the rules: tiers, required and forbidden edges.
    data_alone
        What the edge is worth by itself: local score of the child with this parent alone less that
        without any. Where it is less than ``data_loss``, other parents make it speak. NaN where the
        score rules both out.
    """

    parent: str
    child: str
    data_loss: float
    prior_loss: float
    support: Support
    is_direction_fixed: bool
    is_settled: bool
    is_ruled: bool
    data_alone: float


def edge_support(fit: "LearnedGraph") -> tuple[EdgeSupport, ...]:
    """Weigh every edge of ``fit.dag``, in the order of ``fit.dag.edges``.

    Costs four family scores per edge and, where there are beliefs, one update of the ancestor sets.
    """
    dag = fit.dag
    fixed, settled = set(fit.cpdag.directed_edges), set(fit.cpdag.settled_edges)
    ruled = _ruled_edges(fit) - fixed
    by_name = dag.reorder(fit.problem.rules.variables)
    losses, alone = (
        data_losses(by_name, fit.problem.scorer),
        gains_alone(by_name, fit.problem.scorer),
    )
    prior_losses = removal_losses(fit.problem.weights, by_name)
    found = []
    for parent, child in dag.edges:
        data_loss = losses[parent, child]
        prior_loss = prior_losses[by_name.index(parent), by_name.index(child)]
        found.append(
            EdgeSupport(
                parent,
                child,
                data_loss,
                prior_loss,
                Support.of(data=data_loss >= LEAST_SUPPORT, beliefs=prior_loss > PRIOR_TOLERANCE),
                (parent, child) in fixed | ruled,
                (parent, child) in settled,
                (parent, child) in ruled,
                alone[parent, child],
            )
        )
    return tuple(found)


def _ruled_edges(fit: "LearnedGraph") -> set[tuple[str, str]]:
    """Edges on whose direction all graphs of the class that keep the rules agree."""
    names = fit.dag.nodes
    rules = fit.problem.rules
    place = [rules.variables.index(name) for name in names]
    matrix = rule_out(fit.cpdag.adjacency, rules.forbidden[np.ix_(place, place)])
    return {(names[i], names[j]) for i, j in np.argwhere(matrix & ~matrix.T).tolist()}


def data_losses(dag: Dag, scorer: Scorer) -> dict[tuple[str, str], float]:
    """What the data score loses without each edge, all others kept; two family scores per edge."""
    found = {}
    for v, child in enumerate(dag.nodes):
        parents = np.flatnonzero(dag.adjacency[:, v]).tolist()
        for u, loss in _family_losses(scorer, v, parents).items():
            found[dag.nodes[u], child] = loss
    return found


def gains_alone(dag: Dag, scorer: Scorer) -> dict[tuple[str, str], float]:
    """What the data score gains by each edge where there is no other; two family scores each."""
    found = {}
    for parent, child in dag.edges:
        v, whole = dag.index(child), [dag.index(parent)]
        without = scorer.local(v, [])
        gain = scorer.local(v, whole) - without if without > -inf else nan
        found[parent, child] = gain if not abs(gain) <= DATA_TOLERANCE * abs(without) else 0.0
    return found


def support_table(supports: Sequence[EdgeSupport]) -> "pd.DataFrame":
    """One row for each edge, a column for each field of `EdgeSupport`."""
    import pandas as pd

    rows = [
        (e.parent, e.child, str(e.support), *(getattr(e, n) for n in NUMBERS)) for e in supports
    ]
    return pd.DataFrame(rows, columns=["parent", "child", "support", *NUMBERS])


def without_weak_edges(dag: Dag, scorer: Scorer) -> Dag:
    """Take weak edges away until none is left: of each family the weakest first.

    One at a time, because of two parents that say the same the data need one, though neither by
    itself.
    """
    adjacency = dag.adjacency.copy()
    for v in range(dag.num_nodes):
        parents = np.flatnonzero(adjacency[:, v]).tolist()
        while parents:
            losses = _family_losses(scorer, v, parents)
            weakest = min(parents, key=losses.__getitem__)
            if losses[weakest] >= LEAST_SUPPORT:
                break
            parents.remove(weakest)
            adjacency[weakest, v] = False
    return Dag(dag.nodes, adjacency)


def _family_losses(scorer: Scorer, v: int, parents: list[int]) -> dict[int, float]:
    if not parents:
        return {}
    whole = scorer.local(v, parents)
    losses = {u: whole - scorer.local(v, [w for w in parents if w != u]) for u in parents}
    least = DATA_TOLERANCE * abs(whole)
    return {u: loss if abs(loss) > least else 0.0 for u, loss in losses.items()}


def proposed_edges(supports: Sequence[EdgeSupport]) -> list[ProposedEdge]:
    """How sure each edge is: by whether its direction is fixed, then by what it is worth."""
    return [
        ProposedEdge(edge.parent, edge.child, (edge.is_direction_fixed, edge.data_loss))
        for edge in supports
    ]
