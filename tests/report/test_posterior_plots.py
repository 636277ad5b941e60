import re
from html import escape
from itertools import pairwise

import matplotlib as mpl
import matplotlib.pyplot
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import LinearSegmentedColormap, to_rgb

import pathprior as pp
from pathprior.errors import PosteriorError
from pathprior.report import style
from pathprior.report.path_matrix import causal_order
from pathprior.report.picture_file import new_figure, save_figure
from pathprior.report.posterior_plots import map_size, plot_paths
from tests.posteriors import of_graphs, sampled
from tests.report.conftest import QUOTES, TAG

mpl.use("Agg")

NAMES = [QUOTES, "lung", "bronc", TAG]


@pytest.fixture(scope="session")
def exact():
    data = pp.load_network("asia").sample(300, seed=1)[["smoke", "lung", "bronc", "dysp"]]
    beliefs = [
        pp.causes(QUOTES, "lung", 0.9),
        pp.relation("bronc", TAG, (0.4, 0.3, 0.2, 0.1)),
    ]
    return pp.sample_posterior(data.set_axis(NAMES, axis=1), beliefs)


@pytest.fixture(scope="session")
def alarm():
    """Random graphs on the variables of ALARM."""
    nodes = pp.load_network("alarm").dag.nodes
    dags = pp.sample_dags(len(nodes), 40, seed=1, edge_odds=0.05)
    beliefs = pp.BeliefSet([pp.causes("HYPOVOLEMIA", "CVP", 0.9)])
    return of_graphs([pp.Dag(nodes, dag) for dag in dags], beliefs, num_chains=2)


@pytest.fixture
def drawn():
    figures = []

    def draw(ax):
        figures.append(ax.figure)
        ax.figure.canvas.draw()
        return ax

    yield draw
    for figure in figures:
        mpl.pyplot.close(figure)


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def line(ax, label):
    (found,) = [one for one in ax.lines if one.get_label() == label]
    return found


def test_each_cell_is_the_probability_that_its_row_causes_its_column(exact, drawn):
    ax = drawn(exact.plot())
    assert labels(ax.xaxis) == labels(ax.yaxis) == NAMES
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("cause", "effect")
    (image,) = ax.images
    cells = image.get_array()
    numbers = {text.get_position(): text.get_text() for text in ax.texts}
    assert len(numbers) == 12
    for i, x in enumerate(NAMES):
        assert cells.mask[i, i]
        for j, y in enumerate(NAMES):
            if i != j:
                expected = exact.probability(x, "causes", y)
                assert cells[i, j] == pytest.approx(expected)
                assert numbers[j, i] == f"{expected:.2f}"


def test_the_colours_darken_from_nothing_to_certainty(exact, drawn):
    ax = drawn(exact.plot())
    (image,) = ax.images
    assert image.get_clim() == (0, 1)
    shades = image.cmap(np.linspace(0, 1, 50))[:, :3] @ (0.2126, 0.7152, 0.0722)
    assert (np.diff(shades) < 0).all()
    assert to_rgb(style.PAPER) == pytest.approx(image.cmap(0.0)[:3])


def test_numbers_stand_out_from_their_cells(exact, drawn):
    ax = drawn(exact.plot())
    (image,) = ax.images
    weights = (0.2126, 0.7152, 0.0722)
    for text in ax.texts:
        x, y = text.get_position()
        cell = image.cmap(image.norm(image.get_array()[y, x]))[:3] @ np.array(weights)
        ink = to_rgb(text.get_color()) @ np.array(weights)
        assert abs(cell - ink) > 0.35, text.get_text()


@pytest.mark.parametrize("name", ["exact", "alarm"])
def test_names_can_be_read(name, drawn, request):
    ax = drawn(request.getfixturevalue(name).plot())
    figure = ax.figure.bbox
    for axis, side in ((ax.xaxis, "x"), (ax.yaxis, "y")):
        assert axis.get_ticklabels()[0].get_fontsize() >= 8
        boxes = [label.get_window_extent() for label in axis.get_ticklabels()]
        for box in boxes:
            assert figure.x0 <= box.x0 < box.x1 <= figure.x1
            assert figure.y0 <= box.y0 < box.y1 <= figure.y1
        ends = sorted(getattr(box, f"interval{side}").tolist() for box in boxes)
        assert all(one[1] <= next_one[0] for one, next_one in pairwise(ends))


def test_many_variables_have_colours_alone(alarm, drawn):
    ax = drawn(alarm.plot())
    assert not ax.texts
    first, second = alarm.variables[:2]
    image, _ = ax.images  # and the grey cells
    assert image.get_array()[1, 0] == pytest.approx(alarm.probability(second, "causes", first))


@given(st.integers(0, 2**32 - 1))
def test_the_causal_order_has_causes_before_effects_and_groups_together(seed):
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 12))
    dags = [pp.Dag(tuple(map(str, range(size))), dag) for dag in pp.sample_dags(size, 3, seed=seed)]
    causes = np.array(
        [
            [
                [dag.relation(x, y) == pp.Relation.CAUSES if x != y else False for y in dag.nodes]
                for x in dag.nodes
            ]
            for dag in dags[: rng.integers(1, 4)]
        ]
    ).mean(axis=0)
    order = causal_order(np.where(np.eye(size, dtype=bool), np.nan, causes))
    assert sorted(order) == list(range(size))
    place = np.argsort(order)
    assert (place[:, None] < place[None, :])[causes == 1].all()


