"""Graphs in other hands: what we write, read by others."""

import pytest

import pathprior as pp
from pathprior.errors import GraphError

EDGES = [("a b", "x.1"), ("x.1", "7up"), ("a b", "7up")]


def test_dagitty_code():
    dag = pp.Dag.from_edges(["a b", "x.1", 'say "hi"'], [("a b", "x.1")])
    code = 'dag {\n  "a b"\n  "x.1"\n  "say \\"hi\\""\n  "a b" -> "x.1"\n}\n'
    assert dag.to_dagitty() == code
    with pytest.raises(GraphError, match="DAGitty cannot tell backslashes"):
        pp.Dag.from_edges(["a\\b"]).to_dagitty()


def test_lavaan_syntax():
    dag = pp.Dag.from_edges("zaby", [("a", "b"), ("a", "y"), ("b", "y")])
    assert dag.to_lavaan() == "z ~~ z\nb ~ a\ny ~ a + b\n"
    with pytest.raises(GraphError, match="lavaan has no quotes for names such as 'a b'"):
        pp.Dag.from_edges(["a b"]).to_lavaan()


@pytest.mark.filterwarnings("ignore")  # pgmpy's imports warn about themselves
def test_pgmpy_reads_both():
    base = pytest.importorskip("pgmpy.base")
    dag = pp.Dag.from_edges(["lone", "a b", "x.1", "7up"], EDGES)
    found = base.DAG.from_dagitty(dag.to_dagitty())
    assert set(found.nodes()) == set(dag.nodes)
    assert set(found.edges()) == set(dag.edges)
    plain = pp.Dag.from_edges("abc", [("a", "b"), ("a", "c"), ("b", "c")])
    assert set(base.DAG.from_lavaan(plain.to_lavaan()).edges()) == set(plain.edges)


@pytest.mark.filterwarnings("ignore")
def test_semopy_fits_the_same_regressions():
    semopy = pytest.importorskip("semopy")
    dag = pp.Dag.from_edges(["u_1", "v", "w"], [("u_1", "v"), ("u_1", "w"), ("v", "w")])
    data = pp.GaussianNetwork.random(dag, seed=2).sample(500, seed=0)
    model = semopy.Model(dag.to_lavaan())
    model.fit(data)
    rows = model.inspect()
    found = {(row.rval, row.lval): row.Estimate for row in rows[rows["op"] == "~"].itertuples()}
    network = pp.GaussianNetwork.estimate(dag, data)
    assert set(found) == set(dag.edges)
    for node in dag.nodes:
        for parent, weight in zip(dag.parents(node), network.weights[node], strict=True):
            assert found[parent, node] == pytest.approx(weight, abs=1e-3)
