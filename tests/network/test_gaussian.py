import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from pathprior.data.dataset import Dataset
from pathprior.data.scatter import Scatter
from pathprior.data.table import RealTable
from pathprior.errors import NetworkError
from pathprior.graph.dag import Dag
from pathprior.network.gaussian import GaussianNetwork
from tests.oracles.real_networks import bge_means, gaussian_networks, row_log_density

CHAIN = Dag.from_edges(["b", "a"], [("a", "b")])


def chain() -> GaussianNetwork:
    return GaussianNetwork(CHAIN, [1.0, 20.0], [[0.5], []], [2.0, 3.0])


def test_is_a_value():
    network = chain()
    assert network == chain()
    assert hash(network) == hash(chain())
    assert network != GaussianNetwork(CHAIN, [1.0, 20.0], [[0.4], []], [2.0, 3.0])
    assert network != "chain"
    assert repr(network) == "GaussianNetwork(2 nodes, 1 edges, 5 parameters)"
    assert pickle.loads(pickle.dumps(network)) == network
    with pytest.raises(ValueError, match="read-only"):
        network.conditionals[0].weights[0][...] = 1


def test_is_read_by_name():
    network = chain()
    assert network.variables == ("b", "a")
    assert network.intercepts["a"] == 20.0
    assert network.weights["b"].tolist() == [0.5]
    assert network.weights["a"].tolist() == []
    assert network.deviations["b"] == 2.0
    assert network.to_frame().to_numpy().tolist() == [
        ["b", "", "intercept", "", 1.0],
        ["b", "", "weight", "a", 0.5],
        ["b", "", "deviation", "", 2.0],
        ["a", "", "intercept", "", 20.0],
        ["a", "", "deviation", "", 3.0],
    ]


@pytest.mark.parametrize(
    ("intercepts", "weights", "deviations", "message"),
    [
        ([1.0], [[0.5], []], [2.0, 3.0], "2 nodes need as many intercepts, not 1"),
        ([1.0, 2.0], [[0.5]], [2.0, 3.0], "2 nodes need as many lists of weights, not 1"),
        ([1.0, 2.0], [[0.5], []], [2.0], "2 nodes need as many deviations, not 1"),
        ([1.0, 2.0], [[], []], [2.0, 3.0], r"'b' has the parents \['a'\] and needs"),
        ([1.0, 2.0], [[np.nan], []], [2.0, 3.0], "the weight of 'a' for 'b' is not finite"),
        ([np.inf, 2.0], [[0.5], []], [2.0, 3.0], "the intercept of 'b' must be a number, not inf"),
        ([1.0, "x"], [[0.5], []], [2.0, 3.0], "the intercept of 'a' must be a number, not 'x'"),
        ([1.0, 2.0], [[0.5], []], [2.0, 0.0], "deviation of 'a' must be above zero, not 0.0"),
    ],
)
def test_errors_name_the_node(intercepts, weights, deviations, message):
    with pytest.raises(NetworkError, match=message):
        GaussianNetwork(CHAIN, intercepts, weights, deviations)


# -- the distribution ----------------------------------------------------------------------------


@given(gaussian_networks(), st.integers(0, 100))
def test_log_likelihood_is_that_of_the_joint_normal(network, seed):
    frame = network.sample(4, seed=seed)
    rows = network.log_likelihood(frame, per_row=True)
    # in the units of the deviations: scipy takes small eigenvalues for zero
    units = np.array(network.deviations)
    covariance = network.covariance() / np.outer(units, units)
    joint = multivariate_normal(network.means() / units, covariance, allow_singular=False)
    expected = joint.logpdf(frame.to_numpy() / units) - np.log(units).sum()
    assert rows == pytest.approx(np.atleast_1d(expected), rel=1e-6, abs=1e-6)
    by_row = [row_log_density(network, row) for row in frame.to_dict("records")]
    assert rows == pytest.approx(by_row, rel=1e-9)
    assert network.log_likelihood(frame) == pytest.approx(sum(by_row), rel=1e-9)


def test_samples_have_the_means_and_covariances():
    dag = Dag.from_edges("abcd", [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])
    network = GaussianNetwork.random(dag, seed=3)
    values = network.sample(100_000, seed=1).to_numpy()
    assert np.allclose(values.mean(axis=0), network.means(), atol=0.03)
    assert np.allclose(np.cov(values.T), network.covariance(), atol=0.06)


