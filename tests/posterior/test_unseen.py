"""Posteriors that allow for edges too weak to be seen."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.errors import PosteriorError
from tests.oracles.posterior import probabilities
from tests.oracles.score import local_score, with_unseen
from tests.posterior.test_exact import NAMES, check, random_data

BELIEF = [pp.causes("a", "c", 0.7)]


@settings(max_examples=15)
@given(st.integers(0, 1000), st.sampled_from((0.05, 0.1, 0.6)))
def test_every_graph_has_the_probability_of_the_definition(seed, share):
    size = 4
    data = random_data(size, seed)
    prior = pp.fit_prior(BELIEF, data.columns)
    codes, states = data.to_numpy().T, [len(set(data[name])) for name in data]
    seen = partial(local_score, codes, states, score="bdeu")
    expected = probabilities(
        size,
        lambda v, parents: with_unseen(partial(seen, v), parents, share),
        prior.pairs,
        prior.log_weights,
        np.log(prior.edge_odds),
        np.zeros((size, size), bool),
        np.zeros((size, size), bool),
        size,
    )
    found = pp.sample_posterior(data, prior, score="bdeu", unseen=share, constant_columns="keep")
    assert found.unseen == share
    check(found, expected)


def independent(num_rows=2000, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame({name: rng.integers(0, 2, num_rows) for name in NAMES[:3]})


def test_absence_alone_is_no_strong_evidence():
    belief = [pp.causes("a", "c", 0.7)]
    without = pp.sample_posterior(independent(), belief, score="bdeu", unseen=0).beliefs().iloc[0]
    allowed = pp.sample_posterior(independent(), belief, score="bdeu").beliefs().iloc[0]
    assert without["log_bayes_factor"] < -3
    # an edge both ways round and longer ways keep it just above the bound of one edge
    assert -np.log(10) - 0.1 < allowed["log_bayes_factor"] < -1


@pytest.mark.parametrize(
    ("data", "beliefs", "expected"),
    [
        (independent(30), BELIEF, 0.1),
        (independent(30), [pp.says("survey", "a", "causes", "c")], 0.1),
        (independent(30), [], 0.0),
        (independent(30) + np.random.default_rng(1).normal(size=(30, 3)), BELIEF, 0.0),
    ],
    ids=["beliefs", "statements", "neither", "reals"],
)
def test_it_is_the_default_where_there_are_beliefs_about_states(data, beliefs, expected):
    assert pp.sample_posterior(data, beliefs).unseen == expected


def test_a_fit_goes_on_alike_and_files_keep_it(tmp_path):
    fit = pp.learn(independent(100), BELIEF)
    assert fit.posterior().unseen == 0.1
    found = fit.posterior(unseen=0.3)
    found.save(tmp_path / "posterior.npz")
    assert pp.load_posterior(tmp_path / "posterior.npz").unseen == 0.3


@pytest.mark.parametrize("unseen", [1, -0.1, "some", True, float("nan")])
def test_what_is_no_share_is_refused(unseen):
    with pytest.raises(PosteriorError, match="give the share of edges"):
        pp.sample_posterior(independent(30), unseen=unseen)
