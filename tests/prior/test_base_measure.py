"""Priors on a sparse base: against enumeration, and through learning, files and warnings."""

from math import exp, log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.counting.expected_parents import make_base
from pathprior.errors import CountingError, SearchError
from pathprior.prior.belief_table import BaselineWarning
from tests.oracles.graph import all_dags

FOUR = ("a", "b", "c", "d")
BELIEFS = [pp.causes("a", "b", 0.7), pp.associated("b", "c", 0.6), pp.confounded("c", "d", 0.2)]
MANY = [f"v{i:02d}" for i in range(20)]


def dags(names):
    return [pp.Dag(names, adjacency) for adjacency in all_dags(len(names))]


@settings(max_examples=10)
@given(parents=st.floats(0.05, 1.4), first=st.floats(0.05, 0.95), second=st.floats(0.05, 0.95))
def test_enumeration_agrees(parents, first, second):
    beliefs = [pp.causes("a", "b", first), pp.causes("b", "c", second)]
    prior = pp.fit_prior(beliefs, FOUR, expected_parents=parents)
    total = 0.0
    held = np.zeros(2)
    for dag in dags(FOUR):
        p = exp(prior.log_prob(dag))
        total += p
        held += p * np.array([dag.relation(*pair).symbol == "⇒" for pair in ("ab", "bc")])
    assert total == pytest.approx(1, rel=1e-9)
    assert held == pytest.approx([first, second], rel=1e-7)


def test_the_base_is_what_is_left_without_beliefs():
    prior = pp.fit_prior([], FOUR, expected_parents=0.6)
    assert prior.expected_parents == 0.6
    probabilities = [exp(prior.log_prob(dag)) for dag in dags(FOUR)]
    assert sum(probabilities) == pytest.approx(1, rel=1e-12)
    edges = [dag.num_edges for dag in dags(FOUR)]
    assert np.dot(probabilities, edges) / 4 == pytest.approx(0.6, rel=1e-9)
    ratio = log(probabilities[-1] / probabilities[0]) / (edges[-1] - edges[0])
    assert ratio == pytest.approx(log(prior.edge_odds))


def test_the_fit_is_the_closest_to_the_base():
    """Among the DAGs of one configuration of the believed pairs, the base is left as it was."""
    prior = pp.fit_prior(BELIEFS, FOUR, expected_parents=0.5)
    base = pp.fit_prior([], FOUR, expected_parents=0.5)
    gains = {}
    for dag in dags(FOUR):
        gain = prior.log_prob(dag) - base.log_prob(dag)
        gains.setdefault(tuple(prior.configuration(dag)), []).append(gain)
    assert max(np.ptp(found) for found in gains.values()) < 1e-9
    assert len({round(found[0], 6) for found in gains.values()}) > 1


def test_joint_counts_no_dags_on_a_sparse_base():
    assert "num_dags" not in pp.fit_prior(BELIEFS, FOUR, expected_parents=0.5).joint()
    assert "num_dags" in pp.fit_prior(BELIEFS, FOUR, expected_parents=None).joint()


def test_auto_is_one_parent_and_never_denser_than_uniform_dags():
    assert pp.fit_prior([], MANY).expected_parents == 1
    assert pp.fit_prior([], FOUR).expected_parents is None
    assert make_base("auto", 4).edge_odds == 1
    assert 0.5 < make_base("auto", 5).edge_odds < 1


@pytest.mark.parametrize("parents", ["many", True, -1, 0, 9.5, float("nan")])
def test_what_cannot_be_a_number_of_parents_is_refused(parents):
    with pytest.raises(CountingError, match="expected_parents is"):
        pp.fit_prior([], MANY, expected_parents=parents)


def test_files_keep_the_base(tmp_path):
    prior = pp.fit_prior(BELIEFS, FOUR, expected_parents=0.5)
    prior.save(tmp_path / "prior.json")
    loaded = pp.load_prior(tmp_path / "prior.json")
    assert (loaded.expected_parents, loaded.edge_odds) == (0.5, prior.edge_odds)
    assert [loaded.log_prob(dag) for dag in dags(FOUR)] == [
        prior.log_prob(dag) for dag in dags(FOUR)
    ]
    assert loaded.table.equals(prior.table)


# -- learning --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def data():
    return pp.load_network("asia").sample(300, seed=2)


@pytest.mark.parametrize("search", ["equivalence", "turning", "greedy"])
def test_every_edge_costs_its_odds(data, search):
    fit = pp.learn(data, search=search, expected_parents=0.7)
    odds = make_base(0.7, 8).edge_odds
    assert fit.prior_score == pytest.approx(fit.dag.num_edges * log(odds))
    assert fit.prior.edge_odds == odds
    assert (fit.settings.expected_parents, fit.resolved.expected_parents) == (0.7, 0.7)


