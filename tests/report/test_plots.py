import re

import matplotlib as mpl
import matplotlib.pyplot
import pytest

import pathprior as pp
from pathprior.report.belief_rows import in_conflict
from pathprior.report.legend import EDGE_COLOURS
from pathprior.report.trace import search_trace
from pathprior.report.trace_svg import trace_svg
from pathprior.search.support import Support
from tests.report.conftest import QUOTES, STYLE, TAG

mpl.use("Agg")


@pytest.fixture
def axes():
    figure, ax = mpl.pyplot.subplots()
    yield ax
    figure.canvas.draw()  # text that only fails when drawn
    mpl.pyplot.close(figure)


def legend_texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_plots_draw_on_the_axes_given(odd_fit, axes):
    assert odd_fit.plot(axes) is axes
    texts = [text.get_text() for text in axes.texts]
    assert {QUOTES, "supported by the data", "belief that does not hold here"} <= set(texts)


def test_the_trace_starts_before_the_first_step(odd_fit, axes):
    assert odd_fit.plot_trace(axes) is axes
    xs, ys = axes.lines[0].get_data()
    assert len(xs) == len(odd_fit.steps) + 1
    assert ys[-1] == odd_fit.steps[-1].score
    first = odd_fit.steps[0]
    assert ys[0] == pytest.approx(first.score - first.data_gain - first.prior_gain)


def test_a_trace_without_steps_says_why(axes):
    fit = pp.learn(pp.load_network("asia").sample(50, seed=0), constant_columns="keep")
    assert fit.steps == ()
    (text,) = fit.plot_trace(axes).texts
    assert str(fit.stopped_because) in text.get_text()


def test_the_prior_marks_conflicts(odd_fit, axes):
    prior = odd_fit.prior
    assert prior.plot(axes) is axes
    assert legend_texts(axes) == ["stated", "fitted", "fitted, in a conflict"]
    conflicting = prior.table[in_conflict(prior)]
    assert set(zip(conflicting["x"], conflicting["y"], strict=True)) == {
        ("smoke", "lung"),
        ("lung", STYLE),
        ("smoke", STYLE),
    }


def test_the_prior_has_room_for_long_names():
    names = ["bone_mineral_density_" + "x" * 30, "number_of_fractures_" + "y" * 60]
    ax = pp.fit_prior([pp.causes(*names, 0.8)], names).plot()
    ax.figure.canvas.draw()
    assert ax.get_window_extent().width > 300
    mpl.pyplot.close(ax.figure)


def test_without_axes_a_figure_is_made(plain_fit):
    for ax in (plain_fit.plot(), plain_fit.plot_trace()):
        ax.figure.canvas.draw()
        mpl.pyplot.close(ax.figure)
    empty = pp.fit_prior(pp.BeliefSet(), ["a", "b"]).plot()
    empty.figure.canvas.draw()
    mpl.pyplot.close(empty.figure)


def test_steps_are_coloured_by_the_score_they_raise(odd_fit, axes):
    odd_fit.plot_trace(axes)
    colours = {}
    for line in axes.lines[1:]:
        colours |= dict.fromkeys(line.get_xdata(), line.get_color())
    expected = [
        EDGE_COLOURS[Support.of(data=step.data_gain > 1e-9, beliefs=step.prior_gain > 1e-9)]
        for step in odd_fit.steps
    ]
    assert [colours[k] for k in range(1, len(odd_fit.steps) + 1)] == expected
    assert len(set(expected)) > 1


def test_notebooks_see_escaped_html(odd_fit):
    for result in (odd_fit.dag, odd_fit.prior, odd_fit):
        html = result._repr_html_()
        assert TAG not in html
        assert "&lt;script&gt;" in html
    assert odd_fit.dag._repr_html_().startswith("<svg")
    assert "cannot hold together" in odd_fit.prior._repr_html_()
    assert "survey and you disagree" in odd_fit.prior._repr_html_()
    assert "<th>within</th>" in odd_fit.prior._repr_html_()