def test_groups_stand_together_the_largest_first():
    paths = np.zeros((7, 7))
    paths[[0, 6, 6, 5], [2, 4, 1, 3]] = [0.9, 0.8, 1.0, 0.3]
    assert causal_order(paths).tolist() == [6, 4, 1, 0, 2, 3, 5]


def test_a_plot_of_more_variables_than_have_names_is_in_causal_order(drawn):
    names = [f"v{k:02}" for k in range(61)]
    dag = pp.Dag.from_edges(names, [("v60", "v05")])
    wide = of_graphs([dag] * 200, pp.BeliefSet(), num_chains=2)
    ax = drawn(wide.plot())
    assert labels(ax.xaxis)[:3] == labels(ax.yaxis)[:3] == ["v60", "v05", "v00"]
    (image,) = ax.images
    assert image.get_array()[0, 1] == pytest.approx(1)


def test_beliefs_go_from_baseline_through_stated_to_after(exact, drawn):
    given = mpl.pyplot.figure().add_subplot()
    ax = drawn(exact.plot_beliefs(given))
    assert ax is given
    table = exact.beliefs()
    assert f"{QUOTES} causes lung" in labels(ax.yaxis)
    assert len(labels(ax.yaxis)) == len(table) == 5
    for label, column in (("baseline", "baseline"), ("stated", "stated")):
        xs, ys = line(ax, label).get_data()
        assert list(xs) == list(table[column])
        assert list(ys) == list(range(5))
    (after,) = ax.containers
    assert after.get_label() == "after the data"
    assert not after.has_xerr
    assert list(after.lines[0].get_xdata()) == list(table["after"])


def test_bars_are_errors_and_stay_within_the_probabilities(exact, drawn):
    chains = sampled(exact, num_draws=40)
    ax = drawn(chains.plot_beliefs())
    table = chains.beliefs().sort_values("is_settled", ascending=False, kind="stable")
    segments = [
        segment[:, 0]
        for container in ax.containers
        for (bars,) in [container.lines[2]]
        for segment in bars.get_segments()
    ]
    for (left, right), value, error in zip(
        segments,
        table["after"],
        table["error"],
        strict=True,
    ):
        assert left == pytest.approx(max(0, value - error))
        assert right == pytest.approx(min(1, value + error))
    assert (table["after"] - table["error"]).min() < 0, "a case where the bar is cut"


def test_without_beliefs_there_is_no_plot_of_them(exact):
    empty = of_graphs([exact.best] * 2, pp.BeliefSet(), num_chains=1)
    with pytest.raises(PosteriorError, match="there were no beliefs"):
        empty.plot_beliefs()


def test_notebooks_see_the_same_map(exact):
    html = exact._repr_html_()
    assert TAG not in html
    svg = html[html.rindex("<svg") :]
    cells = re.findall('<rect x="([0-9]+)" y="([0-9]+)" .*?<title>(.*?)</title>', svg)
    shown = [cell for cell in cells if cell[2]]
    assert len(cells) - len(shown) == len(NAMES), "the diagonal"
    cell = int(re.search('<rect x="[0-9]+" y="[0-9]+" width="([0-9]+)"', svg)[1])
    expected = []
    for i, x in enumerate(NAMES):
        for j, y in enumerate(NAMES):
            probability = exact.probability(x, "causes", y) if i != j else 0.0
            if probability >= 0.005:
                title = escape(f"{x} causes {y}: {probability:.3f}")
                expected.append((str(j * cell), str(i * cell), title))
    assert shown == expected
    for name in NAMES:
        assert svg.count(f">{escape(name)}</text>") == 2


def test_notebooks_see_many_variables_without_numbers(alarm):
    svg = alarm._repr_html_().rpartition("<svg")[2]
    assert svg.count("<text") == 2 * len(alarm.variables)
    names = [f"v{k:02}" for k in range(61)]
    wide = of_graphs([pp.Dag.from_edges(names, [("v00", "v60")])] * 8, pp.BeliefSet(), num_chains=2)
    assert wide._repr_html_().count("<svg") == 1, "the edges alone"


@pytest.mark.parametrize("share", [0.0, 0.1, 0.25, 0.4, 0.77, 1.0])
def test_shades_are_those_of_the_plot(share):
    scale = LinearSegmentedColormap.from_list("probability", style.SEQUENTIAL, N=4097)
    assert to_rgb(style.shade(share)) == pytest.approx(scale(share)[:3], abs=1 / 255)


def test_the_title_of_a_large_map_is_not_cut_off(tmp_path):
    names = [f"a long name {k:08}" for k in range(76)]
    found = of_graphs([pp.Dag.from_edges(names, [])] * 16, pp.BeliefSet(), num_chains=2)
    figure = new_figure(map_size(found.variables))
    plot_paths(found, figure.subplots())
    save_figure(figure, tmp_path / "paths.png")
    picture = matplotlib.pyplot.imread(tmp_path / "paths.png")[..., :3]
    assert (picture[:2] == 1).all()
    assert (picture[:40] < 1).any()  # there it is
