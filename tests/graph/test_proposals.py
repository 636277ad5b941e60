"""Pairs that a graph proposes, the least sure first."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.graph.proposals import ProposedEdge, pairs_by_sureness
from pathprior.posterior.proposals import proposed_pairs


def test_edges_and_paths_by_what_they_hang_on():
    edges = [
        ProposedEdge("a", "b", (True, 5.0)),
        ProposedEdge("b", "c", (True, 1.0)),
        ProposedEdge("a", "d", (False, 9.0)),
        ProposedEdge("d", "c", (True, 7.0)),
    ]
    assert pairs_by_sureness(edges, edges_only=True) == [
        ("a", "d"),
        ("b", "c"),
        ("a", "b"),
        ("d", "c"),
    ]
    # a ⇒ c by b, whose weakest edge is surer than an open one
    assert pairs_by_sureness(edges) == [
        ("a", "d"),
        ("b", "c"),
        ("a", "c"),
        ("a", "b"),
        ("d", "c"),
    ]


@pytest.mark.parametrize("seed", range(5))
def test_every_path_once(seed):
    (adjacency,) = pp.sample_dags(7, 1, seed=seed)
    dag = pp.Dag(tuple("abcdefg"), adjacency)
    rng = np.random.default_rng(seed)
    edges = [ProposedEdge(u, v, (True, float(rng.random()))) for u, v in dag.edges]
    found = pairs_by_sureness(edges)
    paths = {
        (x, y)
        for x in dag.nodes
        for y in dag.nodes
        if x != y and dag.relation(x, y) is pp.Relation.CAUSES
    }
    assert set(found) == paths
    assert len(found) == len(paths)
    worth = {(edge.parent, edge.child): edge.sureness for edge in edges}
    own = [worth[pair] for pair in found if pair in worth]
    assert all(one <= two for one, two in pairwise(own))


def test_of_a_fit_and_of_a_posterior():
    data = pp.load_network("asia").sample(200, seed=1)[["smoke", "lung", "bronc", "either", "dysp"]]
    fit = pp.learn(data)
    edges = fit.proposed_pairs(edges_only=True)
    assert sorted(edges) == sorted(fit.dag.edges)
    assert set(edges) <= set(fit.proposed_pairs())
    ordered = [["smoke"], ["lung", "bronc"], ["either"], ["dysp"]]
    posterior = pp.sample_posterior(data, tiers=ordered)
    found = posterior.proposed_pairs()
    table = posterior.paths.set_index(["x", "y"])
    doubt = {pair: 1 - table.loc[pair].max() for pair in table.index}
    assert set(found) == {pair for pair in table.index if doubt[pair] >= 0.25}
    assert 0 < len(found) < len(table)
    assert all(doubt[one] >= doubt[two] - 1e-8 for one, two in pairwise(found))
    near = posterior.proposed_pairs(edges_only=True)
    assert near == [(x, y) for x, y in found if posterior.adjacencies.loc[x, y] >= 0.05]


def test_what_a_posterior_doubts_though_no_graph_has_a_path():
    """Whether two variables are unrelated or confounded may be open where no path is proposed."""
    relations = {"causes": 0.1, "caused-by": 0.0, "confounded": 0.5, "not-associated": 0.4}
    paths = pd.DataFrame([{"x": "a", "y": "b", **relations}])
    adjacencies = pd.DataFrame([[0.0, 0.04], [0.04, 0.0]], index=["a", "b"], columns=["a", "b"])
    assert proposed_pairs(adjacencies, paths) == [("a", "b")]
    assert proposed_pairs(adjacencies, paths, edges_only=True) == []
    sure = paths.assign(**{"causes": 0.8, "confounded": 0.1, "not-associated": 0.1})
    assert proposed_pairs(adjacencies, sure) == []
