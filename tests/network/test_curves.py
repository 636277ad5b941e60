"""Networks of bent functions: fitted, drawn from, asked for effects, and kept."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kstest

import pathprior as pp
from pathprior.errors import NetworkError
from pathprior.network.curves import AdditiveNetwork, Curve, Curved

DAG = pp.Dag.from_edges("abc", [("a", "b"), ("a", "c"), ("b", "c")])


def bent(num_rows: int, seed: int = 1) -> pd.DataFrame:
    """b = a² and skewed noise; c follows both, with a spread that grows with a."""
    draw = np.random.default_rng(seed)
    a = draw.normal(size=num_rows)
    b = a**2 + 0.3 * draw.exponential(size=num_rows)
    c = np.tanh(b) + 0.4 * a + 0.2 * draw.normal(size=num_rows) * np.exp(0.4 * a)
    return pd.DataFrame({"a": a, "b": b, "c": c})


def fitted(frame: pd.DataFrame, score: str) -> AdditiveNetwork:
    fit = pp.learn(frame, score=score, required=DAG.edges)
    network = fit.network()
    assert isinstance(network, AdditiveNetwork)
    return network


@pytest.mark.parametrize("score", ["additive", "additive-ranks"])
def test_samples_have_the_distribution_of_the_data(score: str) -> None:
    sample = fitted(bent(1000), score).sample(2000, seed=3)
    fresh = bent(2000, seed=2)
    for name in "abc":
        assert kstest(sample[name], fresh[name]).statistic < 0.08
    for x, y in (("a", "c"), ("b", "c")):
        assert sample[x].corr(sample[y]) == pytest.approx(fresh[x].corr(fresh[y]), abs=0.08)
    spreads = [frame["c"][frame["a"] > 1].std() for frame in (sample, fresh)]
    assert spreads[0] == pytest.approx(spreads[1], rel=0.25)


def test_fresh_rows_are_more_probable_than_by_lines() -> None:
    frame, fresh = bent(600), bent(600, seed=2)
    curves = fitted(frame, "additive").log_likelihood(fresh)
    lines = pp.learn(frame, score="bge", required=DAG.edges).network().log_likelihood(fresh)
    assert curves > lines + 300


@pytest.mark.parametrize("score", ["additive", "additive-ranks", "ranks"])
def test_densities_integrate_to_one(score: str) -> None:
    form = fitted(bent(300), score).conditionals["c"]
    for a, b in ((0.0, 0.5), (1.5, 2.0)):
        parents = [np.array([a]), np.array([b])]
        grid = np.linspace(-12, 12, 100_001)
        given = [np.full_like(grid, column[0]) for column in parents]
        total = np.exp(form.log_density(grid, given)).sum() * (grid[1] - grid[0])
        assert total == pytest.approx(1.0, abs=0.02)


def test_the_curve_of_an_effect_follows_the_truth() -> None:
    fit = pp.learn(bent(1500), score="additive", required=DAG.edges)
    table = fit.effect("a", "b", num_draws=100).table()
    truth = table["set_to"] ** 2 + 0.3
    assert table["mean"].to_numpy() == pytest.approx(truth.to_numpy(), abs=0.2)
    assert (table["high"] - table["low"]).max() < 0.3
    total = fit.effect("a", "c", num_draws=100).table()
    expected = [np.mean(np.tanh(a**2 + 0.3 * NOISE)) + 0.4 * a for a in total["set_to"]]
    assert total["mean"].to_numpy() == pytest.approx(np.array(expected), abs=0.15)
    none = fit.effect("c", "a", num_draws=20)
    assert (none.differences()[["mean", "low", "high"]] == 0).all(axis=None)


NOISE = np.random.default_rng(0).exponential(size=20_000)


def test_it_is_saved_and_read_back(tmp_path) -> None:
    for score in ("additive", "additive-ranks"):
        network = fitted(bent(200), score)
        network.save(tmp_path / "network.json")
        assert pp.read_network(tmp_path / "network.json") == network
    with pytest.raises(NetworkError, match="is a sum of curves, which bnlearn does not know"):
        pp.write_bnlearn(network, tmp_path / "network.R")


def test_a_curve_is_straight_between_its_knots_and_beyond() -> None:
    curve = Curve(np.array([0.0, 1.0, 3.0]), np.array([1.0, 2.0, 8.0]), 0.5)
    x = np.array([-2.0, 0.5, 2.0, 5.0])
    assert curve(x) == pytest.approx([0.0, 1.5, 5.0, 9.0])
    assert curve.inverse()(curve(x)) == pytest.approx(x)
    assert curve.steepness(x) == pytest.approx([0.5, 1.0, 3.0, 0.5])


def test_what_is_wrong_with_a_network_is_said() -> None:
    form = Curved(0.0, (), (), np.array([0.0]), 1.0)
    with pytest.raises(NetworkError, match="3 nodes need as many conditionals, not 1"):
        AdditiveNetwork(DAG, [form])
    with pytest.raises(NetworkError, match="'b' needs a curve for each of its 1 parents"):
        AdditiveNetwork(DAG, [form] * 3)
    with pytest.raises(NetworkError, match="the noise of 'a' must be finite"):
        AdditiveNetwork(DAG, [Curved(0.0, (), (), np.array([0.0]), 0.0)] * 3)
