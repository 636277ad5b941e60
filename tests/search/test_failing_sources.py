"""Sources whose beliefs the data do not bear out are named, and those that are right are not."""

import warnings
from itertools import permutations

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.errors import PathPriorWarning
from pathprior.prior.equal_beliefs import DOZENS, EqualBeliefsWarning

CHILD = pp.load_network("child")
TRUE = [
    (x, y) for x, y in permutations(CHILD.dag.nodes, 2) if CHILD.dag.relation(x, y).name == "CAUSES"
]
FAIL = "beliefs fail against the data"


def test_a_source_that_is_right_as_often_as_it_says_is_not_blamed():
    """Twelve claims, of which nine are true and three the wrong way round, at 0.75."""
    chosen = [TRUE[k] for k in np.random.default_rng(0).choice(len(TRUE), 12, replace=False)]
    ways = [(x, y) if k % 4 else (y, x) for k, (x, y) in enumerate(chosen)]
    beliefs = [pp.causes(x, y, 0.75, source="a review") for x, y in ways]
    prior = pp.fit_prior(beliefs, CHILD.dag.nodes)
    for num_rows in (100, 1000):
        with warnings.catch_warnings():
            warnings.simplefilter("error", PathPriorWarning)
            pp.learn(CHILD.sample(num_rows, seed=0), prior)


def test_a_source_that_the_data_contradict_is_named():
    columns = {f"v{k}": np.random.default_rng(k).integers(0, 2, 500) for k in range(13)}
    columns["w"] = columns["v0"] ^ (np.random.default_rng(13).random(500) < 0.1)
    wrong = [pp.causes("v0", f"v{k}", 0.7, source="a review") for k in range(1, 13)]
    mine = [pp.associated("v0", "w", 0.8)]
    with pytest.warns(PathPriorWarning, match=FAIL) as warned:
        pp.learn(pd.DataFrame(columns), [*wrong, *mine])
    (said,) = [str(one.message) for one in warned if FAIL in str(one.message)]
    assert "0 of the 12 likely beliefs of 'a review' hold in the learned network" in said
    assert "where about 8 should" in said
    assert "says(source, x, relation, y)" in said
    assert "'you'" not in said


def fitted(probabilities, sources):
    names = [f"v{k}" for k in range(len(probabilities) + 1)]
    beliefs = [
        pp.causes("v0", name, p, source=source)
        for name, p, source in zip(names[1:], probabilities, sources, strict=True)
    ]
    return pp.fit_prior(beliefs, names)


def test_dozens_of_equal_round_probabilities_are_noted():
    with pytest.warns(EqualBeliefsWarning, match="24 of 'a review' are 0.75; if nobody") as warned:
        fitted([0.75] * DOZENS + [0.9] * 3, ["a review"] * DOZENS + [""] * 3)
    assert [one.filename for one in warned] == [__file__]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("probabilities", "sources"),
    [
        ([0.75] * (DOZENS - 1), ["a review"] * (DOZENS - 1)),
        ([0.75] * DOZENS, ["a review", "another"] * (DOZENS // 2)),
        ([0.7137] * DOZENS, ["a model"] * DOZENS),
        ([0.6 + k / 100 for k in range(DOZENS)], ["an expert"] * DOZENS),
    ],
)
def test_beliefs_that_were_weighed_are_not(probabilities, sources):
    fitted(probabilities, sources)