def test_notebooks_see_beliefs(odd_fit):
    html = odd_fit.prior.beliefs._repr_html_()
    assert "7 beliefs on 6 variables" in html
    assert "<td>0.7 0.1 0.1 0.1</td>" in html
    assert "<th>source</th>" in html
    assert "<th>strength</th>" not in html
    assert "<b>trial" not in html
    plain = pp.BeliefSet([pp.causes("a", "b", 0.8, strength=2)])._repr_html_()
    assert "<td>2</td>" in plain
    assert "source" not in plain


def test_notebooks_see_a_class_with_open_edges_as_plain_lines():
    cpdag = pp.Cpdag.from_edges("abcd", directed=[("a", "c"), ("b", "c")], undirected=[("a", "d")])
    svg = cpdag._repr_html_()
    assert svg.count("<path") == 3
    assert svg.count("<polygon") == 2


def test_a_prior_prints_what_matters_in_eighty_columns(odd_fit):
    names = ["bone_mineral_density_at_baseline", "number_of_fractures_in_ten_years"]
    long = pp.fit_prior([pp.not_associated(*names, 0.8)], names)
    for prior in (odd_fit.prior, long):
        lines = str(prior).splitlines()
        assert max(map(len, lines)) <= 80
        assert lines[0] == repr(prior)
        within = ["within"] if prior.is_pooled else []
        assert lines[1].split() == ["x", "event", "y", "baseline", "stated", *within, "fitted"]
    rows = str(odd_fit.prior).splitlines()[2 : 2 + len(odd_fit.prior.table)]
    fitted = [f"{p:.3f}" for p in odd_fit.prior.table["fitted"]]
    assert [row.split()[-1] for row in rows] == fitted
    (conflict,) = odd_fit.prior.conflicts
    disagreement = odd_fit.prior.disagreements[0]
    text = " ".join(str(odd_fit.prior).split())
    assert conflict.sentence in text
    assert disagreement.sentence.startswith("survey and you disagree about bronc causes smoke: 0.9")
    assert disagreement.sentence.removeprefix("s") in text
    assert "bone_mineral_densi… " in str(long)
    empty = pp.fit_prior(pp.BeliefSet(), ["a", "b"])
    assert str(empty) == repr(empty)


def test_a_graph_without_nodes_is_shown():
    assert pp.Dag.from_edges([])._repr_html_().startswith("<svg")


def test_dot_is_one_call_away(odd_fit):
    assert odd_fit.dag.to_dot().count("->") == odd_fit.dag.num_edges
    assert odd_fit.to_dot().count("dir=none") == 6


def test_the_graph_that_a_tabu_walk_kept_is_marked(axes):
    fit = pp.learn(pp.load_network("asia").sample(300, seed=1), search="greedy", tabu=8)
    trace = search_trace(fit)
    assert trace.scores[trace.best] == pytest.approx(fit.score)
    assert trace.best < len(fit.steps)
    fit.plot_trace(axes)
    assert "the graph that was kept" in legend_texts(axes)
    assert 'class="best"' in trace_svg(fit)


def test_the_picture_of_a_notebook_holds_all_edges():
    edges = [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d"), ("a", "c"), ("b", "d")]
    svg = pp.Dag.from_edges("abcd", edges)._repr_html_()
    left, top, width, height = map(float, re.search('viewBox="([^"]+)"', svg)[1].split())
    points = [pair.split(",") for pair in re.findall(r"-?[\d.]+,-?[\d.]+", svg)]
    assert all(left <= float(x) <= left + width for x, _ in points)
    assert all(top <= float(y) <= top + height for _, y in points)


def test_a_printed_fit_says_what_became_of_each_belief(plain_fit, weak_fit):
    assert len(str(plain_fit).splitlines()) == 1
    lines = str(weak_fit).splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert lines[2].split()[:5] == ["cause", "causes", "effect", "0.9", "0.900"]
    assert lines[2].endswith("⇒ holds")
    assert lines[3].endswith("⇒ holds, weakly")
