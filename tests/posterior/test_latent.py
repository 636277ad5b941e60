"""What is drawn beside a graph: a latent made for the purpose, against the sum over it."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pathprior.data.door import read_dataset
from pathprior.graph.bitset import pack_rows
from pathprior.kernels.prior.graph_prior import Codes
from pathprior.posterior.array_records import Arrays
from pathprior.posterior.chain_run import ChainRun
from pathprior.posterior.chains import MIX, make_target
from pathprior.posterior.exact import enumerate_posterior
from pathprior.posterior.latent import DrawnGraph, Given
from pathprior.posterior.lists import grow_lists
from pathprior.posterior.score_columns import ScoreColumns
from pathprior.problem.problem import Problem
from tests.oracles import posterior as oracle
from tests.posterior.cases import events, random_problem, unpack

NUM_DRAWS = 4000


class WhichRows:
    """Which of several tables the graph was learned from, each as probable before; a `Latent`."""

    stream: tuple[int, ...] = (3,)
    begins_with_chain = True

    def __init__(self, problem: Problem, tables: list[pd.DataFrame]) -> None:
        self.scorers = [problem.score.bind(read_dataset(table)) for table in tables]
        self.log_shares = [_log_shares(problem, scorer) for scorer in self.scorers]
        self.which = 0

    def refresh(self, graph: DrawnGraph, generator: np.random.Generator) -> None:
        shares = np.exp([of_graph[graph.parents.tobytes()] for of_graph in self.log_shares])
        self.which = int(generator.choice(len(shares), p=shares / shares.sum()))

    def given(self) -> Given:
        return Given(scorer=self.scorers[self.which])

    def averaged(self, codes: Codes) -> float:
        return 100.0 * self.which  # to be seen in the scores

    def state(self) -> Arrays:
        return {"which": np.array(self.which)}

    def restore(self, state: Arrays) -> None:
        self.which = int(state["which"])

    def fixed(self) -> Arrays:
        return {"number": np.array(len(self.scorers))}


def _log_shares(problem: Problem, scorer) -> dict[bytes, float]:
    draws = enumerate_posterior(replace(problem, scorer=scorer))
    total = np.logaddexp.reduce(draws.scores.ravel())
    rows = zip(draws.graphs, draws.scores.ravel(), strict=True)
    return {graph.tobytes(): float(score - total) for graph, score in rows}


@pytest.fixture(scope="module")
def made():
    problem = random_problem(3, 4, has_rules=False)
    rng = np.random.default_rng(1)
    names = problem.rules.variables
    levels = [["0", "1", "2"], ["0", "1"], ["0", "1"]]
    tables = []
    for _ in range(2):  # every state once in each, so that the tables have the same ones
        drawn = {name: rng.choice(states, 30) for name, states in zip(names, levels, strict=True)}
        frame = pd.DataFrame(drawn)
        frame[names[1]] = np.where(rng.random(30) < 0.6, frame[names[2]], frame[names[1]])
        tables.append(frame)
    lists = grow_lists(problem.rules, problem.start, ScoreColumns(problem).column)
    return problem, tables, make_target(problem, lists)


def run_of(made, seed: int) -> tuple[ChainRun, WhichRows]:
    problem, tables, target = made
    latent = WhichRows(problem, tables)
    rng = np.random.default_rng(seed)
    return ChainRun(problem.scorer, target, problem.start, rng, MIX, [latent]), latent


def test_graphs_have_the_distribution_with_the_latent_summed_out(made):
    run, latent = run_of(made, 0)
    draws, scores = run.run(NUM_DRAWS)
    which = (scores > 0).mean()
    assert 0.35 < which < 0.65  # each table is as probable as the other
    every = oracle.everything(3).adjacencies
    packed = np.array([_packed(matrix) for matrix in every])
    shares = np.array(
        [[table.get(row.tobytes(), -np.inf) for row in packed] for table in latent.log_shares]
    )
    expected = np.exp(shares).mean(axis=0) @ events(every)
    found = events(unpack(draws)).mean(axis=0)
    np.testing.assert_allclose(found, expected, atol=0.06)


def test_a_chain_goes_on_from_its_state_and_that_of_its_latents(made):
    run, _ = run_of(made, 5)
    run.run(20)
    state = {name: array.copy() for name, array in run.state().items()}
    assert "which" in state
    assert "number" in run.fixed()
    expected = run.run(30)
    other, _ = run_of(made, 6)
    other.restore(state)
    for one, two in zip(expected, other.run(30), strict=True):
        np.testing.assert_array_equal(one, two)


def _packed(matrix):
    return pack_rows(matrix.T)
