"""A move of one's own leaves the distribution alone, whatever it proposes."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.graph.dag import Dag
from pathprior.posterior.chains import sample_chains
from pathprior.posterior.drawing import Chains
from pathprior.posterior.exact import enumerate_posterior
from pathprior.posterior.move import offer
from pathprior.posterior.sampling import sample_problem
from pathprior.posterior.settings import PosteriorSettings
from pathprior.score.named import make_score
from tests.problems import make_problem


@dataclass(frozen=True)
class Toggle:
    """Put an edge in or take it out; `wrongly` says that the way back is more probable."""

    wrongly: float = 0.0

    def propose(self, adjacency, generator):
        u, v = generator.choice(len(adjacency), size=2, replace=False)
        adjacency[u, v] = not adjacency[u, v]
        return adjacency, self.wrongly if adjacency[u, v] else 0.0


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(5)
    a = rng.integers(2, size=12)
    data = pd.DataFrame({"a": a, "b": np.where(rng.random(12) < 0.75, a, 1 - a)})
    data["c"] = np.where(rng.random(12) < 0.7, data["b"], rng.integers(2, size=12))
    score = make_score("bdeu", equivalent_sample_size=1.0)
    beliefs = [pp.causes("a", "b", 0.8), pp.confounded("b", "c", 0.3)]
    return make_problem(data, beliefs, score, forbidden=[("c", "a")], max_parents=1)


def distance(problem, move, *, size=12000):
    """Total variation between the graphs that the move alone leads to and all there are."""
    run = sample_chains(problem, start=problem.start, num_chains=1, seed=2)._runs[0]
    chain, numbers = run._chain, np.random.default_rng(7)
    found: dict[bytes, float] = {}
    for _ in range(size):
        chain.random[:] = numbers.integers(1, 2**64, size=4, dtype=np.uint64)
        offer(move, 0, run._target, chain, problem.scorer)
        key = chain.graph.parents.tobytes()
        found[key] = found.get(key, 0.0) + 1 / size
    exact = enumerate_posterior(problem)
    every = {g.tobytes(): w for g, w in zip(exact.graphs, exact.weights, strict=True)}
    assert set(found) <= set(every)
    return sum(abs(found.get(key, 0.0) - weight) for key, weight in every.items()) / 2


def test_a_move_alone_samples_the_posterior(problem):
    assert distance(problem, Toggle()) < 0.05


def test_a_move_that_lies_about_the_way_back_does_not(problem):
    assert distance(problem, Toggle(wrongly=4.0)) > 0.07


def test_what_a_chain_knows_of_its_graph_stays_right(problem):
    sampler = sample_chains(problem, start=problem.start, num_chains=1, seed=1, moves=[Toggle()])
    run = sampler._runs[0]
    for _ in range(20):
        run.run(5)
        chain = run._chain
        adjacency = np.array([[bool(chain.graph.parents[v, 0] >> u & 1) for v in range(3)]
                              for u in range(3)])  # fmt: skip
        dag = Dag(("a", "b", "c"), adjacency)
        np.testing.assert_array_equal(chain.graph.ancestors, dag.ancestor_words)
        local = [
            problem.scorer.local(v, np.flatnonzero(adjacency[:, v]).tolist())
            + problem.weights.log_edge_odds * adjacency[:, v].sum()
            for v in range(3)
        ]
        np.testing.assert_allclose(chain.local, local, atol=1e-9)


def test_chains_offer_it_and_settle_where_the_others_do(problem):
    method = Chains(2, seed=3, precision=0.05, moves=(Toggle(),))
    settings = PosteriorSettings(method="chains", time_limit=60.0)
    found = sample_problem(problem, problem.start, settings, method=method)
    assert found.method is method
    exact = sample_problem(problem, problem.start, PosteriorSettings(method="exact"))
    np.testing.assert_allclose(found.edges, exact.edges, atol=0.1)
