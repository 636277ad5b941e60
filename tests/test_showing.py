"""Results show themselves, and what shows them is imported when asked."""

import subprocess
import sys
from functools import partial

import pytest

import pathprior as pp
from pathprior import showing


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
    for ask, message in (
        (showing.text, "a Dag has no text to print"),
        (showing.plot, "a Dag has no plot"),
        (showing.plot_trace, "a Dag has no course to plot"),
        (partial(showing.report, path="report.html"), "a Dag has no report"),
    ):
        with pytest.raises(TypeError, match=message):
            ask(pp.Dag.from_edges("ab"))
    for ask, message in (
        (showing.html, "a list has no view for notebooks"),
        (showing.dot, "a list has no DOT text"),
    ):
        with pytest.raises(TypeError, match=message):
            ask([])
