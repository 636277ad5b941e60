"""The chains against enumeration: each move by itself, and all together.

`benchmarks/posterior_moves.py` is the same at length.
"""

import pytest

from pathprior.kernels.posterior.run import MOVES
from pathprior.posterior.chains import MIX
from tests.posterior.cases import cases, compare, exact, pool, stationary_draws

ALONE = [{name: 1.0} for name in MOVES]
SETS = list(enumerate([*ALONE, MIX]))


@pytest.mark.parametrize(("number", "mix"), SETS, ids=[*MOVES, "all"])
def test_moves_keep_the_posterior(number, mix):
    check(number, mix, num_nodes=4, num_cases=12)


def test_they_keep_that_of_families():
    check(len(SETS) + len(MOVES), MIX, num_nodes=4, num_cases=6, scores=["families"])


def test_they_keep_that_of_unseen_edges():
    check(len(SETS) + len(MOVES) + 1, MIX, num_nodes=4, num_cases=6, unseen=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bridge", "redraw_block"])
def test_large_moves_keep_the_posterior_on_five_nodes(name):
    check(len(SETS) + MOVES.index(name), {name: 1.0}, num_nodes=5, num_cases=6)


def check(number, mix, *, num_nodes, num_cases, **options):
    found = []
    for case, (problem, margin) in enumerate(cases(num_nodes, num_cases, **options)):
        drawn = stationary_draws(
            problem, mix, num_chains=600, num_draws=4, margin=margin, seed=[number, case]
        )
        found.append(compare(drawn[:, -1], exact(problem), num_nodes))
    every = pool(found)
    assert every.bonferroni > 0.001
    assert 0.8 < every.rms < 1.2
