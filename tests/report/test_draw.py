import matplotlib as mpl
import pytest

from pathprior import Cpdag, Dag
from pathprior.report.draw import MAX_LABEL, BeliefMark, draw_dag

mpl.use("Agg")


@pytest.fixture
def dag():
    return Dag.from_edges("xyzw", [("x", "y"), ("x", "w"), ("y", "w")])


def test_draws_every_node_edge_and_belief(dag):
    ax = draw_dag(dag, cpdag=Cpdag.from_dag(dag), marks=[BeliefMark("x", "w", held=True)])
    assert sorted(text.get_text() for text in ax.texts) == ["w", "x", "y", "z"]
    assert len(ax.patches) == dag.num_edges + 1
    mpl.pyplot.close(ax.figure)


def test_draws_on_the_axes_given(dag):
    figure, ax = mpl.pyplot.subplots()
    assert draw_dag(dag, ax=ax) is ax
    figure.canvas.draw()
    mpl.pyplot.close(figure)


def test_a_graph_without_nodes_is_drawn():
    mpl.pyplot.close(draw_dag(Dag.from_edges([])).figure)


def test_names_of_any_length_are_drawn():
    dag = Dag.from_edges(["x" * 100_000, "y"])
    texts = [text.get_text() for text in draw_dag(dag).texts]
    assert texts == ["x" * (MAX_LABEL - 1) + "…", "y"]
