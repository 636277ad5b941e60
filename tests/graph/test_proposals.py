"""Pairs that a graph proposes, the least sure first."""

from itertools import pairwise

import numpy as np
import pytest

import pathprior as pp
from pathprior.graph.proposals import ProposedEdge, pairs_by_sureness


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
    data = pp.load_network("asia").sample(500, seed=1)[["smoke", "lung", "bronc", "either", "dysp"]]
    fit = pp.learn(data)
    edges = fit.proposed_pairs(edges_only=True)
    assert sorted(edges) == sorted(fit.dag.edges)
    assert set(edges) <= set(fit.proposed_pairs())
    posterior = fit.posterior()
    near = posterior.proposed_pairs(edges_only=True)
    adjacencies = posterior.adjacencies
    pairs = [(x, y) for k, x in enumerate(data) for y in list(data)[k + 1 :]]
    assert set(near) == {(x, y) for x, y in pairs if adjacencies.loc[x, y] >= 0.05}
    table = posterior.paths.set_index(["x", "y"])
    open_bits = [-sum(p * np.log(p) for p in table.loc[pair] if p > 0) for pair in near]
    assert all(one >= two - 1e-8 for one, two in pairwise(open_bits))
    assert set(near) <= set(posterior.proposed_pairs())
