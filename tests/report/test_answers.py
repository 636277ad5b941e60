"""What the report says first."""

import base64
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.problem.listed_forms import Tiers
from pathprior.report.answers import MAX_ASKED, fit_answers, posterior_answers
from pathprior.report.claims import surest_claims
from pathprior.report.effect_data import WITHOUT_DATA, describe_effect, effect_data
from pathprior.report.graph_data import graph_data, posterior_graph_data
from pathprior.report.posterior_links import Link, backbone, edge_matrix, find_links
from pathprior.report.relation_data import relation_data
from pathprior.search.support import edge_support
from tests.posteriors import of_graphs, sampled
from tests.report.test_page import Outline

NAMES = ["smoke", "bronc", "dysp"]


@pytest.fixture(scope="module")
def fit():
    data = pp.load_network("asia").sample(400, seed=1)[NAMES]
    return pp.learn(data, [pp.causes("dysp", "smoke", 0.8), pp.causes("smoke", "bronc", 0.9)])


@pytest.fixture(scope="module")
def posterior(fit):
    return fit.posterior()


def texts(page):
    return "\n".join(Outline(page).texts)


def test_sentences_not_scores_come_first(posterior):
    found = texts(posterior_answers(posterior, NAMES))
    for sentence in posterior.beliefs()["sentence"]:
        assert sentence in found
    asked = posterior.ask_next("belief", top=1)["sentence"][0]
    assert asked.split(":")[0] in found
    (claim,) = surest_claims(posterior, 1)
    assert f"{claim.x} causes {claim.y}." in found
    assert posterior.probability(claim.x, "causes", claim.y) == claim.probability
    assert "score" not in found


def test_nobody_is_told_to_randomise_a_first_tier(fit):
    data = fit.problem.data
    proposed = re.compile(r"Randomise (\w+)\.")
    free = pp.sample_posterior(data, [pp.causes("dysp", "smoke", 0.8)])
    (most,) = proposed.findall(texts(posterior_answers(free, NAMES)))
    tiers = [[most], [name for name in NAMES if name != most]]
    within = pp.sample_posterior(data, tiers=tiers)
    page = texts(posterior_answers(within, NAMES))
    assert f"Taken as what nobody can set: {most}." in page
    assert most not in proposed.findall(page)
    assert len(proposed.findall(page)) == 1
    asked = pp.sample_posterior(data, tiers=tiers, fixed=[])
    assert "nobody can set" not in texts(posterior_answers(asked, NAMES))


def test_green_at_the_top_is_evidence(posterior):
    page = posterior_answers(posterior, NAMES)
    agreeing = re.findall(r'class="agrees">([^<]*)<', page)
    beliefs = posterior.beliefs()
    supported = beliefs[(beliefs["log_bayes_factor"] >= 1) & (beliefs["stated"] > 0.5)]
    assert agreeing == list(supported["sentence"])


def test_without_a_posterior_nothing_is_called_evidence_for_a_belief(fit):
    page = fit_answers(fit, edge_support(fit))
    assert "That is no evidence for them" in page
    assert "agrees" not in page
    assert "posterior=fit.posterior()" in page


def test_links_are_pairs_with_what_each_direction_has():
    graphs = [pp.Dag.from_edges("abc", [("a", "b")])] * 6
    graphs += [pp.Dag.from_edges("abc", [("b", "a"), ("c", "b")])] * 2
    edges = edge_matrix(of_graphs(graphs, pp.BeliefSet(), num_chains=2), "cba")
    assert find_links(edges) == [Link(2, 1, 1.0, 0.75), Link(0, 1, 0.25, 0.25)]
    assert [link.is_open for link in find_links(edges)] == [True, False]
    learned = pp.Dag.from_edges("cba", [("b", "a")])
    assert find_links(edges, learned)[0] == Link(1, 2, 1.0, 0.25)


def test_a_link_that_would_close_a_cycle_is_turned():
    links = [Link(0, 1, 0.9, 0.5), Link(1, 2, 0.8, 0.5), Link(2, 0, 0.7, 0.5), Link(2, 3, 0.4, 0.4)]
    found = backbone(tuple("abcd"), links)
    assert set(found.edges) == {("a", "b"), ("b", "c"), ("a", "c")}
    learned = pp.Dag.from_edges("abcd", [("b", "a")])
    assert ("b", "a") in backbone(tuple("abcd"), links[1:], learned).edges


