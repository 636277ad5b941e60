from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pathprior.graph.cpdag import is_equivalent
from pathprior.graph.dag import Dag
from pathprior.search.swap import best_equivalent
from tests.oracles.equivalence import Edges, all_classes
from tests.oracles.swap import best_log_prior, log_prior

CHAIN = Dag.from_edges("abc", [("a", "b"), ("b", "c")])


def to_dag(edges: Edges, num_nodes: int) -> Dag:
    names = [f"v{i}" for i in range(num_nodes)]
    return Dag.from_edges(names, [(names[i], names[j]) for i, j in edges])


def to_edges(dag: Dag) -> Edges:
    return frozenset((int(i), int(j)) for i, j in np.argwhere(dag.adjacency))


def random_weights(rng: np.random.Generator, num_pairs: int) -> NDArray[np.float64]:
    """Mostly ordinary weights, some ties between relations, some hard beliefs."""
    weights = rng.normal(size=(num_pairs, 4)).round(1)
    weights[rng.random((num_pairs, 4)) < 0.1] = -np.inf
    return weights


def random_edges(rng: np.random.Generator, num_nodes: int) -> Edges:
    order = rng.permutation(num_nodes)
    later = [(a, b) for b in range(num_nodes) for a in range(b)]
    size = int(rng.integers(num_nodes - 2, num_nodes + 4))
    chosen = rng.choice(len(later), size=min(size, len(later)), replace=False)
    return frozenset((int(order[later[k][0]]), int(order[later[k][1]])) for k in chosen)


def check(
    edges: Edges,
    num_nodes: int,
    rng: np.random.Generator,
    *,
    num_pairs: int,
    is_constrained: bool,
) -> None:
    dag = to_dag(edges, num_nodes)
    every = list(permutations(range(num_nodes), 2))
    pairs = [every[k] for k in rng.integers(len(every), size=num_pairs)]
    weights = random_weights(rng, num_pairs)
    required: set[tuple[int, int]] = set()
    forbidden: set[tuple[int, int]] = set()
    max_parents = num_nodes
    if is_constrained:
        required = {edge for edge in sorted(edges) if rng.random() < 0.15}
        forbidden = {e for e in every if e not in edges and rng.random() < 0.15}
        max_parents = int(dag.adjacency.sum(axis=0).max()) + int(rng.random() < 0.3)

    def is_allowed(member: Edges) -> bool:
        in_degree = [sum(child == v for _, child in member) for v in range(num_nodes)]
        return required <= member and not forbidden & member and max(in_degree) <= max_parents

    name = dag.nodes
    result = best_equivalent(
        dag,
        [(name[x], name[y]) for x, y in pairs],
        weights,
        required=[(name[i], name[j]) for i, j in sorted(required)],
        forbidden=[(name[i], name[j]) for i, j in sorted(forbidden)],
        max_parents=max_parents,
    )
    found = to_edges(result.dag)
    assert result.is_exact
    assert is_equivalent(result.dag, dag)
    assert is_allowed(found)
    assert result.log_prior == pytest.approx(log_prior(found, pairs, weights))
    assert result.log_prior == pytest.approx(best_log_prior(edges, pairs, weights, is_allowed))


@pytest.mark.parametrize("is_constrained", [False, True])
def test_every_dag_of_four_nodes(is_constrained: bool) -> None:
    rng = np.random.default_rng(4)
    for members in all_classes(4).values():
        for edges in members:
            check(edges, 4, rng, num_pairs=int(rng.integers(1, 7)), is_constrained=is_constrained)


@pytest.mark.parametrize("is_constrained", [False, True])
@given(seed=st.integers(0, 2**32 - 1))
def test_random_dags_of_six_to_eight_nodes(is_constrained: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    num_nodes = int(rng.integers(6, 9))
    check(
        random_edges(rng, num_nodes),
        num_nodes,
        rng,
        num_pairs=int(rng.integers(1, 13)),
        is_constrained=is_constrained,
    )
