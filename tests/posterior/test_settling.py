"""What may be said of probabilities on which chains do not agree: numbers, and nothing more."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.beliefs.evidence import NOT_SETTLED
from pathprior.posterior.diagnostics import diagnose_indicators
from pathprior.posterior.judge import judge_unsettled, make_judge
from pathprior.posterior.settling import LEAST_SAMPLES, MAX_R_HAT, PosteriorStop, have_settled
from pathprior.report import style
from pathprior.report.answers import posterior_answers
from pathprior.report.effect_data import describe_effect
from pathprior.report.graph_data import posterior_graph_data
from pathprior.report.posterior_page import format_posterior_report
from pathprior.report.posterior_tables import edge_table, path_table
from pathprior.report.relation_data import relation_data
from tests.posteriors import of_graphs

BELIEFS = [
    pp.associated("a", "b", 0.6),
    pp.causes("a", "b", 0.9),
    pp.causes("b", "a", 0.9),
    pp.causes("c", "d", 0.6),
]


@pytest.fixture(scope="module")
def stuck():
    """Four chains in two equivalent graphs of the same score; in all of them c → d."""
    one, other = (pp.Dag.from_edges("abcd", [edge, ("c", "d")]) for edge in ("ab", "ba"))
    found = of_graphs([one] * 200 + [other] * 200, pp.BeliefSet(BELIEFS), num_chains=4)
    return replace(found, stopped_because=PosteriorStop.TIME_LIMIT)


def test_what_has_settled_needs_agreement_and_draws():
    r_hat = [1.0, MAX_R_HAT, 1.02, np.inf, np.nan, 1.0, 1.0]
    samples = [np.inf, LEAST_SAMPLES, 1000, 1000, 1000, LEAST_SAMPLES - 1, np.nan]
    assert have_settled(r_hat, samples).tolist() == [True, True, *[False] * 5]


def test_what_varies_is_no_surer_than_if_it_had_not():
    rare = np.zeros((4, 100, 1), dtype=bool)
    rare[0, :20] = True  # one visit
    found = diagnose_indicators(rare, 400.0)
    assert found.error[0] >= 1 / (found.effective_samples[0] + 2)
    assert not found.is_settled[0]


def test_what_never_varies_is_no_surer_than_the_chains_agree(stuck):
    assert make_judge(stuck.draws).effective_samples == 400  # scores alone do not see it
    assert judge_unsettled(stuck.draws).effective_samples < 10
    same = stuck.estimate("c", "causes", "d")
    assert same.value == 1
    assert same.error > 0.09
    assert not same.is_settled
    few = replace(stuck.draws, parents=stuck.draws.parents[:1, :20], scores=np.zeros((1, 20)))
    assert judge_unsettled(few).effective_samples == 1


def test_chains_that_agree_are_believed(stuck):
    dag = pp.Dag.from_edges("abcd", ["ab", "cd"])
    found = of_graphs([dag] * 400, pp.BeliefSet(BELIEFS), num_chains=4)
    assert found.errors["is_settled"].all()
    assert NOT_SETTLED not in found.beliefs()["evidence"].tolist()
    assert "settled:" not in str(found)


def test_there_is_no_evidence_in_what_has_not_settled(stuck):
    table = stuck.beliefs()
    assert not table["is_settled"].any()
    assert set(table["evidence"]) == {NOT_SETTLED}
    assert table["log_bayes_factor"].isna().all()
    assert not table["is_contradicted"].any()
    said = dict(zip(table["x"] + table["event"], table["sentence"], strict=True))
    assert re.search(r"\. Not settled: 1 ± 0\.\d\d so far\.$", said["ccauses"])
    assert re.search(r"\. Not settled: 0\.50 ± 0\.\d\d so far\.$", said["acauses"])


def test_texts_say_it_beside_the_numbers(stuck):
    lines = str(stuck).splitlines()
    assert "Not settled:" in " ".join(lines[:5])
    rows = [line for line in lines if re.match(r" *[abc] +\S+ +[abcd] +0\.", line)]
    assert len(rows) == len(BELIEFS)
    assert all(row.endswith(f", {NOT_SETTLED}") for row in rows)
    assert max(map(len, lines)) <= 80
    page = stuck._repr_html_()
    assert page.count(f", {NOT_SETTLED}</td>") == len(BELIEFS)
    assert "Grey cells have not settled" in page
    assert f"a causes b: 0.500, {NOT_SETTLED}" in page
    assert style.UNSETTLED in page


def test_tables_of_edges_and_paths_say_it(stuck):
    assert not edge_table(stuck)["is_settled"].any()
    assert not path_table(stuck)["is_settled"].any()


def test_questions_say_what_they_rest_on(stuck):
    for kind in ("belief", "experiment"):
        table = stuck.ask_next(kind)
        assert not table["is_settled"].any()
        assert table["sentence"].str.endswith("by probabilities that have not settled.").all()


def test_plots_grey_it(stuck):
    ax = stuck.plot()
    _, grey = ax.images
    assert (grey.get_array().mask == np.eye(4, dtype=bool)).all()
    names = [text.get_text() for text in stuck.plot_beliefs().get_legend().get_texts()]
    assert NOT_SETTLED in names
    assert "after the data, ± error" not in names


def test_the_page_calls_nothing_sure(stuck):
    answers = posterior_answers(stuck, stuck.variables)
    assert "Of 4 of 4 beliefs nothing can be said yet" in answers
    assert "No causal claims are at least 0.95 probable. 1 more may be" in answers
    assert "c causes d." not in answers.split("Surest causes")[1].split("Still open")[0]
    assert "No two variables are surely linked. Not settled: 2 links" in answers
    assert 'class="agrees"' not in answers
    assert 'class="disagrees"' not in answers
    graph = posterior_graph_data(stuck)
    assert all(edge["isOpen"] and edge["support"] == "other" for edge in graph["edges"])
    assert all("Not settled" in edge["note"] for edge in graph["edges"])
    page = format_posterior_report(stuck)
    assert page.count('<small class="unsettled">not settled</small>') >= len(BELIEFS)
    assert 'class="after unsettled"' in page
    assert 'class="after"' not in page


def test_the_panel_on_two_variables_is_told(stuck):
    assert relation_data(stuck, "abcd")["relations"]["unsettled"] is not None
    dag = pp.Dag.from_edges("abcd", ["ab", "cd"])
    settled = of_graphs([dag] * 400, pp.BeliefSet(), num_chains=4)
    assert relation_data(settled, "abcd")["relations"]["unsettled"] is None


def test_effects_say_it(stuck):
    rows = np.random.default_rng(0).integers(0, 2, (50, 4)).astype(str)
    data = pd.DataFrame(rows, columns=list("abcd"))
    effect = stuck.effect("a", "b", data=data, num_draws=50)
    assert not effect.is_settled
    note = "Not settled: the chains do not agree on whether a causes b."
    assert str(effect).endswith(note)
    assert note in effect._repr_html_()
    assert describe_effect(effect)["sentences"][-1].endswith(note)
