"""The time limit covers all that `sample_posterior` does, and what it leaves out is said."""

from math import inf

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.errors import PathPriorWarning
from pathprior.posterior.chains import draws_at_a_time, sample_chains
from pathprior.posterior.errors_table import BELIEF, errors_by
from pathprior.posterior.judge import Judge, judge_unsettled
from pathprior.posterior.kept import KeptDraws
from pathprior.posterior.lists import grow_lists
from pathprior.posterior.score_columns import ScoreColumns
from pathprior.posterior.settling import PosteriorStop
from pathprior.score.named import make_score
from pathprior.search.interrupt import StopRequest
from tests.clocks import end_after
from tests.posteriors import sampled
from tests.problems import make_problem

BELIEFS = [pp.causes("smoke", "lung", 0.9), pp.not_causes("dysp", "asia", 0.9)]
FEW = ["smoke", "lung", "bronc", "dysp", "asia"]


@pytest.fixture(scope="module")
def data():
    return pp.load_network("asia").sample(200, seed=1)


@pytest.fixture(scope="module")
def problem(data):
    return make_problem(data, None, make_score("bdeu", equivalent_sample_size=3.0))


@pytest.fixture(scope="module")
def chains(data):
    return sampled(pp.sample_posterior(data[FEW], BELIEFS))


def late():
    return StopRequest(-inf)


def test_errors_are_computed_until_the_end(chains):
    judge, table = judge_unsettled(chains.draws), chains.prior.table
    whole = errors_by(inf, judge, chains.variables, table)
    pd.testing.assert_frame_equal(whole, chains.errors, check_exact=True)
    cut = errors_by(-inf, judge, chains.variables, table)
    numbers = ["error", "r_hat", "effective_samples", "is_settled"]
    is_belief = cut["kind"] == BELIEF
    assert cut.loc[~is_belief, numbers[:-1]].isna().all(axis=None)
    assert not cut.loc[~is_belief, "is_settled"].any()
    pd.testing.assert_frame_equal(cut.drop(columns=numbers), whole.drop(columns=numbers))
    pd.testing.assert_frame_equal(cut[is_belief], whole[is_belief])
    found = chains.judged_by(-inf)
    assert found.left_out == ("The errors of 60 of 62 probabilities were not computed.",)
    assert "60 of 62" in str(found).replace("\n  ", " ").replace("\n", " ")
    assert chains.judged_by(inf).left_out == ()


def test_paths_are_judged_in_blocks_of_any_size(chains, monkeypatch):
    whole = chains.errors
    monkeypatch.setattr("pathprior.posterior.errors_table.BLOCK", 1)
    again = errors_by(inf, judge_unsettled(chains.draws), chains.variables, chains.prior.table)
    pd.testing.assert_frame_equal(again, whole)


def test_lists_that_are_cut_hold_what_they_must(problem):
    column = ScoreColumns(problem).column
    lists = grow_lists(problem.rules, problem.start, column, stop=late())
    assert np.diff(lists.first).tolist() == [1] * problem.start.num_nodes
    assert len(grow_lists(problem.rules, problem.start, column).weights) > problem.start.num_nodes


def test_how_many_draws_at_a_time_makes_no_difference(problem, monkeypatch):
    found = []
    for most in (5000, 5 * problem.start.num_nodes):
        monkeypatch.setattr("pathprior.posterior.chains.MOST_AT_A_TIME", most)
        sampler = sample_chains(problem, start=problem.start, num_chains=2, seed=4)
        kept = KeptDraws(sampler)
        while kept.num_drawn < 250:
            kept.add_up_to(250)
        found.append(kept.draws(problem.rules.variables))
        assert sampler.at_a_time == {5000: 100}.get(most, 5)
    np.testing.assert_array_equal(found[0].parents, found[1].parents)


def test_with_more_variables_there_are_fewer_draws_at_a_time():
    assert [draws_at_a_time(size) for size in (50, 200, 10_000)] == [100, 25, 1]


def test_once_the_time_is_up_nothing_but_beliefs_is_judged(data, monkeypatch):
    judged, plain = [], Judge.indicators

    def count(judge, series):
        judged.append(series.shape)
        return plain(judge, series)

    end_after(monkeypatch, KeptDraws, "add_up_to")
    monkeypatch.setattr(Judge, "indicators", count)
    with pytest.warns(PathPriorWarning, match="whether 168 probabilities have settled|not settled"):
        found = pp.sample_posterior(data, BELIEFS)
    assert found.stopped_because is PosteriorStop.TIME_LIMIT
    assert len(judged) == len(BELIEFS)
    assert found.left_out == ("The errors of 168 of 170 probabilities were not computed.",)


def test_what_is_believed_within_rules_is_left_out_too(data, monkeypatch):
    end_after(monkeypatch, KeptDraws, "add_up_to")
    with pytest.warns(PathPriorWarning):
        found = pp.sample_posterior(data.assign(e=0), BELIEFS)
    assert np.isnan(found.before).all()
    assert any("within the rules" in said for said in found.left_out)


def test_chains_from_a_cut_start_are_not_kept(data, tmp_path):
    path = tmp_path / "chains.npz"
    with pytest.warns(PathPriorWarning):
        found = pp.sample_posterior(data, BELIEFS, time_limit=1e-6, checkpoint=path)
    assert not path.exists()
    assert any("not kept" in said for said in found.left_out)
