"""Effects between real columns."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import invwishart, kstest

import pathprior as pp
from pathprior.data.door import read_dataset
from pathprior.data.scatter import Scatter
from pathprior.errors import NetworkError
from pathprior.network.draw_summary import NUM_DRAWS
from pathprior.network.regression import regress, regression_posterior
from pathprior.network.slope import SlopeDraws, draw_slope
from tests.strategies import dags


@given(dags(min_nodes=2, max_nodes=6), st.data())
def test_is_the_regression_adjusted_for_the_parents(dag, data):
    network = pp.GaussianNetwork.random(dag, seed=data.draw(st.integers(0, 99)))
    x = data.draw(st.sampled_from(dag.nodes))
    y = data.draw(st.sampled_from([v for v in dag.nodes if v != x]))
    covariance = network.covariance()
    adjusted = [dag.index(name) for name in (x, *dag.parents(x))]
    expected = 0.0
    if y not in dag.parents(x):  # a parent is not changed
        block = covariance[np.ix_(adjusted, adjusted)]
        expected = np.linalg.solve(block, covariance[adjusted, dag.index(y)])[0]
    assert network.effect(x, y) == pytest.approx(expected, abs=1e-9)


def test_two_variables_are_needed():
    network = pp.GaussianNetwork.random(pp.Dag.from_edges("ab", [("a", "b")]))
    with pytest.raises(NetworkError, match="two different variables"):
        network.effect("a", "a")


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    dag = pp.Dag.from_edges("zxy", [("z", "x"), ("z", "y"), ("x", "y")])
    frame = pp.GaussianNetwork.random(dag, seed=3).sample(40, seed=1)
    return frame * [1.0, 100.0, 0.01] + [5.0, 0.0, -3.0]


def test_weights_are_those_of_a_wishart_posterior(rows):
    alpha = 2.0
    scatter = Scatter.of(rows.to_numpy().T)
    posterior = regression_posterior(scatter, 2, [0, 1], alpha)
    mean = regress(scatter, 2, [[0], [1]], equivalent_sample_size=alpha, num_free=2)
    assert posterior.weights == pytest.approx(mean.weights)
    variance = posterior.left / (posterior.freedom - 2) * rows["y"].var(ddof=0)
    assert variance == pytest.approx(mean.variance)
    # the definition: T = t · variances, α_w = p + α + 1, of p = 3 columns
    prior = alpha**2 / (alpha + 1) * np.diag(rows.var(ddof=0))
    drawn = invwishart(40 + 3 + alpha + 1, scatter.products + prior).rvs(4000, random_state=0)
    expected = np.linalg.solve(drawn[:, :2, :2], drawn[:, :2, 2:])[..., 0]
    generator = np.random.default_rng(1)
    found = np.array([posterior.draw_weights(generator) for _ in range(4000)])
    for theirs, ours in zip(expected.T, found.T, strict=True):
        assert kstest(theirs, ours).pvalue > 0.01
    assert np.corrcoef(found.T)[0, 1] == pytest.approx(np.corrcoef(expected.T)[0, 1], abs=0.05)


def test_graphs_without_a_path_have_no_effect(rows):
    data = read_dataset(rows)
    chain = [("x", "z"), ("z", "y")]
    graphs = [pp.Dag.from_edges("zxy", edges) for edges in ([("y", "x")], chain, [])] * 50
    found = draw_slope(graphs, [SlopeDraws(data, 1.0)] * len(graphs), "x", "y", 0)
    assert found.has_path.tolist() == [False, True, False] * 50
    assert (found.draws[~found.has_path] == 0).all()
    assert (found.draws[found.has_path] != 0).all()
    assert found.probability_of_none == pytest.approx(2 / 3)
    with pytest.raises(NetworkError, match="two different variables"):
        draw_slope(graphs, [SlopeDraws(data, 1.0)] * len(graphs), "x", "x", 0)


def test_units_are_those_of_the_columns(rows):
    graphs = [pp.Dag.from_edges("zxy", [("z", "x"), ("z", "y"), ("x", "y")])] * 10
    first = draw_slope(graphs, [SlopeDraws(read_dataset(rows), 1.0)] * len(graphs), "x", "y", 0)
    scaled = rows * [1.0, 10.0, 3.0]
    second = draw_slope(graphs, [SlopeDraws(read_dataset(scaled), 1.0)] * len(graphs), "x", "y", 0)
    assert second.draws == pytest.approx(first.draws * 3 / 10)


def test_rows_in_which_a_variable_was_set_are_left_out(rows):
    data = read_dataset(rows)
    was_set = np.zeros((3, 40), bool)
    was_set[2, :20] = True
    graphs = [pp.Dag.from_edges("zxy", [("x", "y")])] * 10
    half = draw_slope(
        graphs, [SlopeDraws(replace(data, intervened=was_set), 1.0)] * len(graphs), "x", "y", 0
    )
    expected = draw_slope(
        graphs, [SlopeDraws(read_dataset(rows[20:]), 1.0)] * len(graphs), "x", "y", 0
    )
    assert half.draws == pytest.approx(expected.draws)


def test_fits_and_posteriors_draw_slopes(rows):
    fit = pp.learn(rows)
    found = fit.effect("x", "y", num_draws=4000)
    assert repr(found) == "Slope(of x on y, 4000 draws)"
    expected = fit.network().effect("x", "y")
    error = found.draws.std() / np.sqrt(4000)
    assert found.draws.mean() == pytest.approx(expected, abs=4 * error + 1e-12)
    posterior = pp.sample_posterior(rows)
    slope = posterior.effect("x", "y")
    assert len(slope.draws) == NUM_DRAWS
    chance = posterior.probability("x", "causes", "y")
    assert slope.probability_of_none == pytest.approx(1 - chance, abs=0.002)
    row = slope.table(level=0.5).iloc[0]
    inside = (slope.draws >= row["low"]) & (slope.draws <= row["high"])
    assert inside.mean() >= 0.5
    assert str(slope).splitlines()[0] == "What setting x does to y, with a 90 % interval:"
    assert "No detectable effect" in slope._repr_html_()
