import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior.data.door import read_dataset
from pathprior.errors import GraphError, NetworkError
from pathprior.graph.dag import Dag
from pathprior.network.bundled import load_network
from pathprior.network.network import BayesianNetwork
from tests.oracles.network import estimate_cell, joint_distribution, networks, sample_row

CHAIN = Dag.from_edges(["b", "a"], [("a", "b")])
YES_NO = (("yes", "no"), ("yes", "no"))


def chain() -> BayesianNetwork:
    return BayesianNetwork(
        CHAIN, YES_NO, (np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([0.3, 0.7]))
    )


def test_is_a_value():
    network = chain()
    assert network == chain()
    assert hash(network) == hash(chain())
    assert network != BayesianNetwork(CHAIN, YES_NO, (np.full((2, 2), 0.5), np.full(2, 0.5)))
    assert network != "chain"
    assert network.num_parameters == 3
    assert repr(network) == "BayesianNetwork(2 nodes, 1 edges, 3 parameters)"
    with pytest.raises(ValueError, match="read-only"):
        network.tables[0][0, 0] = 1


@pytest.mark.parametrize(
    ("states", "tables", "message"),
    [
        ((("yes", "no"),), [[[0.9, 0.1], [0.2, 0.8]], [0.3, 0.7]], "2 nodes need as many lists"),
        ((("yes", "yes"), ("t", "f")), [], "node 'b' has the state 'yes' twice"),
        (((), ("t", "f")), [], "node 'b' has no states"),
        (((1, 0), ("t", "f")), [], "a state of 'b' is 1"),
        (YES_NO, [[0.3, 0.7]], "2 nodes need as many tables, not 1"),
        (YES_NO, [[0.3, 0.7], [0.3, 0.7]], r"table of 'b' has shape \(2,\).*\(2, 2\)"),
        (YES_NO, [[[0.9, 0.1], [0.2, 0.9]], [0.3, 0.7]], r"table of 'b' has the row \[0.2, 0.9\]"),
        (YES_NO, [[[0.9, 0.1], [1.2, -0.2]], [0.3, 0.7]], r"'b' has the row \[1.2, -0.2\]"),
        (YES_NO, [[[0.9, 0.1], [0.2, np.nan]], [0.3, 0.7]], r"'b' has the row \[0.2, nan\]"),
    ],
)
def test_errors_name_the_node(states, tables, message):
    with pytest.raises(NetworkError, match=message):
        BayesianNetwork(CHAIN, states, tuple(np.array(table) for table in tables))


def test_a_table_too_large_is_an_error():
    nodes = [f"v{i}" for i in range(31)]
    star = Dag.from_edges(nodes, [(parent, "v0") for parent in nodes[1:]])
    with pytest.raises(NetworkError, match="'v0', with 30 parents, is too large"):
        BayesianNetwork.random(star, 2)


# -- sampling ------------------------------------------------------------------------------------


@pytest.mark.kernel
@given(networks(), st.integers(0, 20), st.integers(0, 1000))
def test_sample_equals_the_oracle(network, num_rows, seed):
    uniforms = np.random.default_rng(seed).random((num_rows, network.dag.num_nodes))
    expected = [sample_row(network, row) for row in uniforms]
    table = network.sample_table(num_rows, seed=seed)
    assert table.codes.T.tolist() == expected
    assert table.variables == network.dag.nodes
    assert table.states == network.states


@given(networks(max_nodes=3, plain_names=True))
def test_sample_follows_the_joint_distribution(network):
    num_rows = 20_000
    codes = network.sample_table(num_rows, seed=1).codes.T
    rows, counts = np.unique(codes, axis=0, return_counts=True)
    frequency = {
        tuple(row): count / num_rows for row, count in zip(rows.tolist(), counts, strict=True)
    }
    for row, probability in joint_distribution(network).items():
        deviation = np.sqrt(probability * (1 - probability) / num_rows)
        assert abs(frequency.get(row, 0.0) - probability) <= 5 * deviation + 1e-9


