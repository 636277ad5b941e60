"""Every move against its slow twin: how often it leads from each DAG to each other."""

import numpy as np
import pytest
from scipy.stats import binom

from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag
from pathprior.kernels.posterior.layers import MAX_BLOCK, MIN_BLOCK
from pathprior.kernels.posterior.redraw import EXTEND
from pathprior.kernels.posterior.run import MOVES
from pathprior.posterior.chain_run import ChainRun
from pathprior.posterior.chains import make_target
from pathprior.posterior.lists import grow_lists
from pathprior.posterior.score_columns import ScoreColumns
from tests.oracles import moves as oracle
from tests.oracles.posterior import everything
from tests.posterior.cases import ROUNDING, exact, places, random_problem

NUM_CHAINS, NUM_MOVES = 20, 10_000


def setting_of(problem, target):
    """What the twin is given."""
    num_nodes = len(problem.rules.variables)
    bits, first = 1 << np.arange(num_nodes), target.lists.first
    entries = zip(target.lists.sets.parents, target.lists.weights, strict=False)
    listed = [(int(unpack_row(row, num_nodes) @ bits), float(weight)) for row, weight in entries]
    return oracle.Setting(
        probabilities=exact(problem),
        required=tuple((bits @ problem.rules.required).tolist()),
        forbidden=tuple((bits @ problem.rules.forbidden).tolist()),
        max_parents=problem.rules.max_parents,
        lists=[dict(listed[first[v] : first[v + 1]]) for v in range(num_nodes)],
        extend=EXTEND,
        blocks=oracle.block_chances(target.pull, range(MIN_BLOCK, MAX_BLOCK + 1)),
        pairs=[(int(x), int(y)) for x, y in problem.weights.pairs],
    )


def count_transitions(problem, target, move, monkeypatch):
    """Run chains from draws of the posterior, and look after every move."""
    rng = np.random.default_rng(0)
    every, probabilities = everything(len(problem.rules.variables)).adjacencies, exact(problem)
    counts = np.zeros((len(every), len(every)), np.int64)
    for number in rng.choice(len(every), size=NUM_CHAINS, p=probabilities):
        run = ChainRun(
            problem.scorer, target, Dag(problem.rules.variables, every[number]), rng, {move: 1.0}
        )
        monkeypatch.setattr(run, "_moves_per_draw", 1)
        passed = np.concatenate([[number], places(run.run(NUM_MOVES)[0])])
        np.add.at(counts, (passed[:-1], passed[1:]), 1)
    return counts


def compare_transitions(num_nodes, seed, move, monkeypatch):
    """z of the usual transitions, and p-values of all; those that cannot be must not."""
    score = "bdeu" if seed else "k2"
    problem = random_problem(num_nodes, seed, has_rules=seed % 2 == 1, score=score)
    lists = grow_lists(problem.rules, problem.start, ScoreColumns(problem).column, margin=2.0)
    target = make_target(problem, lists)
    expected = oracle.transitions_of(move, setting_of(problem, target))
    counts = count_transitions(problem, target, move, monkeypatch)
    visits = np.broadcast_to(counts.sum(axis=1, keepdims=True), counts.shape)
    is_possible = expected > ROUNDING
    assert not counts[~is_possible].any()
    # moves from the same graph are independent, so that each count is binomial
    where = is_possible & (visits > 0) & ~np.eye(len(counts), dtype=bool)
    counts, chance, size = counts[where], expected[where], visits[where]
    p_values = 2 * np.minimum(binom.cdf(counts, size, chance), binom.sf(counts - 1, size, chance))
    error = np.sqrt(size * chance * (1 - chance))
    is_usual = error > 3
    return (counts - size * chance)[is_usual] / error[is_usual], p_values


@pytest.mark.parametrize("move", MOVES)
def test_moves_are_as_likely_as_their_twins_say(move, monkeypatch):
    found = [
        compare_transitions(num_nodes, seed, move, monkeypatch)
        for num_nodes, seed in ((3, 0), (3, 1), (4, 2), (4, 4))
    ]
    z, p_values = (np.concatenate(parts) for parts in zip(*found, strict=True))
    assert p_values.min() > 1e-3 / len(p_values)
    assert len(z) > 40
    assert np.sqrt((z**2).mean()) == pytest.approx(1, abs=4 / np.sqrt(2 * len(z)))
