import pytest
import typer
from typer.testing import CliRunner

from pathprior.cli.compare import compare
from pathprior.errors import GraphError
from pathprior.graph.dag import Dag
from pathprior.network.bif import write_bif
from pathprior.network.network import BayesianNetwork

app = typer.Typer()
app.command()(compare)


@pytest.fixture
def write(tmp_path):
    def write(name, edges, nodes="abc"):
        path = tmp_path / name
        write_bif(BayesianNetwork.random(Dag.from_edges(nodes, edges), 2), path)
        return str(path)

    return write


def test_prints_distances_and_shares(write):
    chain = write("chain.bif", [("a", "b"), ("b", "c")])
    collider = write("collider.bif", [("a", "b"), ("c", "b")])
    result = CliRunner().invoke(app, [chain, collider], catch_exceptions=False)
    assert result.exit_code == 0
    printed = {line.rsplit(maxsplit=1)[0]: line.split()[-1] for line in result.stdout.splitlines()}
    assert printed == {
        "nodes": "3",
        "edges, estimate": "2",
        "edges, truth": "2",
        "structural Hamming distance (CPDAGs)": "2",
        "structural Hamming distance (DAGs)": "1",
        "skeleton precision": "1.00",
        "skeleton recall": "1.00",
        "orientation precision": "–",
        "orientation recall": "0.00",
    }


def test_different_nodes_are_an_error(write):
    with pytest.raises(GraphError, match="different nodes"):
        CliRunner().invoke(
            app, [write("a.bif", [], "ab"), write("b.bif", [], "ac")], catch_exceptions=False
        )
