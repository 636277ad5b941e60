import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from pathprior.data.dataset import Dataset
from pathprior.data.table import DataTable, RealTable
from pathprior.errors import GraphError, NetworkError
from pathprior.graph.dag import Dag
from pathprior.network.conditionals import Linear, Logit, Table
from pathprior.network.gaussian import GaussianNetwork
from pathprior.network.logit import LogitConvergenceWarning
from pathprior.network.mixed import MixedNetwork
from pathprior.network.network import BayesianNetwork
from tests.oracles.real_networks import logit_loss, mixed_networks, row_log_density

DAG = Dag.from_edges(
    ["sex", "age", "bmi", "ill"],
    [("sex", "bmi"), ("age", "bmi"), ("age", "ill"), ("sex", "ill")],
)
STATES = (("f", "m"), (), (), ("no", "yes"))


def forms():
    return [
        Table(np.array([0.6, 0.4])),
        Linear(50.0, (), 10.0),
        Linear(20.0, (np.array([0.0, 1.5]), np.array(0.1)), 3.0),
        Logit(
            np.array([0.0, -5.0]),
            (np.array([[0.0, 0.0], [0.0, 0.7]]), np.array([0.0, 0.08])),
        ),
    ]


def clinic() -> MixedNetwork:
    return MixedNetwork(DAG, STATES, forms())


def as_dataset(network, frame):
    """The frame as the door would read it, unused states too."""
    coded = [name for name in network.variables if network.states[name]]
    real = [name for name in network.variables if not network.states[name]]
    codes = np.array([frame[name].cat.codes for name in coded], dtype=np.uint8)
    return Dataset(
        network.variables,
        DataTable(
            tuple(coded),
            codes.reshape(len(coded), len(frame)),
            tuple(network.states[name] for name in coded),
        ),
        RealTable(tuple(real), frame[real].to_numpy(dtype=float).T.reshape(len(real), len(frame))),
    )


def test_is_a_value():
    network = clinic()
    assert network == clinic()
    assert hash(network) == hash(clinic())
    others = forms()
    others[1] = Linear(50.0, (), 11.0)
    assert network != MixedNetwork(DAG, STATES, others)
    assert pickle.loads(pickle.dumps(network)) == network
    assert repr(network) == "MixedNetwork(4 nodes, 4 edges, 10 parameters)"
    with pytest.raises(ValueError, match="read-only"):
        network.conditionals["bmi"].weights[0][0] = 1


def test_parameters_in_words():
    rows = [tuple(row) for row in clinic().to_frame().to_numpy().tolist()]
    assert rows == [
        ("sex", "f", "probability", "", 0.6),
        ("sex", "m", "probability", "", 0.4),
        ("age", "", "intercept", "", 50.0),
        ("age", "", "deviation", "", 10.0),
        ("bmi", "", "intercept", "", 20.0),
        ("bmi", "", "weight", "sex = m", 1.5),
        ("bmi", "", "weight", "age", 0.1),
        ("bmi", "", "deviation", "", 3.0),
        ("ill", "yes", "intercept", "", -5.0),
        ("ill", "yes", "weight", "sex = m", 0.7),
        ("ill", "yes", "weight", "age", 0.08),
    ]


def test_words_do_not_depend_on_which_weights_are_zero():
    # the same distributions, with numbers added that cancel
    given = forms()
    given[2] = Linear(15.0, (np.array([5.0, 6.5]), np.array(0.1)), 3.0)
    given[3] = Logit(
        np.array([1.0, -5.0]), (np.array([[2.0, 3.0], [2.0, 3.7]]), np.array([1.0, 1.08]))
    )
    moved = MixedNetwork(DAG, STATES, given)
    frame = clinic().sample(20)
    assert moved.log_likelihood(frame) == pytest.approx(clinic().log_likelihood(frame), rel=1e-12)
    words, expected = moved.to_frame(), clinic().to_frame()
    assert words.drop(columns="value").equals(expected.drop(columns="value"))
    assert words["value"].to_numpy() == pytest.approx(expected["value"].to_numpy(), abs=1e-12)


