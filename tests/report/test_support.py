import numpy as np
import pytest

import pathprior as pp
from pathprior.report.graph_data import describe_edge
from pathprior.report.support import (
    EdgeSupport,
    Support,
    edge_support,
    has_open_edges,
    supports_found,
)
from pathprior.score.named import data_score


def without(dag, edge):
    return pp.Dag.from_edges(dag.nodes, [other for other in dag.edges if other != edge])


def test_losses_are_differences_of_whole_scores(odd_fit):
    supports = edge_support(odd_fit)
    assert [(e.parent, e.child) for e in supports] == list(odd_fit.dag.edges)
    for edge in supports:
        smaller = without(odd_fit.dag, (edge.parent, edge.child))
        data_loss = odd_fit.data_score - data_score(smaller, odd_fit.task.data)
        prior_loss = odd_fit.prior.log_prob(odd_fit.dag) - odd_fit.prior.log_prob(smaller)
        assert edge.data_loss == pytest.approx(data_loss, abs=1e-8)
        assert edge.prior_loss == pytest.approx(prior_loss, abs=1e-8)
        assert edge.support is Support.of(data=data_loss > 1e-8, beliefs=prior_loss > 1e-8)
        fixed = (edge.parent, edge.child) in odd_fit.cpdag.directed_edges
        assert edge.is_direction_fixed == fixed


def test_without_beliefs_the_data_support_everything(plain_fit):
    supports = edge_support(plain_fit)
    assert supports_found(supports) == (Support.DATA,)
    assert has_open_edges(supports) == bool(plain_fit.cpdag.undirected_edges)
    assert all(edge.prior_loss == 0 for edge in supports)


def test_a_required_edge_that_nothing_wants_is_supported_by_neither():
    data = pp.load_network("asia").sample(200, seed=0)
    fit = pp.learn(data, required=[("asia", "smoke")])
    (edge,) = [e for e in edge_support(fit) if (e.parent, e.child) == ("asia", "smoke")]
    assert edge.support is Support.NEITHER
    assert edge.data_loss < 0


def test_a_hard_belief_makes_the_loss_infinite():
    data = pp.load_network("asia").sample(200, seed=0)
    fit = pp.learn(data, [pp.causes("asia", "smoke", 1.0)], max_parents=2)
    losses = [edge.prior_loss for edge in edge_support(fit)]
    assert np.inf in losses


@pytest.mark.parametrize(
    ("data_loss", "prior_loss", "sentence"),
    [
        (2.0, 0.0, "Removing it lowers the data score by 2.00."),
        (2.0, 0.5, "Removing it lowers the data score by 2.00 and the prior score by 0.50."),
        (2.0, np.inf, "Removing it lowers the data score by 2.00 and breaks a hard belief."),
        (-1.0, np.inf, "Removing it breaks a hard belief."),
        (-1.0, 0.0, "Removing it lowers no score."),
    ],
)
def test_the_report_says_what_removing_an_edge_does(data_loss, prior_loss, sentence):
    support = Support.of(data=data_loss > 0, beliefs=prior_loss > 0)
    edge = EdgeSupport("a", "b", data_loss, prior_loss, support, True)
    assert describe_edge(edge).endswith(f". {sentence}")
