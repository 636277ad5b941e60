"""Priors within edge rules against the definition: every graph within them by itself."""

import warnings
from itertools import product

import numpy as np
import pandas as pd
import pytest

from pathprior import Dag, fit_prior, learn, load_prior, sample_posterior
from pathprior.beliefs.belief import (
    associated,
    causes,
    confounded,
    direct,
    not_associated,
    not_causes,
    relation,
)
from pathprior.errors import BeliefError, PathPriorWarning, PriorError, SearchError
from tests.oracles import within as oracle

NAMES = ("a", "b", "c", "d", "e")
WORDS = (causes, not_causes, associated, not_associated, confounded, direct)


def random_beliefs(rng, names, rules):
    """Beliefs that rules do not make pointless as a whole."""
    beliefs = []
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.choice(names, 2, replace=False).tolist()
        strength = float(rng.choice([1.0, 5.0, 10.0]))
        if rng.random() < 0.25:
            vector = tuple(rng.dirichlet(np.full(4, 2.0)).tolist())
            beliefs.append(relation(x, y, vector, strength=strength))
        else:
            word = WORDS[int(rng.integers(len(WORDS)))]
            beliefs.append(word(x, y, round(float(rng.uniform(0.05, 0.95)), 3), strength=strength))
    return beliefs


def rules_of(rules):
    return {name: value for name, value in rules.stated.items() if value}


def check_random_case(seed, size, *, is_summed):
    rng = np.random.default_rng((40, seed))
    names = NAMES[:size]
    rules = oracle.random_rules(rng, names)
    beliefs = random_beliefs(rng, names, rules)
    parents = [None, 0.8][seed % 2]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PathPriorWarning)
        prior = fit_prior(beliefs, names, expected_parents=parents, **rules_of(rules))
    keys = [
        (belief.x, event.value, belief.y, stated)
        for belief in prior.beliefs
        for event, stated in zip(belief.named_events, belief.stated, strict=True)
    ]
    table = {
        (row.x, row.event, row.y, row.stated): row for row in prior.table.itertuples(index=False)
    }
    fitted = np.array([table[key].fitted for key in keys])
    usual, _ = oracle.fit_within(rules, prior.beliefs, prior.edge_odds, is_base=True)
    baseline = np.array([table[key].baseline for key in keys])
    np.testing.assert_allclose(baseline, usual, rtol=0, atol=1e-9)
    expected, is_met = oracle.fit_within(rules, prior.beliefs, prior.edge_odds)
    np.testing.assert_allclose(fitted, expected, rtol=0, atol=1e-9)
    if is_summed:
        graphs = [Dag(names, dag) for dag in oracle.dags_within(rules)]
        shares = np.exp([prior.log_prob(dag) for dag in graphs])
        assert prior.is_normalised
        assert abs(shares.sum() - 1) < 1e-9
        for k, (x, event, y, _) in enumerate(keys):
            asked = prior.probability(x, event, y)
            assert abs(asked.fitted - fitted[k]) < 1e-9
            assert asked.lower - 1e-7 <= fitted[k] <= asked.upper + 1e-7 or not is_met
    return is_met


@pytest.mark.parametrize("seed", range(24))
def test_fitted_probabilities_are_those_of_the_graphs_within(seed):
    check_random_case(seed, 3 + seed % 2, is_summed=True)


@pytest.mark.slow
def test_fitted_probabilities_of_many_random_cases():
    met = sum(check_random_case(100 + seed, 3 + seed % 3, is_summed=False) for seed in range(330))
    assert 100 < met < 330  # both ways to fit were tried


TIERS = [["a"], ["b", "c"], ["d"]]


def shares_of(prior):
    """Every graph within the rules with its probability."""
    graphs = [Dag(prior.variables, dag) for dag in oracle.dags_within(prior.rules)]
    return graphs, np.exp([prior.log_prob(dag) for dag in graphs])


