"""Beliefs in edges, alone and with beliefs in paths, against every DAG looked at."""

import math
from itertools import combinations

import numpy as np
import pytest

from pathprior.beliefs.belief import Belief, associated, causes, direct, not_causes, not_direct
from pathprior.beliefs.event import Event
from pathprior.errors import BeliefError
from pathprior.graph.dag import Dag
from pathprior.prior.belief_table import BaselineWarning
from pathprior.prior.fit import fit_prior
from pathprior.prior.prior_file import load_prior
from tests.oracles.ties import base_weights, listed_dags, tie_codes

NAMES = ("a", "b", "c", "d", "e")


def truth(beliefs, num_nodes, edge_odds):
    """P₀, and for each belief the indicator of its event, DAG by DAG."""
    pairs = [(NAMES.index(b.x), NAMES.index(b.y)) for b in beliefs]
    codes = tie_codes(pairs, num_nodes, range(len(pairs)))
    held = [np.isin(codes[:, k], sorted(b.events[0])) for k, b in enumerate(beliefs)]
    return base_weights(num_nodes, edge_odds), np.array(held)


def project(base, held, stated):
    """The I-projection of P₀ onto the stated probabilities, by scaling in turn."""
    joint = base.copy()
    for _ in range(3000):
        for holds, p in zip(held, stated, strict=True):
            mass = joint[holds].sum()
            joint = joint * np.where(holds, p / mass, (1 - p) / (1 - mass))
        if np.abs(held @ joint - stated).max() < 1e-13:
            break
    return joint


def random_beliefs(seed, num_nodes, size):
    """A mixture of beliefs that some prior near the base meets, so that all can hold."""
    rng = np.random.default_rng(seed)
    edge_odds = float(rng.uniform(0.2, 1.5))
    ends = [(x, y) for x in NAMES[:num_nodes] for y in NAMES[:num_nodes] if x != y]
    words = ["direct", "not-direct", "direct", *(event.value for event in Event)]
    beliefs, seen = [], set()
    while len(beliefs) < size:
        x, y = ends[rng.integers(len(ends))]
        word = words[rng.integers(len(words))]
        if (x, word, y) not in seen:
            seen.add((x, word, y))
            beliefs.append(Belief(x, word, y, (0.5,)))
    base, held = truth(beliefs, num_nodes, edge_odds)
    tilted = base * np.exp(rng.normal(0, 0.7, len(beliefs)) @ held)
    stated = held @ (tilted / tilted.sum())
    return (
        [Belief(b.x, b.relation, b.y, (float(p),)) for b, p in zip(beliefs, stated, strict=True)],
        edge_odds,
    )


def fit_with_odds(beliefs, num_nodes, edge_odds, **options):
    """A prior against P₀ with these edge odds."""
    edges = (edge_odds_edges := base_weights(num_nodes, edge_odds)) @ np.array(
        [adjacency.sum() for adjacency in listed_dags(num_nodes)]
    )
    assert edge_odds_edges.sum() == pytest.approx(1)
    return fit_prior(
        beliefs, NAMES[:num_nodes], expected_parents=float(edges / num_nodes), **options
    )


@pytest.mark.filterwarnings("ignore::pathprior.prior.belief_table.BaselineWarning")
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("num_nodes", [3, 4])
def test_priors_of_mixtures_are_the_projection_of_the_base(seed, num_nodes):
    beliefs, edge_odds = random_beliefs(seed, num_nodes, 4)
    prior = fit_with_odds(beliefs, num_nodes, edge_odds)
    assert prior.is_coherent
    assert prior.is_normalised
    base, held = truth(beliefs, num_nodes, edge_odds)
    expected = project(base, held, [b.stated[0] for b in beliefs])
    dags = [Dag(prior.variables, adjacency) for adjacency in listed_dags(num_nodes)]
    found = np.exp([prior.log_prob(dag) for dag in dags])
    assert found.sum() == pytest.approx(1, abs=1e-9)
    assert found == pytest.approx(expected, abs=1e-9)
    table = prior.table
    assert table["fitted"].to_numpy() == pytest.approx(table["stated"].to_numpy(), abs=1e-9)


@pytest.mark.filterwarnings("ignore::pathprior.prior.belief_table.BaselineWarning")
def test_five_variables_agree_with_every_dag():
    beliefs, edge_odds = random_beliefs(11, 5, 6)
    prior = fit_with_odds(beliefs, 5, edge_odds)
    base, held = truth(beliefs, 5, edge_odds)
    expected = project(base, held, [b.stated[0] for b in beliefs])
    some = range(0, len(expected), 97)
    found = [math.exp(prior.log_prob(Dag(prior.variables, listed_dags(5)[k]))) for k in some]
    assert found == pytest.approx(expected[list(some)], abs=1e-9)


