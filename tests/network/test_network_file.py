import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pathprior as pp
from pathprior.errors import NetworkError
from pathprior.network.model import format_network
from tests.oracles.network import networks
from tests.oracles.real_networks import gaussian_networks, mixed_networks


@given(st.one_of(networks(), gaussian_networks(), mixed_networks(plain_names=False)))
def test_reads_back_equal(tmp_path_factory, network):
    path = tmp_path_factory.mktemp("saved") / "network.json"
    network.save(path)
    again = pp.read_network(path)
    assert again.dag == network.dag
    assert again.states == network.states
    assert tuple(again.conditionals) == tuple(network.conditionals)
    assert format_network(again) == format_network(network)


@pytest.mark.parametrize("kind", [pp.BayesianNetwork, pp.GaussianNetwork, pp.MixedNetwork])
def test_the_kinds_of_columns_decide_the_class(tmp_path, kind):
    dag = pp.Dag.from_edges("ab", [("a", "b")])
    network = {
        pp.BayesianNetwork: lambda: pp.BayesianNetwork.random(dag, 2),
        pp.GaussianNetwork: lambda: pp.GaussianNetwork.random(dag),
        pp.MixedNetwork: lambda: pp.MixedNetwork.random(dag, {"b": 2}),
    }[kind]()
    network.save(tmp_path / "network.json")
    again = pp.read_network(tmp_path / "network.json")
    assert type(again) is kind
    assert again == network


def test_reads_bif_too(tmp_path):
    asia = pp.load_network("asia")
    pp.write_bif(asia, tmp_path / "asia.bif.gz")
    assert pp.read_network(tmp_path / "asia.bif.gz") == asia


def test_is_whole_or_not_there(tmp_path, monkeypatch):
    network = pp.GaussianNetwork.random(pp.Dag.from_edges("ab", [("a", "b")]))
    network.save(tmp_path / "network.json")
    before = (tmp_path / "network.json").read_bytes()

    def fail(_):
        raise OSError("disk full")

    monkeypatch.setattr("pathprior.network.model.format_network", fail)
    with pytest.raises(NetworkError, match="cannot write"):
        network.save(tmp_path / "network.json")
    assert (tmp_path / "network.json").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["network.json"]


NODE = {
    "name": "a",
    "parents": [],
    "states": [],
    "kind": "linear",
    "intercept": 0.0,
    "weights": [],
    "deviation": 1.0,
}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not a saved network, or damaged"),
        ("[" * 100_000, "not a saved network, or damaged"),
        ("[]", "not a saved network; make one with"),
        ({"version": 1}, "not a saved network; make one with"),
        ({"format": "pathprior.network", "version": 2}, "version 2 is not 1"),
        ({"format": "pathprior.network", "version": 1}, "damaged: 'nodes' is missing"),
        ([{**NODE, "kind": "cubic"}], "damaged: 'a' is of the unknown kind 'cubic'"),
        ([{**NODE, "deviation": 0}], "damaged: the deviation of 'a' must be above zero"),
        ([{**NODE, "deviation": None}], "damaged: the deviation of 'a' must be a number"),
        ([{**NODE, "weights": [1.0]}], r"damaged: 'a' has the parents \[\]"),
        ([{**NODE, "parents": ["b"]}], "damaged: unknown node 'b'"),
        ([{**NODE, "parents": 3}], "damaged: 'int' object"),
        ([{**NODE, "states": ["x"]}], "damaged: 'a' cannot be a Linear"),
        ([NODE, NODE], "damaged: duplicate node 'a'"),
        ([3], "damaged: 'int' object"),
        (7, "damaged: 'int' object"),
    ],
)
def test_damaged_files_are_an_error(tmp_path, content, message):
    if isinstance(content, list | int):
        content = {"format": "pathprior.network", "version": 1, "nodes": content}
    path = tmp_path / "network.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(NetworkError, match=message):
        pp.read_network(path)


def test_parents_in_another_order_are_an_error(tmp_path):
    dag = pp.Dag.from_edges("abc", [("a", "c"), ("b", "c")])
    pp.GaussianNetwork.random(dag).save(tmp_path / "network.json")
    content = json.loads((tmp_path / "network.json").read_text())
    content["nodes"][2]["parents"].reverse()
    (tmp_path / "network.json").write_text(json.dumps(content))
    with pytest.raises(NetworkError, match="the parents of 'c' are not in the order of the nodes"):
        pp.read_network(tmp_path / "network.json")


def test_no_file_is_an_error(tmp_path):
    with pytest.raises(NetworkError, match=r"cannot read .*: No such file"):
        pp.read_network(tmp_path / "none.json")


def test_the_same_network_has_the_same_bytes(tmp_path):
    network = pp.MixedNetwork.random(pp.Dag.from_edges("ab", [("a", "b")]), {"a": 2})
    for name in ("one.json", "two.json"):
        network.save(tmp_path / name)
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_a_notebook_shows_graph_and_parameters():
    small = pp.MixedNetwork.random(pp.Dag.from_edges("ab", [("a", "b")]), {"a": 2})
    html = small._repr_html_()
    assert "<svg" in html
    assert "a = 1" in html
    assert "parameters; to_frame" not in html
    html = pp.load_network("alarm")._repr_html_()
    assert "The first 100 of 752 parameters; to_frame gives all." in html
    assert np.char.count(html, "<tr") < 110
