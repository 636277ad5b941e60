"""What the data say of each belief, against the definition."""

import warnings
from itertools import pairwise
from math import log

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.beliefs.event import Event
from pathprior.posterior.before import has_other, without_data
from pathprior.posterior.drawing import Chains, Sample
from pathprior.posterior.exact import enumerate_posterior
from pathprior.posterior.judge import make_judge
from pathprior.posterior.questions import ask_either
from pathprior.posterior.settling import PosteriorStop
from pathprior.score.graph import score_graph
from tests.posteriors import of_graphs, sampled


def graphs_of(data, beliefs, **rules):
    """Every DAG within the rules with its log prior and its data score."""
    fit = pp.learn(data, beliefs, score="bdeu", **rules)
    found = []
    for graph in fit.posterior(unseen=0).graphs:
        found.append((graph.dag, fit.prior.log_prob(graph.dag), score_graph(graph.dag, data)))
    return fit, found


# what is in no tier may lead back, which is meant here
@pytest.mark.filterwarnings("ignore::pathprior.problem.paths_back.PathsBackWarning")
@pytest.mark.parametrize("rules", [{}, {"required": [("d", "a")], "tiers": [["c"], ["b"]]}])
def test_bayes_factors_are_those_of_the_definition(data, beliefs, rules):
    fit, graphs = graphs_of(data, beliefs, **rules)
    prior = np.exp([log_prior for _, log_prior, _ in graphs])
    joint = prior * np.exp([score - graphs[0][2] for *_, score in graphs])
    table = fit.posterior(unseen=0).beliefs()
    assert len(table) == 5
    for row in table.itertuples():
        ties = Event.parse(row.event).ties
        holds = np.array([dag.tie(row.x, row.y) in ties for dag, *_ in graphs])
        odds = [weights[holds].sum() / weights[~holds].sum() for weights in (joint, prior)]
        assert row.log_bayes_factor == pytest.approx(log(odds[0]) - log(odds[1]), abs=1e-6)
        assert row.before == pytest.approx(prior[holds].sum() / prior.sum(), abs=1e-9)