def test_none_is_the_score_of_the_data_alone(data):
    fit = pp.learn(data, expected_parents=None)
    assert fit.prior_score == 0
    assert fit.prior.expected_parents is None
    assert fit.dag.num_edges > pp.learn(data, expected_parents=0.1).dag.num_edges


def test_a_prior_brings_its_base(data):
    prior = pp.fit_prior([pp.causes("smoke", "lung", 0.9)], data.columns, expected_parents=0.5)
    fit = pp.learn(data, prior)
    assert (fit.settings.expected_parents, fit.resolved.expected_parents) == ("auto", 0.5)
    assert pp.learn(data, prior, expected_parents=0.5).score == fit.score
    for other in (None, 1.0):
        with pytest.raises(SearchError, match=r"the prior was fitted with 0\.5"):
            pp.learn(data, prior, expected_parents=other)


def test_a_true_belief_helps_to_find_a_weak_dependence():
    """One weak dependence among twenty columns: uniform DAGs make the belief count against it."""
    beliefs = [pp.associated("v00", "v01", 0.9)]
    with pytest.warns(BaselineWarning, match=r"\(0\.9\), 0\.993 without beliefs"):
        uniform = pp.fit_prior(beliefs, MANY, expected_parents=None)
    sparse = pp.fit_prior(beliefs, MANY)
    found = dict.fromkeys(["sparse", "sparse, believed", "uniform", "uniform, believed"], 0)
    for seed in range(30):
        rng = np.random.default_rng(seed)
        values = rng.integers(0, 2, (600, 20))
        values[:, 1] = np.where(rng.random(600) < 0.57, values[:, 0], 1 - values[:, 0])
        frame = pd.DataFrame(values, columns=MANY)
        fits = [
            pp.learn(frame, shakes=0),
            pp.learn(frame, sparse, shakes=0),
            pp.learn(frame, expected_parents=None, shakes=0),
            pp.learn(frame, uniform, shakes=0),
        ]
        for name, fit in zip(found, fits, strict=True):
            found[name] += fit.dag.relation("v00", "v01").symbol != "⇎"
    assert found["sparse, believed"] > found["sparse"]
    assert found["uniform, believed"] < found["uniform"]
    assert found["sparse, believed"] > found["uniform, believed"]


# -- baselines -------------------------------------------------------------------------------------


def test_the_table_shows_the_baseline():
    beliefs = [pp.causes("v00", "v01", 0.8), pp.not_associated("v02", "v03", 0.9)]
    table = pp.fit_prior(beliefs, MANY, expected_parents=1.5).table.set_index("event")
    usual = pp.baseline(20, expected_parents=1.5)
    assert table["baseline"].to_dict() == pytest.approx(
        {"causes": usual.causes, "not-associated": usual.unrelated}
    )


@pytest.mark.parametrize(
    ("belief", "numbers"),
    [
        (pp.causes("v00", "v01", 0.1), (0.1, 0.139)),
        (pp.associated("v00", "v01", 0.3), (0.3, 0.411)),
        (pp.confounded("v00", "v01", 0.1), (0.1, 0.134)),
        (pp.not_causes("v00", "v01", 0.5), (0.5, 0.861)),
        (pp.not_associated("v00", "v01", 0.5), (0.5, 0.589)),
    ],
)
def test_a_belief_below_its_baseline_is_said(belief, numbers):
    stated, usual = numbers
    with pytest.warns(BaselineWarning, match=rf"\({stated}\), {usual} without beliefs") as warned:
        pp.fit_prior([belief], MANY)
    assert [warning.filename for warning in warned] == [__file__]


@pytest.mark.filterwarnings("error")
def test_a_belief_of_its_rounded_baseline_is_not_below_it():
    eight = MANY[:8]
    assert pp.baseline(8).causes == pytest.approx(0.2504, abs=1e-4)
    pp.fit_prior([pp.causes("v00", "v01", 0.25)], eight)
    with pytest.warns(BaselineWarning, match=r"\(0\.249\), 0\.25 without beliefs"):
        pp.fit_prior([pp.causes("v00", "v01", 0.249)], eight)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("stated", [0.053, 0.0526, 0.05263, 0.052632, 0.05263158, 1 / 19])
def test_nor_is_one_of_its_baseline_with_more_digits(stated):
    """0.0526 was warned of as less probable than 0.0526."""
    twenty = MANY[:20]
    assert pp.baseline(20).direct == pytest.approx(1 / 19)
    pp.fit_prior([pp.direct("v00", "v01", stated)], twenty)
    with pytest.warns(BaselineWarning, match=r"\(0\.052\), 0\.0526 without beliefs"):
        pp.fit_prior([pp.direct("v00", "v01", 0.052)], twenty)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "belief",
    [
        pp.causes("v00", "v01", 0.2),
        pp.causes("v00", "v01", 0),
        pp.not_causes("v00", "v01", 0.9),
        pp.relation("v00", "v01", (0.1, 0.1, 0.1, 0.7)),
    ],
)
def test_other_beliefs_are_not(belief):
    pp.fit_prior([belief], MANY)
