"""Columns of real numbers reach a score that takes them, through every search."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import pathprior as pp
from pathprior.data.dataset import Dataset
from pathprior.data.table import RealTable
from pathprior.errors import DataError, PathPriorWarning, SearchError
from pathprior.score.score import Scorer
from pathprior.search.class_search import search_classes
from pathprior.search.climber import climb
from pathprior.search.driver import SearchOptions
from pathprior.search.interrupt import StopRequest
from tests.oracles.graph import all_dags
from tests.problems import make_problem

NAMES = ("d", "b", "a", "c")


class GaussianBic:
    """BIC of linear regressions with normal noise, by least squares."""

    def bind(self, dataset: Dataset) -> "GaussianBicScorer":
        return GaussianBicScorer(dataset.real().values)


@dataclass(frozen=True)
class GaussianBicScorer(Scorer):
    values: NDArray[np.float64]
    is_score_equivalent = True

    def local(self, child: int, parents: Sequence[int]) -> float:
        num_rows = self.values.shape[1]
        design = np.vstack([np.ones(num_rows), self.values[list(parents)]]).T
        fitted = design @ np.linalg.lstsq(design, self.values[child], rcond=None)[0]
        variance = np.mean((self.values[child] - fitted) ** 2)
        penalty = 0.5 * np.log(num_rows) * (len(parents) + 2)
        return float(-0.5 * num_rows * (np.log(2 * np.pi * variance) + 1) - penalty)

    def estimate(self, dag: pp.Dag, *, equivalent_sample_size: float) -> pp.BayesianNetwork:
        raise AssertionError("no search asks for parameters")


def sampled() -> Dataset:
    """Of a → c ← b and c → d, the columns in no order."""
    noise = np.random.default_rng(8).normal(size=(4, 300))
    a, b = noise[0], noise[1]
    c = a - b + noise[2]
    d = 0.7 * c + noise[3]
    return Dataset.of_reals(RealTable(NAMES, np.array([d, b, a, c])))


def best_score(data: Dataset) -> float:
    scorer = GaussianBic().bind(data)
    return max(
        sum(scorer.local(v, np.flatnonzero(dag[:, v]).tolist()) for v in range(4))
        for dag in all_dags(4)
    )


@pytest.mark.parametrize("search", [climb, search_classes])
def test_a_search_finds_the_best_graph(search) -> None:
    data = sampled()
    problem = make_problem(data, None, GaussianBic())
    assert problem.data is data
    options = SearchOptions(tabu=0, swap_budget=0, is_turning=True)
    result = search(problem, options, StopRequest())
    assert result.data_score == pytest.approx(best_score(data), abs=1e-8)
    assert pp.Dag(problem.rules.variables, result.adjacency).edges == (
        ("a", "c"),
        ("b", "c"),
        ("c", "d"),
    )


@pytest.mark.parametrize("search", ["auto", "turning", "greedy"])
def test_learn_takes_them_in_any_order(search: str) -> None:
    data = sampled()
    fits = [
        pp.learn(given, [pp.causes("a", "d", 0.8)], score=GaussianBic(), search=search)
        for given in (data, data.select(sorted(NAMES)))
    ]
    assert fits[0].dag.nodes == NAMES
    assert fits[0].dag.reorder(tuple(sorted(NAMES))) == fits[1].dag
    assert fits[0].score == fits[1].score
    assert fits[0].beliefs_held()["holds"].all()
    assert "3 edges" in str(fits[0])


def test_a_constant_column_of_numbers_gets_no_edges() -> None:
    values = np.vstack([sampled().reals.values, np.full(300, 0.1)])
    data = Dataset.of_reals(RealTable((*NAMES, "e"), values))
    with pytest.warns(PathPriorWarning, match="say nothing about structure.*'e'"):
        fit = pp.learn(data, score=GaussianBic(), search="turning", max_parents=2)
    assert all("e" not in edge for edge in fit.dag.edges)
    assert fit.dag.num_edges == 3


def test_no_score_of_states_takes_them() -> None:
    for score in ("bdeu", "k2", "bic", "aic"):
        with pytest.raises(DataError, match="hold real numbers: 'a', 'b', 'c', 'd'"):
            pp.learn(sampled(), score=score)


# -- the compiled scores -------------------------------------------------------------------------


@pytest.mark.parametrize("search", ["equivalence", "turning", "greedy"])
def test_compiled_and_python_scores_lead_to_the_same_graph(search: str) -> None:
    data = sampled()
    beliefs = [pp.causes("b", "d", 0.8), pp.not_causes("a", "b", 0.9)]
    ours, own = (
        pp.learn(data, beliefs, score=score, search=search, restarts=2)
        for score in ("gaussian-bic", GaussianBic())
    )
    assert ours.dag == own.dag
    assert ours.score == pytest.approx(own.score, abs=1e-8)
    assert ours.resolved.search == search


@pytest.mark.parametrize("score", ["bge", "gaussian-bic", "mixed"])
def test_searches_find_the_best_graph(score: str) -> None:
    frame = pd.DataFrame(dict(zip(NAMES, sampled().reals.values, strict=True)))
    if score == "mixed":
        frame["a"] = np.digitize(frame["a"], [-0.5, 0.5])
    best = max(
        pp.score_graph(pp.Dag(NAMES, dag), frame, score=score) + _edge_terms(dag)
        for dag in all_dags(4)
    )
    for search in ("equivalence", "turning"):
        fit = pp.learn(frame, score=score, search=search)
        assert fit.score == pytest.approx(best, abs=1e-7)
        assert pp.score_graph(fit.dag, frame, score=score) == pytest.approx(fit.data_score)


def _edge_terms(dag: NDArray[np.bool_]) -> float:
    return float(dag.sum() * np.log(pp.fit_prior([], NAMES).edge_odds))


@pytest.mark.parametrize("kinds", ["rrrr", "rdrd"])
def test_exact_and_sampled_posteriors_agree(kinds: str) -> None:
    frame = pd.DataFrame(dict(zip(NAMES, sampled().reals.values[:, :60], strict=True)))
    for name, kind in zip(NAMES, kinds, strict=True):
        if kind == "d":
            frame[name] = frame[name] > 0.3
    beliefs = [pp.causes("a", "d", 0.7)]
    exact = pp.sample_posterior(frame, beliefs)
    assert exact.is_exact
    drawn = pp.sample_posterior(frame, beliefs, method="chains", precision=0.01)
    np.testing.assert_allclose(drawn.edges, exact.edges, atol=0.05)
    assert drawn.best_score == pytest.approx(exact.best_score, abs=1e-8)
    dags = list(all_dags(4))
    scores = np.array([pp.score_graph(pp.Dag(NAMES, dag), frame) for dag in dags])
    prior = pp.fit_prior(beliefs, NAMES)
    scores += [prior.log_prob(pp.Dag(NAMES, dag)) for dag in dags]
    weights = np.exp(scores - scores.max())
    expected = np.tensordot(weights / weights.sum(), np.array(dags, dtype=float), axes=1)
    np.testing.assert_allclose(exact.edges, expected, atol=1e-9)


def test_auto_picks_by_the_columns() -> None:
    frame = pd.DataFrame({"a": [0.5, 1.5, 2.5, 2.0], "b": [1, 0, 1, 1], "c": list("xyxy")})
    for columns, picked in (("bc", "bdeu"), ("a", "bge"), ("abc", "mixed"), ("ac", "mixed")):
        fit = pp.learn(frame[list(columns)])
        assert (fit.settings.score, fit.resolved.score) == ("auto", picked)
        assert (f"score {picked}" in str(fit)) == ("a" in columns)
    declared = pp.learn(frame[["a", "b"]], kinds={"b": "real"})
    assert declared.resolved.score == "ranks"
    assert declared.settings.kinds == (("b", "real"),)


@pytest.mark.parametrize("num_rows", [6, 40])
@pytest.mark.parametrize("score", ["bge", "gaussian-bic"])
@pytest.mark.parametrize("search", ["equivalence", "turning", "greedy"])
@pytest.mark.filterwarnings("ignore:.*linear function")
def test_dependent_columns_and_few_rows_end_in_a_finite_score(num_rows, score, search) -> None:
    noise = np.random.default_rng(3).normal(size=(12, num_rows))
    noise[5] = noise[0] + noise[1] - noise[2]
    noise[6] = noise[3]
    noise[7] = noise[3] + 1e-9 * noise[8]
    data = Dataset.of_reals(RealTable(tuple("abcdefghijkl"), noise))
    fit = pp.learn(data, score=score, search=search, restarts=2)
    assert np.isfinite(fit.score)
    assert all(np.isfinite(step.score) for step in fit.steps)
    assert fit.data_score == pytest.approx(pp.score_graph(fit.dag, data, score=score), rel=1e-7)


@pytest.mark.parametrize("score", ["bge", "gaussian-bic"])
@pytest.mark.filterwarnings("ignore:.*linear function")
def test_nearly_dependent_columns_are_ruled_out_for_all_equivalent_graphs(score) -> None:
    """What is left of a column is about what BIC rules out; all of a class must agree."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        num_rows = int(rng.choice([4, 10, 60]))
        values = rng.normal(size=(10, num_rows))
        for child in range(3, 8):
            noise = 10.0 ** rng.choice([-12, -4, -3, -2.9, -2, 0])
            values[child] = values[:3].T @ rng.choice([-1, 0, 1], 3) + noise * values[child]
        data = Dataset.of_reals(RealTable(tuple("abcdefghij"), values))
        fit = pp.learn(data, score=score, search="equivalence", restarts=1)
        assert np.isfinite(fit.score)
        again = pp.score_graph(fit.dag, data, score=score)
        assert fit.data_score == pytest.approx(again, rel=1e-7)


def test_rules_hold_for_real_columns() -> None:
    fit = pp.learn(
        sampled(), required=[("d", "a")], forbidden=[("a", "c"), ("c", "a")], max_parents=1
    )
    assert ("d", "a") in fit.dag.edges
    assert not {("a", "c"), ("c", "a")} & set(fit.dag.edges)
    assert fit.dag.adjacency.sum(axis=0).max() <= 1


def test_a_start_that_the_score_rules_out_is_named() -> None:
    values = np.random.default_rng(0).normal(size=(4, 3))
    data = Dataset.of_reals(RealTable(NAMES, values))
    for search in ("equivalence", "turning", "greedy"):
        with pytest.raises(SearchError, match="by the family of 'd' with the parents 'a', 'b', 'c"):
            pp.learn(
                data,
                score="gaussian-bic",
                search=search,
                required=[("a", "d"), ("b", "d"), ("c", "d")],
            )