@pytest.mark.parametrize(
    ("place", "form", "message"),
    [
        (0, Linear(0.0, (), 1.0), "'sex' cannot be a Linear: .* need a Table"),
        (1, Table(np.array([1.0])), "'age' cannot be a Table: .* need a Linear"),
        (3, Table(np.full((2, 2), 0.5)), "'ill' cannot be a Table: .* need a Logit"),
        (0, Table(np.array([0.5, 0.6])), r"the table of 'sex' has the row \[0.5, 0.6\]"),
        (0, Logit(np.zeros(2), ()), "'sex' has no parents: give it a table"),
        (2, Linear(0.0, (np.zeros(2),), 1.0), r"'bmi' has the parents \['sex', 'age'\]"),
        (2, Linear(0.0, (np.zeros(3), np.zeros(())), 1.0), r"have shape \(3,\), not \(2,\)"),
        (2, Linear(0.0, (np.zeros(2), np.zeros(())), -1.0), "'bmi' must be above zero"),
        (3, Logit(np.zeros(3), ()), "the logit of 'ill' needs 2 finite intercepts"),
    ],
)
def test_errors_name_the_node(place, form, message):
    given = forms()
    given[place] = form
    with pytest.raises(NetworkError, match=message):
        MixedNetwork(DAG, STATES, given)


def test_errors_count():
    with pytest.raises(NetworkError, match="4 nodes need as many conditionals, not 3"):
        MixedNetwork(DAG, STATES, forms()[:3])
    with pytest.raises(NetworkError, match="4 nodes need as many lists of states, not 3"):
        MixedNetwork(DAG, STATES[:3], forms())
    with pytest.raises(NetworkError, match="node 'sex' has the state 'f' twice"):
        MixedNetwork(DAG, (("f", "f"), *STATES[1:]), forms())


# -- the distribution ----------------------------------------------------------------------------


@given(mixed_networks(), st.integers(0, 100))
def test_log_likelihood_equals_the_oracle(network, seed):
    frame = network.sample(5, seed=seed)
    expected = [row_log_density(network, row) for row in frame.to_dict("records")]
    assert network.log_likelihood(frame, per_row=True) == pytest.approx(expected, rel=1e-9)
    assert network.log_likelihood(as_dataset(network, frame)) == pytest.approx(sum(expected))


def test_far_rows_have_a_finite_log_likelihood():
    frame = clinic().sample(1).assign(age=-1e6, ill="yes")
    assert np.isfinite(clinic().log_likelihood(frame))


def test_a_gaussian_network_is_the_same_as_a_mixed_one():
    dag = Dag.from_edges("abc", [("a", "b"), ("b", "c"), ("a", "c")])
    gaussian = GaussianNetwork.random(dag, seed=1)
    mixed = MixedNetwork(dag, ((), (), ()), gaussian.conditionals)
    frame = gaussian.sample(100)
    assert mixed.sample(100).equals(frame)
    assert mixed.log_likelihood(frame) == gaussian.log_likelihood(frame)
    for alpha in (None, 1.0):
        a, b = (
            network.estimate(dag, as_dataset(mixed, frame), equivalent_sample_size=alpha).to_frame()
            for network in (GaussianNetwork, MixedNetwork)
        )
        assert a["value"].to_numpy() == pytest.approx(b["value"].to_numpy(), rel=1e-9)


