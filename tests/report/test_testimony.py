"""Sources and statements in what results print and show."""

import re

import pytest

import pathprior as pp
from pathprior.report.testimony import source_lines

NAMES = ["smoke", "lung", "bronc"]


@pytest.fixture(scope="module")
def fit():
    data = pp.load_network("asia").sample(500, seed=1)[NAMES]
    said = [
        pp.says("<doctor>", "smoke", "causes", "lung"),
        pp.says("<doctor>", "smoke", "causes", "bronc", strength=0.5),
        pp.says("poll", "smoke", "not-associated", "lung"),
    ]
    return pp.learn(data, said)


def test_a_line_for_each_source(fit):
    first, second = source_lines(fit.sources())
    assert first.startswith("<doctor>: 2 statements, worth 1.5, 1.5 hold. Reliability 0.73, with")
    assert second.startswith("poll: 1 statement, 0 hold. Reliability 0.57, with 90 % probability")
    assert second.endswith("0.67 beforehand.")


def test_printed_with_the_rest(fit):
    for result in (fit, fit.posterior()):
        text = str(result)
        assert "<doctor>: 2 statements, worth 1.5" in text
        assert max(map(len, text.splitlines())) <= 80


def test_notebooks_have_both_tables(fit):
    for result in (fit, fit.posterior()):
        html = result._repr_html_()
        assert "&lt;doctor&gt;" in html
        assert "<doctor>" not in html
        assert "reliability" in html
        assert "not-associated" in html


def test_pages_have_a_section(fit, tmp_path):
    posterior = fit.posterior()
    fit.report(tmp_path / "fit.html")
    fit.report(tmp_path / "both.html", posterior=posterior)
    posterior.report(tmp_path / "posterior.html")
    for name in ("fit", "both", "posterior"):
        page = (tmp_path / f"{name}.html").read_text("utf-8")
        assert "3 statements" in page
        assert re.search(r"<h2[^>]*>Statements", page)
        assert "&lt;doctor&gt;" in page
        assert "<doctor>" not in page
        assert "smoke and lung are not associated" in page


def test_pages_without_statements_have_none(tmp_path):
    data = pp.load_network("asia").sample(100, seed=1)[NAMES]
    pp.learn(data).report(tmp_path / "fit.html")
    assert "Statements" not in (tmp_path / "fit.html").read_text("utf-8")
