"""Results show themselves, and what shows them is imported when asked."""

import subprocess
import sys

import pytest

import pathprior as pp
from pathprior import onward, showing


def run(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()


def test_nothing_that_draws_is_imported_with_the_package():
    code = "import pathprior, sys; print(*sys.modules)"
    heavy = {"matplotlib", "networkx", "pandas", "pathprior.report.svg", "pathprior.report.plots"}
    assert not heavy & set(run(code))


def test_a_class_imported_from_its_own_module_shows_itself():
    code = "from pathprior.graph.dag import Dag; print(Dag.from_edges('ab').to_dot())"
    assert run(code)[0] == "digraph"


def test_a_class_inherits_how_it_shows_itself_and_may_register_its_own_way():
    class Named(pp.Dag):
        pass

    graph = Named(("a", "b"), [[0, 1], [0, 0]])
    assert graph._repr_html_().startswith("<svg")

    @showing.html.register(Named)
    def _(graph):
        return f"<b>{' '.join(graph.nodes)}</b>"

    assert graph._repr_html_() == "<b>a b</b>"
    assert pp.Dag(graph.nodes, graph.adjacency)._repr_html_().startswith("<svg")


def test_what_nobody_registered_cannot_be_shown():
    dag = pp.Dag.from_edges("ab")
    for ask in (showing.text, showing.plot, showing.plot_trace, showing.plot_beliefs):
        with pytest.raises(TypeError, match=f"a Dag has no way .* as {ask.__name__}; register"):
            ask(dag)
    with pytest.raises(TypeError, match=r"showing\.report\.register"):
        showing.report(dag, "report.html")
    for ask in (showing.html, showing.dot):
        with pytest.raises(TypeError, match="a list has no way"):
            ask([])


def test_what_nobody_registered_has_no_posterior():
    with pytest.raises(TypeError, match=r"a Dag has no posterior; .*onward\.posterior\.register"):
        onward.posterior(pp.Dag.from_edges("ab"))
