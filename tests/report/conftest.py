"""Small fits with names that would break out of careless HTML, JSON or mathtext."""

import numpy as np
import pandas as pd
import pytest

import pathprior as pp

TAG = "<script>alert(1)</script>"
QUOTES = 'x & "y" $z'
STYLE = "dysp'</style>"
TRIAL = "</script><b>trial</b>"


@pytest.fixture(scope="session")
def odd_fit():
    """Asia under odd names; of one source's beliefs three cannot hold together, others disagree."""
    data = pp.load_network("asia").sample(300, seed=2)
    data.columns = ["asia", "tub", "smoke", "lung", "bronc", TAG, QUOTES, STYLE]
    beliefs = pp.BeliefSet(
        [
            pp.causes("smoke", "lung", 0.9, source=TRIAL),
            pp.causes("lung", STYLE, 0.9, source=TRIAL),
            pp.not_associated("smoke", STYLE, 0.9, source=TRIAL),
            pp.causes("bronc", "smoke", 0.9, source="survey"),
            pp.not_associated("bronc", "smoke", 0.9),
            pp.confounded("lung", "bronc", 0.8),
            pp.relation("tub", TAG, (0.7, 0.1, 0.1, 0.1)),
        ]
    )
    return pp.learn(data, beliefs)


@pytest.fixture(scope="session")
def plain_fit():
    """Asia from data alone."""
    return pp.learn(pp.load_network("asia").sample(300, seed=1))


@pytest.fixture(scope="session")
def weak_fit():
    """A belief that the data bear out, and one that holds only because it was believed."""
    rng = np.random.default_rng(0)
    cause = rng.integers(0, 2, 400)
    effect, other = cause ^ (rng.random(400) < 0.1), rng.integers(0, 2, 400)
    return pp.learn(
        pd.DataFrame({"cause": cause, "effect": effect, "other": other}),
        [pp.causes("cause", "effect", 0.9), pp.causes("cause", "other", 0.999)],
    )
