"""Adjusted odds ratios, against a logistic fit by scipy and against how the data were made."""

from math import exp

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.data.dataset import Dataset
from pathprior.errors import SearchError
from pathprior.score.families import Families
from pathprior.score.family_tables import count_family
from tests.data_tables import make_table
from tests.oracles import additive as oracle
from tests.oracles.score import count_family as counts_of


@given(
    st.lists(st.integers(2, 4), min_size=3, max_size=4),
    st.integers(0, 2**16),
    st.sampled_from([30, 200]),
    st.data(),
)
@settings(deadline=None, max_examples=30)
def test_they_are_those_of_a_logistic_fit(
    num_states: list[int], seed: int, num_rows: int, data: st.DataObject
) -> None:
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(0, r, num_rows) for r in num_states]).astype(np.uint16)
    scorer = Families().bind(Dataset.of_codes(make_table(codes, num_states)))
    parents = list(range(1, len(num_states)))
    family = count_family(scorer.kernel(), 0, parents, 0)
    parent = data.draw(st.sampled_from(parents))
    pairs = [data.draw(st.permutations(range(num_states[v]))) for v in (parent, 0)]
    states, outcomes = ((pair[0], pair[1]) for pair in pairs)
    found = family.log_odds_ratio(parent, states, outcomes)
    expected = oracle.log_odds_ratio(
        counts_of(codes, num_states, 0, parents),
        [num_states[v] for v in parents],
        2.0,
        parent - 1,
        states,
        outcomes,
    )
    assert found == pytest.approx(expected, rel=1e-5, abs=1e-6)


@pytest.fixture(scope="module")
def fit() -> pp.Fit:
    """Odds of illness are 3-fold for smokers, half for the active, 4-fold for the old."""
    rng = np.random.default_rng(3)
    smokes, active = rng.random((2, 3000)) < [[0.3], [0.6]]
    age = rng.choice(["young", "middle", "old"], 3000, p=[0.5, 0.3, 0.2])
    odds = -1.5 + np.log(3) * smokes - np.log(2) * active
    odds += np.log(4) * (age == "old") + np.log(2) * (age == "middle")
    data = pd.DataFrame(
        {
            "smokes": np.where(smokes, "yes", "no"),
            "active": np.where(active, "yes", "no"),
            "age": age,
            "ill": np.where(rng.random(3000) < 1 / (1 + np.exp(-odds)), "yes", "no"),
        }
    )
    tiers = [["smokes", "active", "age"], ["ill"]]
    return pp.learn(data, score="families", tiers=tiers)


def test_intervals_hold_what_the_data_were_made_with(fit: pp.Fit) -> None:
    found = fit.odds_ratios(level=0.99)
    assert list(found["child"]) == ["ill"] * 4
    assert set(found["outcome"]) == {"yes"}
    assert set(found["otherwise"]) == {"no"}
    by_state = found.set_index(["parent", "state", "against"])
    truth = {
        ("smokes", "yes", "no"): 3,
        ("active", "no", "yes"): 2,
        ("age", "old", "young"): 4,
        ("age", "middle", "young"): 2,
    }
    assert set(by_state.index) == set(truth)
    for key, ratio in truth.items():
        row = by_state.loc[key]
        assert row["low"] < ratio < row["high"]
        assert row["odds_ratio"] == pytest.approx(ratio, rel=0.25)
    narrower = fit.odds_ratios(level=0.5)
    assert (narrower["low"] > found["low"]).all()
    assert (narrower["high"] < found["high"]).all()


def test_what_is_compared_with_can_be_chosen(fit: pp.Fit) -> None:
    usual = fit.odds_ratios().set_index(["parent", "state"])["odds_ratio"]
    found = fit.odds_ratios(references={"smokes": "yes", "ill": "yes", "age": "middle"})
    turned = found.set_index(["parent", "state"])
    assert set(found["outcome"]) == {"no"}
    assert turned.loc[("smokes", "no"), "odds_ratio"] == pytest.approx(usual["smokes", "yes"])
    assert turned.loc[("active", "no"), "odds_ratio"] == pytest.approx(1 / usual["active", "no"])
    old = usual["age", "middle"] / usual["age", "old"]
    assert turned.loc[("age", "old"), "odds_ratio"] == pytest.approx(old)


def test_only_families_that_add_up_have_them(fit: pp.Fit) -> None:
    parts = fit.families()
    assert set(fit.odds_ratios()["child"]) == set(parts.loc[parts["part"] == "additive", "child"])
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 300))
    parity = pd.DataFrame({"a": a, "b": b, "c": a ^ b ^ (rng.random(300) < 0.05)})
    learned = pp.learn(parity, score="families", required=[("a", "c"), ("b", "c")])
    assert len(learned.odds_ratios()) == 0
    with pytest.raises(SearchError, match="learn with it"):
        pp.learn(parity).odds_ratios()


def test_merged_rows_count_as_often_as_they_occur() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 2, (2, 70_000))
    odds = -1 + 0.7 * a + 0.4 * b
    c = (rng.random(70_000) < 1 / (1 + np.exp(-odds))).astype(int)
    fit = pp.learn(
        pd.DataFrame({"a": a, "b": b, "c": c}), score="families", tiers=[["a", "b"], ["c"]]
    )
    found = fit.odds_ratios(references={"a": 0, "b": 0, "c": 0}).set_index("parent")
    assert found.loc["a", "odds_ratio"] == pytest.approx(exp(0.7), rel=0.05)
    assert found.loc["b", "odds_ratio"] == pytest.approx(exp(0.4), rel=0.05)
