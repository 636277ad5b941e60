import numpy as np
from hypothesis import given

from pathprior import Dag
from pathprior.report.layout import layered_layout
from tests.strategies import dags


@given(dags(min_nodes=0, max_nodes=12))
def test_causes_lie_above_effects_and_nothing_overlaps(dag):
    layout = layered_layout(dag)
    assert layout.positions.shape == (dag.num_nodes, 2)
    for i, j in np.argwhere(dag.adjacency):
        assert layout.positions[i, 1] < layout.positions[j, 1]
        route = layout.routes[i, j]
        np.testing.assert_array_equal(route[0], layout.positions[i])
        np.testing.assert_array_equal(route[-1], layout.positions[j])
        np.testing.assert_array_equal(np.diff(route[:, 1]), 1)
    for y in np.unique(layout.positions[:, 1]):
        row = np.flatnonzero(layout.positions[:, 1] == y)
        row = row[np.argsort(layout.positions[row, 0])]
        room = (layout.widths[row[1:]] + layout.widths[row[:-1]]) / 2
        assert (np.diff(layout.positions[row, 0]) > room - 0.001).all()


def test_a_tree_is_drawn_without_crossings():
    dag = Dag.from_edges(
        "rabcdef", [("r", "b"), ("r", "a"), ("a", "d"), ("b", "c"), ("a", "e"), ("b", "f")]
    )
    layout = layered_layout(dag)
    ends = [tuple(route[:, 0]) for edge, route in layout.routes.items() if edge[0] != 0]
    for first in ends:
        for second in ends:
            assert (first[0] - second[0]) * (first[1] - second[1]) >= 0


def test_is_deterministic():
    dag = Dag.from_edges("abcdef", [("a", "f"), ("b", "e"), ("c", "d"), ("a", "d"), ("d", "e")])
    np.testing.assert_array_equal(layered_layout(dag).positions, layered_layout(dag).positions)


def test_a_wide_layer_is_staggered_over_rows():
    leaves = [f"leaf{k}" for k in range(100)]
    dag = Dag.from_edges(["root", *leaves], [("root", leaf) for leaf in leaves])
    layout = layered_layout(dag)
    x, y = layout.positions.T
    assert x.max() < 40  # in one row they take 99
    assert 5 < y.max() < 15
    for (i, j), route in layout.routes.items():
        np.testing.assert_array_equal(route[[0, -1]], layout.positions[[i, j]])
    assert len({tuple(place) for place in layout.positions.tolist()}) == dag.num_nodes
