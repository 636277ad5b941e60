"""Beliefs of several sources: one mind each, and evidence that multiplies."""

import pickle
import warnings
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.beliefs.belief import Belief, associated, causes, not_associated, not_causes
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.beliefs.event import Event
from pathprior.errors import BeliefError, PriorError
from pathprior.graph.dag import Dag
from pathprior.prior.fit import fit_prior
from pathprior.prior.prior_file import load_prior
from pathprior.prior.web.diagnostics import WebConvergenceWarning
from tests.oracles.graph import all_dags
from tests.oracles.prior import pooled_log_probs

FOUR, FIVE = tuple("abcd"), tuple("abcde")
SOURCES = ("trial", "survey", "")


def random_beliefs(variables, sources, num_beliefs, seed):
    """Beliefs of every strength and kind, several of them on some pairs."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(num_beliefs):
        x, y = rng.choice(variables, 2, replace=False)
        event = str(rng.choice(list(Event)))
        stated = float(rng.uniform(0.05, 0.95))
        strength = float(rng.uniform(0.5, 5))
        source = str(rng.choice(sources))
        found.append(Belief(str(x), event, str(y), (stated,), strength, source))
    return found


def of_source(beliefs, name):
    return [belief for belief in beliefs if belief.source == name]


def dags(variables):
    return [Dag(variables, graph) for graph in all_dags(len(variables))]


@pytest.mark.parametrize("expected_parents", [None, 1.0])
@pytest.mark.parametrize("seed", range(6))
def test_the_product_of_the_sources(seed, expected_parents):
    beliefs = random_beliefs(FOUR, SOURCES, 7, seed)
    prior = fit_prior(beliefs, FOUR, expected_parents=expected_parents)
    alone = [
        fit_prior(own, FOUR, expected_parents=expected_parents)
        for name in SOURCES
        if (own := of_source(beliefs, name))
    ]
    expected = pooled_log_probs(dags(FOUR), prior.edge_odds, alone)
    assert [prior.log_prob(dag) for dag in dags(FOUR)] == pytest.approx(expected, abs=1e-9)
    assert prior.is_normalised
    assert len(prior.sources) == len(alone)
    assert prior.is_coherent == all(one.is_coherent for one in alone)
    # probabilities of the events, by summing over the graphs
    for row in prior.table.itertuples():
        held = [dag.tie(row.x, row.y) in Event(row.event).ties for dag in dags(FOUR)]
        assert row.fitted == pytest.approx(np.exp(expected)[held].sum(), abs=1e-9)
        found = next(one for one in alone if of_source(one.beliefs, row.source))
        within = found.table.set_index(["x", "y", "event", "stated"])["fitted"]
        assert row.within == pytest.approx(within[row.x, row.y, row.event, row.stated], abs=1e-12)


def test_five_variables_agree_with_enumeration():
    beliefs = random_beliefs(FIVE, SOURCES, 6, seed=11)
    prior = fit_prior(beliefs, FIVE)
    alone = [fit_prior(of_source(beliefs, name), FIVE) for name in SOURCES]
    graphs = dags(FIVE)[::40]
    expected = pooled_log_probs(dags(FIVE), prior.edge_odds, alone)[::40]
    assert [prior.log_prob(dag) for dag in graphs] == pytest.approx(expected, abs=1e-9)


def test_a_belief_per_source_is_bayes_rule():
    """P(G) ∝ P₀(G) Π_k π_k(event) / U_k(event)."""
    beliefs = [replace(b, source=str(k)) for k, b in enumerate(random_beliefs(FOUR, ["s"], 5, 3))]
    pooled = fit_prior(beliefs, FOUR)
    product = fit_prior(beliefs, FOUR, repair="independent", pool="joint")
    assert pooled.marginals == pytest.approx(product.marginals, abs=1e-9)


@pytest.mark.parametrize("repair", ["soft", "gema", "independent"])
@pytest.mark.parametrize("source", ["", "trial"])
def test_one_source_is_fitted_as_before(source, repair):
    beliefs = [replace(b, source=source) for b in random_beliefs(FOUR, ["s"], 6, seed=4)]
    pooled = fit_prior(beliefs, FOUR, repair=repair)
    joint = fit_prior(beliefs, FOUR, repair=repair, pool="joint")
    assert np.array_equal(pooled.log_weights, joint.log_weights)
    assert np.array_equal(pooled.marginals, joint.marginals)
    assert pooled.is_normalised == joint.is_normalised
    assert pooled.conflicts == joint.conflicts
    assert not pooled.disagreements
    assert pooled.table.equals(joint.table)
    assert "within" not in pooled.table


def test_joint_does_not_ask_who_says_it():
    beliefs = random_beliefs(FOUR, SOURCES, 6, seed=5)
    joint = fit_prior(beliefs, FOUR, pool="joint")
    nobody = fit_prior([replace(b, source="") for b in beliefs], FOUR)
    assert np.array_equal(joint.log_weights, nobody.log_weights)
    assert [source.name for source in joint.sources] == [""]


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.permutations(range(6)))
def test_the_order_of_sources_does_not_matter(seed, order):
    beliefs = random_beliefs(FOUR, SOURCES, 6, seed)
    prior = fit_prior(beliefs, FOUR)
    other = fit_prior([beliefs[k] for k in order], FOUR)
    some = dags(FOUR)[::7]
    # solvers stop at 1e-9 of the probabilities
    assert [prior.log_prob(dag) for dag in some] == pytest.approx(
        [other.log_prob(dag) for dag in some], abs=1e-6
    )


def test_blanks_around_a_name_make_no_other_source():
    prior = fit_prior([causes("a", "b", 0.8, source="x"), causes("b", "c", 0.8, source=" x")], FOUR)
    assert [source.name for source in prior.sources] == ["x"]


def test_conflicts_are_within_a_source():
    chain = [causes("a", "b", 0.9), causes("b", "c", 0.9), causes("a", "c", 0.2)]
    one = [replace(belief, source="trial") for belief in chain]
    others = [*chain[:2], replace(chain[2], source="survey")]
    prior = fit_prior([*one, causes("c", "d", 0.5)], FOUR)
    assert not prior.is_coherent
    (conflict,) = prior.conflicts
    assert conflict.beliefs == tuple(one)
    prior = fit_prior(others, FOUR)
    assert prior.is_coherent
    assert not prior.conflicts
    (disagreement,) = prior.disagreements
    assert disagreement.is_implied
    assert disagreement.sources == ("survey", "")
    assert disagreement.sentence.startswith(
        "survey and what follows from you disagree about a causes c: 0.2 and 0.89; together 0.77"
    )


def test_several_sources_together_imply_something_else():
    beliefs = [
        causes("a", "b", 0.95, source="trial"),
        causes("b", "c", 0.95, source="survey"),
        causes("d", "c", 0.5, source="bystander"),
        not_causes("a", "c", 0.9, source="clinic"),
    ]
    (found,) = fit_prior(beliefs, FOUR).disagreements
    assert set(found.sources) == {"trial", "survey", "clinic"}
    assert found.is_implied
    assert "trial and what follows from survey and clinic disagree about a causes b: 0.95 and" in (
        found.sentence
    )


def test_strengths_count_within_a_source_only():
    def fitted(strength, source):
        beliefs = [causes("a", "b", 0.9, strength=strength), causes("a", "b", 0.3, source=source)]
        return fit_prior(beliefs, FOUR).marginals

    assert not np.allclose(fitted(1, ""), fitted(50, ""))
    assert np.array_equal(fitted(1, "survey"), fitted(50, "survey"))


# -- disagreements ---------------------------------------------------------------------------------


def test_two_sources_disagree_about_one_event():
    prior = fit_prior(
        [causes("a", "b", 0.9, source="the trial"), not_causes("a", "b", 0.9, source="the survey")],
        FOUR,
    )
    (found,) = prior.disagreements
    together = float(prior.marginals[0, 0])
    assert found.probabilities == (0.9, pytest.approx(0.1))
    assert found.together == pytest.approx(together)
    assert found.sentence == (
        "the trial and the survey disagree about a causes b: 0.9 and 0.1; "
        f"together {round(together, 2):g}"
    )
    baseline = float(prior.uninformative[0])
    odds = 9 * (1 / 9) / (baseline / (1 - baseline))
    assert together == pytest.approx(odds / (1 + odds))


def test_the_same_event_may_be_said_the_other_way_round():
    beliefs = [causes("a", "b", 0.9, source="x"), Belief("b", "caused-by", "a", (0.05,), 1, "y")]
    (found,) = fit_prior(beliefs, FOUR).disagreements
    assert found.probabilities == (0.9, 0.05)


def test_different_events_of_a_pair_are_compared():
    beliefs = [associated("a", "b", 0.95, source="x"), not_associated("b", "a", 0.9, source="y")]
    (found,) = fit_prior(beliefs, FOUR).disagreements
    assert found.probabilities == (0.95, pytest.approx(0.1))
    beliefs = [causes("a", "b", 0.9, source="x"), not_associated("a", "b", 0.9, source="y")]
    (found,) = fit_prior(beliefs, FOUR).disagreements
    assert found.event == "not-associated"  # the wider gap
    assert not found.is_implied


def test_agreement_is_none():
    prior = fit_prior([causes("a", "b", 0.9, source="x"), causes("a", "b", 0.8, source="y")], FOUR)
    assert not prior.disagreements
    assert prior.table["fitted"].min() > 0.9


def test_far_apart_on_one_side_of_the_baseline():
    variables = [*FOUR, *(f"v{k}" for k in range(16))]
    beliefs = [causes("a", "b", 0.95, source="x"), causes("a", "b", 0.3, source="y")]
    (found,) = fit_prior(beliefs, variables).disagreements
    assert found.sentence.endswith(", for both make it more probable than the baseline of 0.139")
    assert found.together > 0.95


def test_certain_beliefs_of_two_sources_contradict_each_other():
    names = r"a causes b \(1\) said by x and a does not cause b \(1\) said by you are certain"
    with pytest.raises(BeliefError, match=names):
        fit_prior([causes("a", "b", 1, source="x"), not_causes("a", "b", 1)], FOUR)
    cycle = [causes("a", "b", 1, source="x"), causes("b", "c", 1, source="y"), causes("c", "a", 1)]
    for counts in ("auto", "web"):
        with pytest.raises(BeliefError, match=r"by x, .* by y and .* by you are"):
            fit_prior(cycle, FOUR, counts=counts)


def test_certain_beliefs_that_agree_are_kept():
    beliefs = [
        causes("a", "b", 1, source="x"),
        causes("a", "b", 0.5, source="y"),
        Belief("b", "vector", "c", (0, 0.5, 0.5, 0), 1, "x"),
        Belief("b", "vector", "c", (0, 0.3, 0.7, 0), 1, "y"),
    ]
    for counts in ("auto", "web"):
        prior = fit_prior(beliefs, FOUR, counts=counts)
        assert prior.table["fitted"].iloc[0] > 0
        assert prior.marginals[0] == pytest.approx([1, 0, 0, 0])
        assert prior.log_prob(Dag.from_edges(FOUR)) == -np.inf


# -- webs ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_pooled_webs_agree_with_enumeration(seed):
    pairs = list(combinations(FIVE, 2))
    beliefs = [
        causes(x, y, 0.3 + 0.06 * k, source=SOURCES[(k + seed) % 3])
        for k, (x, y) in enumerate(pairs)
    ]
    prior = fit_prior(beliefs, FIVE, counts="web", seed=seed)
    (web,) = prior.webs
    assert web.has_converged
    log_weights = np.zeros_like(prior.log_weights)
    for source in prior.sources:
        log_weights[list(source.columns)] += source.log_weights
    shift = prior.log_weights - log_weights
    assert np.ptp(shift, axis=1) == pytest.approx(np.zeros(len(pairs)), abs=1e-9)
    listed = fit_prior((), FIVE)
    graphs = dags(FIVE)
    codes = np.array([prior.configuration(dag) for dag in graphs])
    scores = np.array([listed.log_prob(dag) for dag in graphs])
    scores += log_weights[np.arange(len(pairs)), codes].sum(axis=1)
    expected = np.exp(scores - np.logaddexp.reduce(scores))
    exact = np.array(
        [[expected[codes[:, p] == r].sum() for r in range(4)] for p in range(len(pairs))]
    )
    assert np.abs(prior.marginals - exact).max() <= 4 * web.max_standard_error
    constant = prior.log_prob(graphs[5]) - np.log(expected[5])
    assert abs(constant) <= 4 * max(web.log_constant_error, 1e-3)


def test_a_pooled_web_is_found_in_the_cache():
    beliefs = [causes("a", "b", 0.8, source="x"), causes("b", "c", 0.8, source="y")]
    first = fit_prior(beliefs, FIVE, counts="web", seed=3)
    again = fit_prior(beliefs, FIVE, counts="web", seed=3)
    assert first.webs == again.webs  # seconds and all
    assert np.array_equal(first.marginals, again.marginals)


# -- keeping it, asking it -------------------------------------------------------------------------


@pytest.mark.parametrize("copy", ["save", "pickle"])
@pytest.mark.parametrize("pool", ["sources", "joint"])
def test_saving_keeps_the_sources(tmp_path, copy, pool):
    beliefs = BeliefSet(random_beliefs(FOUR, SOURCES, 8, seed=2))
    prior = fit_prior([*beliefs, causes("a", "d", 1, source="survey")], FOUR, pool=pool)
    if copy == "save":
        prior.save(tmp_path / "prior.json")
        loaded = load_prior(tmp_path / "prior.json")
    else:
        loaded = pickle.loads(pickle.dumps(prior))
    assert loaded.pool == pool
    assert loaded.table.equals(prior.table)
    assert loaded.conflicts == prior.conflicts
    assert loaded.disagreements == prior.disagreements
    assert [source.name for source in loaded.sources] == [source.name for source in prior.sources]
    for one, other in zip(loaded.sources, prior.sources, strict=True):
        assert one.beliefs == other.beliefs
        assert np.array_equal(one.log_weights, other.log_weights)


def test_a_saved_prior_with_other_sources_is_refused(tmp_path):
    file = tmp_path / "prior.json"
    fit_prior([causes("a", "b", 0.8, source="x"), causes("b", "c", 0.8)], FOUR).save(file)
    file.write_text(file.read_text().replace('"source": "x"', '"source": "y"'))
    with pytest.raises(PriorError, match="its sources are not those of the beliefs"):
        load_prior(file)


def test_an_unknown_pool_is_refused():
    with pytest.raises(PriorError, match="unknown pool 'all'; use one of sources, joint"):
        fit_prior([], FOUR, pool="all")


def test_probability_of_an_event_comes_from_all_sources():
    beliefs = [causes("a", "b", 0.9, source="x"), causes("b", "c", 0.9, source="y")]
    prior = fit_prior(beliefs, FOUR)
    found = prior.probability("a", "causes", "c")
    graphs = dags(FOUR)
    held = [dag.relation("a", "c") == 0 for dag in graphs]
    expected = np.exp([prior.log_prob(dag) for dag in graphs])[held].sum()
    assert found.fitted == pytest.approx(expected, abs=1e-9)
    assert found.lower <= found.fitted <= found.upper


def test_many_sources_of_one_belief_each_take_no_time():
    from time import process_time

    variables = [f"v{k}" for k in range(12)]
    pairs = [(0, 1), (1, 2), (0, 2)]
    beliefs = [
        causes(variables[x], variables[y], 0.6, source=f"{k} of {x}")
        for k in range(60)
        for x, y in pairs
    ]
    fit_prior(beliefs[:3], variables)
    begin = process_time()
    prior = fit_prior(beliefs, variables)
    assert process_time() - begin < 15
    assert len(prior.sources) == 120


def test_a_single_belief_is_met_however_small():
    prior = fit_prior([causes("a", "b", 1e-9)], FOUR)  # below what linear programs tell from zero
    assert prior.table["fitted"].iloc[0] == pytest.approx(1e-9, rel=1e-3)


# -- a source that contradicts itself --------------------------------------------------------------


def test_a_source_that_contradicts_itself_hides_no_disagreement():
    survey = [causes("a", "b", 0.9, source="survey"), causes("b", "c", 0.9, source="survey")]
    clinic = [not_associated("a", "c", 0.9, source="clinic")]
    before = fit_prior([*survey, *clinic], FOUR).disagreements
    assert [found.sources for found in before] == [("clinic", "survey")]
    # certain enough to weaken, in the repair, all that the survey says
    for strength in (3, 30):
        wrong = causes("b", "a", 0.6, strength=strength, source="survey")
        prior = fit_prior([*survey, wrong, *clinic], FOUR)
        assert not prior.is_coherent
        (found,) = prior.disagreements
        assert found.sources == ("clinic", "survey")
        assert found.probabilities == pytest.approx(before[0].probabilities)


def test_what_a_source_says_against_itself_is_still_what_it_says():
    beliefs = [
        causes("a", "b", 0.9, source="survey"),
        causes("b", "a", 0.6, source="survey"),
        causes("b", "a", 0.05, source="trial"),
    ]
    prior = fit_prior(beliefs, FOUR)
    assert not prior.is_coherent
    assert ("survey", "trial") in [found.sources for found in prior.disagreements]
    assert (0.6, 0.05) in [found.probabilities for found in prior.disagreements]


def test_what_follows_is_found_beside_a_web():
    variables = [f"v{k}" for k in range(9)]
    beliefs = [
        causes("v0", "v1", 0.95, source="trial"),
        causes("v1", "v2", 0.95, source="survey"),
        not_causes("v0", "v2", 0.9, source="clinic"),
    ]
    alone = fit_prior(beliefs, variables).disagreements
    tail = [causes(x, y, 0.9, source="chain") for x, y in pairwise(variables[2:])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WebConvergenceWarning)
        prior = fit_prior([*beliefs, *tail], variables, counts="web", time_limit=4.0)
    assert prior.webs
    (found,) = prior.disagreements
    assert set(found.sources) == set(alone[0].sources)
    assert found.is_implied


def test_what_only_follows_from_it_is_not_hidden_either():
    variables = ["age", "fracture", "bmi", "diet", "sex", "x", "y", "z"]
    beliefs = [
        associated("age", "bmi", 0.8, source="survey"),
        not_associated("fracture", "diet", 0.9, source="survey"),
        causes("sex", "bmi", 0.8, source="survey"),
        not_associated("bmi", "diet", 0.95, source="clinic"),
        not_associated("age", "fracture", 0.8, source="clinic"),
    ]
    wrong = causes("fracture", "age", 0.6, source="clinic")
    before = fit_prior(beliefs, variables).disagreements
    after = fit_prior([*beliefs, wrong], variables).disagreements
    assert [found.sources for found in before] == [("survey", "clinic")]
    assert [(f.sources, f.x, f.y) for f in after] == [(f.sources, f.x, f.y) for f in before]
