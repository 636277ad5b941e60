from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathprior as pp
from pathprior.data.dataset import Dataset
from pathprior.data.door import read_dataset
from pathprior.errors import NetworkError, PosteriorError
from pathprior.graph.dag import Dag
from pathprior.network.bif import write_bif
from pathprior.network.bundled import load_network
from pathprior.network.effect import draw_effect
from pathprior.network.marginal import effect_table
from pathprior.network.parameters import TableDraws
from pathprior.report.effect_data import effect_data
from pathprior.score.bdeu import Bdeu
from tests.oracles.effect import effect
from tests.oracles.network import networks


@given(networks().filter(lambda network: network.dag.num_nodes > 1), st.data())
def test_is_the_joint_without_the_factor_of_x(network, data):
    num_nodes = network.dag.num_nodes
    x = data.draw(st.integers(0, num_nodes - 1))
    y = data.draw(st.sampled_from([v for v in range(num_nodes) if v != x]))
    found = effect_table(network.dag, list(network.tables), x, y)
    assert found == pytest.approx(effect(network, x, y), abs=1e-12)


@pytest.mark.parametrize("name", ["asia", pytest.param("alarm", marks=pytest.mark.slow)])
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
    for _ in range(3):
        x, y = generator.choice(len(nodes), 2, replace=False).tolist()
        _, potential, _ = causal.causalImpact(model, on={nodes[y]}, doing={nodes[x]})
        ours = effect_table(network.dag, list(network.tables), x, y)
        if nodes[x] in potential.names:
            potential = potential.reorganize([nodes[y], nodes[x]])
            assert potential.toarray() == pytest.approx(ours, abs=1e-9)
        else:
            for row in ours:
                assert potential.toarray() == pytest.approx(row, abs=1e-9)


@pytest.mark.parametrize("name", ["asia", "child"])
def test_equals_pgmpy(name, tmp_path):
    models = pytest.importorskip("pgmpy.readwrite")
    inference = pytest.importorskip("pgmpy.inference")
    network = load_network(name)
    nodes = network.dag.nodes
    write_bif(network, tmp_path / "network.bif")
    theirs = models.BIFReader(str(tmp_path / "network.bif")).get_model()
    generator = np.random.default_rng(0)
    for _ in range(3):
        x, y = generator.choice(len(nodes), 2, replace=False).tolist()
        ours = effect_table(network.dag, list(network.tables), x, y)
        engine = inference.VariableElimination(theirs.do([nodes[x]]))
        for i, state in enumerate(network.states[x]):
            found = engine.query([nodes[y]], {nodes[x]: state}, show_progress=False)
            order = [found.state_names[nodes[y]].index(name) for name in network.states[y]]
            assert found.values[order] == pytest.approx(ours[i], abs=1e-9)


NODES = ("x", "y", "z")
COUNTS = np.array([[30, 10], [5, 15]])


def data() -> Dataset:
    x, y = np.repeat([["a", "c"], ["a", "d"], ["b", "c"], ["b", "d"]], COUNTS.ravel(), axis=0).T
    z = pd.Categorical(["e"] * len(x), categories=["e", "f"])
    return read_dataset(pd.DataFrame({"x": x, "y": y, "z": z}))


def test_draws_are_beta_distributed():
    graphs = [Dag.from_edges(NODES, [("x", "y")])] * 4000
    found = draw_effect(graphs, [TableDraws(data(), 4.0)] * len(graphs), "x", "y", 1)
    posterior = COUNTS + 4.0 / 4
    mean = posterior / posterior.sum(axis=1, keepdims=True)
    variance = mean * (1 - mean) / (posterior.sum(axis=1, keepdims=True) + 1)
    error = np.sqrt(variance / 4000)
    assert (np.abs(found.draws.mean(axis=0) - mean) < 4 * error).all()
    assert found.draws.var(axis=0) == pytest.approx(variance, rel=0.1)
    assert found.probability_of_none == 0


def test_graphs_without_a_path_have_no_effect():
    paths = [[("x", "y")], [("y", "x")], [("x", "z"), ("z", "y")], []]
    graphs = [Dag.from_edges(NODES, edges) for edges in paths]
    found = draw_effect(graphs, [TableDraws(data(), 1.0)] * len(graphs), "x", "y", 1)
    assert found.has_path.tolist() == [True, False, True, False]
    assert found.probability_of_none == 0.5
    assert (found.draws[[1, 3], 0] == found.draws[[1, 3], 1]).all()
    differences = found.differences()
    assert list(differences["set_to"]) == ["b", "b"]
    assert differences["mean"].sum() == pytest.approx(0)
    assert found.table().groupby("set_to")["mean"].sum().tolist() == pytest.approx([1, 1])


def test_an_interval_holds_its_share():
    graphs = [Dag.from_edges(NODES, [("x", "y")])] * 1000
    found = draw_effect(graphs, [TableDraws(data(), 1.0)] * len(graphs), "x", "y", 1)
    row = found.table(level=0.5).iloc[0]
    assert np.mean(
        (found.draws[:, 0, 0] >= row["low"]) & (found.draws[:, 0, 0] <= row["high"])
    ) == (pytest.approx(0.5, abs=0.01))
    with pytest.raises(NetworkError, match="level must be between 0 and 1"):
        found.table(level=90)


