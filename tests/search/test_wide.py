"""More variables than bits in a word."""

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.data.door import read_dataset
from pathprior.prior.fit import fit_prior
from pathprior.score.bdeu import Bdeu
from pathprior.search.learn import learn
from pathprior.search.result import Fit
from pathprior.search.steps import Move

NUM_NODES = 70


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    names = [f"v{i:02d}" for i in range(NUM_NODES)]
    edges = [
        (names[int(u)], names[v])
        for v in range(1, NUM_NODES)
        for u in set(rng.integers(0, v, 2).tolist())
    ]
    dag = pp.Dag.from_edges(names, edges)
    return pp.BayesianNetwork.random(dag, 2, seed=1).sample(300, seed=0)


@pytest.mark.parametrize("is_believing", [False, True])
def test_replay(frame: pd.DataFrame, is_believing: bool) -> None:
    prior = None
    if is_believing:
        believed = [pp.causes("v69", "v00", 0.95), pp.confounded("v01", "v68", 0.9)]
        prior = fit_prior(believed, frame.columns)
    fit = learn(frame, prior, search="turning", expected_parents="auto" if is_believing else None)
    bound = Bdeu().bind(read_dataset(frame))
    nodes = fit.dag.nodes
    parents: list[set[int]] = [set() for _ in nodes]
    local = [bound.local(v, []) for v in range(NUM_NODES)]
    for step in fit.steps:
        for parent, child in step.edges:
            u, v = nodes.index(parent), nodes.index(child)
            if step.move in (Move.REMOVE, Move.REVERSE):
                parents[v].remove(u)
            if step.move is Move.SWAP:
                parents[u].remove(v)
            if step.move in (Move.INSERT, Move.SWAP):
                parents[v].add(u)
            if step.move is Move.REVERSE:
                parents[u].add(v)
            for w in (u, v):
                local[w] = bound.local(w, sorted(parents[w]))
        edges = [(nodes[u], nodes[v]) for v in range(NUM_NODES) for u in parents[v]]
        expected = sum(local)
        if prior is not None:
            dag = pp.Dag.from_edges(nodes, edges)
            expected += prior.log_prob(dag) + prior.log_sum_of_weights
        assert step.score == pytest.approx(expected, abs=1e-6)
    assert {(nodes[u], nodes[v]) for v in range(NUM_NODES) for u in parents[v]} == set(
        fit.dag.edges
    )


def test_nothing_gains_at_the_end(frame: pd.DataFrame) -> None:
    fit = learn(frame)
    edge = -np.log(fit.prior.edge_odds)
    assert edge > 3
    bound = Bdeu().bind(read_dataset(frame))
    assert _best_insertion_or_removal(fit, bound.local, edge) < 1e-6


def _best_insertion_or_removal(fit: Fit, local: object, edge: float) -> float:
    nodes = fit.dag.nodes
    best = -np.inf
    for v, child in enumerate(nodes):
        now = {nodes.index(p) for p in fit.dag.parents(child)}
        below = {u for u in range(NUM_NODES) if child in fit.dag.ancestors(nodes[u])} | {v}
        score = local(v, sorted(now))  # type: ignore[operator]
        for u in range(NUM_NODES):
            if u in now or u not in below:
                gain = local(v, sorted(now ^ {u})) - score  # type: ignore[operator]
                best = max(best, gain + edge if u in now else gain - edge)
    return best