def test_sample_is_a_function_of_the_seed_and_extends():
    network = chain()
    long, short = network.sample(70_000, seed=3), network.sample(66_000, seed=3)
    assert long.head(66_000).equals(short)
    assert not short.equals(network.sample(66_000, seed=4))
    assert len(network.sample(0)) == 0
    assert list(short.columns) == ["b", "a"]


@pytest.mark.parametrize("arguments", [{"num_rows": -1}, {"num_rows": 1, "seed": -1}])
def test_sample_rejects_negative_numbers(arguments):
    with pytest.raises(NetworkError, match="must not be negative: -1"):
        chain().sample(**arguments)


def test_random_weights_keep_their_range():
    dag = Dag(tuple(f"v{i}" for i in range(30)), np.triu(np.ones((30, 30), bool), 1))
    network = GaussianNetwork.random(dag, weights=(0.5, 0.7), seed=1)
    sizes = np.abs(np.concatenate(network.weights))
    assert 0.5 <= sizes.min() < 0.52
    assert 0.68 < sizes.max() <= 0.7
    assert network == GaussianNetwork.random(dag, weights=(0.5, 0.7), seed=1)
    assert network != GaussianNetwork.random(dag, weights=(0.5, 0.7), seed=2)
    for weights in [(1.0, 0.5), (-1.0, 1.0), (0.0, np.inf)]:
        with pytest.raises(NetworkError, match="weights must be a range of sizes"):
            GaussianNetwork.random(dag, weights=weights)


# -- estimates -----------------------------------------------------------------------------------


@given(gaussian_networks(), st.integers(2, 30), st.sampled_from([0.5, 1.0, 3.0]))
def test_estimate_equals_the_oracle(network, num_rows, alpha):
    dag, frame = network.dag, network.sample(num_rows)
    estimate = GaussianNetwork.estimate(dag, frame, equivalent_sample_size=alpha)
    for v, node in enumerate(dag.nodes):
        above = np.flatnonzero(dag.adjacency[:, v]).tolist()
        intercept, weights, variance = bge_means(frame.to_numpy().T, v, above, alpha)
        size = np.abs(frame[node]).max()
        assert estimate.intercepts[v] == pytest.approx(intercept, rel=1e-6, abs=1e-7 * size)
        assert estimate.weights[v] == pytest.approx(weights, rel=1e-6)
        assert estimate.deviations[v] ** 2 == pytest.approx(variance, rel=1e-6)


@given(gaussian_networks(max_nodes=4))
def test_no_parameters_are_more_likely(network):
    frame = network.sample(20)
    best = GaussianNetwork.estimate(network.dag, frame)
    highest = best.log_likelihood(frame)
    rng = np.random.default_rng(0)
    for _ in range(5):
        weights = [w * rng.normal(1, 1e-3, w.size) for w in best.weights]
        deviations = np.array(best.deviations) * rng.normal(1, 1e-3, network.dag.num_nodes)
        other = GaussianNetwork(network.dag, best.intercepts, weights, deviations)
        assert other.log_likelihood(frame) <= highest + 1e-9 * abs(highest)


@given(gaussian_networks(), st.sampled_from([None, 1.0]), st.integers(0, 100))
def test_units_change_nothing_but_units(network, alpha, seed):
    rng = np.random.default_rng(seed)
    frame = network.sample(30)
    scales = 10.0 ** rng.integers(-6, 7, frame.shape[1])
    shifts = scales * rng.normal(size=frame.shape[1])
    plain, moved = (
        GaussianNetwork.estimate(network.dag, data, equivalent_sample_size=alpha)
        for data in (frame, frame * scales + shifts)
    )
    for v, column in enumerate(network.dag.adjacency.T):
        expected = plain.weights[v] * scales[v] / scales[column]
        assert moved.weights[v] == pytest.approx(expected, rel=1e-6)
        assert moved.deviations[v] == pytest.approx(plain.deviations[v] * scales[v], rel=1e-6)
    change = len(frame) * np.log(scales).sum()
    assert moved.log_likelihood(frame * scales + shifts) == pytest.approx(
        plain.log_likelihood(frame) - change, rel=1e-6, abs=1e-4
    )


def test_estimates_converge_to_the_truth():
    network = chain()
    for alpha in (None, 1.0):
        estimate = GaussianNetwork.estimate(
            CHAIN, network.sample(200_000), equivalent_sample_size=alpha
        )
        assert estimate.intercepts["b"] == pytest.approx(1.0, abs=0.1)
        assert estimate.weights["b"] == pytest.approx([0.5], abs=0.01)
        assert estimate.deviations == pytest.approx((2.0, 3.0), abs=0.02)


