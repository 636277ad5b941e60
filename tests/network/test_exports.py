"""Networks of real columns in other hands."""

import re

import networkx as nx
import numpy as np
import pytest

import pathprior as pp
from pathprior.errors import NetworkError
from pathprior.network.bnlearn import format_bnlearn
from pathprior.network.conditionals import Linear, Table

DAG = pp.Dag.from_edges(["b-1", "a", "x.c"], [("a", "b-1"), ("x.c", "b-1"), ("a", "x.c")])


@pytest.mark.filterwarnings("ignore")  # pgmpy's imports warn about themselves
def test_pgmpy_reads_the_same_parameters(tmp_path):
    from pgmpy.models import LinearGaussianBayesianNetwork

    network = pp.GaussianNetwork(DAG, [1.5, -2.0, 0.0], [[0.5, 2.0], [], [-1.0]], [1.0, 0.3, 2.0])
    pp.write_pgmpy(network, tmp_path / "network.json")
    model = LinearGaussianBayesianNetwork.load(str(tmp_path / "network.json"))
    assert set(model.edges()) == set(DAG.edges)
    for node in DAG.nodes:
        cpd = model.get_cpds(node)
        weight = dict(zip(cpd.evidence, cpd.beta[1:], strict=True))
        assert cpd.beta[0] == network.intercepts[node]
        assert [weight[parent] for parent in DAG.parents(node)] == network.weights[node].tolist()
        assert cpd.std == pytest.approx(network.deviations[node], rel=1e-15)
    means, covariance = model.to_joint_gaussian()

    order = [DAG.index(node) for node in nx.topological_sort(model)]
    assert means == pytest.approx(network.means()[order], abs=0.01)
    assert covariance == pytest.approx(network.covariance()[np.ix_(order, order)], abs=0.01)


def test_pgmpy_takes_real_columns_only(tmp_path):
    with pytest.raises(NetworkError, match="not a BayesianNetwork: write a discrete one"):
        pp.write_pgmpy(pp.load_network("asia"), tmp_path / "network.json")
    odd = pp.GaussianNetwork.random(pp.Dag.from_edges(["(Intercept)"]))
    with pytest.raises(NetworkError, match="rename that node"):
        pp.write_pgmpy(odd, tmp_path / "network.json")
    assert not any(tmp_path.iterdir())


def test_bnlearn_code_of_a_gaussian_network(tmp_path):
    network = pp.GaussianNetwork(DAG, [1.5, -2.0, 0.0], [[0.5, 2.0], [], [-1.0]], [1.0, 0.3, 2.0])
    pp.write_bnlearn(network, tmp_path / "network.R")
    assert (tmp_path / "network.R").read_text(encoding="utf-8") == (
        "library(bnlearn)\n"
        'dag <- empty.graph(c("b-1", "a", "x.c"))\n'
        'arcs(dag) <- matrix(c("a", "b-1", "a", "x.c", "x.c", "b-1"), ncol = 2, byrow = TRUE, '
        'dimnames = list(NULL, c("from", "to")))\n'
        "network <- custom.fit(dag, dist = list(\n"
        '  "b-1" = list(coef = c("(Intercept)" = 1.5, "a" = 0.5, "x.c" = 2.0), sd = 1.0),\n'
        '  "a" = list(coef = c("(Intercept)" = -2.0), sd = 0.3),\n'
        '  "x.c" = list(coef = c("(Intercept)" = 0.0, "a" = -1.0), sd = 2.0)\n'
        "))\n"
    )


def test_bnlearn_code_of_a_mixed_network():
    dag = pp.Dag.from_edges("stxy", [("s", "t"), ("s", "y"), ("t", "y"), ("x", "y")])
    network = pp.MixedNetwork(
        dag,
        (("f", "m"), ("l", "m", "h"), (), ()),
        (
            Table(np.array([0.25, 0.75])),
            Table(np.array([[0.5, 0.25, 0.25], [0.125, 0.375, 0.5]])),
            Linear(2.0, (), 1.0),
            Linear(1.0, (np.array([0.0, 10.0]), np.array([0.0, 1.0, 2.0]), np.array(0.5)), 3.0),
        ),
    )
    lines = format_bnlearn(network).splitlines()
    root = next(line for line in lines if line.startswith('  "s" ='))
    assert root == ('  "s" = matrix(c(0.25, 0.75), ncol = 2, dimnames = list(NULL, c("f", "m"))),')
    table = next(line for line in lines if line.startswith('  "t" ='))
    # the child's index runs fastest, as R fills arrays
    assert table == (
        '  "t" = array(c(0.5, 0.25, 0.25, 0.125, 0.375, 0.5), dim = c(3, 2), '
        'dimnames = list("t" = c("l", "m", "h"), "s" = c("f", "m"))),'
    )
    regression = next(line for line in lines if line.startswith('  "y" ='))
    # one column for each configuration of s and t, s fastest; then intercept and weight of x
    numbers = re.search(r"matrix\(c\(([^)]*)\)", regression)[1].split(", ")
    assert [float(n) for n in numbers[::2]] == [1.0, 11.0, 2.0, 12.0, 3.0, 13.0]
    assert set(numbers[1::2]) == {"0.5"}
    assert 'ncol = 6, dimnames = list(c("(Intercept)", "x"), NULL)' in regression
    assert "sd = c(3.0, 3.0, 3.0, 3.0, 3.0, 3.0)" in regression


def test_bnlearn_has_no_discrete_children_of_real_nodes(tmp_path):
    network = pp.MixedNetwork.random(pp.Dag.from_edges("ab", [("a", "b")]), {"b": 2})
    with pytest.raises(NetworkError, match="the discrete 'b' has the real parent 'a'"):
        pp.write_bnlearn(network, tmp_path / "network.R")
    assert not any(tmp_path.iterdir())


def test_bnlearn_names_are_quoted():
    dag = pp.Dag.from_edges(['say "hi"', "back\\slash"])
    code = format_bnlearn(pp.GaussianNetwork.random(dag))
    assert 'empty.graph(c("say \\"hi\\"", "back\\\\slash"))' in code
    assert "arcs(dag)" not in code
