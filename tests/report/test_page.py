import json
import re
from html import escape
from html.parser import HTMLParser

import pytest

import pathprior as pp
from pathprior.errors import ReportError
from pathprior.prior.promise import UnmetBeliefWarning
from pathprior.problem.run_record import InputFile, RunInputs
from pathprior.report.page import format_report
from pathprior.report.write import write_fit
from pathprior.report.write_posterior import write_posterior
from pathprior.search.support import edge_support
from tests.report.conftest import STYLE, TAG


class Outline(HTMLParser):
    """Start tags and the texts inside them, as a browser would see them."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)


@pytest.fixture(scope="module")
def page(odd_fit):
    return format_report(odd_fit, edge_support(odd_fit), inputs={"data": "a<b>.csv"})


def embedded(page):
    return json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', page)[1])


def test_names_never_become_markup(page):
    outline = Outline(page)
    assert [tag for tag, _ in outline.tags].count("script") == 3
    assert [tag for tag, _ in outline.tags].count("style") == 1
    assert "b" not in [tag for tag, _ in outline.tags]
    assert any(TAG in text for text in outline.texts)
    assert "</script><b>trial</b>" in outline.texts
    assert "a<b>.csv" in outline.texts


def test_the_embedded_data_names_everything(page, odd_fit):
    data = embedded(page)
    assert [node["name"] for node in data["nodes"]] == list(odd_fit.dag.nodes)
    edges = [(data["nodes"][e["source"]], data["nodes"][e["target"]]) for e in data["edges"]]
    assert [(u["name"], v["name"]) for u, v in edges] == list(odd_fit.dag.edges)
    for belief, row in zip(data["beliefs"], odd_fit.beliefs_held().itertuples(), strict=True):
        assert data["nodes"][belief["x"]]["name"] == row.x
        assert bool(belief["edges"]) == (row.relation != "⇎")
    assert len(data["steps"]) == len(odd_fit.steps)


def test_nothing_is_fetched(page):
    for tag, attributes in Outline(page).tags:
        assert tag not in ("link", "img", "iframe", "object")
        assert "src" not in attributes
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")


def test_says_what_was_asked_and_what_is_wrong(page, odd_fit):
    text = "\n".join(Outline(page).texts)
    assert odd_fit.prior.conflicts[0].sentence in text
    assert str(odd_fit.stopped_because) in text
    assert text.count("in a conflict") == 3
    assert odd_fit.prior.disagreements[0].sentence in text
    assert text.count("within its source") == len(odd_fit.prior.table)
    assert "equivalent sample size" in text
    assert "exact (by default)" in text
    assert f"smoke and {STYLE} are not associated" in text


def test_the_same_fit_gives_the_same_page(odd_fit, page):
    assert format_report(odd_fit, edge_support(odd_fit), inputs={"data": "a<b>.csv"}) == page


def test_a_fit_without_beliefs_steps_or_edges(tmp_path):
    frame = pp.load_network("asia").sample(50, seed=0)[["asia", "smoke"]]
    fit = pp.learn(frame, constant_columns="keep")
    assert fit.dag.num_edges == 0
    fit.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "no beliefs were given" in page
    assert "No graph within the rules scores higher" in page
    assert "All steps" not in page


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_title_names_the_data(tmp_path, suffix):
    data = pp.load_network("asia").sample(50, seed=0)[["smoke", "bronc"]]
    path = tmp_path / f"<cohort>.{suffix}"
    data.to_csv(path, index=False) if suffix == "csv" else data.to_parquet(path)
    for source, options, title in (
        (path, {}, f"Network learned from {path.name}"),
        (path, {"title": "Bone & age"}, "Bone & age"),
        (data, {"title": "Bone & age"}, "Bone & age"),
        (data, {}, "Learned network"),
    ):
        pp.learn(source).report(tmp_path / "report.html", **options)
        page = (tmp_path / "report.html").read_text(encoding="utf-8")
        assert f"<title>{escape(title)} – pathprior</title>" in page
        assert f"<h1>{escape(title)}</h1>" in page


def test_what_is_not_met_is_said_where_its_number_stands(tmp_path):
    data = pp.load_network("asia").sample(100, seed=1)[["smoke", "lung", "bronc", "dysp"]]
    just = [
        pp.causes("smoke", "lung", 0.8),
        pp.causes("lung", "bronc", 0.9),
        pp.causes("smoke", "bronc", 0.7),
    ]
    with pytest.warns(UnmetBeliefWarning) as warned:
        fit = pp.learn(data, just)
    said = str(warned[0].message)
    posterior = fit.posterior()
    fit.report(tmp_path / "fit.html")
    posterior.report(tmp_path / "posterior.html")
    for name in ("fit.html", "posterior.html"):
        page = (tmp_path / name).read_text(encoding="utf-8")
        assert page.count('<small class="tag">not met</small>') == 3
        assert f"<li>{said.removeprefix('not met as stated: ')}</li>" in page
    for result in (fit.prior, fit, posterior):
        assert f"{said[0].upper()}{said[1:]}." in " ".join(str(result).split())
    inputs = RunInputs(InputFile(tmp_path / "data.csv", ""), None)
    write_fit(fit, tmp_path / "fit", inputs=inputs)
    write_posterior(posterior, tmp_path / "posterior", inputs=inputs)
    for folder in ("fit", "posterior"):
        summary = json.loads((tmp_path / folder / "summary.json").read_text(encoding="utf-8"))
        assert summary["unmet"] == [said]


def test_a_file_that_cannot_be_written_is_named(plain_fit, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ReportError, match=r"cannot write .*report\.html"):
        plain_fit.report(tmp_path / "file" / "report.html")
