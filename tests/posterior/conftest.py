"""Problems on a few variables."""

import pandas as pd
import pytest

import pathprior as pp
from tests.posteriors import draw_chains


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


@pytest.fixture(scope="session", name="draw_chains")
def _draw_chains():
    return draw_chains
