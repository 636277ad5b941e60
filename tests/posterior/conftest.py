"""Problems on a few variables, and draws as chains leave them."""

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.posterior.draws import Draws


@pytest.fixture(scope="session")
def data() -> pd.DataFrame:
    """Four variables whose columns are not in the order of their names."""
    dag = pp.Dag.from_edges("dacb", [("d", "a"), ("c", "a"), ("a", "b")])
    return pp.BayesianNetwork.random(dag, 2, seed=4).sample(60, seed=1)


@pytest.fixture(scope="session")
def beliefs() -> pp.BeliefSet:
    return pp.BeliefSet([pp.causes("b", "d", 0.8), pp.relation("a", "c", (0.1, 0.5, 0.2, 0.2))])


@pytest.fixture(scope="session")
def posterior(data, beliefs) -> pp.Posterior:
    return pp.sample_posterior(data, beliefs)


@pytest.fixture(scope="session")
def draw_chains():
    """Independent draws from a posterior that was enumerated."""

    def draw(exact: Draws, *, num_chains: int, num_draws: int, seed: int) -> Draws:
        rng = np.random.default_rng(seed)
        chosen = rng.choice(len(exact.graphs), (num_chains, num_draws), p=exact.weights)
        return Draws(exact.variables, exact.graphs[chosen], exact.scores[0][chosen])

    return draw