def test_a_discrete_network_is_the_same_as_a_mixed_one():
    dag = Dag.from_edges("abc", [("a", "b"), ("b", "c"), ("a", "c")])
    discrete = BayesianNetwork.random(dag, 3, seed=1)
    mixed = MixedNetwork(dag, discrete.states, discrete.conditionals)
    frame = discrete.sample(200)
    assert mixed.sample(200).equals(frame)
    assert mixed.log_likelihood(frame) == discrete.log_likelihood(frame)
    for alpha in (None, 1.0):
        a, b = (
            network.estimate(dag, discrete.sample_table(200), equivalent_sample_size=alpha)
            for network in (BayesianNetwork, MixedNetwork)
        )
        assert a.to_frame().equals(b.to_frame())


def test_samples_follow_the_conditionals():
    frame = clinic().sample(200_000, seed=1)
    assert (frame["sex"] == "m").mean() == pytest.approx(0.4, abs=0.01)
    men = frame[frame["sex"] == "m"]
    residual = men["bmi"] - 21.5 - 0.1 * men["age"]
    assert residual.mean() == pytest.approx(0.0, abs=0.05)
    assert residual.std() == pytest.approx(3.0, abs=0.05)
    near = men[(men["age"] - 60).abs() < 1]
    chance = 1 / (1 + np.exp(5 - 0.7 - 0.08 * 60))
    assert (near["ill"] == "yes").mean() == pytest.approx(chance, abs=0.02)


def test_sample_is_a_function_of_the_seed_and_extends():
    long, short = clinic().sample(70_000, seed=3), clinic().sample(66_000, seed=3)
    assert long.head(66_000).equals(short)
    assert not short.equals(clinic().sample(66_000, seed=4))


def test_random_says_which_nodes_it_does_not_know():
    with pytest.raises(GraphError, match="unknown node 'sx'"):
        MixedNetwork.random(DAG, {"sx": 2})


# -- estimates -----------------------------------------------------------------------------------


def test_regression_equals_least_squares_with_dummies():
    dag = Dag.from_edges("uvxy", [("u", "y"), ("v", "y"), ("x", "y")])
    network = MixedNetwork.random(dag, {"u": 3, "v": 2}, shape=3.0, seed=2)
    frame = network.sample(200)
    found = MixedNetwork.estimate(dag, as_dataset(network, frame)).conditionals["y"]
    design = np.column_stack(
        [np.ones(200), *(frame["u"] == k for k in "12"), frame["v"] == "1", frame["x"]]
    ).astype(float)
    expected, residues, *_ = np.linalg.lstsq(design, frame["y"].to_numpy(), rcond=None)
    weights = [found.intercept, *found.weights[0][1:], found.weights[1][1], found.weights[2]]
    assert weights == pytest.approx(expected, rel=1e-9)
    assert found.weights[0][0] == found.weights[1][0] == 0.0
    assert found.deviation == pytest.approx(np.sqrt(residues[0] / 200), rel=1e-9)


@pytest.mark.parametrize("alpha", [0.5, 1.0, None])
def test_logit_equals_the_oracle(alpha):
    dag = Dag.from_edges("uxy", [("u", "y"), ("x", "y")])
    network = MixedNetwork.random(dag, {"u": 2, "y": 3}, shape=3.0, seed=2)
    frame = network.sample(60, seed=5)
    estimate = MixedNetwork.estimate(dag, as_dataset(network, frame), equivalent_sample_size=alpha)
    codes = frame["y"].cat.codes.to_numpy(dtype=np.int64)
    columns = [(frame["u"] == "0").astype(float), (frame["u"] == "1").astype(float)]
    design = np.column_stack(
        [
            np.ones(60),
            *(c - c.mean() for c in columns),
            (frame["x"] - frame["x"].mean()) / frame["x"].std(ddof=0),
        ]
    )
    prior = 1e-3 if alpha is None else alpha

    def loss(flat):
        return logit_loss(flat.reshape(4, 3), codes, design, prior)

    best = minimize(loss, np.zeros(12), method="BFGS", options={"gtol": 1e-6})
    odds = design @ best.x.reshape(4, 3)
    expected = np.exp(odds) / np.exp(odds).sum(axis=1, keepdims=True)
    parents = [frame["u"].cat.codes.to_numpy(dtype=np.int64), frame["x"].to_numpy()]
    assert estimate.conditionals["y"].probabilities(parents) == pytest.approx(expected, abs=1e-4)


