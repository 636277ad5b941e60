"""Every fit is held against what was stated, whatever it says of itself."""

import warnings
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.beliefs.belief import Belief, causes, direct, not_causes
from pathprior.beliefs.event import Event
from pathprior.prior.fit import fit_prior
from pathprior.prior.listed import part as listed_part
from pathprior.prior.listed.newton import fit_soft, project
from pathprior.prior.prior_file import load_prior
from pathprior.prior.promise import Promise, UnmetBeliefWarning
from pathprior.prior.web import part as web_part
from tests.oracles.graph import all_dags
from tests.oracles.ties import tie

EVENTS = ("causes", "caused-by", "confounded", "associated", "direct")


def names(number):
    return [f"v{i}" for i in range(number)]


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("size", [4, 20, 100])
@pytest.mark.parametrize("parents", [0.3, 1, None])
def test_a_single_belief_is_met(event, size, parents):
    for probability in (0.001, 0.05, 0.6, 0.95, 0.999, 1 - 1e-9):
        belief = Belief("v0", event, "v1", (probability,))
        prior = fit_prior([belief], names(size), expected_parents=parents)
        rare = min(probability, 1 - probability)
        assert prior.table["change"][0] == pytest.approx(0, abs=1e-7 * rare + 1e-13)


def test_rare_events_of_two_beliefs_are_met():
    beliefs = [not_causes("v0", "v1", 9.30498e-13), direct("v2", "v0", 3.67062e-07)]
    fitted = fit_prior(beliefs, names(4), expected_parents=None).table
    assert fitted["fitted"].to_numpy() == pytest.approx(fitted["stated"].to_numpy(), rel=1e-7)


@cache
def _all_ties(x, y):
    return np.array([tie(graph, x, y) for graph in all_dags(4)])


@given(seed=st.integers(0, 2**32 - 1), size=st.sampled_from([4, 9]))
@settings(max_examples=15)
def test_marginals_of_a_joint_are_met(seed, size):
    rng = np.random.default_rng(seed)
    joint = np.exp(rng.normal(0, 2, len(all_dags(4))))
    joint /= joint.sum()
    beliefs = []
    for _ in range(rng.integers(2, 7)):
        x, y = rng.choice(4, 2, replace=False)
        event = Event(rng.choice(list(Event)))
        holds = np.isin(_all_ties(int(x), int(y)), sorted(event.ties))
        beliefs.append(Belief(f"v{x}", event, f"v{y}", (float(joint[holds].sum()),)))
    prior = fit_prior(dict.fromkeys(beliefs), names(size), expected_parents=None)
    assert prior.is_coherent
    if not prior.webs:
        assert prior.table["change"].abs().max() < 1e-8


@pytest.mark.parametrize("hair", [1e-8, 1e-11, 1e-13])
def test_what_holds_together_by_a_hair_is_met(hair):
    beliefs = [causes("v0", "v1", 0.8), causes("v1", "v2", 0.9), causes("v0", "v2", 0.7 + hair)]
    prior = fit_prior(beliefs, names(5))
    assert prior.unmet == ()
    assert prior.table["change"].abs().max() < 1e-9


@pytest.mark.parametrize("seed", range(6))
def test_marginals_of_a_joint_of_very_unequal_graphs_are_met(seed):
    """What is stated leaves some configurations hardly anything."""
    rng = np.random.default_rng([seed, 37])
    joint = np.exp(rng.normal(0, 15, len(all_dags(4))))
    joint /= joint.sum()
    beliefs = []
    for x, y in rng.permutation([(0, 1), (1, 2), (0, 2), (2, 0), (0, 1)]):
        event = Event(rng.choice(list(Event)))
        holds = np.isin(_all_ties(int(x), int(y)), sorted(event.ties))
        beliefs.append(Belief(f"v{x}", event, f"v{y}", (float(joint[holds].sum()),)))
    prior = fit_prior(dict.fromkeys(beliefs), names(4), expected_parents=None)
    assert prior.unmet == ()
    rarer = np.minimum(prior.table["stated"], 1 - prior.table["stated"])
    assert (prior.table["change"].abs() <= 1e-7 * rarer + 1e-12).all()


CHAIN = [causes("v0", "v1", 0.8), causes("v1", "v2", 0.7)]