@pytest.mark.parametrize("stated", [0.3, 0.7])
def test_what_is_stated_with_tiers_holds_within_them(stated):
    belief = causes("a", "d", stated)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PathPriorWarning)
        inside = fit_prior([belief], NAMES[:4], tiers=TIERS)
        outside = fit_prior([belief], NAMES[:4])
    graphs, shares = shares_of(inside)
    holds = np.array([dag.relation("a", "d") == 0 for dag in graphs])
    assert shares[holds].sum() == pytest.approx(stated, abs=1e-9)
    weights = np.exp([outside.log_prob(dag) for dag in graphs])
    assert abs(weights[holds].sum() / weights.sum() - stated) > 0.1  # what it was without
    assert "within tiers" in inside.reference
    assert "rule" not in outside.table


def test_sources_within_rules_multiply():
    beliefs = [
        causes("b", "d", 0.9, source="one"),
        associated("a", "c", 0.9, source="one"),
        causes("c", "d", 0.8, source="two"),
    ]
    prior = fit_prior(beliefs, NAMES[:4], tiers=TIERS, max_parents=2)
    graphs, shares = shares_of(prior)
    assert shares.sum() == pytest.approx(1, abs=1e-9)
    for row in prior.table.itertuples():
        codes = [dag.relation(row.x, row.y) for dag in graphs]
        holds = np.array([code == 0 if row.event == "causes" else code != 3 for code in codes])
        assert row.fitted == pytest.approx(shares[holds].sum(), abs=1e-9)
        assert row.within == pytest.approx(row.stated, abs=1e-9)


def test_what_rules_decide_no_belief_moves():
    beliefs = [
        causes("d", "a", 0.2),
        relation("b", "d", (0.4, 0.2, 0.2, 0.2)),
        not_causes("a", "b", 0.4),
        associated("c", "d", 0.9),
    ]
    prior = fit_prior(beliefs, NAMES[:4], tiers=TIERS, required=[("a", "b")])
    table = prior.table.set_index(["x", "event", "y"])
    assert table.loc[("d", "causes", "a"), ["baseline", "fitted"]].tolist() == [0, 0]
    assert table.loc[("a", "not-causes", "b"), ["baseline", "fitted"]].tolist() == [0, 0]
    assert table.loc[("d", "causes", "a"), "rule"] == "tiers"
    assert table.loc[("a", "not-causes", "b"), "rule"] == "required"
    assert table.loc[("b", "caused-by", "d"), "fitted"] == 0
    # the rest of a belief is kept, in proportion
    assert table.loc[("b", "causes", "d"), "fitted"] == pytest.approx(0.5, abs=1e-6)
    assert table.loc[("c", "associated", "d"), "fitted"] == pytest.approx(0.9, abs=1e-6)
    assert table.loc[("c", "associated", "d"), "rule"] == ""
    assert not prior.is_coherent
    assert {conflict.sentence for conflict in prior.conflicts} == {
        "d causes a is ruled out by tiers; you said 0.2",
        "a does not cause b is ruled out by required; you said 0.4",
        "b is caused by d is ruled out by tiers; you said 0.2",
    }
    with pytest.raises(PriorError, match=r"d causes a is ruled out by tiers; you said 0\.2"):
        fit_prior(beliefs, NAMES[:4], tiers=TIERS, required=[("a", "b")], repair="error")
    with pytest.raises(BeliefError, match="no graph holds the hard belief d ⇒ a, ruled out by"):
        fit_prior([causes("d", "a", 1)], NAMES[:4], tiers=TIERS)


def test_bounds_are_those_of_the_graphs_within():
    # no path leads from a to d but by b, so that the two others leave it no room
    beliefs = [causes("a", "b", 0.3), associated("c", "d", 0.5)]
    rules = {"tiers": TIERS, "forbidden": [("a", "d"), ("a", "c"), ("c", "b"), ("b", "c")]}
    prior = fit_prior(beliefs, NAMES[:4], **rules)
    asked = prior.probability("a", "causes", "d")
    assert asked.upper == pytest.approx(0.3, abs=1e-7)
    conflicting = fit_prior([*beliefs, causes("a", "d", 0.6)], NAMES[:4], **rules)
    (conflict,) = conflicting.conflicts
    assert conflict.sentence == ("a causes d (0.6) forces a causes b to at least 0.6; you said 0.3")


