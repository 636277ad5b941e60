"""What a search over classes carries from step to step is what it would find afresh."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import pathprior as pp
from pathprior.beliefs.belief import Belief
from pathprior.data.door import read_dataset
from pathprior.graph.bitset import unpack_row
from pathprior.graph.equivalence import essential_matrix, pack_pdag
from pathprior.kernels.classes.state import BEST, TRIED, ClassClimb
from pathprior.kernels.graph.ancestors import Words
from pathprior.kernels.graph.cpdag import PARENTS
from pathprior.kernels.steps import FINISHED
from pathprior.problem.problem import Problem
from pathprior.score.bdeu import Bdeu
from pathprior.search.class_search import ClassRun
from pathprior.search.driver import SearchOptions
from tests.problems import make_problem

NUM_NODES = 70  # more than bits in a word


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    names = [f"v{i:02d}" for i in range(NUM_NODES)]
    order = rng.permutation(NUM_NODES)
    edges = {
        (names[order[u]], names[order[v]])
        for v in range(1, NUM_NODES)
        for u in rng.integers(max(0, v - 9), v, 2).tolist()
    }
    network = pp.BayesianNetwork.random(pp.Dag.from_edges(names, edges), 2, seed=1)
    return network.sample(300, seed=0)


def states_of(problem: Problem) -> Iterator[ClassClimb]:
    """Run the search in the smallest slices and show its state after each."""
    run = ClassRun(problem, SearchOptions(tabu=5, swap_budget=100, is_turning=False))
    run.advance(0)
    run.begin()
    yield run.state
    while run.advance(0) != FINISHED:
        yield run.state
    yield run.state


def problem_of(frame: pd.DataFrame, beliefs: list[Belief], has_experiments: bool) -> Problem:
    targets = None
    if has_experiments:
        names = ["", *frame.columns[:3]]
        targets = np.random.default_rng(2).choice(names, len(frame)).tolist()
    return make_problem(read_dataset(frame, interventions=targets), beliefs, Bdeu())


def closed(adjacency: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Who is there or above, for each node."""
    above = np.eye(len(adjacency), dtype=bool) | adjacency.T
    for _ in range(len(adjacency).bit_length()):
        above = above @ above
    return above


def differ(a: Words, b: Words) -> set[int]:
    return set(np.flatnonzero((a != b).any(axis=1)).tolist())


def members(row: Words) -> set[int]:
    return set(np.flatnonzero(unpack_row(row, NUM_NODES)).tolist())


@pytest.mark.parametrize("has_experiments", [False, True])
@pytest.mark.parametrize("has_beliefs", [False, True])
def test_a_class_is_the_one_drawn_afresh(
    frame: pd.DataFrame, has_beliefs: bool, has_experiments: bool
) -> None:
    beliefs = [pp.causes("v00", "v69", 0.9), pp.not_associated("v01", "v02", 0.8)]
    problem = problem_of(frame, beliefs if has_beliefs else [], has_experiments)
    marks: dict[bytes, int] = {}
    for state in states_of(problem):
        here = state.here
        dag = pp.Dag(problem.rules.variables, unpack_row(here.parents, NUM_NODES).T)
        drawn = pack_pdag(essential_matrix(dag, problem.cut))
        np.testing.assert_array_equal(here.pdag, drawn)
        certain = closed(unpack_row(drawn[PARENTS], NUM_NODES).T)
        np.testing.assert_array_equal(unpack_row(state.reach.certain, NUM_NODES), certain)
        np.testing.assert_array_equal(unpack_row(state.ranking.barred, NUM_NODES), certain.T)
        assert differ(here.parents, state.trial.parents) <= members(state.sets[TRIED])
        assert differ(here.parents, state.best_parents) <= members(state.sets[BEST])
        assert marks.setdefault(drawn.tobytes(), int(state.tally.mark)) == state.tally.mark
    assert len(set(marks.values())) == len(marks) > NUM_NODES
