"""Parameters of networks from data in which variables were set: rows left alone tell of them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.data.door import read_dataset
from pathprior.graph.dag import Dag
from pathprior.network.gaussian import GaussianNetwork
from pathprior.network.mixed import MixedNetwork

DAG = Dag.from_edges(("x", "y", "s"), [("x", "y"), ("y", "s")])


def rows():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    y = 1 + 2 * x + rng.normal(size=200)
    y[:80] = rng.normal(size=80)  # set, whatever x is
    was_set = np.zeros((3, 200), dtype=bool)
    was_set[1, :80] = True
    return x, y, was_set


@pytest.mark.parametrize("alpha", [None, 2.0])
def test_gaussian(alpha):
    x, y, was_set = rows()
    frame = pd.DataFrame({"x": x, "y": y, "s": y + np.random.default_rng(1).normal(size=200)})
    dataset = replace(read_dataset(frame), intervened=was_set)
    found = GaussianNetwork.estimate(DAG, dataset, equivalent_sample_size=alpha)
    everything = GaussianNetwork.estimate(DAG, frame, equivalent_sample_size=alpha)
    left = GaussianNetwork.estimate(DAG, frame[80:], equivalent_sample_size=alpha)
    for node, expected in (("y", left), ("s", everything), ("x", everything)):
        ours, theirs = found.conditionals[node], expected.conditionals[node]
        assert ours.intercept == pytest.approx(theirs.intercept)
        assert np.ravel(ours.weights) == pytest.approx(np.ravel(theirs.weights))
        assert ours.deviation == pytest.approx(theirs.deviation)


def test_mixed():
    x, y, was_set = rows()
    frame = pd.DataFrame({"x": x, "y": y, "s": np.where(y > 1, "high", "low")})
    dataset = replace(read_dataset(frame), intervened=was_set)
    found = MixedNetwork.estimate(DAG, dataset, equivalent_sample_size=2.0)
    left = MixedNetwork.estimate(DAG, frame[80:], equivalent_sample_size=2.0)
    assert found.conditionals["y"] == left.conditionals["y"]
    assert found.conditionals["s"] != left.conditionals["s"]


def test_a_variable_that_was_set_in_all_rows_says_how():
    x, y, was_set = rows()
    was_set[1] = True
    frame = pd.DataFrame({"x": x, "y": y})
    dataset = replace(read_dataset(frame), intervened=was_set[:2])
    alone = Dag.from_edges(("x", "y"))
    found = GaussianNetwork.estimate(alone, dataset).conditionals["y"]
    assert found.intercept == pytest.approx(y.mean())
    assert found.deviation == pytest.approx(y.std())


def test_a_learned_fit_has_such_a_network():
    x, y, _ = rows()
    frame = pd.DataFrame({"x": x, "y": y, "target": ["y"] * 80 + [""] * 120})
    fit = pp.learn(frame, interventions="target")
    assert fit.dag.edges == (("x", "y"),)
    weights = np.ravel(fit.network().conditionals["y"].weights)
    assert weights == pytest.approx([2], abs=0.2)