def test_needs_two_variables():
    graphs = [Dag.from_edges(NODES, [])]
    with pytest.raises(NetworkError, match="two different variables"):
        draw_effect(graphs, [TableDraws(data(), 1.0)] * len(graphs), "x", "x", 1)


def test_rows_in_which_a_variable_was_set_say_nothing_about_its_table():
    plain = data()
    was_set = np.zeros((3, plain.num_rows), bool)
    was_set[1, :40] = True  # all with x = a
    graphs = [Dag.from_edges(NODES, [("x", "y")])] * 2000
    tables = [TableDraws(replace(plain, intervened=was_set), 4.0)] * len(graphs)
    found = draw_effect(graphs, tables, "x", "y", 1)
    assert found.draws[:, 0, 0].mean() == pytest.approx(0.5, abs=0.03)
    assert found.draws[:, 1, 0].mean() == pytest.approx(6 / 22, abs=0.01)


def test_a_network_says_what_setting_does():
    network = load_network("asia")
    found = network.effect("smoke", "dysp")
    assert found.loc["yes", "yes"] > found.loc["no", "yes"]
    assert found.sum(axis=1).tolist() == pytest.approx([1, 1])
    assert network.effect("dysp", "smoke").iloc[0].tolist() == pytest.approx([0.5, 0.5])
    with pytest.raises(NetworkError, match="two different"):
        network.effect("smoke", "smoke")


def test_fits_and_posteriors_draw_effects(tmp_path):
    rows = load_network("asia").sample(500, seed=0)[["smoke", "lung", "bronc"]]
    prior = [pp.causes("smoke", "lung", 0.9)]
    posterior = pp.sample_posterior(rows, prior)
    found = posterior.effect("smoke", "lung")
    chance = posterior.probability("smoke", "causes", "lung")
    assert found.probability_of_none == pytest.approx(1 - chance, abs=0.002)
    again = posterior.effect("smoke", "lung")
    np.testing.assert_array_equal(found.draws, again.draws)
    fit = pp.learn(rows, prior)
    expected = fit.network().effect("smoke", "lung")
    drawn = fit.effect("smoke", "lung", num_draws=4000)
    assert drawn.draws.mean(axis=0) == pytest.approx(expected.to_numpy(), abs=0.005)
    posterior.save(tmp_path / "posterior.npz")
    loaded = pp.load_posterior(tmp_path / "posterior.npz")
    with pytest.raises(PosteriorError, match="pass data="):
        loaded.effect("smoke", "lung")
    with_data = loaded.effect("smoke", "lung", data=rows)
    np.testing.assert_array_equal(with_data.draws, found.draws)
    with pytest.raises(NetworkError, match="num_draws"):
        fit.effect("smoke", "lung", num_draws=0)
    text = str(found)
    assert text.splitlines()[0] == "What setting smoke does to lung, with 90 % intervals:"
    assert "no instead of yes" in text
    assert "No detectable effect" in found._repr_html_()


def test_effects_of_posteriors_are_drawn_with_the_sample_size_that_was_asked_for(tmp_path):
    rows = load_network("asia").sample(60, seed=0)[["smoke", "lung", "bronc"]]

    def means(found):
        return found.draws.mean(axis=0)

    fit = pp.learn(rows, score="bdeu", equivalent_sample_size=200)
    posterior = fit.posterior()
    asked = means(posterior.effect("smoke", "lung", equivalent_sample_size=200))
    usual = means(posterior.effect("smoke", "lung", equivalent_sample_size=2))
    assert np.abs(asked - usual).max() > 0.2
    direct = pp.sample_posterior(rows, score="bdeu", equivalent_sample_size=200)
    by_object = pp.sample_posterior(rows, score=Bdeu(200))
    posterior.save(tmp_path / "posterior.npz")
    loaded = pp.load_posterior(tmp_path / "posterior.npz")
    for found in (posterior, direct, by_object):
        np.testing.assert_array_equal(means(found.effect("smoke", "lung")), asked)
    np.testing.assert_array_equal(means(loaded.effect("smoke", "lung", data=rows)), asked)
    shown = effect_data(posterior, posterior.variables, [("smoke", "lung")])["pairs"][0]
    share = shown["groups"][0]["rows"][0]["mean"]
    assert share == pytest.approx(asked[0, -1], abs=0.05)


def test_a_score_object_brings_its_sample_size():
    rows = load_network("asia").sample(60, seed=0)[["smoke", "lung", "bronc"]]
    by_name = pp.learn(rows, score="bdeu", equivalent_sample_size=200)
    by_object = pp.learn(rows, score=Bdeu(200))
    assert by_object.problem.prior_rows == by_name.problem.prior_rows == 200
    pd.testing.assert_frame_equal(by_object.network().to_frame(), by_name.network().to_frame())
