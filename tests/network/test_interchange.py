"""BIF and XMLBIF files in other hands: each library must read back the same tables and names."""

from itertools import product

import numpy as np
import pytest

import pathprior as pp
from pathprior.errors import NetworkError

# their imports and parsers warn about themselves
pytestmark = pytest.mark.filterwarnings("ignore")


def make_network():
    """Names and states of the kinds that data files have: numbers, dashes, dots, three states."""
    names = ["blood-pressure", "x.1", "smokes_now", "7up"]
    dag = pp.Dag.from_edges(
        names, [("x.1", "blood-pressure"), ("smokes_now", "blood-pressure"), ("x.1", "7up")]
    )
    states = (("low", "high"), ("0", "1", "10"), ("True", "False"), ("-1", "1"))
    size = dict(zip(names, map(len, states), strict=True))
    draw = np.random.default_rng(0)
    tables = tuple(
        draw.dirichlet(np.ones(size[name]), size=tuple(size[p] for p in dag.parents(name)))
        for name in names
    )
    return pp.BayesianNetwork(dag, states, tables)


@pytest.fixture(params=["own", "alarm"])
def network(request):
    return make_network() if request.param == "own" else pp.load_network("alarm")


def rows(network):
    """Each row of each table: (node, values of its parents by name, distribution by state)."""
    state_of = dict(zip(network.dag.nodes, network.states, strict=True))
    for node, table in zip(network.dag.nodes, network.tables, strict=True):
        parents = network.dag.parents(node)
        for values in product(*(range(len(state_of[p])) for p in parents)):
            given = {p: state_of[p][k] for p, k in zip(parents, values, strict=True)}
            yield node, given, dict(zip(state_of[node], table[values].tolist(), strict=True))


def test_pgmpy_reads_the_same_tables(network, tmp_path):
    from pgmpy import readwrite

    pp.write_bif(network, tmp_path / "network.bif")
    model = readwrite.BIFReader(str(tmp_path / "network.bif")).get_model()
    assert set(model.nodes()) == set(network.dag.nodes)
    assert set(model.edges()) == set(network.dag.edges)
    for node, given, distribution in rows(network):
        table = model.get_cpds(node)
        for state, probability in distribution.items():
            assert table.get_value(**{node: state}, **given) == probability


def test_pyagrum_reads_the_same_tables(network, tmp_path):
    import pyagrum as gum

    pp.write_bif(network, tmp_path / "network.bif")
    model = gum.loadBN(str(tmp_path / "network.bif"))
    assert model.names() == set(network.dag.nodes)
    assert {(model.variable(u).name(), model.variable(v).name()) for u, v in model.arcs()} == set(
        network.dag.edges
    )
    for node, given, distribution in rows(network):
        values = model.cpt(node)[given] if given else model.cpt(node)[:]
        assert model.variable(node).labels() == tuple(distribution)
        # its BIF reader keeps single precision
        np.testing.assert_array_equal(values, np.float32(list(distribution.values())))


def test_pgmpy_reads_the_same_xml(network, tmp_path):
    from pgmpy import readwrite

    pp.write_xmlbif(network, tmp_path / "network.xml")
    model = readwrite.XMLBIFReader(str(tmp_path / "network.xml")).get_model()
    assert set(model.edges()) == set(network.dag.edges)
    for node, given, distribution in rows(network):
        table = model.get_cpds(node)
        for state, probability in distribution.items():
            assert table.get_value(**{node: state}, **given) == probability


def test_pyagrum_reads_the_same_xml(network, tmp_path):
    import pyagrum as gum

    pp.write_xmlbif(network, tmp_path / "network.bifxml")
    model = gum.loadBN(str(tmp_path / "network.bifxml"))
    assert model.names() == set(network.dag.nodes)
    for node, given, distribution in rows(network):
        values = model.cpt(node)[given] if given else model.cpt(node)[:]
        assert model.variable(node).labels() == tuple(distribution)
        np.testing.assert_allclose(values, list(distribution.values()), rtol=1e-6)


def test_xml_is_escaped_and_for_states_only(tmp_path):
    dag = pp.Dag.from_edges(["a<b>&", "c"], [("a<b>&", "c")])
    network = pp.BayesianNetwork.random(dag, 2)
    pp.write_xmlbif(network, tmp_path / "network.xml")
    assert "<NAME>a&lt;b&gt;&amp;</NAME>" in (tmp_path / "network.xml").read_text("utf-8")
    with pytest.raises(NetworkError, match="not a GaussianNetwork"):
        pp.write_xmlbif(pp.GaussianNetwork.random(dag), tmp_path / "other.xml")
