"""The networks that fits of real and mixed columns give, and their files."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli.app import app
from pathprior.report.write import write_fit
from tests.oracles.real_networks import bge_means

DAG = pp.Dag.from_edges("abcd", [("a", "c"), ("b", "c"), ("c", "d")])
TRUTH = pp.GaussianNetwork(
    DAG, [0.0, 5.0, 1.0, 2.0], [[], [], [1.0, -0.8], [0.5]], [1.0, 2.0, 1.0, 0.5]
)


@pytest.mark.parametrize(
    ("score", "alpha"), [("bge", 1.0), (pp.Bge(alpha_mu=4.0), 4.0), ("gaussian-bic", 1.0)]
)
def test_real_columns_give_posterior_means(score, alpha):
    frame = TRUTH.sample(500, seed=1)[["d", "b", "a", "c"]]
    fit = pp.learn(frame, score=score)
    network = fit.network()
    assert isinstance(network, pp.GaussianNetwork)
    assert network.dag == fit.dag
    for v, node in enumerate(network.variables):
        above = np.flatnonzero(fit.dag.adjacency[:, v]).tolist()
        intercept, weights, variance = bge_means(frame.to_numpy().T, v, above, alpha)
        assert network.intercepts[node] == pytest.approx(intercept, rel=1e-8)
        assert network.weights[node] == pytest.approx(weights, rel=1e-8)
        assert network.deviations[node] ** 2 == pytest.approx(variance, rel=1e-8)
    given = fit.network(equivalent_sample_size=7.0)
    again = pp.GaussianNetwork.estimate(fit.dag, frame, equivalent_sample_size=7.0)
    assert given.to_frame()["value"].to_numpy() == pytest.approx(
        again.to_frame()["value"].to_numpy(), rel=1e-8
    )


def test_mixed_columns_give_a_mixed_network():
    truth = pp.load_network("checkup")
    frame = truth.sample(3000, seed=1)
    fit = pp.learn(frame, required=[("glucose", "diabetes")])
    network = fit.network()
    assert isinstance(network, pp.MixedNetwork)
    assert network.states == truth.states
    fresh = truth.sample(3000, seed=2)
    assert network.log_likelihood(fresh) == pytest.approx(truth.log_likelihood(fresh), rel=0.005)
    assert network == pp.MixedNetwork.estimate(fit.dag, frame, equivalent_sample_size=1.0)


def test_mixed_score_of_states_alone_gives_tables():
    frame = pp.load_network("asia").sample(500, seed=1)
    network = pp.learn(frame, score="mixed").network()
    assert isinstance(network, pp.BayesianNetwork)
    real = pp.learn(TRUTH.sample(100), score="mixed").network()
    assert isinstance(real, pp.GaussianNetwork)


def test_a_constant_and_a_dependent_column_have_parameters_too():
    frame = TRUTH.sample(50).assign(e=1.5, f=lambda frame: frame["a"] + frame["b"])
    with pytest.warns(pp.errors.PathPriorWarning):
        fit = pp.learn(frame, score="bge")
    network = fit.network()
    assert network.intercepts["e"] == 1.5
    assert np.isfinite(network.to_frame()["value"]).all()


@pytest.mark.parametrize("kind", ["real", "mixed"])
def test_files(tmp_path, kind):
    network = TRUTH if kind == "real" else pp.load_network("checkup")
    fit = pp.learn(
        network.sample(300, seed=1), [pp.causes("a", "d", 0.9)] if kind == "real" else None
    )
    files = write_fit(fit, tmp_path, report=True)
    assert files.network == tmp_path / "network.json"
    assert pp.read_network(files.network) == fit.network()
    page = files.report.read_text(encoding="utf-8")
    assert "What the parameters are" in page
    frame = fit.network().to_frame()
    row = frame[frame["parameter"] == "weight"].iloc[0]
    assert f"</td><td>weight</td><td>{row.given}</td>" in page
    discrete = pp.learn(pp.load_network("asia").sample(300))
    discrete.report(tmp_path / "discrete.html")
    assert "What the parameters are" not in (tmp_path / "discrete.html").read_text("utf-8")


def test_the_command_writes_and_repeats_networks_of_real_columns(tmp_path):
    TRUTH.sample(300, seed=1).to_csv(tmp_path / "data.csv", index=False)
    out, again = tmp_path / "out", tmp_path / "again"
    result = CliRunner().invoke(app, ["learn", str(tmp_path / "data.csv"), "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "network.json" in result.output
    summary = json.loads((out / "summary.json").read_text())
    assert summary["resolved"]["score"] == "bge"
    result = CliRunner().invoke(
        app, ["learn", "--from", str(out / "summary.json"), "--out", str(again)]
    )
    assert "The same network as then, to the last bit." in result.output
    assert (out / "network.json").read_bytes() == (again / "network.json").read_bytes()
    result = CliRunner().invoke(
        app, ["compare", str(out / "network.json"), str(again / "network.json")]
    )
    assert result.exit_code == 0
    assert "structural Hamming distance (CPDAGs)     0" in result.output


def test_whole_numbers_can_be_real():
    frame = TRUTH.sample(200, seed=1).mul(3).round().astype(int)
    fit = pp.learn(frame, kinds=dict.fromkeys(frame.columns, "real"))
    assert fit.network().log_likelihood(frame) > pp.GaussianNetwork.estimate(
        pp.Dag.from_edges("abcd"), pd.DataFrame(frame)
    ).log_likelihood(frame)
