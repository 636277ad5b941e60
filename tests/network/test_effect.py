import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior.data.table import DataTable
from pathprior.errors import NetworkError
from pathprior.graph.dag import Dag
from pathprior.network.bif import write_bif
from pathprior.network.bundled import load_network
from pathprior.network.effect import draw_effect
from pathprior.network.marginal import effect_table
from pathprior.network.parameters import TableDraws
from tests.oracles.effect import effect
from tests.oracles.network import networks


@given(networks().filter(lambda network: network.dag.num_nodes > 1), st.data())
def test_is_the_joint_without_the_factor_of_x(network, data):
    num_nodes = network.dag.num_nodes
    x = data.draw(st.integers(0, num_nodes - 1))
    y = data.draw(st.sampled_from([v for v in range(num_nodes) if v != x]))
    found = effect_table(network.dag, list(network.tables), x, y)
    assert found == pytest.approx(effect(network, x, y), abs=1e-12)


@pytest.mark.parametrize("name", ["asia", "alarm"])
def test_equals_pyagrum(name, tmp_path):
    gum = pytest.importorskip("pyagrum")
    causal = pytest.importorskip("pyagrum.causal")
    network = load_network(name)
    nodes = network.dag.nodes
    path = tmp_path / "network.bif"
    write_bif(network, path)
    theirs = gum.loadBN(str(path))
    for node, table in zip(nodes, network.tables, strict=True):  # it reads numbers as floats
        order = [name for name in reversed(theirs.cpt(node).names) if name != node]
        parents = network.dag.parents(node)
        axes = [*(parents.index(name) for name in order), len(parents)]
        theirs.cpt(node)[:] = np.ascontiguousarray(table.transpose(axes))
    generator = np.random.default_rng(0)
    model = causal.CausalModel(theirs)
    for _ in range(6):
        x, y = generator.choice(len(nodes), 2, replace=False).tolist()
        _, potential, _ = causal.causalImpact(model, on={nodes[y]}, doing={nodes[x]})
        ours = effect_table(network.dag, list(network.tables), x, y)
        if nodes[x] in potential.names:
            potential = potential.reorganize([nodes[y], nodes[x]])
            assert potential.toarray() == pytest.approx(ours, abs=1e-9)
        else:
            for row in ours:
                assert potential.toarray() == pytest.approx(row, abs=1e-9)


NODES = ("x", "y", "z")
COUNTS = np.array([[30, 10], [5, 15]])


def table() -> DataTable:
    x, y = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], COUNTS.ravel(), axis=0).T
    z = np.zeros_like(x)
    return DataTable(NODES, np.array([x, y, z], np.uint8), (("a", "b"), ("c", "d"), ("e", "f")))


def test_draws_are_beta_distributed():
    graphs = [Dag.from_edges(NODES, [("x", "y")])] * 4000
    found = draw_effect(graphs, TableDraws(table(), 4.0), "x", "y", np.random.default_rng(1))
    posterior = COUNTS + 4.0 / 4
    mean = posterior / posterior.sum(axis=1, keepdims=True)
    variance = mean * (1 - mean) / (posterior.sum(axis=1, keepdims=True) + 1)
    error = np.sqrt(variance / 4000)
    assert (np.abs(found.draws.mean(axis=0) - mean) < 4 * error).all()
    assert found.draws.var(axis=0) == pytest.approx(variance, rel=0.1)
    assert found.none == 0


def test_graphs_without_a_path_have_no_effect():
    paths = [[("x", "y")], [("y", "x")], [("x", "z"), ("z", "y")], []]
    graphs = [Dag.from_edges(NODES, edges) for edges in paths]
    found = draw_effect(graphs, TableDraws(table(), 1.0), "x", "y", np.random.default_rng(1))
    assert found.has_path.tolist() == [True, False, True, False]
    assert found.none == 0.5
    assert (found.draws[[1, 3], 0] == found.draws[[1, 3], 1]).all()
    differences = found.differences()
    assert list(differences["set_to"]) == ["b", "b"]
    assert differences["mean"].sum() == pytest.approx(0)
    assert found.table().groupby("set_to")["mean"].sum().tolist() == pytest.approx([1, 1])


def test_an_interval_holds_its_share():
    graphs = [Dag.from_edges(NODES, [("x", "y")])] * 1000
    found = draw_effect(graphs, TableDraws(table(), 1.0), "x", "y", np.random.default_rng(1))
    row = found.table(level=0.5).iloc[0]
    assert np.mean(
        (found.draws[:, 0, 0] >= row["low"]) & (found.draws[:, 0, 0] <= row["high"])
    ) == (pytest.approx(0.5, abs=0.01))
    with pytest.raises(NetworkError, match="level must be between 0 and 1"):
        found.table(level=90)


def test_needs_two_variables():
    graphs = [Dag.from_edges(NODES, [])]
    with pytest.raises(NetworkError, match="two different variables"):
        draw_effect(graphs, TableDraws(table(), 1.0), "x", "x", np.random.default_rng(1))