def test_files_keep_the_rules(tmp_path):
    rules = {"tiers": TIERS, "required": [("a", "b")], "forbidden": [("c", "d")], "max_parents": 2}
    prior = fit_prior([causes("b", "d", 0.7), associated("a", "d", 0.2)], NAMES[:4], **rules)
    prior.save(tmp_path / "prior.json")
    again = load_prior(tmp_path / "prior.json")
    assert again.rules.agrees_with(prior.rules)
    assert again.rules.stated == prior.rules.stated
    assert again.table.equals(prior.table)
    dag = Dag.from_edges(NAMES[:4], [("a", "b"), ("b", "d")])
    assert again.log_prob(dag) == prior.log_prob(dag)
    assert again.log_prob(Dag.from_edges(NAMES[:4], [("b", "d")])) == -np.inf
    assert load_prior_without_rules(tmp_path).rules is None


def load_prior_without_rules(folder):
    fit_prior([causes("b", "d", 0.7)], NAMES[:4]).save(folder / "free.json")
    return load_prior(folder / "free.json")


def test_a_network_is_learned_within_the_rules_of_its_prior():
    data = pd.DataFrame(np.random.default_rng(0).integers(0, 2, (40, 4)), columns=list("abcd"))
    beliefs = [causes("b", "d", 0.7)]
    free, inside = fit_prior(beliefs, "abcd"), fit_prior(beliefs, "abcd", tiers=TIERS)
    backwards = [(u, v) for u, v in product("abcd", repeat=2) if u > v and {u, v} != {"b", "c"}]
    for options in ({"tiers": TIERS}, {"forbidden": backwards}):  # in other words, the same
        assert learn(data, inside, **options).prior is inside
    with pytest.raises(SearchError, match=r"without rules, but tiers are given .*tiers=…\)"):
        learn(data, free, tiers=TIERS)
    with pytest.raises(SearchError, match="within tiers, but no rules are given now"):
        sample_posterior(data, inside)
    with pytest.raises(SearchError, match="within tiers, but other tiers are given now"):
        learn(data, inside, tiers=[["a", "b", "c"], ["d"]])
    with pytest.raises(SearchError, match="within tiers, but tiers and max_parents are given now"):
        learn(data, inside, tiers=TIERS, max_parents=1)
    assert learn(data, fit_prior([], "abcd"), tiers=TIERS).prior.beliefs.variables == ()
    fitted = learn(data, beliefs, tiers=TIERS).prior
    assert fitted.rules.stated == inside.rules.stated
    np.testing.assert_array_equal(fitted.log_weights, inside.log_weights)


def test_webs_within_rules_agree_with_listings():
    beliefs = [
        causes("a", "d", 0.6),
        not_associated("b", "c", 0.5),
        direct("c", "e", 0.6),
        associated("d", "e", 0.7),
    ]
    rules = {"tiers": [["a"], ["b", "c"], ["d", "e"]], "forbidden": [("a", "c")], "max_parents": 2}
    listed = fit_prior(beliefs, NAMES, **rules)
    web = fit_prior(beliefs, NAMES, counts="web", tolerance=0.03, **rules)
    (how,) = web.webs
    assert how.has_converged
    assert web.is_coherent
    assert "chains" in web.reference
    gaps = np.abs(web.marginals - listed.marginals)
    assert gaps.max() < 4 * how.max_standard_error
    graphs, shares = shares_of(listed)
    chosen = np.random.default_rng(0).choice(len(graphs), 40, replace=False)
    ratios = np.array([web.log_prob(graphs[k]) - np.log(shares[k]) for k in chosen])
    assert ratios.std() < 0.3
    assert abs(ratios.mean()) < 4 * how.log_constant_error + 0.3
