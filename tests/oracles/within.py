"""DAGs within edge rules from the definition: every DAG looked at, every rule asked."""

from collections.abc import Collection, Iterator

import numpy as np

from pathprior.graph.edge_rules import EdgeRules, make_edge_rules
from tests.oracles.counting import Pairs
from tests.oracles.graph import BoolMatrix, relation
from tests.oracles.ties import listed_dags, tie


def random_rules(rng: np.random.Generator, names: tuple[str, ...]) -> EdgeRules:
    """Some tiers, forbidden and required edges and a limit of parents, or some of these."""
    order = rng.permutation(names).tolist()
    tiers = None
    if rng.random() < 0.6:
        in_tiers = order[: rng.integers(2, len(order) + 1)]
        cuts = np.sort(rng.integers(0, len(in_tiers) + 1, size=rng.integers(1, 3)))
        tiers = [list(part) for part in np.split(np.array(in_tiers), cuts) if len(part)]
    number = {name: k for k, tier in enumerate(tiers or ()) for name in tier}
    forward = [
        (u, v)
        for i, u in enumerate(order)
        for v in order[i + 1 :]
        if number.get(u, 0) <= number.get(v, len(order))
    ]
    required = [edge for edge in forward if rng.random() < 0.1]
    taken = {*required, *((v, u) for u, v in required)}
    every = [(u, v) for u in names for v in names if u != v and (u, v) not in taken]
    forbidden = [edge for edge in every if rng.random() < rng.choice([0.0, 0.15])]
    most = max((sum(v == name for _, v in required) for name in names), default=0)
    limit = int(rng.integers(max(most, 1), len(names))) if rng.random() < 0.4 else None
    return make_edge_rules(
        names, required=required, forbidden=forbidden, tiers=tiers, max_parents=limit
    )


def keeps(rules: EdgeRules, adjacency: BoolMatrix) -> bool:
    """Whether a graph keeps the rules, edge by edge and child by child."""
    size = len(adjacency)
    for u in range(size):
        for v in range(size):
            if rules.required[u, v] and not adjacency[u, v]:
                return False
            if adjacency[u, v]:
                if any(edges[u, v] for edges in rules.excluded.values()):
                    return False
                if rules.tier[v] >= 0 and rules.tier[u] > rules.tier[v]:
                    return False
    return bool((adjacency.sum(axis=0) <= rules.max_parents).all())


def dags_within(rules: EdgeRules) -> Iterator[BoolMatrix]:
    """Every DAG that keeps the rules."""
    return (dag for dag in listed_dags(len(rules.variables)) if keeps(rules, dag))


def weights_within(
    rules: EdgeRules, pairs: Pairs, edge_odds: float, direct: Collection[int] = ()
) -> dict[tuple[int, ...], float]:
    """Σ β^edges of the DAGs within the rules, by configuration; of ties at ``direct``."""
    weights: dict[tuple[int, ...], float] = {}
    for dag in dags_within(rules):
        codes = tuple(
            tie(dag, x, y) if k in direct else relation(dag, x, y) for k, (x, y) in enumerate(pairs)
        )
        weights[codes] = weights.get(codes, 0.0) + edge_odds ** int(dag.sum())
    return weights
