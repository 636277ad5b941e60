"""How well the data support each edge of a graph, and what is left without the weak ones."""

import numpy as np

from pathprior.graph.dag import Dag
from pathprior.score.score import Scorer

LEAST_SUPPORT = 1.0
"""An edge is weak if the data score falls by less than this, in nats, without it."""


RELATIVE_TOLERANCE = 1e-10
"""Losses below this part of a local score are rounding, and count as none."""


def data_losses(dag: Dag, scorer: Scorer) -> dict[tuple[str, str], float]:
    """What the data score loses without each edge, all others kept; two family scores per edge."""
    found = {}
    for v, child in enumerate(dag.nodes):
        parents = np.flatnonzero(dag.adjacency[:, v]).tolist()
        for u, loss in _family_losses(scorer, v, parents).items():
            found[dag.nodes[u], child] = loss
    return found


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
    least = RELATIVE_TOLERANCE * abs(whole)
    return {u: loss if abs(loss) > least else 0.0 for u, loss in losses.items()}
