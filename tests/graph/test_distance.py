from itertools import combinations
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior.errors import GraphError
from pathprior.graph.cpdag import Cpdag
from pathprior.graph.dag import Dag
from pathprior.graph.distance import compare, shd, sums_of_distances
from tests.oracles.equivalence import all_classes, signature, union_matrix
from tests.oracles.graph import BoolMatrix, all_dags, edge_set

CHAIN = Dag.from_edges("abc", [("a", "b"), ("b", "c")])
FORK = Dag.from_edges("abc", [("b", "a"), ("b", "c")])
COLLIDER = Dag.from_edges("abc", [("a", "b"), ("c", "b")])


def test_equivalent_dags_are_at_distance_zero() -> None:
    assert shd(CHAIN, CHAIN) == shd(CHAIN, FORK) == shd(CHAIN, FORK.reorder("cba")) == 0


def test_each_kind_of_change_costs_one() -> None:
    empty = Dag.from_edges("abc")
    assert shd(empty, CHAIN) == shd(CHAIN, empty) == 2  # added, removed
    assert shd(CHAIN, COLLIDER) == 2  # both edges made directed
    a = Dag.from_edges("abcd", [("a", "c"), ("b", "c"), ("c", "d")])
    b = Dag.from_edges("abcd", [("a", "c"), ("b", "c"), ("d", "c")])
    assert shd(a, b) == 1  # c → d reversed, all edges compelled in both


def test_cpdags_and_dags_mix() -> None:
    assert shd(Cpdag.from_dag(CHAIN), COLLIDER) == shd(CHAIN, Cpdag.from_dag(COLLIDER)) == 2


def test_different_nodes_are_an_error() -> None:
    with pytest.raises(GraphError, match="only in the first"):
        shd(CHAIN, Dag.from_edges("abd"))
    with pytest.raises(GraphError, match="only in the second"):
        compare(CHAIN, Dag.from_edges("abcd"))


@given(st.sampled_from(all_dags(4)), st.sampled_from(all_dags(4)), st.permutations("wxyz"))
def test_shd_counts_differing_pairs(a: BoolMatrix, b: BoolMatrix, order: list[str]) -> None:
    classes = all_classes(4)
    p, q = (union_matrix(classes[signature(edge_set(dag))], 4) for dag in (a, b))
    expected = sum((p[i, j], p[j, i]) != (q[i, j], q[j, i]) for i, j in combinations(range(4), 2))
    first, second = Dag(tuple("wxyz"), a), Dag(tuple("wxyz"), b)
    assert shd(first, second.reorder(order)) == shd(second, first) == expected


def test_comparison_with_the_truth() -> None:
    truth = Dag.from_edges("abcd", [("a", "c"), ("b", "c"), ("c", "d")])
    estimate = Dag.from_edges("dcba", [("a", "c"), ("b", "c"), ("a", "b")])
    result = compare(estimate, truth)
    # The estimate's triangle is undirected in its CPDAG: a − c, b − c, a − b.
    assert result.shd == 4
    assert result.dag_shd == 2
    assert result.skeleton_precision == result.skeleton_recall == pytest.approx(2 / 3)
    assert isnan(result.orientation_precision)
    assert result.orientation_recall == 0.0


def test_comparison_of_equal_and_empty_graphs() -> None:
    same = compare(COLLIDER, COLLIDER)
    assert (same.shd, same.dag_shd) == (0, 0)
    assert same.skeleton_precision == same.orientation_recall == 1.0
    nothing = compare(Dag.from_edges("abc"), Cpdag.from_dag(CHAIN))
    assert nothing.dag_shd is None
    assert np.isnan(nothing.skeleton_precision)
    assert nothing.skeleton_recall == 0.0


@given(st.lists(st.integers(0, 24), min_size=1, max_size=6))
def test_sums_of_distances_are_sums_of_distances(chosen) -> None:
    dags = [Dag(tuple("abc"), adjacency) for adjacency in all_dags(3)]
    classes = [Cpdag.from_dag(dags[k]) for k in chosen]
    expected = [sum(shd(one, other) for other in classes) for one in classes]
    assert sums_of_distances(classes).tolist() == expected
