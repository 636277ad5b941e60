"""Columns of real numbers reach a score that takes them, through every search."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

import pathprior as pp
from pathprior.data.dataset import Dataset
from pathprior.data.table import RealTable
from pathprior.errors import DataError, PathPriorWarning
from pathprior.score.score import Scorer
from pathprior.search.class_search import search_classes
from pathprior.search.climber import climb
from pathprior.search.driver import SearchOptions
from pathprior.search.interrupt import StopRequest
from pathprior.task.task import make_task
from tests.oracles.graph import all_dags

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
    task = make_task(data, None, GaussianBic())
    assert task.data is data
    options = SearchOptions(tabu=0, swap_budget=0, is_turning=True)
    result = search(task, options, StopRequest())
    assert result.data_score == pytest.approx(best_score(data), abs=1e-8)
    assert pp.Dag(task.rules.variables, result.adjacency).edges == (
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