def test_a_parent_that_tells_states_apart_without_fail():
    dag = Dag.from_edges("xy", [("x", "y")])
    data = Dataset(
        ("x", "y"),
        DataTable(("y",), np.array([[0, 0, 1, 1]], np.uint8), (("no", "yes"),)),
        RealTable(("x",), np.array([[1.0, 2.0, 8.0, 9.0]])),
    )
    for alpha in (None, 1.0):
        found = MixedNetwork.estimate(dag, data, equivalent_sample_size=alpha).conditionals["y"]
        chances = found.probabilities([np.array([1.0, 9.0])])
        assert chances[0, 0] > 0.7
        assert chances[1, 1] > 0.7
        assert np.isfinite(found.weights[0]).all()


def test_gradients_alone_find_the_same_logit(monkeypatch):
    dag = Dag.from_edges("uxy", [("u", "y"), ("x", "y")])
    network = MixedNetwork.random(dag, {"u": 2, "y": 3}, shape=3.0, seed=2)
    frame = network.sample(500, seed=5)
    data = as_dataset(network, frame)
    by_newton = MixedNetwork.estimate(dag, data, equivalent_sample_size=1.0)
    monkeypatch.setattr("pathprior.network.logit.MAX_NEWTON", 0)
    by_gradients = MixedNetwork.estimate(dag, data, equivalent_sample_size=1.0)
    assert by_gradients.to_frame()["value"].to_numpy() == pytest.approx(
        by_newton.to_frame()["value"].to_numpy(), abs=1e-3
    )


@pytest.mark.parametrize("limit", ["MAX_STEPS", "MAX_GRADIENTS"])
def test_a_logit_that_has_not_settled_says_so(monkeypatch, limit):
    dag = Dag.from_edges("xy", [("x", "y")])
    network = MixedNetwork.random(dag, {"y": 3}, seed=2)
    data = as_dataset(network, network.sample(100, seed=5))
    if limit == "MAX_GRADIENTS":
        monkeypatch.setattr("pathprior.network.logit.MAX_NEWTON", 0)
    settled = MixedNetwork.estimate(dag, data)
    monkeypatch.setattr(f"pathprior.network.logit.{limit}", 2)
    with pytest.warns(LogitConvergenceWarning, match="logit of 'y' has not settled in 2 steps"):
        cut = MixedNetwork.estimate(dag, data)
    assert cut.conditionals["y"].weights[0] != pytest.approx(
        settled.conditionals["y"].weights[0], rel=1e-3
    )


def test_very_many_states():
    dag = Dag.from_edges("uxy", [("u", "y"), ("x", "y"), ("u", "x")])
    network = MixedNetwork.random(dag, {"u": 60, "y": 8}, seed=2)
    frame = network.sample(400, seed=5)
    estimate = MixedNetwork.estimate(dag, as_dataset(network, frame), equivalent_sample_size=1.0)
    assert np.isfinite(estimate.to_frame()["value"]).all()
    assert estimate.num_parameters == 59 + (2 + 59) + 7 * (1 + 59 + 1)


@given(mixed_networks(max_nodes=4), st.sampled_from([None, 1.0]), st.integers(0, 100))
def test_no_state_is_special(network, alpha, seed):
    """Another order of the states gives the same distribution."""
    frame = network.sample(40, seed=seed)
    for name in network.variables:
        if not network.states[name]:
            frame[name] += 0.1 * np.random.default_rng(seed).normal(size=40)
    turned = frame.copy()
    for name in network.variables:
        if network.states[name]:
            turned[name] = frame[name].cat.reorder_categories(network.states[name][::-1])
    states = tuple(states[::-1] for states in network.states)
    plain = MixedNetwork.estimate(
        network.dag, as_dataset(network, frame), equivalent_sample_size=alpha
    )
    mirror = MixedNetwork(network.dag, states, _mirrored(network, states))
    other = MixedNetwork.estimate(
        network.dag, as_dataset(mirror, turned), equivalent_sample_size=alpha
    )
    assert other.states == states
    assert other.log_likelihood(frame) == pytest.approx(plain.log_likelihood(frame), rel=1e-6)


