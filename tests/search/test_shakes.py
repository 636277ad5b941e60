"""Disturbances: the search goes on from them, within the rules, and the steps add up."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pathprior as pp
from pathprior.errors import SearchError
from pathprior.kernels.classes.climb import MOST_WEIGHED
from pathprior.search import class_search, pursuit
from pathprior.search.steps import Move
from pathprior.search.stop_reason import StopReason


def together(seed, num_rows=400):
    """Four causes that say nothing by themselves, and three columns of noise."""
    rng = np.random.default_rng(seed)
    data = pd.DataFrame(rng.integers(0, 2, (num_rows, 7)), columns=list("abcdefg"))
    is_odd = data["a"] ^ data["b"] ^ data["c"] ^ data["d"]
    data["h"] = is_odd ^ (rng.random(num_rows) < 0.02)
    return data


def test_it_gets_on_from_where_the_climb_is_stuck():
    data = together(0)
    quick = pp.learn(data, search="equivalence", shakes=0)
    fit = pp.learn(data, search="equivalence", effort="quick")
    assert quick.stopped_because is StopReason.CLASS_OPTIMUM
    assert fit.stopped_because is StopReason.SHAKEN
    assert fit.resolved.shakes == 200
    assert fit.score > quick.score + 1
    assert fit.score == pytest.approx(pp.learn(data, search="exact").score)
    assert Move.SHAKE in [step.move for step in fit.steps]
    assert fit.steps[-1].score == pytest.approx(fit.score)
    again = pp.learn(data, search="equivalence", effort="quick")
    assert again.dag == fit.dag
    assert again.steps == fit.steps


RULES = {
    "max_parents": 2,
    "required": [("a", "h")],
    "forbidden": [("b", "h")],
    "tiers": [["a", "b", "c"], ["d", "e"], ["f", "g", "h"]],
}


@cache
def prior_within():
    """Fitted once: chains take seconds."""
    beliefs = [pp.causes("b", "f", 1.0), pp.associated("c", "d", 0.0), pp.direct("d", "e", 0.9)]
    return pp.fit_prior(beliefs, "abcdefgh", tolerance=0.1, **RULES)


@given(st.integers(0, 1000))
@settings(max_examples=15)
def test_all_graphs_of_a_run_keep_the_rules(seed):
    prior, data = prior_within(), together(seed, 100)
    plain = pp.learn(data, prior, search="equivalence", shakes=0, **RULES)
    fit = pp.learn(data, prior, search="equivalence", shakes=20, seed=seed, **RULES)
    assert fit.score >= plain.score - 1e-9
    assert fit.dag.adjacency.sum(axis=0).max() <= 2
    assert ("a", "h") in fit.dag.edges
    assert ("b", "h") not in fit.dag.edges
    tier = dict(zip("abcdefgh", (0, 0, 0, 1, 1, 2, 2, 2), strict=True))
    assert all(tier[x] <= tier[y] for x, y in fit.dag.edges)
    assert fit.dag.relation("b", "f").symbol == "⇒"
    assert fit.dag.relation("c", "d").symbol == "⇎"
    data_score = sum(
        fit.problem.scorer.local(v, np.flatnonzero(column).tolist())
        for v, column in enumerate(fit.dag.reorder(fit.problem.rules.variables).adjacency.T)
    )
    assert fit.data_score == pytest.approx(data_score)
    assert fit.prior_score == pytest.approx(
        fit.prior.log_prob(fit.dag) + fit.prior.log_sum_of_weights
    )


def test_families_that_the_score_rules_out_are_left_again():
    """More columns than rows can tell apart: most disturbances are impossible."""
    rng = np.random.default_rng(1)
    data = pd.DataFrame(rng.normal(size=(4, 8)), columns=list("abcdefgh"))
    data["h"] = data["a"] + data["b"]
    for score in ("bge", "gaussian-bic"):
        fit = pp.learn(data, score=score, search="equivalence", shakes=50)
        plain = pp.learn(data, score=score, search="equivalence", shakes=0)
        assert np.isfinite(fit.score)
        assert fit.score >= plain.score - 1e-9


def test_few_variables_are_proved_and_many_shaken():
    asia = pp.load_network("asia").sample(300, seed=0)
    fit = pp.learn(asia)
    assert (fit.resolved.search, fit.resolved.shakes) == ("exact", 0)
    assert fit.optimality == "proven"
    believed = pp.learn(asia, [pp.causes("smoke", "lung", 0.9)])
    assert (believed.resolved.search, believed.resolved.shakes) == ("exact", 200)
    assert believed.optimality == "proven"
    assert pp.learn(asia, shakes=0).resolved.search == "equivalence"
    assert pp.learn(asia, score="k2").resolved.search == "turning"
    alarm = pp.load_network("alarm").sample(300, seed=0)
    fit = pp.learn(alarm)
    assert (fit.resolved.search, fit.resolved.shakes) == ("equivalence", 27)
    asia = asia.drop(columns=["asia", "tub"])
    gaps = asia.mask(np.random.default_rng(0).random(asia.shape) < 0.02)
    assert pp.learn(gaps, missing="em").resolved.shakes == 0


def test_what_cannot_be_shaken():
    data = together(0, 50)
    with pytest.raises(SearchError, match="is never disturbed"):
        pp.learn(data, search="greedy", shakes=3)
    with pytest.raises(SearchError, match="shakes must be a whole number"):
        pp.learn(data, shakes=-1)
    with pytest.raises(SearchError, match="shakes must be at most 1000000"):
        pp.learn(data, shakes=10**7)


@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_beliefs_end_shakes_sooner(monkeypatch):
    """Where each class is to be weighed, 200 shakes of CHILD would weigh four times as many."""
    runs = []

    class Run(class_search.ClassRun):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            runs.append(self)

    monkeypatch.setattr(pursuit, "ClassRun", Run)
    child = pp.load_network("child")
    names = child.dag.nodes
    beliefs = [pp.causes(x, y, 0.9) for x, y in zip(names[::2], names[1::2], strict=True)]
    sampled = child.sample(100, seed=2)
    fit = pp.learn(sampled, beliefs, search="equivalence", effort="quick")
    tally = runs[-1].state.tally
    assert MOST_WEIGHED <= tally.num_weighed < 1.2 * MOST_WEIGHED
    assert 0 < tally.num_shakes < fit.resolved.shakes
    runs.clear()
    pp.learn(sampled, search="equivalence", effort="quick")
    assert runs[-1].state.tally.num_weighed == 0