def test_sample_is_a_function_of_the_seed_and_extends():
    asia = load_network("asia")
    long, short = asia.sample(10_000, seed=3), asia.sample(5_000, seed=3)
    assert long.head(5_000).equals(short)
    assert not short.equals(asia.sample(5_000, seed=4))


def test_sample_keeps_unseen_states():
    frame = load_network("asia").sample(3)
    assert frame.shape == (3, 8)
    assert all(list(frame[node].cat.categories) == ["yes", "no"] for node in frame)
    assert len(load_network("asia").sample(0)) == 0


def test_sample_equals_sample_table():
    network = load_network("insurance")
    coded = read_dataset(network.sample(500, seed=2)).discrete()
    table = network.sample_table(500, seed=2)
    assert coded.states == table.states
    assert np.array_equal(coded.codes, table.codes)
    assert not table.codes.flags.writeable


def test_impossible_states_are_never_drawn():
    # 0.1 added ten times is less than one: the rounding must not fall to the last state.
    row = np.array([*[0.1] * 10, 0.0])
    network = BayesianNetwork(Dag.from_edges(["v"]), (tuple("abcdefghijk"),), (row,))
    assert network.sample_table(200_000).codes.max() == 9


def test_more_than_256_states():
    states = tuple(f"s{k:03}" for k in range(300))
    dag = Dag.from_edges(["v", "w"], [("v", "w")])
    tables = (np.full(300, 1 / 300), np.eye(300))
    table = BayesianNetwork(dag, (states, states), tables).sample_table(2000)
    assert table.codes.dtype == np.uint16
    assert np.array_equal(table.codes[0], table.codes[1])
    assert table.codes.max() > 255


@pytest.mark.parametrize("arguments", [{"num_rows": -1}, {"num_rows": 1, "seed": -1}])
def test_sample_rejects_negative_numbers(arguments):
    with pytest.raises(NetworkError, match="must not be negative: -1"):
        chain().sample(**arguments)


# -- estimates -----------------------------------------------------------------------------------


@given(networks(max_nodes=3), st.integers(3, 12), st.sampled_from([None, 1.0, 2.5]))
def test_estimate_equals_the_oracle(network, num_rows, alpha):
    dag, table = network.dag, network.sample_table(num_rows)
    estimate = BayesianNetwork.estimate(dag, table, equivalent_sample_size=alpha)
    assert estimate.states == network.states
    for v, node in enumerate(dag.nodes):
        parents = dag.parents(node)
        for cell in np.ndindex(estimate.tables[v].shape):
            values = {
                p: network.states[dag.index(p)][k] for p, k in zip(parents, cell, strict=False)
            }
            state = network.states[v][cell[-1]]
            expected = estimate_cell(table, values, node, state, alpha or 0.0)
            assert estimate.tables[v][cell] == pytest.approx(expected, abs=1e-12)


def test_estimate_converges_to_the_truth():
    network = load_network("asia")
    estimate = BayesianNetwork.estimate(network.dag, network.sample(200_000))
    for node in ("smoke", "lung", "bronc"):
        v = network.dag.index(node)
        assert np.allclose(estimate.tables[v], network.tables[v], atol=0.01)


def test_estimate_reads_frames_in_any_column_order():
    frame = load_network("asia").sample(1000)
    dag = load_network("asia").dag
    shuffled = frame[sorted(frame.columns)].assign(other=1).astype({"other": "str"})
    shuffled.loc[0, "other"] = "2"
    assert BayesianNetwork.estimate(dag, shuffled) == BayesianNetwork.estimate(dag, frame)


def test_estimate_errors():
    frame = pd.DataFrame({"a": ["x", "y"]})
    with pytest.raises(NetworkError, match=r"no column for the nodes \['b'\]"):
        BayesianNetwork.estimate(CHAIN, frame)
    for alpha in (0, -1, float("nan"), float("inf")):
        with pytest.raises(NetworkError, match="equivalent_sample_size must be a positive"):
            BayesianNetwork.estimate(CHAIN, frame, equivalent_sample_size=alpha)


