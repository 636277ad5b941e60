"""What the drawing shows, measured on the page after it is laid out."""

import io
from itertools import combinations

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.patches import FancyBboxPatch, Polygon

import pathprior as pp
from pathprior import Dag
from pathprior.report.draw import BeliefMark, Key, draw_dag
from pathprior.report.legend import Verdict
from pathprior.report.picture import MAX_LABEL, make_picture

mpl.use("Agg")

KEYS = [Key("supported by the data", "red"), Key("a belief that does not hold", "blue")]


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture
def dag():
    return Dag.from_edges("xyzw", [("x", "y"), ("x", "w"), ("y", "w")])


def grow(box, pixels):
    return mpl.transforms.Bbox.from_extents(
        box.x0 - pixels, box.y0 - pixels, box.x1 + pixels, box.y1 + pixels
    )


def holds(outer, inner, *, slack=0.5):
    outer = grow(outer, slack)
    return all(outer.contains(x, y) for x, y in inner.corners())


def check_picture(ax, dag):
    """Boxes lie apart, each around its name, and every arrow goes from box to box."""
    renderer = ax.figure.canvas.get_renderer()
    patches = [patch for patch in ax.patches if isinstance(patch, FancyBboxPatch)]
    boxes = [patch.get_path().get_extents(patch.get_transform()) for patch in patches]
    assert len(boxes) == dag.num_nodes
    page = ax.get_window_extent(renderer)
    assert page.width > 20
    assert page.height > 20
    names = [text.get_window_extent(renderer) for text in ax.texts[: dag.num_nodes]]
    for box, name in zip(boxes, names, strict=True):
        assert holds(page, box)
        assert holds(box, name)
        assert name.height > box.height / 4, "letters shrink with the boxes, but not more"
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)
    for text in ax.texts[dag.num_nodes :]:
        key = text.get_window_extent(renderer)
        assert holds(page, key)
        assert not any(key.overlaps(box) for box in boxes)
    heads = [patch for patch in ax.patches if isinstance(patch, Polygon)]
    assert len(heads) == dag.num_edges
    for (_, child), head in zip(np.argwhere(dag.adjacency), heads, strict=True):
        x, y = ax.transData.transform(head.get_xy()[0])
        box = boxes[child]
        assert grow(box, 0.5).contains(x, y)
        assert not grow(box, -0.5).contains(x, y)


@pytest.mark.parametrize("name", ["asia", "alarm"])
@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
def test_on_axes_of_any_layout(name, layout):
    dag = pp.load_network(name).dag
    figure, axes = plt.subplots(2, 2, layout=layout)
    axes[0, 0].set_title("a title")
    axes[0, 1].plot([1, 2])
    draw_dag(dag, keys=KEYS, ax=axes[1, 0])
    figure.canvas.draw()
    check_picture(axes[1, 0], dag)


@pytest.mark.parametrize("name", ["asia", "alarm", "hepar2"])
@pytest.mark.parametrize("how", [{}, {"bbox_inches": "tight"}, {"dpi": 40}])
def test_on_axes_made_to_measure(name, how):
    dag = pp.load_network(name).dag
    ax = draw_dag(dag, keys=KEYS)
    # as a notebook does; a warning that the axes collapse would be an error here
    ax.figure.savefig(io.BytesIO(), **how)
    ax.figure.canvas.draw()
    check_picture(ax, dag)


def test_the_picture_of_the_docs():
    data = pp.load_network("asia").sample(500, seed=0)
    fit = pp.learn(data, [pp.causes("smoke", "dysp", 0.9), pp.confounded("lung", "bronc", 0.8)])
    ax = fit.plot()
    ax.figure.savefig(io.BytesIO(), bbox_inches="tight")
    check_picture(ax, fit.dag)


def test_wide_letters_stay_in_their_boxes():
    dag = Dag.from_edges(["W" * 40, "i", "M" * 20], [("i", "W" * 40)])
    ax = draw_dag(dag)
    ax.figure.canvas.draw()
    check_picture(ax, dag)


def test_letters_follow_the_size_of_the_figure(dag):
    ax = draw_dag(dag)
    ax.figure.canvas.draw()
    letters, width = ax.texts[0].get_fontsize(), ax.get_window_extent().width
    ax.figure.set_size_inches(ax.figure.get_size_inches() * 2)
    ax.figure.canvas.draw()
    growth = ax.get_window_extent().width / width
    assert growth > 2  # the margins of the layout stay as wide as they were
    assert ax.texts[0].get_fontsize() == pytest.approx(growth * letters, rel=1e-6)
    check_picture(ax, dag)


@pytest.mark.parametrize("name", ["asia", "alarm", "hepar2", "win95pts"])
def test_curves_join_their_boxes_and_pass_no_other(name):
    picture = make_picture(pp.load_network(name).dag)
    t = np.linspace(0, 1, 20)[:, None]
    for ends, curve in picture.curves.items():
        for node, point in zip(ends, (curve[0], curve[-1]), strict=True):
            inside = np.abs(point - picture.centres[node]) / picture.half_boxes[node]
            assert inside.max() == pytest.approx(1)
        for k in range(0, len(curve) - 1, 3):
            a, b, c, d = curve[k : k + 4]
            points = (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d
            away = np.abs(points[:, None] - picture.centres) - picture.half_boxes
            hit = (away < -1e-9).all(axis=2).any(axis=0)
            assert set(np.flatnonzero(hit)) <= set(ends)


def test_draws_every_node_edge_belief_and_key(dag):
    marks = [BeliefMark("x", "w", Verdict.HELD)]
    ax = draw_dag(dag, open_edges=dag.edges, marks=marks, keys=KEYS)
    assert [text.get_text() for text in ax.texts] == [*dag.nodes, *(key.label for key in KEYS)]
    # an edge is a curve and a head
    assert len(ax.patches) == dag.num_nodes + 2 * dag.num_edges + len(marks) + len(KEYS)


def test_draws_on_the_axes_given(dag):
    _, ax = plt.subplots()
    assert draw_dag(dag, ax=ax) is ax


def test_a_graph_without_nodes_is_drawn():
    ax = draw_dag(Dag.from_edges([]))
    ax.figure.canvas.draw()
    assert not ax.texts


def test_names_of_any_length_are_drawn():
    dag = Dag.from_edges(["x" * 100_000, "y"])
    texts = [text.get_text() for text in draw_dag(dag).texts]
    assert texts == ["x" * (MAX_LABEL - 1) + "…", "y"]