def test_every_link_is_drawn_once_and_the_learned_ones_first(fit, posterior):
    supports = edge_support(fit)
    data = graph_data(fit, supports, posterior)
    names = [node["name"] for node in data["nodes"]]
    drawn = [(names[edge["source"]], names[edge["target"]]) for edge in data["edges"]]
    assert tuple(drawn[: fit.dag.num_edges]) == fit.dag.edges
    assert len({frozenset(pair) for pair in drawn}) == len(drawn)
    for (u, v), edge in zip(drawn, data["edges"], strict=True):
        assert edge["forward"] == pytest.approx(posterior.edges.loc[u, v], abs=1e-4)
        assert edge["probability"] == pytest.approx(posterior.adjacencies.loc[u, v], abs=1e-4)
    assert len(posterior_graph_data(posterior)["edges"]) == len(drawn)


@pytest.mark.parametrize("nodes", [NAMES, NAMES[::-1]])
def test_packed_relations_are_those_of_the_posterior(posterior, nodes):
    chains = sampled(posterior)
    packed = relation_data(chains, nodes)["relations"]
    shares = np.frombuffer(base64.b64decode(packed["probabilities"]), "<u2").reshape(-1, 3) / 65535
    roots = np.frombuffer(base64.b64decode(packed["errors"]), np.uint8).reshape(-1, 4) / 255
    pairs = [(x, y) for k, x in enumerate(nodes) for y in nodes[k + 1 :]]
    for (x, y), share, root in zip(pairs, shares, roots, strict=True):
        for event, p, r in zip(("causes", "caused-by", "confounded"), share, root, strict=False):
            asked = chains.estimate(x, event, y)
            assert p == pytest.approx(asked.value, abs=1e-5)
            assert r**2 / 2 == pytest.approx(asked.error, abs=0.003)
    assert relation_data(posterior, nodes)["relations"]["errors"] is None


def test_effects_are_drawn_for_what_was_believed(posterior):
    found = effect_data(posterior, NAMES, [("smoke", "bronc")])["pairs"]
    assert {"x": 0, "y": 1}.items() <= found[0].items()
    (group,) = found[0]["groups"]
    table = posterior.effect("smoke", "bronc", num_draws=200).table()
    means = table[table["state"] == "no"]["mean"].round(4)
    assert group["title"] == "Probability of bronc = no"
    assert [row["mean"] for row in group["rows"]] == list(means)


def test_where_effects_cannot_be_drawn_the_page_says_why(posterior, tmp_path):
    posterior.save(tmp_path / "posterior.npz")
    loaded = pp.load_posterior(tmp_path / "posterior.npz")
    assert effect_data(loaded, NAMES, []) == {"pairs": [], "missing": WITHOUT_DATA}


def test_effects_between_states_and_measurements_are_told():
    mixed = pp.load_network("checkup").sample(400, seed=0)[["age"]]
    both = pp.sample_posterior(mixed.assign(old=mixed["age"] > 50), tiers=[["age"], ["old"]])
    to_states = describe_effect(both.effect("age", "old", num_draws=20))
    (group,) = to_states["groups"]
    assert group["title"] == "Probability of old = True"
    assert len(group["rows"]) == 5
    back = describe_effect(both.effect("old", "age", num_draws=20))
    assert back["groups"] == []
    assert "old set to True instead of False changes the mean of age by" in back["sentences"][0]


def test_a_slope_is_a_sentence():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    found = pp.sample_posterior(pd.DataFrame({"x": x, "y": -2 * x + rng.normal(size=200)}))
    sentences = describe_effect(found.effect("x", "y", num_draws=50))["sentences"]
    assert re.match(r"x set one higher changes y by (−|\+)", sentences[0])


@pytest.mark.parametrize(
    ("tiers", "words"),
    [
        ((), "none"),
        ((("age", "sex"), ("diet",)), "age, sex come before diet"),
        ((("age",), ("diet", "bone"), ("fall",)), "age comes before diet, bone, then fall"),
    ],
)
def test_tiers_are_said_in_words(tiers, words):
    assert Tiers().say(tiers) == words


def test_the_docs_say_up_to_how_many_variables_questions_are_shown():
    page = (Path(__file__).parents[2] / "docs" / "reports.md").read_text("utf-8")
    assert f"up to {MAX_ASKED} variables" in page
