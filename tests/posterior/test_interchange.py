"""The posterior in other hands."""

import networkx as nx
import pytest

import pathprior as pp


def test_networkx_has_the_probabilities(posterior, tmp_path):
    graph = posterior.to_networkx()
    dag = posterior.median_graph()
    assert list(graph.nodes) == list(dag.nodes)
    assert set(graph.edges) == set(dag.edges)
    for parent, child, edge in graph.edges(data=True):
        assert edge["probability"] == posterior.edges.at[parent, child]
        assert edge["either_way"] == posterior.adjacencies.at[parent, child]
    assert posterior.to_networkx(0.9).number_of_edges() < graph.number_of_edges()
    nx.write_gml(graph, tmp_path / "posterior.gml")
    again = nx.read_gml(tmp_path / "posterior.gml")
    assert dict(again.edges) == dict(graph.edges)


@pytest.mark.filterwarnings("ignore")
def test_dowhy_takes_it():
    dowhy = pytest.importorskip("dowhy")
    dag = pp.Dag.from_edges("zxy", [("z", "x"), ("z", "y"), ("x", "y")])
    data = pp.GaussianNetwork.random(dag, seed=3).sample(2000, seed=1)
    posterior = pp.sample_posterior(data, tiers=[["z"], ["x"], ["y"]])
    model = dowhy.CausalModel(data, "x", "y", graph=posterior.to_networkx())
    wanted = model.identify_effect(proceed_when_unidentifiable=True)
    theirs = model.estimate_effect(wanted, method_name="backdoor.linear_regression").value
    ours = posterior.effect("x", "y").draws.mean()
    assert theirs == pytest.approx(ours, abs=0.02)
