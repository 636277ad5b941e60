"""The report in a real browser."""

import pytest

from tests.browser import needs_chromium, open_browser
from tests.report.conftest import STYLE, TAG

pytestmark = needs_chromium

CY = "document.getElementById('graph').cy"


@pytest.fixture(scope="module")
def browser():
    with open_browser() as page:
        page.show(width=1300, height=900)
        yield page


@pytest.fixture
def page(browser, odd_fit, tmp_path):
    odd_fit.report(tmp_path / "report.html")
    browser.open(tmp_path / "report.html")
    return browser


def names(page, selector):
    return set(page.evaluate(f"{CY}.nodes({selector!r}).map((node) => node.data('name'))"))


def lit_edges(page):
    ends = "[edge.source().data('name'), edge.target().data('name')]"
    found = page.evaluate(f"{CY}.edges('.lit').map((edge) => {ends})")
    return {tuple(edge) for edge in found}


def test_opens_without_complaint_or_request(page):
    assert page.complaints == []
    assert len(page.requests) == 1
    assert page.requests[0].startswith("file://")


def test_every_node_and_edge_is_there(page, odd_fit):
    assert names(page, "*") == set(odd_fit.dag.nodes)
    assert TAG in names(page, "*")
    assert page.evaluate(f"{CY}.edges().length") == odd_fit.dag.num_edges
    assert page.evaluate(f"{CY}.edges('.open').length") == len(odd_fit.cpdag.undirected_edges)
    # causes above effects, as in the plot
    assert page.evaluate(
        f"{CY}.edges().toArray().every((e) => e.source().position().y < e.target().position().y)"
    )


def test_a_click_on_a_belief_lights_up_its_path(page, odd_fit):
    held = odd_fit.beliefs_held()
    row = held[(held["x"] == "lung") & (held["y"] == "bronc")].index[0]
    page.click(f"tr[data-belief='{row}']")
    assert names(page, ".end") == {"lung", "bronc"}
    assert lit_edges(page) == {("smoke", "lung"), ("smoke", "bronc")}
    assert "common cause" in page.evaluate("document.getElementById('note').textContent")
    page.press("Escape")
    assert lit_edges(page) == set()


def test_the_keyboard_chooses_a_belief_too(page, odd_fit):
    held = odd_fit.beliefs_held()
    row = held[(held["x"] == "lung") & (held["y"] == STYLE)].index[0]
    button = f"document.querySelector('tr[data-belief=\"{row}\"] button')"
    page.evaluate(f"{button}.focus()")
    page.press("Enter")
    assert page.evaluate(f"{button}.getAttribute('aria-pressed')") == "true"
    assert ("lung", TAG) in lit_edges(page)
    assert (TAG, STYLE) in lit_edges(page)


def test_pointing_at_a_node_names_its_causes(page):
    page.evaluate("document.getElementById('graph').scrollIntoView()")
    page.wait_for_frames()  # the graph learns of it with the next one
    x, y = page.evaluate(
        f"(() => {{ const at = {CY}.nodes()[3].renderedPosition();"
        "const box = document.getElementById('graph').getBoundingClientRect();"
        "return [box.x + at.x, box.y + at.y]; })()"
    )
    page.mouse("mouseMoved", x, y)
    assert page.evaluate("document.getElementById('note').textContent").startswith("lung. Causes:")


def test_dark_pages_have_dark_paper(page):
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.show(width=1300, height=900, scheme="dark")
    assert page.evaluate(background) != light
    assert page.complaints == []
    page.show(width=1300, height=900)
