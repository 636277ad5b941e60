"""The report on small windows, and its map: nothing is cut off, hidden or too small to be read."""

import pytest

import pathprior as pp
from tests.browser import needs_chromium, open_browser
from tests.posteriors import of_graphs

pytestmark = needs_chromium

CY = "document.getElementById('graph').cy"
LAPTOP, PHONE = (1280, 800), (390, 844)


@pytest.fixture(scope="module")
def browser():
    with open_browser() as page:
        yield page


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """Reports on 8, 37 and 90 variables, by their number."""
    found = {}
    for number, odds in ((8, 0.3), (37, 0.06), (90, 0.01)):
        names = [f"variable {k}" for k in range(number)]
        dags = pp.sample_dags(number, 20, seed=1, edge_odds=odds)
        beliefs = pp.BeliefSet([pp.causes(names[0], names[1], 0.9)])
        posterior = of_graphs([pp.Dag(names, dag) for dag in dags], beliefs, num_chains=2)
        path = tmp_path_factory.mktemp("report") / "report.html"
        posterior.report(path)
        found[number] = posterior, path
    return found


def show(browser, reports, number, size):
    browser.show(width=size[0], height=size[1])
    browser.open(reports[number][1])
    browser.wait_for_frames()
    return reports[number][0]


def box(page, selector):
    """Left, top, right and bottom of an element, in pixels of the window."""
    return page.evaluate(
        "(({left, top, right, bottom}) => [left, top, right, bottom])"
        f"(document.querySelector({selector!r}).getBoundingClientRect())"
    )


def cell(page, i, j, number):
    """Where a cell of the map is, in pixels of the window."""
    page.evaluate("document.querySelector('.map').scrollIntoView()")
    page.wait_for_frames()
    left, top, right, _ = page.evaluate(
        "(({left, top, right, bottom}) => [left, top, right, bottom])"
        "(document.querySelector('.map svg > rect').getBoundingClientRect())"
    )
    size = (right - left) / number
    return left + (j + 0.5) * size, top + (i + 0.5) * size


@pytest.mark.parametrize("size", [LAPTOP, (1600, 900)])
@pytest.mark.parametrize("number", [8, 37, 90])
def test_no_column_of_the_map_is_cut_off(browser, reports, number, size):
    show(browser, reports, number, size)
    assert browser.evaluate(
        "(({scrollWidth, clientWidth, scrollHeight, clientHeight}) =>"
        " scrollWidth <= clientWidth && scrollHeight <= clientHeight)"
        "(document.querySelector('.map'))"
    )
    left, _, right, _ = box(browser, ".map svg")
    card_left, _, card_right, _ = box(browser, ".paths")
    assert card_left <= left < right <= card_right
    assert browser.complaints == []


@pytest.mark.parametrize("number", [8, 37, 90])
def test_pointing_at_a_cell_names_the_two(browser, reports, number):
    posterior = show(browser, reports, number, LAPTOP)
    order = browser.evaluate("JSON.parse(document.getElementById('data').textContent).order")
    x, y = (posterior.variables[order[k]] for k in (1, 4))
    browser.mouse("mouseMoved", *cell(browser, 1, 4, number))
    tip = browser.evaluate("document.querySelector('.tip').textContent")
    name, _, found = tip.partition(": ")
    assert name == f"{x} causes {y}"
    expected = posterior.probability(x, "causes", y)
    number_said = float(found.split()[-3 if "±" in found else -1])
    assert number_said == pytest.approx(expected, abs=0.1 if "e" in found else 0.006)
    left, top, right, bottom = box(browser, ".tip")
    assert 0 <= left < right <= LAPTOP[0]
    assert 0 <= top < bottom <= LAPTOP[1]
    browser.mouse("mouseMoved", *cell(browser, 2, 2, number))
    assert browser.evaluate("document.querySelector('.tip').hidden"), "nothing causes itself"


def test_a_click_on_a_cell_asks_about_the_two(browser, reports):
    posterior = show(browser, reports, 90, LAPTOP)
    order = browser.evaluate("JSON.parse(document.getElementById('data').textContent).order")
    at = cell(browser, 3, 7, 90)
    browser.mouse("mousePressed", *at, button="left", clickCount=1)
    browser.mouse("mouseReleased", *at, button="left", clickCount=1)
    chosen = browser.evaluate("['pair-x', 'pair-y'].map((id) => document.getElementById(id).value)")
    assert chosen == [posterior.variables[order[k]] for k in (3, 7)]
    browser.wait_for("document.getElementById('pair').getBoundingClientRect().top > -1")


@pytest.mark.parametrize("number", [8, 37, 90])
def test_a_phone_shows_the_network_and_not_its_tools(browser, reports, number):
    show(browser, reports, number, PHONE)
    _, top, _, bottom = box(browser, ".stage")
    assert bottom - top > 250
    left, above, right, below = box(browser, "#overview")
    assert (right - left) * (below - above) < 0.12 * (bottom - top) * PHONE[0]
    assert browser.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    browser.show(width=LAPTOP[0], height=LAPTOP[1])


def test_a_narrow_phone_shows_all_of_what_became_of_beliefs(browser, tmp_path):
    data = pp.load_network("asia").sample(200, seed=1)
    fit = pp.learn(data, [pp.direct("smoke", "bronc", 0.6), pp.not_causes("xray", "dysp", 0.97)])
    fit.report(tmp_path / "report.html")
    browser.show(width=375, height=740)  # 360 beside the bar that scrolls
    browser.open(tmp_path / "report.html")
    wide, room = browser.evaluate(
        "(({scrollWidth, clientWidth}) => [scrollWidth, clientWidth])(document.documentElement)"
    )
    assert room <= 360
    assert wide <= room
    browser.show(width=LAPTOP[0], height=LAPTOP[1])


def test_all_of_a_small_graph_is_in_sight_at_first(browser, reports):
    """The curves of its edges too."""
    show(browser, reports, 8, LAPTOP)
    assert browser.evaluate(
        f"(() => {{ const seen = {CY}.extent(), all = {CY}.elements(':visible').boundingBox();"
        " return seen.x1 <= all.x1 && seen.x2 >= all.x2"
        " && seen.y1 <= all.y1 && seen.y2 >= all.y2; })()"
    )


@pytest.mark.parametrize("size", [LAPTOP, PHONE])
@pytest.mark.parametrize("number", [37, 90])
def test_no_variable_is_cut_in_half_at_the_top_at_first(browser, reports, number, size):
    show(browser, reports, number, size)
    top = browser.evaluate(f"{CY}.extent().y1")
    boxes = browser.evaluate(
        f"{CY}.nodes().map((n) => n.boundingBox({{includeLabels: false}})).map((b) => [b.y1, b.y2])"
    )
    assert not [span for span in boxes if span[0] < top < span[1]]