@pytest.mark.parametrize("is_sure", [True, False])
def test_a_list_that_misses_beliefs_says_so(monkeypatch, is_sure):
    def too_early(problem):
        found = project(problem)
        return replace(found, theta=0.5 * found.theta, has_converged=is_sure)

    monkeypatch.setattr(listed_part, "project", too_early)
    with pytest.warns(UnmetBeliefWarning, match=r"v0 causes v1 0\.\d+, stated 0\.8; v1 causes"):
        prior = fit_prior(CHAIN, names(5))
    assert (prior.table["change"].abs() > 0.01).all()


def test_a_list_whose_weights_are_no_numbers_says_so(monkeypatch):
    monkeypatch.setattr(
        listed_part, "project", lambda problem: replace(project(problem), theta=np.full(4, np.nan))
    )
    with pytest.warns(UnmetBeliefWarning, match="v0 causes v1 nan, stated 0.8"):
        fit_prior(CHAIN, names(5))


def test_a_web_that_misses_beliefs_says_so(monkeypatch):
    def off(*arguments, **options):
        found = fit_web(*arguments, **options)
        return replace(found, marginals=np.roll(found.marginals, 1, axis=1), is_met=False)

    fit_web = web_part.fit_web
    monkeypatch.setattr(web_part, "fit_web", off)
    monkeypatch.setattr(web_part, "load_web", lambda key: None)
    monkeypatch.setattr(web_part, "store_web", lambda key, fit: None)
    with pytest.warns(UnmetBeliefWarning, match=r"no conflict among them was found"):
        fit_prior(CHAIN, names(5), counts="web", tolerance=0.05)


JUST = [causes("v0", "v1", 0.8), causes("v1", "v2", 0.9), causes("v0", "v2", 0.7)]
"""They can hold together, but only just."""


def test_what_is_missed_stays_with_the_prior(tmp_path):
    beliefs = [replace(belief, source="one") for belief in JUST]
    beliefs += [causes("v3", "v4", 0.6, source="one"), causes("v0", "v2", 0.7, source="other")]
    with pytest.warns(UnmetBeliefWarning) as warned:
        prior = fit_prior(beliefs, names(9))
    (unmet,) = prior.unmet
    assert prior.is_coherent
    assert unmet.sentence == str(warned[0].message)
    assert unmet.beliefs == tuple(beliefs[:3])
    prior.save(tmp_path / "prior.json")
    assert load_prior(tmp_path / "prior.json").unmet == prior.unmet
    assert fit_prior(CHAIN, names(5)).unmet == ()


def test_only_the_source_that_misses_is_named(monkeypatch):
    beliefs = [
        causes("v0", "v1", 0.8, source="one"),
        causes("v1", "v2", 0.9, source="one"),
        causes("v0", "v2", 0.7, source="one"),
        causes("v0", "v2", 0.9, source="other"),
    ]
    with pytest.warns(UnmetBeliefWarning) as warned:
        fit_prior(beliefs, names(5))
    (said,) = [str(warning.message) for warning in warned]
    assert "stated 0.8 by one" in said
    assert "other" not in said


@pytest.mark.parametrize("repair", ["soft", "gema", "independent"])
def test_what_is_not_promised_is_not_missed(repair):
    incoherent = [*CHAIN, causes("v0", "v2", 0.1)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnmetBeliefWarning)
        prior = fit_prior(incoherent, names(5), repair=repair)
    assert prior.table["change"].abs().max() > 0.01


def test_a_repair_of_what_could_hold_is_noticed(monkeypatch):
    monkeypatch.setattr(listed_part, "project", lambda problem: fit_soft(problem))
    with pytest.warns(UnmetBeliefWarning, match="stated"):
        fit_prior(CHAIN, names(5))


@pytest.mark.parametrize(
    ("stated", "fitted", "is_kept"),
    [
        (0.5, 0.5 + 4e-7, True),
        (0.5, 0.5 + 6e-7, False),
        (0.001, 0.001 + 2e-9, False),
        (0.999, 0.999 - 2e-9, False),
        (1.0, 1 - 1e-13, True),
        (0.5, float("nan"), False),
    ],
)
def test_the_rarer_side_counts(stated, fitted, is_kept):
    assert Promise(1e-12, 1e-6, "").is_kept(stated, fitted) == is_kept