def _mirrored(network, states):
    """Any distributions of the right shapes."""
    sizes = {n: len(s) for n, s in zip(network.variables, states, strict=True) if s}
    return MixedNetwork.random(network.dag, sizes).conditionals


def test_estimates_converge_to_the_truth():
    frame = clinic().sample(100_000, seed=1)
    for alpha in (None, 1.0):
        estimate = MixedNetwork.estimate(
            DAG, as_dataset(clinic(), frame), equivalent_sample_size=alpha
        )
        found, truth = estimate.to_frame()["value"], clinic().to_frame()["value"]
        assert found.to_numpy() == pytest.approx(truth.to_numpy(), rel=0.05, abs=0.05)


def test_states_never_seen_change_nothing():
    dag = Dag.from_edges("uy", [("u", "y")])
    y = np.array([[1.0, 2.0, 4.0, 3.0]])

    def fit(states):
        codes = DataTable(("u",), np.array([[0, 0, 1, 1]], np.uint8), (states,))
        data = Dataset(("u", "y"), codes, RealTable(("y",), y))
        return MixedNetwork.estimate(dag, data, equivalent_sample_size=1.0).conditionals["y"]

    two, three = fit(("a", "b")), fit(("a", "b", "c"))
    assert three.weights[0][:2] == pytest.approx(two.weights[0], rel=1e-9)
    assert three.intercept == pytest.approx(two.intercept, rel=1e-9)
    # a state that nobody had is expected to be like all rows
    assert three.intercept + three.weights[0][2] == pytest.approx(y.mean())


def test_estimate_errors():
    data = as_dataset(clinic(), clinic().sample(1))
    with pytest.raises(NetworkError, match="one row says nothing about a spread"):
        MixedNetwork.estimate(DAG, data)
    with pytest.raises(NetworkError, match=r"no column for the nodes \['x'\]"):
        MixedNetwork.estimate(Dag.from_edges("x"), data)
    with pytest.raises(NetworkError, match="equivalent_sample_size must be a positive"):
        MixedNetwork.estimate(DAG, data, equivalent_sample_size=0)
    huge = clinic().sample(4).assign(bmi=[1e200, -1e200, 0.5, 1.0])
    with pytest.raises(NetworkError, match="the values of 'bmi' are too large to square"):
        MixedNetwork.estimate(DAG, as_dataset(clinic(), huge))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sex": "x"}, r"'sex' has the state 'x', which the network lacks; it has \['f', 'm'\]"),
        ({"sex": None}, "column 'sex' misses 3 of 3 values"),
        ({"age": "old"}, "column 'age' holds other things than numbers"),
        ({"age": np.nan}, "column 'age' has 3 missing or infinite values of 3"),
    ],
)
def test_log_likelihood_errors(changes, message):
    frame = clinic().sample(3).assign(**changes)
    with pytest.raises(NetworkError, match=message):
        clinic().log_likelihood(frame)


def test_log_likelihood_refuses_other_kinds():
    data = as_dataset(clinic(), clinic().sample(3))
    other = MixedNetwork.random(Dag.from_edges(["age"]), {"age": 2})
    with pytest.raises(NetworkError, match="'age' holds real numbers, and the network has states"):
        other.log_likelihood(data)
    other = MixedNetwork.random(Dag.from_edges(["ill"]), {})
    with pytest.raises(NetworkError, match="'ill' holds states, and the network has real numbers"):
        other.log_likelihood(data)
