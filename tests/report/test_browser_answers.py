"""What can be asked of the report in a real browser: slider, focus, two variables, effects."""

import numpy as np
import pytest

import pathprior as pp
from tests.browser import needs_chromium, open_browser
from tests.posteriors import of_graphs, sampled

pytestmark = needs_chromium

CY = "document.getElementById('graph').cy"
NAMES = ["smoke", "lung", "bronc", "dysp"]
LEAST_FONT = 11
MARGIN = 7  # of the overview, with its border


@pytest.fixture(scope="module")
def browser():
    with open_browser() as page:
        page.show(width=1400, height=900)
        yield page


@pytest.fixture(scope="module")
def posterior():
    data = pp.load_network("asia").sample(300, seed=1)[NAMES]
    beliefs = [pp.causes("smoke", "dysp", 0.9), pp.causes("dysp", "lung", 0.8)]
    return pp.sample_posterior(data, beliefs)


@pytest.fixture(scope="module")
def written(posterior, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    sampled(posterior).report(path)
    return path


@pytest.fixture
def page(browser, written):
    browser.show(width=1400, height=900)
    browser.open(written)
    yield browser
    assert browser.complaints == []


def names(page, selector):
    page.wait_for_frames()
    return set(page.evaluate(f"{CY}.nodes({selector!r}).map((node) => node.data('name'))"))


def text(page, name):
    return page.evaluate(f"document.getElementById({name!r}).textContent")


def font(page):
    """Pixels of the labels."""
    page.wait_for_frames()
    return page.evaluate(f"{CY}.zoom() * {CY}.nodes()[0].numericStyle('font-size')")


def find(page, name):
    page.evaluate(
        f"(() => {{ const find = document.getElementById('find'); find.value = {name!r};"
        "find.dispatchEvent(new Event('input')); })()"
    )


def shown(page):
    page.wait_for_frames()
    ends = "[edge.source().data('name'), edge.target().data('name')]"
    found = page.evaluate(f"{CY}.edges().filter((e) => e.visible()).map((edge) => {ends})")
    return {frozenset(edge) for edge in found}


@pytest.mark.parametrize("least", [0.05, 0.5, 0.95])
def test_the_slider_hides_edges_that_are_too_improbable(page, posterior, least):
    page.evaluate(
        f"(() => {{ const slider = document.getElementById('threshold'); slider.value = {least};"
        "slider.dispatchEvent(new Event('input')); })()"
    )
    linked = sampled(posterior).adjacencies.round(4)  # as the page has them
    expected = {
        frozenset((x, y))
        for k, x in enumerate(NAMES)
        for y in NAMES[k + 1 :]
        if linked.loc[x, y] >= least
    }
    assert shown(page) == expected
    assert f"{least:.2f} · {len(expected)} of" in text(page, "threshold-value")


def test_wider_edges_are_more_probable(page):
    pairs = page.evaluate(f"{CY}.edges().map((e) => [e.numericStyle('width'), e.id()])")
    data = page.evaluate("JSON.parse(document.getElementById('data').textContent).edges")
    widths = {int(name[1:]): width for width, name in pairs}
    order = sorted(range(len(data)), key=lambda k: data[k]["probability"])
    assert [widths[k] for k in order] == sorted(widths.values())
    assert min(widths.values()) < max(widths.values())


def test_any_two_variables_have_their_relations(page, posterior):
    for name, value in (("pair-x", "lung"), ("pair-y", "bronc")):
        page.evaluate(f"document.getElementById({name!r}).value = {value!r}")
    page.evaluate("document.getElementById('pair-y').dispatchEvent(new Event('change'))")
    rows = page.evaluate(
        "[...document.querySelectorAll('#pair-answer .bars:first-of-type li')]"
        ".map((li) => li.textContent)"
    )
    assert len(rows) == 4
    assert rows[0].startswith("lung causes bronc")
    found = sampled(posterior)
    for row, event in zip(
        rows, ("causes", "caused-by", "confounded", "not-associated"), strict=True
    ):
        asked = found.estimate("lung", event, "bronc")
        if 0.005 < asked.value < 0.995:
            assert f"{asked.value:.2f} ± " in row
    assert names(page, ".end") == {"lung", "bronc"}
    page.click("#swap")
    assert page.evaluate("document.getElementById('pair-x').value") == "bronc"
    page.evaluate("document.getElementById('pair-x').value = 'nobody'")
    page.evaluate("document.getElementById('pair-x').dispatchEvent(new Event('change'))")
    assert text(page, "pair-answer") == "Name two of the variables."


def test_a_belief_chosen_shows_relations_effect_and_paths(page, posterior):
    table = sampled(posterior).beliefs()
    row = table[(table["x"] == "smoke") & (table["y"] == "dysp")].index[0]
    page.click(f"tr[data-belief='{row}']")
    assert names(page, ".end") == {"smoke", "dysp"}
    assert page.evaluate(f"{CY}.edges('.lit').length") > 0
    answer = text(page, "pair-answer")
    assert "If smoke were set" in answer
    assert "Probability of dysp = " in answer
    effect = sampled(posterior).effect("smoke", "dysp", num_draws=200)
    mean, low, high = effect.table().query(f"state == {effect.y_states[-1]!r}").iloc[0][2:]
    assert f"smoke = {effect.x_states[0]}{mean:.2f} ({low:.2f} to {high:.2f})" in answer
    assert f"No detectable effect: probability {effect.probability_of_none:.3f}." in answer


def test_a_sentence_at_the_top_shows_its_pair(page):
    page.click(".answers li[data-about*=','] button")
    chosen = page.evaluate("document.querySelector('.answers li.chosen').dataset.about.split(',')")
    assert len(names(page, ".end")) == len(chosen) == 2
    page.press("Escape")
    assert names(page, ".end") == set()


def big_posterior(num_nodes):
    """Layers of 30, each node with two parents in the layer above, and some of them turned."""
    rng = np.random.default_rng(0)
    nodes = [f"variable_{k}" for k in range(num_nodes)]
    edges = [
        (nodes[int(u)], nodes[v])
        for v in range(30, num_nodes)
        for u in rng.choice(np.arange(30 * (v // 30 - 1), 30 * (v // 30)), 2, replace=False)
    ]
    graphs = [
        pp.Dag.from_edges(nodes, [edge for edge in edges if rng.random() < 0.9]) for _ in range(16)
    ]
    return of_graphs(graphs, pp.BeliefSet([pp.causes(*edges[0], 0.8)]), num_chains=2)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "large.html"
    big_posterior(120).report(path)
    return path


@pytest.mark.parametrize("width", [1400, 800])
def test_labels_are_never_too_small(browser, large, width):
    browser.show(width=width, height=900)
    browser.open(large)
    assert font(browser) >= LEAST_FONT
    assert not browser.evaluate("document.getElementById('overview').hidden")
    # what does not fit is panned to; zoomed out further, labels go instead of shrinking
    browser.click("#fit")
    assert font(browser) < LEAST_FONT
    assert browser.evaluate(f"{CY}.nodes()[0].numericStyle('min-zoomed-font-size')") == LEAST_FONT
    assert browser.evaluate("document.getElementById('overview').hidden")
    assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert browser.complaints == []


def test_pressing_the_overview_looks_there(browser, large):
    browser.show(width=1400, height=900)
    browser.open(large)
    browser.evaluate("document.getElementById('graph').scrollIntoView()")
    x, y, width, height = browser.evaluate(
        "(({x, y, width, height}) => [x, y, width, height])"
        "(document.getElementById('overview').getBoundingClientRect())"
    )
    box = browser.evaluate(f"(({{x1, x2}}) => [x1, x2])({CY}.nodes().boundingBox())")
    span = box[1] - box[0]
    for share in (0.2, 0.8):
        at = x + MARGIN + share * (width - 2 * MARGIN), y + height / 2
        browser.mouse("mousePressed", *at, button="left", clickCount=1)
        browser.mouse("mouseReleased", *at, button="left")
        middle = browser.evaluate(f"(({{x1, x2}}) => (x1 + x2) / 2)({CY}.extent())")
        assert middle == pytest.approx(box[0] + share * span, abs=0.02 * span)
    assert browser.complaints == []


def test_a_focus_holds_ancestors_and_descendants_alone(browser, large):
    browser.show(width=1400, height=900)
    browser.open(large)
    before = browser.evaluate(f"{CY}.nodes().map((node) => node.position())")
    median = pp.Dag.from_edges(
        [f"variable_{k}" for k in range(120)],
        [
            tuple(edge)
            for edge in browser.evaluate(
                f"{CY}.edges().filter((e) => e.visible())"
                ".map((e) => [e.source().data('name'), e.target().data('name')])"
            )
        ],
    )
    name = "variable_70"
    find(browser, name)
    browser.click("#focus")
    below = {other for other in median.nodes if name in median.ancestors(other)}
    family = {name, *median.ancestors(name), *below}
    assert 3 < len(family) < 60
    assert names(browser, ":visible") == family
    assert font(browser) >= LEAST_FONT
    assert (
        browser.evaluate("document.getElementById('focus').getAttribute('aria-pressed')") == "true"
    )
    # nothing overlaps, and causes are still above effects
    assert browser.evaluate(
        f"{CY}.edges().filter((e) => e.visible()).toArray()"
        ".every((e) => e.source().position().y < e.target().position().y)"
    )
    assert browser.evaluate(
        f"(() => {{ const boxes = {CY}.nodes().filter((n) => n.visible())"
        ".map((n) => n.boundingBox({includeLabels: false}));"
        "return boxes.every((a, i) => boxes.every((b, j) => i === j || a.x2 <= b.x1 || b.x2 <= a.x1"
        " || a.y2 <= b.y1 || b.y2 <= a.y1)); })()"
    )
    browser.press("Escape")
    assert len(names(browser, ":visible")) == 120
    assert browser.evaluate(f"{CY}.nodes().map((node) => node.position())") == before
    assert browser.complaints == []


def test_the_keyboard_finds_and_focuses(browser, large):
    browser.open(large)
    browser.evaluate("document.getElementById('find').focus()")
    find(browser, "variable_70")
    browser.press("Enter")
    assert len(names(browser, ":visible")) < 120
    browser.evaluate("document.getElementById('graph').focus()")
    browser.press("f")
    assert len(names(browser, ":visible")) == 120
    zoom = browser.evaluate(f"{CY}.zoom()")
    browser.press("+")
    assert browser.evaluate(f"{CY}.zoom()") > zoom


def seconds_of_work(page):
    """Since the page was asked for."""
    metrics = page.call("Performance.getMetrics")["metrics"]
    return next(entry["value"] for entry in metrics if entry["name"] == "TaskDuration")


def test_a_report_of_441_variables_is_small_and_opens_at_once(browser, tmp_path):
    path = tmp_path / "report.html"
    big_posterior(441).report(path)
    assert path.stat().st_size < 3_000_000
    # the processor's time: others may keep it busy
    browser.call("Performance.enable", timeDomain="threadTicks")
    browser.open(path)
    assert 0 < seconds_of_work(browser) < 3
    assert font(browser) >= LEAST_FONT
    assert browser.complaints == []
