"""Sampled counts that say little about what the beliefs favour: which parts become webs."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior import Dag, load_prior
from pathprior.beliefs.belief import causes, confounded, not_associated, not_causes
from pathprior.errors import PriorError
from pathprior.prior.fit import fit_prior
from pathprior.prior.listed.part import SparseSampleWarning
from pathprior.prior.part import LEAST_SAMPLES
from pathprior.prior.web.chains import Chains
from pathprior.prior.web.diagnostics import WebConvergenceWarning

VARIABLES = [f"v{i}" for i in range(14)]
RARE = [not_associated(x, y, 0.8) for x, y in pairwise(VARIABLES[:5])]
APART = [causes("v8", "v9", 0.7), causes("v11", "v10", 0.6)]


def chain(length, probability=0.9):
    return [causes(a, b, probability) for a, b in pairwise(VARIABLES[: length + 1])]


@pytest.fixture(scope="module")
def rare():
    """A part of five variables that few sampled DAGs speak for, and two pairs."""
    return fit_prior([*RARE, *APART], VARIABLES, expected_parents=None, num_samples=10**4)


def test_rare_parts_become_webs_that_meet_the_beliefs(rare):
    assert rare.rare_pairs == (0, 1, 2, 3)
    (how,) = rare.webs
    assert how.has_converged
    assert rare.is_coherent
    assert rare.table["change"].abs().max() <= 0.02
    # the weights by themselves, in a run of their own
    pairs, log_weights = rare.pairs[:4], rare.log_weights[:4]
    chains = Chains(pairs, len(VARIABLES), num_chains=16, seed=5)
    chains.run(0.0, log_weights, num_records=1, sweeps=200)
    codes = chains.run(0.0, log_weights, num_records=1000, sweeps=5).codes
    assert (codes == 3).mean(axis=(0, 1)) == pytest.approx(np.full(4, 0.8), abs=0.04)


def test_time_that_runs_out_does_not_hide_that_beliefs_are_coherent():
    with pytest.warns(WebConvergenceWarning, match="time limit reached"):
        prior = fit_prior(
            chain(7, 0.98), VARIABLES, expected_parents=None, num_samples=1000, time_limit=1e-9
        )
    assert prior.table["change"].abs().max() > 0.02
    assert prior.is_coherent


def test_lists_miss_such_beliefs():
    """The reason for webs: under its own U the listed fit is right, among all DAGs it is not."""
    with pytest.warns(SparseSampleWarning) as warned:
        listed = fit_prior(
            RARE, VARIABLES, expected_parents=None, counts="listed", num_samples=10**4
        )
    assert [warning.filename for warning in warned] == [__file__]
    assert listed.table["change"].abs().max() < 1e-6
    chains = Chains(listed.pairs, len(VARIABLES), num_chains=16, seed=5)
    chains.run(0.0, listed.log_weights, num_records=1, sweeps=200)
    codes = chains.run(0.0, listed.log_weights, num_records=1000, sweeps=5).codes
    assert np.abs((codes == 3).mean(axis=(0, 1)) - 0.8).max() > 0.06


def test_the_other_parts_are_fitted_as_if_alone(rare):
    alone = fit_prior(APART, VARIABLES, expected_parents=None)
    assert alone.num_parts == 1
    assert rare.num_parts == 2
    np.testing.assert_array_equal(rare.log_weights[4:], alone.log_weights)
    assert rare.probability("v8", "causes", "v10") == alone.probability("v8", "causes", "v10")
    for x, y in [("v0", "v1"), ("v0", "v2"), ("v8", "v0")]:
        with pytest.raises(PriorError, match="web of beliefs are not listed"):
            rare.probability(x, "causes", y)


def test_saving_remembers_which_parts_were_rare(rare, tmp_path):
    rare.save(tmp_path / "prior.json")
    loaded = load_prior(tmp_path / "prior.json")
    assert loaded.rare_pairs == rare.rare_pairs
    assert loaded.probability("v8", "causes", "v9") == rare.probability("v8", "causes", "v9")
    with pytest.raises(PriorError, match="are not listed"):
        loaded.joint()
    dag = Dag.from_edges(VARIABLES, [("v0", "v1")])
    assert loaded.log_prob(dag) == rare.log_prob(dag)


def test_every_rare_part_is_a_web_of_its_own():
    other = [not_associated(x, y, 0.8) for x, y in pairwise(VARIABLES[7:12])]
    prior = fit_prior(
        [*RARE, *other], VARIABLES, expected_parents=None, num_samples=10**4, tolerance=0.05
    )
    assert len(prior.webs) == prior.num_parts == 2
    assert prior.rare_pairs == tuple(range(8))


@given(probability=st.floats(0.3, 0.95), num_samples=st.sampled_from([1000, 3000, 10**4]))
@settings(max_examples=12)
def test_a_thousand_effective_samples_decide(probability, num_samples):
    beliefs = chain(5, probability)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SparseSampleWarning)
        listed = fit_prior(beliefs, VARIABLES, counts="listed", num_samples=num_samples)
        warnings.simplefilter("error", SparseSampleWarning)
        warnings.simplefilter("ignore", WebConvergenceWarning)
        prior = fit_prior(beliefs, VARIABLES, num_samples=num_samples, time_limit=1e-9)
    is_rare = listed.effective_samples < LEAST_SAMPLES
    assert len(prior.webs) == is_rare
    assert prior.rare_pairs == (tuple(range(5)) if is_rare else ())
    if not is_rare:
        np.testing.assert_array_equal(prior.log_weights, listed.log_weights)


def test_lists_on_request_come_with_a_warning():
    with pytest.warns(SparseSampleWarning, match=r'rests on about \d+ of 1000 .* counts="auto"$'):
        listed = fit_prior(chain(6), VARIABLES, counts="listed", num_samples=1000)
    assert 0 < listed.effective_samples < 1000
    assert not listed.is_normalised
    assert not listed.webs
    assert "1000 sampled DAGs" in listed.reference
    assert len(listed.joint()) == 4**6
    with pytest.warns(SparseSampleWarning):
        full = fit_prior(chain(6), VARIABLES, counts="full", num_samples=1000)
    np.testing.assert_array_equal(listed.log_weights, full.log_weights)


@pytest.mark.parametrize("repair", ["gema", "independent"])
def test_repairs_that_need_a_listing_keep_it(repair):
    priors = []
    for counts in ("auto", "listed"):
        with pytest.warns(SparseSampleWarning, match='use repair="soft" and counts="auto"'):
            priors.append(
                fit_prior(chain(6), VARIABLES, repair=repair, counts=counts, num_samples=1000)
            )
    auto, listed = priors
    assert not auto.webs
    np.testing.assert_array_equal(auto.log_weights, listed.log_weights)


@pytest.mark.parametrize("counts", ["full", "listed"])
def test_parts_too_large_to_list_are_refused_where_samples_do_not_suffice(counts):
    with pytest.raises(PriorError, match="11 connected pairs have too many valid configurations"):
        fit_prior(chain(11), VARIABLES, expected_parents=None, counts=counts, num_samples=1000)
    prior = fit_prior(
        chain(11, 0.5), VARIABLES, expected_parents=None, counts=counts, num_samples=2 * 10**4
    )
    assert prior.is_coherent
    assert prior.marginals[:, 0] == pytest.approx(np.full(11, 0.5))


@pytest.mark.parametrize(("num_nodes", "parents"), [(4, None), (300, 1.0), (2000, None)])
def test_parts_of_few_variables_are_never_webs(num_nodes, parents):
    """However rare, strongly meant or contradictory: they are counted, in a few seconds."""
    prior = fit_prior(
        [
            confounded("v0", "v1", 0.95),
            not_causes("v1", "v2", 0.001, strength=1e6),
            causes("v0", "v2", 0.05, strength=1e6),
            not_associated("v0", "v2", 0.9, strength=0.01),
        ],
        [f"v{i}" for i in range(num_nodes)],
        expected_parents=parents,
    )
    assert prior.webs == ()
    assert prior.effective_samples is None
    assert prior.reference.startswith("the joint U of all pairs, counted exactly")
