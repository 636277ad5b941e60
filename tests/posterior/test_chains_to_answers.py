"""`sample_posterior` by Markov chains, from the data to the probabilities."""

import time

import numpy as np
import pytest

import pathprior as pp
from pathprior.errors import PathPriorWarning
from pathprior.posterior.chains import AT_A_TIME
from pathprior.posterior.exact import family_scores
from pathprior.posterior.kept import FIRST, KeptDraws, next_reading
from pathprior.posterior.settling import PosteriorStop
from tests.oracles.posterior import edge_posteriors


@pytest.fixture(scope="module")
def data():
    return pp.load_network("asia").sample(500, seed=3)


@pytest.fixture(scope="module")
def data_on_ten():
    names = [f"v{k}" for k in range(10)]
    edges = np.triu(np.random.default_rng(1).random((10, 10)) < 0.4, 1)
    dag = pp.Dag(names, edges)
    return pp.BayesianNetwork.random(dag, dict.fromkeys(names, 3), seed=1).sample(200, seed=1)


@pytest.mark.parametrize("name", ["data", pytest.param("data_on_ten", marks=pytest.mark.slow)])
def test_edges_are_those_of_the_sum_over_subsets(name, request):
    data = request.getfixturevalue(name)
    posterior = pp.sample_posterior(data, score="bdeu", precision=0.004, seed=1)
    problem = pp.learn(data).problem
    names = list(problem.rules.variables)
    exact = edge_posteriors(family_scores(problem))
    found = posterior.edges.loc[names, names].to_numpy()
    assert posterior.stopped_because is PosteriorStop.SETTLED
    assert np.count_nonzero((exact > 0.02) & (exact < 0.98)) > 10
    assert np.abs(found - exact).max() < 0.01


def test_beliefs_go_in_and_come_out(data):
    without = pp.sample_posterior(data, seed=2)
    believed = pp.sample_posterior(data, [pp.causes("bronc", "smoke", 0.95)], seed=2)
    (row,) = believed.beliefs().itertuples()
    assert row.after > without.probability("bronc", "causes", "smoke") + 0.1
    assert 0 < row.error <= 0.02


def test_jobs_do_not_change_the_bits(data):
    one, two = (pp.sample_posterior(data, seed=4, num_jobs=jobs) for jobs in (1, 2))
    np.testing.assert_array_equal(one.draws.parents, two.draws.parents)
    np.testing.assert_array_equal(one.draws.scores, two.draws.scores)


def test_time_that_is_up_is_said(data, monkeypatch):
    clock = "pathprior.search.interrupt.monotonic"
    plain, add = time.monotonic, KeptDraws.add_up_to

    def add_and_wait(kept, target):
        add(kept, target)
        monkeypatch.setattr(clock, lambda: plain() + 1e6)

    monkeypatch.setattr(KeptDraws, "add_up_to", add_and_wait)
    with pytest.warns(PathPriorWarning, match=r"not settled to 1e-05 .* ± .* raise time_limit"):
        posterior = pp.sample_posterior(data, precision=1e-5)
    assert posterior.stopped_because is PosteriorStop.TIME_LIMIT
    assert posterior.draws.num_draws == AT_A_TIME[0]


def test_the_best_graph_is_at_least_the_learned_one(data):
    fit = pp.learn(data)
    posterior = fit.posterior(seed=5)
    assert posterior.best_score >= fit.score - 1e-9


class Counter:
    """Stands in for a sampler: the score of each draw is its number."""

    at_a_time = 100

    def __init__(self):
        self.num_draws = 0

    def advance(self, num_draws):
        scores = np.arange(self.num_draws, self.num_draws + num_draws, dtype=float)
        self.num_draws += num_draws
        return np.zeros((2, num_draws, 3, 1), np.uint64), np.stack([scores, scores])


def test_kept_graphs_stay_evenly_spaced(monkeypatch):
    monkeypatch.setattr("pathprior.posterior.kept.MOST", 8 * FIRST)
    counter = Counter()
    kept = KeptDraws(counter)
    for _ in range(400):
        kept.add_up_to(next_reading(counter.num_draws + 1))
        assert kept.num_drawn == counter.num_draws
        scores = kept.draws(("a", "b", "c")).scores
        assert scores.shape[1] <= 8 * FIRST
        (step,) = set(np.diff(scores[0]))
        assert scores[0, 0] == step - 1
        assert counter.num_draws - 1 - step < scores[0, -1] < counter.num_draws
    assert step > 1
