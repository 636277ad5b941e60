"""The chains against enumeration: each move by itself, all together, and the sampler."""

import numpy as np
import pytest

from pathprior.graph.dag import Dag
from pathprior.kernels.posterior.run import MOVES
from pathprior.posterior.chains import MIX, ChainRun, make_target
from pathprior.posterior.lists import grow_lists
from pathprior.posterior.score_columns import ScoreColumns
from tests.oracles.all_graphs import everything
from tests.posterior.cases import events, exact, random_task, unpack, z_scores

ALONE = [{name: 1.0} for name in MOVES]


def stationary_z(task, mix, *, num_chains, num_draws, margin, seed):
    """Start every chain from the posterior itself; it must stay there.

    So a move that does not reach every graph can be tested by itself, and the errors are those of
    independent means.
    """
    rng = np.random.default_rng(seed)
    num_nodes = len(task.rules.variables)
    every, probabilities = everything(num_nodes).adjacencies, exact(task)
    column = ScoreColumns(task).column
    lists = grow_lists(task.rules, task.start, column, margin=margin)
    target = make_target(task, lists)
    means = []
    for number in rng.choice(len(every), size=num_chains, p=probabilities):
        start = Dag(task.rules.variables, every[number])
        draws, _ = ChainRun(task.scorer, target, start, rng, mix).run(num_draws)
        means.append(events(unpack(draws)).mean(axis=0))
    return z_scores(np.array(means), probabilities @ events(every))


def cases(num_nodes, num_cases):
    """Tasks, with and without rules, two scores, and margins of short and long lists."""
    for seed in range(num_cases):
        score = "k2" if seed % 4 == 3 else "bdeu"
        task = random_task(num_nodes, seed, has_rules=seed % 2 == 1, score=score)
        yield task, (1.5, 4.0)[seed // 2 % 2]


def check(z):
    assert np.abs(z).max() < 4
    assert 0.8 < np.sqrt((z**2).mean()) < 1.2


@pytest.mark.parametrize("mix", [*ALONE, MIX], ids=[*MOVES, "all"])
def test_moves_keep_the_posterior(mix):
    z = [
        stationary_z(task, mix, num_chains=600, num_draws=4, margin=margin, seed=seed)
        for seed, (task, margin) in enumerate(cases(4, 12))
    ]
    check(np.concatenate(z))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bridge", "redraw_block"])
def test_large_moves_keep_the_posterior_on_five_nodes(name):
    z = [
        stationary_z(task, {name: 1.0}, num_chains=600, num_draws=4, margin=margin, seed=seed)
        for seed, (task, margin) in enumerate(cases(5, 12))
    ]
    check(np.concatenate(z))
