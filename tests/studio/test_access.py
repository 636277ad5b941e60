"""The page for everybody: axe finds nothing serious, it fits 800 pixels, and keys suffice."""

from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="needs pathprior[studio]")

from tests.browser import needs_chromium, open_browser
from tests.studio.conftest import DATA, row, serving
from tests.studio.page import StudioPage

pytestmark = needs_chromium

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
STEPS = ("data", "beliefs", "experts", "run", "keep")


@pytest.fixture(scope="module")
def browser():
    with open_browser() as page:
        yield page


@pytest.fixture(scope="module")
def server(tmp_path_factory, compiled):
    """A session with a conflict, an expert who differs, and a run that was made."""
    place = tmp_path_factory.mktemp("served")
    header, *lines = (DATA / "cohort.csv").read_text().splitlines()
    # four columns alone: every graph is weighed, in a moment
    few = [",".join(line.split(",")[2:6]) for line in (header, *lines)]
    (place / "few.csv").write_text("\n".join(few))
    with serving(place, "few.csv") as started:
        started.change("tiers", tiers=[["smoking"], ["calcium"]])
        for belief in (
            row("smoking", "causes", "exercise", 0.9, source="trial"),
            row("exercise", "causes", "calcium", 0.9),
            row("smoking", "causes", "exercise", 0.9),
            row("smoking", "not-associated", "calcium", 0.9),
        ):
            started.change("add", belief=belief)
        started.change("expert", name="Anna")
        started.change("add", belief=row("smoking", "causes", "exercise", 0.2))
        started.change("speak", name="")
        assert started.call("POST", "api/run", {"timeLimit": 60})[0] == 200
        yield started


@pytest.fixture
def page(browser, server):
    browser.show(width=1300, height=900)
    opened = StudioPage(browser, server.address)
    opened.wait_for("document.querySelector('.results table') !== null")
    return opened


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(page, browser, scheme):
    browser.show(width=1300, height=900, scheme=scheme)
    page.evaluate(AXE + "; true")
    found = []
    for step in STEPS:
        page.go(step)
        page.wait_for("document.querySelector('main').innerText.length > 20")
        browser.wait_for_frames()
        violations = page.evaluate(
            "axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations"
            ".filter(({impact}) => ['serious', 'critical'].includes(impact))"
            ".map(({id, nodes}) => [id, nodes.map(({html}) => html.slice(0, 200))]))"
        )
        found += [(step, *violation) for violation in violations]
    assert found == []


@pytest.mark.parametrize("step", STEPS)
def test_fits_800_pixels(page, browser, step):
    browser.show(width=800, height=1000)
    page.go(step)
    browser.wait_for_frames()
    assert page.evaluate("document.documentElement.scrollWidth") <= 800


def test_dark_pages_have_dark_paper(page, browser):
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    browser.show(width=1300, height=900, scheme="dark")
    assert page.evaluate(background) != light


def tab_to(browser, page, wanted, most=80):
    """Press Tab until an element has the focus; every stop must be seen."""
    for _ in range(most):
        browser.press("Tab")
        assert page.evaluate(
            "document.activeElement === document.body || document.activeElement.matches("
            "'.skip') || document.activeElement.getClientRects().length > 0"
        )
        if page.evaluate(f"document.activeElement.matches({wanted!r})"):
            return
    raise AssertionError(f"Tab never comes to {wanted}")


def test_a_belief_is_stated_and_undone_with_keys_alone(page, browser):
    page.evaluate("document.getElementById('tab-data').focus()")
    browser.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-beliefs"
    page.wait_for("document.querySelectorAll('#list tbody tr').length === 5")
    for wanted in ("#x", "#relation", "#y", "#chance"):  # in this order
        tab_to(browser, page, wanted)
    before = page.value("#chance-number")
    browser.press("ArrowRight")
    assert float(page.value("#chance-number")) == float(before) + 1
    tab_to(browser, page, "#editor button.main")
    browser.press("Enter")
    page.wait_for("document.querySelectorAll('#list tbody tr').length === 6")
    assert page.evaluate("document.activeElement.matches('#editor button.main')")
    page.click("#undo")
    page.wait_for("document.querySelectorAll('#list tbody tr').length === 5")


def test_the_overlay_shows_who_differs(page):
    page.go("experts")
    page.wait_for_text("#panel-experts", "Anna 0.20")
    page.wait_for_text("#panel-experts", "trial 0.90")
    page.wait_for_text("#panel-experts", "disagree")


def test_an_expert_sees_nothing_of_the_others(page, server):
    page.go("beliefs")
    page.wait_for_text("#conflicts", "force")
    server.change("speak", name="Anna")
    page.wait_for("document.querySelectorAll('#list tbody tr').length === 1")
    assert page.conflicts() == []
    page.go("run")
    page.wait_for_text("#panel-run", "Hidden while an expert speaks")
    assert page.text(".results") == ""
    page.go("experts")
    page.wait_for_text("#panel-experts", "Hidden while an expert speaks")
    server.change("speak", name="")
    page.wait_for_text("#panel-experts", "Anna 0.20")


def test_no_probability_becomes_certain_by_rounding(page, browser):
    page.go("beliefs")
    page.fill_in("smoking", "causes", "exercise", "99.99999999999999999")
    message = "document.querySelector('#chance-number').validationMessage"
    assert page.evaluate(message).startswith("Too near to 0 or 100 to be told from it")
    for percent in ("1e-400", "100", "0", "99.99999999999999", "1e-12"):
        page.set("#chance-number", percent)
        assert bool(page.evaluate(message)) == (percent == "1e-400")
    assert (
        page.evaluate(
            "import('./slider.js').then(({ inPercent }) => "
            "[0, 1, 0.3, 1e-14, 0.9999999999999999].map(inPercent).join(' '))"
        )
        == "0 100 30 1e-12 99.99999999999999"
    )
    page.set("#chance-number", "80")