def test_what_is_contradicted_comes_first():
    rows = np.arange(30000)
    cause = rows % 2
    # one effect is wrong in ten, the other column goes through all states of both
    effect, other = cause ^ (rows // 2 % 10 == 0), rows // 20 % 2
    frame = pd.DataFrame({"cause": cause, "effect": effect, "other": other}).astype(str)
    beliefs = [
        pp.associated("cause", "effect", 0.6),
        pp.associated("cause", "other", 0.9),
        pp.not_associated("effect", "other", 0.2),
    ]
    table = pp.sample_posterior(frame, beliefs, unseen=0, expected_parents=None).beliefs()
    sign = np.where(table["stated"] > 0.5, 1, -1)
    agreement = sign * table["weakest"]
    assert all(first <= second for first, second in pairwise(agreement))
    assert table["is_contradicted"].tolist() == (agreement <= -1).tolist()
    assert table["is_contradicted"].any()
    assert not table["is_contradicted"].all()
    said = dict(zip(table["event"] + table["y"], table["sentence"], strict=True))
    assert said["associatedother"].startswith("You said 0.90. The data ")
    assert said["associatedeffect"] == "You said 0.60. The data agree: above 0.999."


def test_hard_beliefs_and_rules_leave_nothing_to_say(data):
    beliefs = [pp.causes("d", "a", 1.0), pp.causes("a", "b", 0.8)]
    table = pp.sample_posterior(data, beliefs, required=[("a", "b")]).beliefs()
    assert table["log_bayes_factor"].isna().all()
    assert table["evidence"].tolist() == ["settled beforehand"] * 2
    assert all(sentence.endswith("no data can change that.") for sentence in table["sentence"])
    assert not table["is_contradicted"].any()


def test_the_same_in_all_graphs_is_a_bound(data):
    dag = pp.Dag.from_edges("abc", [("a", "b")])
    beliefs = pp.BeliefSet([pp.causes("b", "a", 0.8), pp.causes("a", "b", 0.1)])
    found = of_graphs([dag] * 400, beliefs, num_chains=4).beliefs()
    assert found["is_bound"].all()
    for row in found.itertuples():
        after = 1 if row.x == "a" else -1
        expected = after * log(400 + 1) - log(row.fitted / (1 - row.fitted))
        assert row.log_bayes_factor == pytest.approx(expected)
    said = set(found["sentence"])
    assert said == {
        "You said 0.80. The data say otherwise: at most 0.003.",
        "You said 0.10. The data say otherwise: at least 0.997.",
    }


def test_chains_of_the_prior_are_the_prior(data, beliefs):
    problem = without_data(pp.learn(data, beliefs, forbidden=[("d", "b")]).problem)
    assert problem.scorer.local(0, [1, 2]) == 0
    rules = {"forbidden": [("d", "b")]}
    exact = pp.sample_posterior(data, beliefs, **rules)
    chains = pp.sample_posterior(data, beliefs, method="chains", **rules)
    for found in (exact, chains):
        assert found.before is None  # the fit was within the rules
        assert found.beliefs()["before"].tolist() == found.beliefs()["fitted"].tolist()
    drawn = enumerate_posterior(without_data(pp.learn(data, beliefs, **rules).problem))
    for row in exact.beliefs().itertuples():
        asked = make_judge(drawn)
        before = ask_either(asked, row.x, row.event, row.y)[0].mean[0]
        assert row.before == pytest.approx(before, abs=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pp.errors.PathPriorWarning)
        alone = pp.sample_posterior(data.assign(c=0), beliefs)
    assert alone.before is not None  # that c has no edges is not fitted


def test_after_ctrl_c_the_evidence_is_not_known(monkeypatch, data, beliefs):
    with pytest.warns(pp.errors.PathPriorWarning, match="same value"):
        fit = pp.learn(data.assign(e=0), beliefs)  # what it was before must be drawn then
    drawn = Sample(sampled(fit.posterior()).draws, PosteriorStop.INTERRUPTED)

    def interrupt(_, problem, watch):
        watch.stop.interrupt()
        return drawn

    monkeypatch.setattr(Chains, "run", interrupt)
    with pytest.warns(pp.errors.PathPriorWarning, match="not settled"):
        table = fit.posterior(method="chains").beliefs()
    assert set(table["evidence"]) == {"not known"}
    assert table["sentence"].str.contains("After the data").all()


def test_a_saved_posterior_keeps_what_was_before(data, beliefs, tmp_path):
    found = pp.sample_posterior(data, beliefs, forbidden=[("d", "b")])
    found.save(tmp_path / "posterior.npz")
    again = pp.load_posterior(tmp_path / "posterior.npz")
    pd.testing.assert_frame_equal(again.beliefs(), found.beliefs())


# -- who leaves the data nothing to say, and who moved a belief ------------------------------------


def sentence_of(found, x, y):
    table = found.beliefs()
    return table[(table["x"] == x) & (table["y"] == y)]["sentence"].item()


@pytest.mark.filterwarnings("ignore:the rules leave no graph")
def test_rules_that_settle_a_belief_are_named(data, tmp_path):
    beliefs = [pp.causes("a", "b", 0.8), pp.causes("c", "d", 0.7), pp.causes("b", "c", 1.0)]
    rules = {"tiers": [["b"], ["a", "c", "d"]], "required": [("c", "d")]}
    found = pp.sample_posterior(data, beliefs, **rules)
    certain = "and no data can change that."
    assert sentence_of(found, "a", "b") == (
        f"You said 0.80. It is ruled out by your rules (tiers), {certain}"
    )
    assert sentence_of(found, "c", "d") == (
        f"You said 0.70. It is made certain by your rules (required), {certain}"
    )
    assert sentence_of(found, "b", "c") == f"You said 1. That is certain, {certain}"
    found.save(tmp_path / "p.npz")
    pd.testing.assert_frame_equal(pp.load_posterior(tmp_path / "p.npz").beliefs(), found.beliefs())


def test_certain_beliefs_that_settle_another_are_told_from_rules(data):
    beliefs = [pp.causes("a", "b", 1.0), pp.causes("b", "c", 1.0), pp.causes("a", "c", 1.0)]
    later = pp.causes("c", "a", 0.0)
    found = pp.sample_posterior(data, [*beliefs[:2], later])
    assert "certain" in sentence_of(found, "c", "a")
    tied = [pp.associated("a", "b", 1.0), pp.causes("b", "a", 0.5)]
    found = pp.sample_posterior(data, tied, forbidden=[(v, "b") for v in "acd"])
    assert sentence_of(found, "b", "a") == (
        "You said 0.50. It follows from your rules together with beliefs that are certain, and no "
        "data can change that."
    )


def test_that_all_drawn_graphs_agree_settles_nothing(data, beliefs):
    problem = without_data(pp.learn(data, beliefs, forbidden=[("d", "b")]).problem)
    assert has_other(problem, "b", "causes", "d")
    assert has_other(problem, "d", "causes", "b")
    ruled = without_data(pp.learn(data, [pp.causes("a", "b", 0.5)], required=[("a", "b")]).problem)
    assert not has_other(ruled, "a", "causes", "b")
    assert not has_other(ruled, "b", "causes", "a")
    sure = [pp.causes("b", "d", 0.99999)]
    found = pp.sample_posterior(data, sure, forbidden=[("a", "d")], method="chains").beliefs()
    assert 0.99 < found["before"].item() < 1
    assert found["evidence"].item() != "settled beforehand"


def test_other_sources_that_move_a_belief_are_named(data):
    others = [
        pp.causes("a", "d", 0.6, source="Ann"),
        pp.causes("b", "d", 0.9, source="Bob"),
        pp.causes("c", "d", 0.9, source="Cy"),
        pp.causes("a", "b", 0.9, source="Cy"),
    ]
    row = pp.fit_prior(others, data.columns).table.set_index(["x", "y"]).loc["a", "d"]
    assert row["within"] == pytest.approx(0.6, abs=1e-6)
    assert row["fitted"] > 0.65
    fitted = f"{row['fitted']:.2f}"
    assert sentence_of(pp.sample_posterior(data, others), "a", "d").startswith(
        f"Ann said 0.60, {fitted} together with what Bob and Cy say of other causes of d and Cy "
        "says of other effects of a. "
    )
    unrelated = [*others[:3], pp.not_causes("c", "b", 0.9, source="Cy")]
    assert " together with what Bob and Cy say of other causes of d. " in sentence_of(
        pp.sample_posterior(data, unrelated), "a", "d"
    )
    again = [*others[:1], pp.causes("a", "d", 0.9, source="Bob")]
    said = pp.sample_posterior(data, again).beliefs()["sentence"]
    assert (
        said.str.contains(" together with what Bob says of the same two. ", regex=False).sum() == 1
    )
    alone = [pp.causes("a", "b", 0.95), pp.causes("b", "d", 0.95), pp.causes("a", "d", 0.5)]
    assert "You said 0.50, beside the other beliefs 0." in sentence_of(
        pp.sample_posterior(data, alone), "a", "d"
    )