def test_estimate_reads_frames_in_any_column_order_and_whole_numbers():
    frame = chain().sample(50).round(0)
    shuffled = frame[["a", "b"]].astype({"a": int}).assign(other="text")
    expected = GaussianNetwork.estimate(CHAIN, frame)
    assert GaussianNetwork.estimate(CHAIN, shuffled) == expected
    dataset = Dataset.of_reals(RealTable(("a", "b"), frame[["a", "b"]].to_numpy().T))
    assert GaussianNetwork.estimate(CHAIN, dataset) == expected


def test_collinear_parents_share_their_weight():
    rng = np.random.default_rng(0)
    a = rng.normal(size=40)
    frame = pd.DataFrame({"a": a, "b": a, "c": 2 * a + rng.normal(size=40)})
    dag = Dag.from_edges("abc", [("a", "c"), ("b", "c")])
    alone = GaussianNetwork.estimate(Dag.from_edges("abc", [("a", "c")]), frame)
    both = GaussianNetwork.estimate(dag, frame)
    assert both.weights["c"] == pytest.approx([alone.weights["c"][0] / 2] * 2, rel=1e-9)
    assert both.deviations["c"] == pytest.approx(alone.deviations["c"], rel=1e-9)
    shrunk = GaussianNetwork.estimate(dag, frame, equivalent_sample_size=1.0)
    assert shrunk.weights["c"][0] == pytest.approx(shrunk.weights["c"][1], rel=1e-9)
    assert shrunk.weights["c"].sum() == pytest.approx(alone.weights["c"][0], rel=0.02)


def test_no_spread_is_said_by_maximum_likelihood_and_borne_by_the_prior():
    frame = pd.DataFrame({"a": [1.0, 2.0, 4.0], "b": [2.0, 4.0, 8.0]})
    with pytest.raises(NetworkError, match="'b' is constant or a linear function of its parents"):
        GaussianNetwork.estimate(CHAIN, frame)
    estimate = GaussianNetwork.estimate(CHAIN, frame, equivalent_sample_size=1.0)
    assert 0 < estimate.deviations["b"] < frame["b"].std()
    constant = pd.DataFrame({"a": [1.0, 1.0, 1.0], "b": [2.0, 4.0, 8.0]})
    with pytest.raises(NetworkError, match="'a' is constant"):
        GaussianNetwork.estimate(CHAIN, constant)
    estimate = GaussianNetwork.estimate(CHAIN, constant, equivalent_sample_size=1.0)
    assert estimate.weights["b"] == pytest.approx([0.0])
    assert estimate.intercepts["a"] == 1.0


def test_more_parents_than_rows():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(5, 10)), columns=list("abcdefghij"))
    dag = Dag.from_edges("abcdefghij", [(x, "j") for x in "abcdefghi"])
    with pytest.raises(NetworkError, match="'j' is constant or a linear function"):
        GaussianNetwork.estimate(dag, frame)
    estimate = GaussianNetwork.estimate(dag, frame, equivalent_sample_size=1.0)
    assert np.isfinite(estimate.log_likelihood(frame))


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"a": [1.0, 2.0]}, r"no column for the nodes \['b'\]"),
        ({"a": [1.0], "b": [2.0]}, "1 row says nothing about a spread"),
        ({"a": [1.0, 2.0], "b": ["x", "y"]}, "'b' holds other things than numbers"),
        ({"a": [1.0, 2.0], "b": [np.nan, np.inf]}, "'b' has 2 missing or infinite values of 2"),
        ({"a": [1e200, -1e200], "b": [0.0, 1.0]}, "the values of 'a' are too large to square"),
    ],
)
def test_estimate_errors(frame, message):
    with pytest.raises(NetworkError, match=message):
        GaussianNetwork.estimate(CHAIN, pd.DataFrame(frame))


def test_sums_alone_are_enough():
    frame = chain().sample(100)
    scatter = Scatter.of(frame.to_numpy().T)
    for alpha in (None, 2.0):
        from_rows = GaussianNetwork.estimate(CHAIN, frame, equivalent_sample_size=alpha)
        assert from_rows == GaussianNetwork.from_scatter(
            CHAIN, scatter, equivalent_sample_size=alpha
        )


def test_a_network_without_nodes():
    empty = GaussianNetwork(Dag.from_edges([]), [], [], [])
    assert empty.num_parameters == 0
    assert empty.to_frame().empty
    assert empty.sample(3).shape == (3, 0)
