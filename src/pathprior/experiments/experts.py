"""Beliefs drawn about a known network: the paper's experts, calibrated ones and misled ones."""

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief, relation
from pathprior.counting.base import UNIFORM
from pathprior.errors import ExperimentError
from pathprior.graph.dag import Dag
from pathprior.kernels.graph.ancestors import NUM_RELATIONS
from pathprior.prior.listed.linear_program import MarginalProgram
from pathprior.prior.listed.listing import Listing
from pathprior.prior.listed.problem import Constraint, build_problem
from pathprior.prior.reference import CountSettings, list_configurations, pair_probabilities

LEAST, GREATEST = 0.5, 0.99
"""Range of the probability that an expert gives the favoured relation (paper, §8)."""
REDRAWS = 25
"""Draws of the probabilities before other nodes are tried."""
MAX_NODE_DRAWS = 1000
MISLED_SHARE = 0.3


class Experts(StrEnum):
    """Which relation of a pair gets the probability p."""

    TRUE = "true"
    """Always the true one, as in the paper."""
    CALIBRATED = "calibrated"
    """The true one with probability p, else another drawn from U: p is right on average."""
    MISLED = "misled"
    """A wrong one, drawn from U, in three beliefs of ten; else the true one."""


class Coherence(StrEnum):
    """What each component's beliefs must be; they are drawn again until they are."""

    COHERENT = "coherent"
    INCOHERENT = "incoherent"
    ANY = "any"


def draw_beliefs(
    dag: Dag,
    *,
    num_components: int,
    component_size: int,
    coherence: Coherence,
    experts: Experts,
    rng: np.random.Generator,
    edge_odds: float = UNIFORM,
) -> tuple[Belief, ...]:
    """Beliefs on all pairs within ``num_components`` disjoint sets of ``component_size`` nodes.

    The favoured relation of each pair gets p ~ U[0.5, 0.99]; the rest is shared in proportion to
    U, that of the base measure with ``edge_odds``. Probabilities are drawn up to 25 times, then
    other nodes, until the component is as ``coherence`` asks: four mutually unrelated nodes, for
    example, are never incoherent.
    """
    if num_components * component_size > dag.num_nodes:
        raise ExperimentError(
            f"{num_components} components of {component_size} nodes need more than the "
            f"{dag.num_nodes} nodes of the network"
        )
    unused = list(dag.nodes)
    beliefs: list[Belief] = []
    uninformative = _pair_probabilities(dag.num_nodes, edge_odds)
    for _ in range(num_components):
        nodes, vectors = _draw_component(
            dag, unused, component_size, coherence, experts, uninformative, rng
        )
        unused = [node for node in unused if node not in nodes]
        beliefs += [
            relation(x, y, vector)
            for (x, y), vector in zip(combinations(nodes, 2), vectors, strict=True)
        ]
    return tuple(beliefs)


def can_exist(component_size: int, coherence: Coherence) -> bool:
    """Whether such a component exists: one node has no pair, one belief is never incoherent."""
    return component_size >= (3 if coherence is Coherence.INCOHERENT else 2)


Vector = tuple[float, float, float, float]


def _draw_component(
    dag: Dag,
    unused: Sequence[str],
    size: int,
    coherence: Coherence,
    experts: Experts,
    uninformative: NDArray[np.float64],
    rng: np.random.Generator,
) -> tuple[tuple[str, ...], list[Vector]]:
    for _ in range(MAX_NODE_DRAWS):
        nodes = tuple(unused[i] for i in rng.permutation(len(unused))[:size])
        for _ in range(REDRAWS):
            vectors = [
                _draw_vector(dag, x, y, experts, uninformative, rng)
                for x, y in combinations(nodes, 2)
            ]
            if coherence is Coherence.ANY:
                return nodes, vectors
            if is_coherent(vectors, size, dag.num_nodes) == (coherence is Coherence.COHERENT):
                return nodes, vectors
    raise ExperimentError(
        f"no {coherence} beliefs on {size} nodes in {MAX_NODE_DRAWS} draws of nodes"
    )


def _draw_vector(
    dag: Dag,
    x: str,
    y: str,
    experts: Experts,
    uninformative: NDArray[np.float64],
    rng: np.random.Generator,
) -> Vector:
    p, luck = rng.uniform(LEAST, GREATEST), rng.random()
    favoured = int(dag.relation(x, y))
    right = {Experts.TRUE: 1.0, Experts.CALIBRATED: p, Experts.MISLED: 1 - MISLED_SHARE}[experts]
    if luck >= right:
        favoured = int(rng.choice(NUM_RELATIONS, p=_without(uninformative, favoured)))
    vector = (1 - p) * _without(uninformative, favoured)
    vector[favoured] = p
    return (float(vector[0]), float(vector[1]), float(vector[2]), float(vector[3]))


def _without(probabilities: NDArray[np.float64], relation_code: int) -> NDArray[np.float64]:
    """The probabilities given that it is not that relation."""
    others = probabilities.copy()
    others[relation_code] = 0.0
    others /= others.sum()
    return others


# -- coherence -----------------------------------------------------------------------------------


def is_coherent(vectors: Sequence[Vector], size: int, num_nodes: int) -> bool:
    """Whether some joint has these probabilities on all pairs of ``size`` nodes.

    Three nodes that cannot hold together already decide it, and cost a program over 41
    configurations instead of 41099 (for five nodes); most incoherent draws fall there.
    """
    by_pair = dict(zip(combinations(range(size), 2), vectors, strict=True))
    if size > 3:
        for triangle in combinations(range(size), 3):
            chosen = [by_pair[pair] for pair in combinations(triangle, 2)]
            if not _is_feasible(chosen, 3, num_nodes):
                return False
    return _is_feasible(vectors, size, num_nodes)


def _is_feasible(vectors: Sequence[Vector], size: int, num_nodes: int) -> bool:
    constraints = [
        Constraint(belief=k, column=k, event_of=(0, 1, 2, 3), targets=vector, strength=1.0)
        for k, vector in enumerate(vectors)
    ]
    problem = build_problem(_listing(size, num_nodes), constraints)
    return MarginalProgram(problem).is_feasible(np.arange(problem.num_events))


@lru_cache(maxsize=8)
def _listing(size: int, num_nodes: int) -> Listing:
    """All valid configurations of the pairs among ``size`` nodes."""
    pairs = np.array(list(combinations(range(size), 2)), dtype=np.int64)
    return list_configurations(pairs, num_nodes, CountSettings())[0]


@lru_cache(maxsize=8)
def _pair_probabilities(num_nodes: int, edge_odds: float) -> NDArray[np.float64]:
    return pair_probabilities(num_nodes, edge_odds)