# -- random tables -------------------------------------------------------------------------------


def test_random_is_a_function_of_the_seed():
    dag = load_network("asia").dag
    network = BayesianNetwork.random(dag, 3, seed=5)
    assert network == BayesianNetwork.random(dag, 3, seed=5)
    assert network != BayesianNetwork.random(dag, 3, seed=6)
    assert set(network.states) == {("0", "1", "2")}


def test_random_rows_follow_the_dirichlet_distribution():
    # A coordinate of Dirichlet(α, …, α) has mean 1/r and variance (r−1) / (r² (rα + 1)).
    nodes = [f"v{i}" for i in range(9)]
    dag = Dag.from_edges(nodes, [(parent, "v8") for parent in nodes[:8]])
    for shape in (0.5, 2.0):
        rows = BayesianNetwork.random(dag, 3, shape=shape).tables[8].reshape(-1, 3)
        assert rows.mean(axis=0) == pytest.approx([1 / 3] * 3, abs=0.02)
        assert rows.var() == pytest.approx(2 / 9 / (3 * shape + 1), rel=0.05)


def test_random_takes_sizes_by_name():
    network = BayesianNetwork.random(CHAIN, {"a": 2, "b": 4})
    assert network.tables[0].shape == (2, 4)
    with pytest.raises(NetworkError, match=r"nothing about the nodes \['b'\]"):
        BayesianNetwork.random(CHAIN, {"a": 2})
    with pytest.raises(NetworkError, match="shape must be a positive number, not 0"):
        BayesianNetwork.random(CHAIN, 2, shape=0)
    with pytest.raises(NetworkError, match="node 'b' has no states"):
        BayesianNetwork.random(CHAIN, 0)


def test_tables_and_states_are_read_by_name_too():
    asia = load_network("asia")
    for v, node in enumerate(asia.dag.nodes):
        assert asia.tables[node] is asia.tables[v]
        assert asia.states[node] == asia.states[v]
    with pytest.raises(GraphError, match=r"unknown node 'smok'; did you mean 'smoke'\?"):
        asia.tables["smok"]
    again = pickle.loads(pickle.dumps(asia))
    assert again == asia
    assert again.tables["dysp"].tolist() == asia.tables[-1].tolist()


def test_an_experiment_sets_its_targets_and_leaves_the_rest_alone() -> None:
    network = load_network("asia")
    observed = network.sample(4000, seed=3)
    rows = network.sample(4000, seed=3, do={"lung": "yes", "bronc": None})
    assert set(rows["target"]) == {"lung;bronc"}
    assert (rows["lung"] == "yes").all()
    assert (rows["bronc"] == "yes").mean() == pytest.approx(0.5, abs=0.03)
    assert (rows["smoke"] == observed["smoke"]).all()
    assert (rows["either"] == "yes").all()
    shares = pd.crosstab(rows["smoke"], rows["bronc"], normalize="index")["yes"]
    assert shares["yes"] == pytest.approx(shares["no"], abs=0.05)
    assert "target" not in network.sample(3)
    stacked = pd.concat([observed, rows], ignore_index=True)
    data = read_dataset(stacked, interventions="target")
    assert data.variables == network.dag.nodes
    assert data.intervened is not None
    assert data.intervened.sum(axis=1).tolist() == [
        4000 * (name in ("lung", "bronc")) for name in data.variables
    ]


def test_experiments_that_cannot_be_made() -> None:
    network = load_network("asia")
    with pytest.raises(NetworkError, match="'smoke' has no state 'perhaps'"):
        network.sample(3, do={"smoke": "perhaps"})
    with pytest.raises(GraphError, match="unknown node 'smok'"):
        network.sample(3, do={"smok": "yes"})
    with pytest.raises(NetworkError, match="'lung' is a node"):
        network.sample(3, do={"smoke": "yes"}, target_column="lung")
