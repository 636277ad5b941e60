"""The posterior with beliefs in edges: every graph weighed, and chains beside it."""

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from tests.oracles.ties import listed_dags

NAMES = tuple("abcd")
BELIEFS = [
    pp.direct("a", "b", 0.8),
    pp.not_direct("b", "c", 0.9),
    pp.causes("a", "c", 0.6),
    pp.direct("d", "a", 0.4),
]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(4)
    a, d = rng.random((2, 50)) < 0.5
    b = np.where(rng.random(50) < 0.7, a, rng.random(50) < 0.5)
    c = np.where(rng.random(50) < 0.6, b, rng.random(50) < 0.5)
    return pd.DataFrame({"a": a, "b": b, "c": c, "d": d}).astype(int).astype(str)


@pytest.fixture(scope="module")
def exact(data):
    return pp.sample_posterior(data, BELIEFS, score="bdeu", unseen=0, method="exact")


def test_every_graph_has_the_weight_of_data_and_edges(data, exact):
    dags = [pp.Dag(NAMES, adjacency) for adjacency in listed_dags(4)]
    scores = np.array([pp.score_graph(dag, data) + exact.prior.log_prob(dag) for dag in dags])
    weights = np.exp(scores - np.logaddexp.reduce(scores))
    for x, y in [("a", "b"), ("b", "a"), ("d", "a")]:
        held = np.array([(x, y) in dag.edges for dag in dags])
        assert exact.probability(x, "direct", y) == pytest.approx(weights[held].sum(), abs=1e-9)
        assert exact.probability(x, "not-direct", y) == pytest.approx(weights[~held].sum())
        assert exact.edges.loc[x, y] == pytest.approx(weights[held].sum())


def test_chains_agree_with_every_graph(data, exact):
    chains = pp.sample_posterior(data, BELIEFS, score="bdeu", unseen=0, method="chains", seed=2)
    for x, event, y in [("a", "direct", "b"), ("d", "direct", "a"), ("a", "causes", "c")]:
        found = chains.estimate(x, event, y)
        assert abs(found.value - exact.probability(x, event, y)) < 4 * found.error + 0.003


def test_what_the_data_make_of_beliefs_in_edges(exact):
    table = exact.beliefs()
    assert set(table["event"]) == {"direct", "not-direct", "causes"}
    for row in table.itertuples():
        assert row.after == pytest.approx(exact.probability(row.x, row.event, row.y))
        odds = np.log(row.after / (1 - row.after)) - np.log(row.before / (1 - row.before))
        assert row.log_bayes_factor == pytest.approx(odds)


def test_errors_name_the_events_of_edges(exact):
    rows = exact.errors.query("kind == 'belief'")
    assert list(rows["event"]) == list(exact.prior.table["event"])


def test_a_posterior_with_edges_is_kept(exact, tmp_path):
    exact.save(tmp_path / "posterior")
    again = pp.load_posterior(tmp_path / "posterior")
    assert again.probability("a", "direct", "b") == exact.probability("a", "direct", "b")
