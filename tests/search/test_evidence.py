"""Evidence by two searches for each belief."""

from math import log

import numpy as np
import pytest

import pathprior as pp
from pathprior.beliefs.event import Event
from pathprior.errors import SearchError
from pathprior.problem.start import UndecidedError


@pytest.fixture(scope="module")
def data():
    dag = pp.Dag.from_edges("dacb", [("d", "a"), ("c", "a"), ("a", "b")])
    return pp.BayesianNetwork.random(dag, 2, seed=4).sample(60, seed=1)


BELIEFS = [
    pp.causes("b", "d", 0.8),
    pp.relation("a", "c", (0.1, 0.5, 0.2, 0.2)),
    pp.associated("d", "c", 0.9),
]


def log_odds(probability):
    return log(probability / (1 - probability))


@pytest.mark.parametrize(
    "options",
    [
        {"score": "bdeu"},
        {"score": "bdeu", "forbidden": [("d", "a")]},
        {"score": "families", "directions": "data"},
    ],
    ids=str,
)
def test_the_best_graphs_are_those_of_all(data, options):
    fit = pp.learn(data, BELIEFS, **options)
    graphs = fit.posterior().graphs
    every, scores = [graph.dag for graph in graphs], np.array([graph.score for graph in graphs])
    table = fit.evidence()
    assert len(table) == 6
    missed = []
    for row in table.itertuples():
        ties = Event.parse(row.event).ties
        holds = np.array([dag.tie(row.x, row.y) in ties for dag in every])
        missed.append(scores[holds].max() - row.with_event)
        missed.append(scores[~holds].max() - row.without_event)
        moved = log_odds(row.fitted) - log_odds(row.baseline)
        assert row.log_ratio == pytest.approx(row.with_event - row.without_event - moved)
    assert min(missed) > -1e-9
    # what is found by the score itself is scored anew for edges too weak to be seen, by which by
    # families another graph of the same side may be a little better
    assert np.isclose(missed, 0, atol=1e-9).sum() >= (12 if options["score"] == "bdeu" else 11)


def test_a_belief_that_only_turns_an_edge_has_no_evidence(data):
    table = pp.learn(data[["a", "b"]], [pp.causes("b", "a", 0.9)]).evidence()
    assert table["log_ratio"][0] == pytest.approx(0, abs=1e-9)
    assert table["evidence"][0] == "hardly any"
    assert not table["is_contradicted"][0]


def test_rules_may_leave_nothing_to_compare(data):
    table = pp.learn(data, [pp.causes("a", "b", 0.9)], required=[("a", "b")]).evidence()
    assert table["without_event"][0] == -np.inf
    assert table["evidence"][0] == "settled beforehand"
    assert table["sentence"][0] == "You said 0.9. Rules and hard beliefs leave nothing to compare."


def test_what_was_not_found_out_is_not_called_settled(data, monkeypatch):
    def gives_up(*arguments):
        raise UndecidedError("could not decide within 10000 tries")

    fit = pp.learn(data, [pp.causes("a", "b", 0.9)])
    monkeypatch.setattr("pathprior.problem.problem.find_start", gives_up)
    table = fit.evidence()
    assert table["evidence"][0] == "not known"
    assert np.isnan(table["log_ratio"][0])
    assert table["sentence"][0].endswith("without it was not found out in time.")


def test_hard_beliefs_are_kept(data):
    beliefs = [pp.causes("b", "c", 1.0), pp.causes("c", "d", 0.7)]
    fit = pp.learn(data, beliefs)
    table = fit.evidence().set_index("x")
    assert table.loc["b", "without_event"] == -np.inf
    assert table.loc["b", "evidence"] == "settled beforehand"
    best = table.loc["b", "with_event"]
    assert best == pytest.approx(table.loc["c", ["with_event", "without_event"]].max())
    # an edge that may be unseen is seen with a chance of 0.9
    assert best >= fit.score + fit.dag.num_edges * log(0.9) - 1e-9


def test_jobs_do_not_matter_and_progress_is_shown(data, capsys):
    fit = pp.learn(data, BELIEFS, restarts=2)
    table = fit.evidence(num_jobs=2, progress=True)
    assert table.equals(fit.evidence())
    capsys.readouterr()


def test_without_beliefs_there_is_none(data):
    with pytest.raises(SearchError, match="no beliefs"):
        pp.learn(data).evidence()
    with pytest.raises(SearchError, match="restarts must be"):
        pp.learn(data, BELIEFS).evidence(restarts=-1)
