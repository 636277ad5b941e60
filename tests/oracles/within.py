"""DAGs within edge rules from the definition: every DAG looked at, every rule asked."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import root

from pathprior.beliefs.belief import Belief
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


def fit_within(
    rules: EdgeRules,
    beliefs: Sequence[Belief],
    edge_odds: float,
    *,
    is_base: bool = False,
) -> tuple[list[float], bool]:
    """Probability of each stated event under the fit, every graph within the rules by itself.

    Or under the base measure, if ``is_base``. Whether the beliefs were met comes second.

    Probabilities are scaled to each belief in turn until all are met; where that does not end, the
    soft fit is the root of log λ(e) = s π(e) / J(e) + const. An event that no graph has is left out
    of its belief.
    """
    graphs = list(dags_within(rules))
    base = np.array([edge_odds ** int(dag.sum()) for dag in graphs])
    index = {name: v for v, name in enumerate(rules.variables)}
    held, targets, strengths, owners = [], [], [], []
    for number, belief in enumerate(beliefs):
        codes = np.array([tie(dag, index[belief.x], index[belief.y]) for dag in graphs])
        rows = [np.isin(codes, sorted(event)) for event in belief.events]
        there = [k for k, row in enumerate(rows) if row.any()]
        mass = sum(belief.probabilities[k] for k in there)
        if len(there) > 1:
            held += [rows[k] for k in there]
            targets += [belief.probabilities[k] / mass for k in there]
            strengths += [belief.strength] * len(there)
            owners += [number] * len(there)
    events, target = np.array(held, dtype=float).reshape(-1, len(graphs)), np.array(targets)
    strength, owner = np.array(strengths), np.array(owners)

    def joint(theta: NDArray[np.float64]) -> NDArray[np.float64]:
        tilted = base * np.exp(theta @ events)
        return np.asarray(tilted / tilted.sum())

    def miss(theta: NDArray[np.float64]) -> float:
        return float(np.abs(events @ joint(theta) - target).max(initial=0.0))

    def gap(log_theta: NDArray[np.float64]) -> NDArray[np.float64]:
        values = np.exp(log_theta)
        return np.asarray(events @ joint(values - strength) - strength * target / values)

    theta = np.zeros(len(target))
    for _ in range(0 if is_base else 3000):
        for number in np.unique(owner):
            own = owner == number
            theta = theta + np.where(own, np.log(target / (events @ joint(theta))), 0.0)
        if miss(theta) < 1e-13:
            break
    is_met = miss(theta) < 1e-12
    if not is_met and not is_base:
        theta = np.exp(root(gap, np.log(strength), tol=1e-14).x) - strength
    final = joint(theta)
    fitted = []
    for belief in beliefs:
        codes = np.array([tie(dag, index[belief.x], index[belief.y]) for dag in graphs])
        for event in belief.named_events:
            fitted.append(float(final[np.isin(codes, sorted(event.ties))].sum()))
    return fitted, is_met
