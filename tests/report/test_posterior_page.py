"""The report of a posterior, and what it adds to that of a fit."""

import base64
import json
import re
from io import BytesIO

import numpy as np
import pytest
from matplotlib.image import imread

import pathprior as pp
from pathprior.errors import ReportError
from pathprior.report import style
from pathprior.report.posterior_page import format_posterior_report
from tests.posteriors import of_graphs, sampled
from tests.report.conftest import TAG
from tests.report.test_page import Outline

NAMES = ["smoke", TAG, "bronc"]


@pytest.fixture(scope="module")
def odd():
    """Few variables, one of them with a name that is markup."""
    data = pp.load_network("asia").sample(200, seed=1)[["smoke", "lung", "bronc"]]
    data.columns = NAMES
    return pp.learn(data, [pp.causes("smoke", TAG, 0.9), pp.not_associated("smoke", "bronc", 0.8)])


@pytest.fixture(scope="module")
def posterior(odd):
    return odd.posterior()


def texts(page):
    return "\n".join(Outline(page).texts)


def test_names_never_become_markup_and_nothing_is_fetched(posterior):
    page = format_posterior_report(posterior, inputs={"data": "a<b>.csv"}, title="<i>x</i>")
    outline = Outline(page)
    tags = [tag for tag, _ in outline.tags]
    assert not {"link", "img", "iframe", "object"} & set(tags)
    assert tags.count("script") == 3
    assert "b" not in tags
    assert all("class" in attributes for tag, attributes in outline.tags if tag == "i")  # ours
    assert all("src" not in attributes for _, attributes in outline.tags)
    assert "default-src 'none'; script-src 'sha256-" in page
    assert any(TAG in text for text in outline.texts)
    assert "a<b>.csv" in outline.texts


def test_every_belief_has_its_course(posterior, tmp_path):
    path = tmp_path / "report.html"
    posterior.report(path, title="Cohort")
    page = path.read_text(encoding="utf-8")
    assert "<h1>Cohort</h1>" in page
    for row in posterior.beliefs().itertuples():
        stated = f"{row.stated:g}<small>fitted {row.fitted:.3f}</small>"
        assert f"{stated}<small>baseline {row.baseline:.3f}</small>" in page
        assert f'<td class="number">{row.after:.3f}<svg' in page
        assert row.sentence in texts(page)
    assert "Every graph within the rules was weighed." in texts(page)
    assert "±" not in page.split("<script", maxsplit=1)[0]
    assert "<polyline" not in page


def test_chains_say_how_they_settled(posterior):
    found = sampled(posterior)
    page = format_posterior_report(found)
    assert page.count("<polyline") == 3
    belief = found.beliefs().iloc[0]
    assert f"{belief['after']:.3f} ± {belief['error']:.3f}" in page
    edges = found.errors.query("kind == 'edge'").sort_values("probability", ascending=False)
    top = edges.iloc[0]
    text = texts(page)
    assert f"{top['x']} → {top['y']}" in text
    assert f"{top['probability']:.3f} ± {top['error']:.3f}" in text
    worst = found.errors.sort_values("error", ascending=False).iloc[0]
    assert f"{worst['x']} {worst['event']} {worst['y']}" in text


def test_the_map_of_many_variables_is_a_picture_in_causal_order():
    names = [f"v{k}" for k in range(61)]
    graph = pp.Dag.from_edges(names, [("v9", "v3"), ("v3", "v7"), ("v40", "v2")])
    page = format_posterior_report(of_graphs([graph] * 200, pp.BeliefSet(), num_chains=2))
    assert "no beliefs were given" in page
    picture = re.search(r'href="data:image/png;base64,([^"]+)"', page)[1]
    pixels = np.rint(255 * imread(BytesIO(base64.b64decode(picture))))[..., :3]
    (order,) = [json.loads(part) for part in re.findall(r'"order":(\[[0-9,]+\])', page)]
    assert [names[k] for k in order[:6]] == ["v9", "v3", "v7", "v40", "v2", "v0"]
    dark, light, nothing = (
        [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
        for colour in (style.SEQUENTIAL[-1], style.PAPER, style.NOTHING)
    )
    expected = np.array([[nothing if i == j else light for j in range(61)] for i in range(61)])
    for i, j in ((0, 1), (0, 2), (1, 2), (3, 4)):
        expected[i, j] = dark
    assert (pixels == expected).all()


def test_a_map_stands_where_there_is_room_for_it():
    """Beside the graph while it is narrow; nothing of it is cut off."""
    few, many = ([f"variable {k}" for k in range(number)] for number in (8, 40))
    for names, is_beside in ((few, True), (many, False)):
        found = of_graphs([pp.Dag.from_edges(names, [])] * 16, pp.BeliefSet(), num_chains=2)
        page = format_posterior_report(found)
        assert page.count('<div class="map">') == 1
        assert (page.index('<div class="map">') < page.index("</main>")) == is_beside


def test_a_fit_shows_its_posterior_beside_the_verdicts(odd, posterior, tmp_path):
    alone, extended = tmp_path / "alone.html", tmp_path / "extended.html"
    odd.report(alone)
    odd.report(extended, posterior=posterior)
    page = extended.read_text(encoding="utf-8")
    assert "<h2>Posterior</h2>" in page
    assert "<h2>Posterior</h2>" not in alone.read_text(encoding="utf-8")
    after = posterior.beliefs()["after"]
    assert page.count("after the data</small>") == len(after)
    assert f"<small>{after[0]:.3f} after the data</small>" in page
    chains = sampled(posterior)
    odd.report(extended, posterior=chains)
    row = chains.beliefs().iloc[1]
    said = f"<small>{row['after']:.3f} ± {row['error']:.3f} after the data</small>"
    assert said in extended.read_text(encoding="utf-8")


def test_a_posterior_of_other_variables_is_refused(odd, tmp_path):
    other = pp.sample_posterior(pp.load_network("asia").sample(50, seed=0)[["smoke", "lung"]])
    with pytest.raises(ReportError, match="of other variables"):
        odd.report(tmp_path / "report.html", posterior=other)
