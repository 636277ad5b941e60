from math import log

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.score.graph import score_graph
from pathprior.score.score import Scorer
from pathprior.search.support import Support, edge_support, gains_alone


@pytest.fixture(scope="module")
def fit():
    """Asia with beliefs of which some cost the data score and some are not kept."""
    beliefs = [
        pp.causes("smoke", "lung", 0.9),
        pp.causes("lung", "dysp", 0.9),
        pp.not_associated("smoke", "dysp", 0.9),
        pp.confounded("lung", "bronc", 0.8),
        pp.relation("tub", "either", (0.7, 0.1, 0.1, 0.1)),
    ]
    return pp.learn(pp.load_network("asia").sample(300, seed=2), beliefs)


def without(dag, edge):
    return pp.Dag.from_edges(dag.nodes, [other for other in dag.edges if other != edge])


def test_losses_are_differences_of_whole_scores(fit):
    supports = edge_support(fit)
    assert [(e.parent, e.child) for e in supports] == list(fit.dag.edges)
    for edge in supports:
        smaller = without(fit.dag, (edge.parent, edge.child))
        data_loss = fit.data_score - score_graph(smaller, fit.problem.data)
        prior_loss = fit.prior.log_prob(fit.dag) - fit.prior.log_prob(smaller)
        prior_loss -= log(fit.prior.edge_odds)  # what every edge costs is not the beliefs' loss
        assert edge.data_loss == pytest.approx(data_loss, abs=1e-8)
        assert edge.prior_loss == pytest.approx(prior_loss, abs=1e-8)
        assert edge.support is Support.of(data=data_loss >= 1, beliefs=prior_loss > 1e-8)
        fixed = (edge.parent, edge.child) in fit.cpdag.directed_edges
        assert edge.is_direction_fixed == fixed


def test_without_beliefs_the_data_support_everything():
    supports = edge_support(pp.learn(pp.load_network("asia").sample(300, seed=1)))
    assert {edge.support for edge in supports} == {Support.DATA}
    assert all(edge.prior_loss == 0 for edge in supports)


def test_a_required_edge_that_nothing_wants_is_supported_by_neither():
    data = pp.load_network("asia").sample(200, seed=0)
    fit = pp.learn(data, required=[("asia", "smoke")])
    (edge,) = [e for e in edge_support(fit) if (e.parent, e.child) == ("asia", "smoke")]
    assert edge.support is Support.NEITHER
    assert edge.data_loss < 0


def test_a_hard_belief_makes_the_loss_infinite():
    data = pp.load_network("asia").sample(200, seed=0)
    fit = pp.learn(data, [pp.causes("asia", "smoke", 1.0)])
    losses = [edge.prior_loss for edge in edge_support(fit)]
    assert np.inf in losses


def learn_pair(**rules):
    """Two columns whose edge the data leave open, and one behind the second."""
    rng = np.random.default_rng(0)
    first = rng.integers(0, 2, 300)
    second = first ^ (rng.random(300) < 0.1)
    third = second ^ (rng.random(300) < 0.1)
    frame = pd.DataFrame({"b": first, "c": second, "a": third})
    return edge_support(pp.learn(frame, **rules))


@pytest.mark.parametrize(
    ("rules", "ruled"),
    [
        ({}, set()),
        ({"required": [("c", "b")]}, {("c", "b")}),
        ({"tiers": [["b"], ["a", "c"]]}, {("b", "c"), ("c", "a")}),  # no collider at c, so c → a
        ({"forbidden": [("b", "c")]}, {("c", "b")}),
    ],
)
def test_rules_fix_directions_that_the_data_leave_open(rules, ruled):
    edges = learn_pair(**rules)
    assert {(e.parent, e.child) for e in edges if e.is_ruled} == ruled
    assert {(e.parent, e.child) for e in edges if e.is_direction_fixed} == ruled
    assert not any(e.is_settled for e in edges)
    assert len(edges) == 2


def test_what_an_edge_is_worth_alone():
    """Two causes of which each shows only beside the other."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 300))
    frame = pd.DataFrame({"a": a, "b": b, "parity": a ^ b ^ (rng.random(300) < 0.05)})
    fit = pp.learn(frame, required=[("a", "parity"), ("b", "parity")])
    table = fit.edge_support()
    assert list(table["parent"]) == ["a", "b"]
    assert (table["data_loss"] > 100).all()
    assert (table["data_alone"] < 0).all()
    empty = pp.Dag.from_edges(fit.dag.nodes, [])
    for parent, alone in zip(table["parent"], table["data_alone"], strict=True):
        one = pp.Dag.from_edges(fit.dag.nodes, [(parent, "parity")])
        gain = score_graph(one, frame) - score_graph(empty, frame)
        assert alone == pytest.approx(gain, abs=1e-9)


def test_a_score_that_rules_both_out_says_nothing_of_an_edge_alone():
    class Never(Scorer):
        is_score_equivalent = True

        def local(self, child, parents):
            return -np.inf

        def estimate(self, dag, *, equivalent_sample_size):
            raise NotImplementedError

    gains = gains_alone(pp.Dag.from_edges("ab", [("a", "b")]), Never())
    assert np.isnan(gains["a", "b"])