@pytest.mark.parametrize("num_nodes", [2, 3, 8, 37, 300])
def test_the_baseline_of_an_edge_is_the_mean_number_of_edges(num_nodes):
    names = [f"v{i}" for i in range(num_nodes)]
    prior = fit_prior([direct("v0", "v1", 0.9)], names)
    row = prior.table.iloc[0]
    assert row.baseline == pytest.approx(prior.uninformative_ties[4])
    if num_nodes > 4:  # the base has one parent a variable
        assert row.baseline == pytest.approx(1 / (num_nodes - 1), rel=1e-9)
    assert row.fitted == pytest.approx(0.9, abs=1e-9)
    assert prior.is_normalised


def test_a_belief_in_an_edge_says_how_likely_a_path_is():
    names = NAMES[:4]
    prior = fit_prior([direct("a", "b", 0.8)], names)
    held = prior.probability("a", "causes", "b")
    assert 0.8 < held.fitted < 1
    bounds = fit_prior([direct("a", "b", 0.8), direct("b", "c", 0.7)], names)
    assert bounds.probability("a", "causes", "c").lower == pytest.approx(0.5)
    edge = bounds.probability("c", "direct", "a")
    assert (edge.lower, edge.upper) == pytest.approx((0.0, 0.5))


def test_a_pair_without_a_belief_in_edges_can_be_asked_for_one():
    prior = fit_prior([causes("a", "b", 0.8)], NAMES[:4])
    edge = prior.probability("a", "direct", "b")
    joint = fit_prior([causes("a", "b", 0.8), direct("c", "d", 0.3)], NAMES[:4])
    assert 0 < edge.fitted < 0.8
    assert edge.upper == pytest.approx(1.0)  # the belief is on the same pair
    assert joint.probability("b", "not-direct", "a").fitted > 0.85


def test_an_edge_forces_the_path():
    prior = fit_prior([direct("x", "y", 0.8), causes("x", "y", 0.5)], ["x", "y", "z"])
    assert not prior.is_coherent
    (conflict,) = prior.conflicts
    assert conflict.sentence == (
        "x directly causes y (0.8) forces x causes y to at least 0.8; you said 0.5"
    )


def test_edges_along_a_chain_force_the_path():
    beliefs = [direct("x", "y", 0.9), direct("y", "z", 0.8), causes("x", "z", 0.3)]
    (conflict,) = fit_prior(beliefs, ["x", "y", "z", "w"]).conflicts
    assert conflict.sentence == (
        "x directly causes y (0.9) and y directly causes z (0.8) force x causes z to at least "
        "0.7; you said 0.3"
    )


def test_hard_beliefs_require_and_forbid_edges():
    beliefs = [direct("a", "b", 1), not_direct("b", "c", 1), causes("b", "c", 0.6)]
    prior = fit_prior(beliefs, NAMES[:4])
    total = 0.0
    for adjacency in listed_dags(4):
        log_prob = prior.log_prob(Dag(prior.variables, adjacency))
        assert np.isfinite(log_prob) == (adjacency[0, 1] and not adjacency[1, 2])
        total += math.exp(log_prob)
    assert total == pytest.approx(1, abs=1e-9)


def test_contradictory_hard_edges_are_named():
    beliefs = [direct("a", "b", 1), direct("b", "c", 1), direct("c", "a", 1)]
    with pytest.raises(BeliefError, match=r"a directly causes b .* are certain but contradict"):
        fit_prior(beliefs, NAMES[:4])


def test_an_edge_less_probable_than_its_baseline_earns_a_warning():
    with pytest.warns(BaselineWarning, match=r"x directly causes y \(0.05\), 0.2 without"):
        fit_prior([direct("x", "y", 0.05)], [*"xyzuvw"])


@pytest.mark.filterwarnings("ignore::pathprior.prior.belief_table.BaselineWarning")
def test_sampled_components_tell_edges_apart():
    chain = [direct(*ends, 0.6) for ends in ("ab", "bc", "cd", "de")]
    names = [*"abcdefgh"]
    prior = fit_prior([*chain, causes("a", "e", 0.7)], names, counts="listed", num_samples=200_000)
    assert prior.effective_samples > 1000
    assert prior.table["fitted"].to_numpy() == pytest.approx(prior.table["stated"].to_numpy())


def test_priors_with_edges_are_saved(tmp_path):
    beliefs = [direct("a", "b", 1), associated("b", "c", 0.9), not_direct("b", "c", 0.7)]
    prior = fit_prior(beliefs, NAMES[:4])
    prior.save(tmp_path / "prior.json")
    again = load_prior(tmp_path / "prior.json")
    assert again.alphabets.edges == prior.alphabets.edges == (0, 1)
    for adjacency in listed_dags(4)[::11]:
        dag = Dag(prior.variables, adjacency)
        assert again.log_prob(dag) == prior.log_prob(dag)


def test_the_joint_has_six_symbols_for_pairs_told_apart():
    prior = fit_prior([direct("a", "b", 0.5), not_causes("b", "c", 0.7)], NAMES[:4])
    joint = prior.joint()
    assert set(joint["a, b"]) == set("⇒⇐⇔⇎→←")
    assert set(joint["b, c"]) == set("⇒⇐⇔⇎")
    assert joint["num_dags"].sum() == 543


def test_completion_leaves_beliefs_in_edges_as_they_are():
    beliefs = [direct("a", "b", 0.5), causes("b", "c", 0.7)]
    prior = fit_prior(beliefs, NAMES[:4], complete=True)
    assert prior.table["fitted"].to_numpy() == pytest.approx(prior.table["stated"].to_numpy())


@pytest.mark.parametrize("repair", ["soft", "gema", "independent"])
def test_every_repair_takes_edges(repair):
    beliefs = [direct("a", "b", 0.8), causes("a", "b", 0.5), direct("b", "a", 0.1)]
    prior = fit_prior(beliefs, NAMES[:4], repair=repair)
    assert not prior.is_coherent
    assert np.isfinite(prior.log_weights).all()


def test_pairs_are_found_in_either_direction():
    beliefs = [causes("a", "b", 0.6), direct("b", "a", 0.2)]
    prior = fit_prior(beliefs, NAMES[:4])
    assert len(prior.pairs) == 1
    for x, y in combinations("ab", 2):
        assert prior.probability(x, "causes", y).fitted == pytest.approx(0.6)
        assert prior.probability(y, "direct", x).fitted == pytest.approx(0.2)


# -- webs and sources ------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::pathprior.prior.belief_table.BaselineWarning")
@pytest.mark.parametrize("seed", [0, 1])
def test_webs_agree_with_the_listing(seed):
    beliefs, edge_odds = random_beliefs(seed, 5, 5)
    listed = fit_with_odds(beliefs, 5, edge_odds)
    web = fit_with_odds(beliefs, 5, edge_odds, counts="web", tolerance=0.03, seed=seed)
    assert web.is_coherent
    (how,) = web.webs
    assert how.has_converged
    assert np.abs(web.table["fitted"] - web.table["stated"]).max() < 0.03
    dags = [Dag(listed.variables, adjacency) for adjacency in listed_dags(5)[::499]]
    expected, found = (np.array([p.log_prob(dag) for dag in dags]) for p in (listed, web))
    assert np.abs(found - expected).max() < 0.5
    assert abs((found - expected).mean()) < 4 * how.log_constant_error + 0.15


def test_webs_require_and_forbid_edges():
    beliefs = [direct("a", "b", 1), not_direct("b", "c", 1), causes("b", "c", 0.6)]
    web = fit_prior(beliefs, NAMES, counts="web", tolerance=0.05)
    for adjacency in listed_dags(5)[::311]:
        log_prob = web.log_prob(Dag(web.variables, adjacency))
        assert np.isfinite(log_prob) == (adjacency[0, 1] and not adjacency[1, 2])
    assert web.table["fitted"].to_numpy() == pytest.approx(web.table["stated"].to_numpy(), abs=0.05)


def test_conflicts_in_webs_name_edges():
    beliefs = [direct("x", "y", 0.9), direct("y", "z", 0.8), causes("x", "z", 0.3)]
    web = fit_prior(beliefs, ["x", "y", "z", "w"], counts="web", tolerance=0.05)
    assert [conflict.sentence for conflict in web.conflicts] == [
        "x directly causes y (0.9) and y directly causes z (0.8) force x causes z to at least "
        "0.7; you said 0.3"
    ]


def test_sources_that_speak_of_paths_and_of_edges_are_pooled():
    beliefs = [
        direct("a", "b", 0.8, source="trial"),
        causes("a", "b", 0.6, source="survey"),
        causes("b", "c", 0.7, source="survey"),
    ]
    listed = fit_prior(beliefs, NAMES)
    web = fit_prior(beliefs, NAMES, counts="web", tolerance=0.03)
    base = base_weights(5, listed.edge_odds)
    codes = tie_codes([(0, 1), (1, 2)], 5, (0, 1))
    edge, paths = codes[:, 0] == 4, np.isin(codes, (0, 4)).T
    joint = project(base, edge[None], [0.8]) * project(base, paths, [0.6, 0.7]) / base
    joint /= joint.sum()
    row = listed.table.query("event == 'direct'").iloc[0]
    assert row.within == pytest.approx(0.8)
    assert row.fitted == pytest.approx(joint[edge].sum(), abs=1e-9)
    again = web.table.query("event == 'direct'").iloc[0]
    assert again.fitted == pytest.approx(row.fitted, abs=0.05)


def test_sources_disagree_about_edges():
    beliefs = [direct("a", "b", 0.8, source="trial"), direct("a", "b", 0.05, source="survey")]
    with pytest.warns(BaselineWarning):
        (found,) = fit_prior(beliefs, NAMES).disagreements
    assert found.sentence.startswith(
        "trial and survey disagree about a directly causes b: 0.8 and 0.05; together"
    )


def test_a_source_that_speaks_of_paths_alone_is_not_said_to_deny_edges():
    beliefs = [direct("a", "b", 0.5, source="trial"), causes("a", "b", 0.6, source="survey")]
    assert not fit_prior(beliefs, NAMES).disagreements
