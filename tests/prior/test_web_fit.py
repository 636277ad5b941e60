"""Web fits against listed ones on problems that both can do, and what a web says of itself."""

import warnings
from dataclasses import fields, replace
from itertools import pairwise
from math import log

import numpy as np
import pytest

from pathprior import Dag, count_configurations, load_prior, sample_dags
from pathprior.beliefs.belief import (
    associated,
    causes,
    confounded,
    not_associated,
    not_causes,
    relation,
)
from pathprior.errors import BeliefError, PriorError
from pathprior.prior.constraints import make_constraints
from pathprior.prior.fit import fit_prior
from pathprior.prior.promise import UnmetBeliefWarning
from pathprior.prior.web.cache import load_web, store_web, web_key
from pathprior.prior.web.chains import Chains
from pathprior.prior.web.constant import Estimate
from pathprior.prior.web.diagnostics import WebConvergenceWarning, WebDiagnostics, WebStop
from pathprior.prior.web.fit import WebFit, fit_web
from pathprior.prior.web.settings import WebSettings

FIVE = ["a", "b", "c", "d", "e"]
COHERENT = [
    causes("a", "b", 0.6),
    not_associated("b", "c", 0.3),
    relation("a", "c", (0.5, 0.2, 0.1, 0.2)),
    associated("c", "d", 0.8),
    confounded("a", "d", 0.3),
]
INCOHERENT = [
    causes("a", "b", 0.8, strength=10),
    causes("b", "c", 0.9, strength=10),
    causes("a", "c", 0.4, strength=5),
]
MIXED = [
    *INCOHERENT,
    not_associated("c", "d", 0.4, strength=10),
    not_causes("d", "a", 0.5, strength=10),
]


def some_dags(num_nodes, size, seed):
    matrices = sample_dags(num_nodes, size, seed=seed)
    return [Dag(tuple(FIVE[:num_nodes]), matrix) for matrix in matrices]


@pytest.mark.parametrize(
    ("beliefs", "parents"),
    [(COHERENT, None), (INCOHERENT, None), (MIXED, None), (COHERENT, 0.7), (MIXED, 0.3)],
)
def test_webs_agree_with_listings(beliefs, parents):
    listed = fit_prior(beliefs, FIVE, expected_parents=parents)
    web = fit_prior(beliefs, FIVE, expected_parents=parents, counts="web", tolerance=0.01)
    (how,) = web.webs
    assert how.has_converged
    assert web.is_coherent == listed.is_coherent
    assert np.abs(web.marginals - listed.marginals).max() < 5 * how.max_standard_error
    dags = some_dags(5, 40, seed=1)
    gaps = np.array([web.log_prob(dag) - listed.log_prob(dag) for dag in dags])
    # Var(θ) = Cov⁻¹ / samples: errors of a few hundredths per belief at these tolerances
    assert gaps.std() < 0.15
    assert abs(gaps.mean()) < 4 * how.log_constant_error + 0.15
    assert not web.is_normalised


@pytest.mark.parametrize("beliefs", [COHERENT, MIXED])
def test_weights_are_off_by_their_errors(beliefs):
    listed = fit_prior(beliefs, FIVE, expected_parents=None)
    index = {name: i for i, name in enumerate(FIVE)}
    columns = range(len(listed.pairs))
    constraints = make_constraints(listed.beliefs, index, listed.pairs, columns, None)
    ratios = []
    for seed in range(10):
        settings = WebSettings(tolerance=0.05, seed=seed)
        fit = fit_web(
            listed.pairs, 5, 1.0, constraints, settings, may_be_coherent=listed.is_coherent
        )
        assert fit.diagnostics.max_residual < 0.1 * fit.diagnostics.standard_error
        off = fit.log_weights - listed.log_weights
        off -= (off * fit.marginals).sum(axis=1, keepdims=True)
        ratios.append(off / fit.log_weight_errors)
    assert 0.75 < np.sqrt(np.mean(np.square(ratios))) < 1.25
    assert (np.abs(ratios) < 2).mean() > 0.9


@pytest.mark.parametrize("beliefs", [COHERENT, MIXED])
def test_the_weights_by_themselves_do_what_the_fit_says(beliefs):
    web = fit_prior(beliefs, FIVE, counts="web")
    log_base = log(web.edge_odds)
    (how,) = web.webs
    assert how.has_converged
    assert how.max_residual <= 0.02
    assert how.max_standard_error <= 0.01
    chains = Chains(web.pairs, 5, num_chains=16, seed=9)
    chains.run(log_base, web.log_weights, num_records=1, sweeps=100)
    codes = chains.run(log_base, web.log_weights, num_records=1000, sweeps=5).codes
    fresh = (codes[..., None] == np.arange(4)).mean(axis=(0, 1))
    assert np.abs(fresh - web.marginals).max() < 5 * how.max_standard_error
    if web.is_coherent:
        assert web.table["change"].abs().max() < 0.025


def test_webs_are_a_function_of_the_seed(monkeypatch):
    monkeypatch.setenv("PATHPRIOR_CACHE", "off")
    first, again, other = (
        fit_prior(MIXED, FIVE, counts="web", seed=seed).log_weights for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_auto_lists_what_it_can_and_fits_the_rest_as_webs():
    variables = [f"v{i}" for i in range(14)]
    chain = [causes(f"v{i}", f"v{i + 1}", 0.5) for i in range(11)]
    prior = fit_prior([*chain, causes("v12", "v13", 0.8)], variables, tolerance=0.05)
    assert len(prior.webs) == 1
    assert prior.num_parts == 2
    assert prior.marginals[-1, 0] == pytest.approx(0.8)
    assert np.abs(prior.marginals[:-1, 0] - 0.5).max() < 5 * prior.webs[0].max_standard_error
    assert "Markov chains" in prior.table.attrs["reference"]
    with pytest.raises(PriorError, match="are not listed"):
        prior.joint()
    with pytest.raises(PriorError, match="are not listed"):
        prior.probability("v0", "causes", "v2")
    with pytest.raises(PriorError, match="are not listed"):
        prior.log_prob(Dag.from_edges(variables, []), per_graph=False)


def test_hard_beliefs_are_never_broken():
    beliefs = [causes("a", "b", 1), not_associated("c", "d", 1), *INCOHERENT[1:]]
    prior = fit_prior(beliefs, FIVE, counts="web")
    assert prior.marginals[0].tolist() == [1, 0, 0, 0]
    assert prior.marginals[1].tolist() == [0, 0, 0, 1]
    assert prior.log_prob(Dag.from_edges(FIVE, [("b", "a")])) == -np.inf
    listed = fit_prior(beliefs, FIVE)
    error = prior.webs[0].max_standard_error
    assert np.abs(prior.marginals - listed.marginals).max() < 5 * error


def test_contradictory_hard_beliefs_are_named():
    with pytest.raises(BeliefError, match="contradict"):
        fit_prior(
            [causes("a", "b", 1), causes("b", "c", 1), causes("c", "a", 1)], FIVE, counts="web"
        )


def test_conflicts_of_a_web_are_told():
    prior = fit_prior(MIXED, FIVE, counts="web")
    (conflict,) = prior.conflicts
    assert set(conflict.beliefs) == set(INCOHERENT)
    assert "at least 0.7; you said 0.4" in conflict.sentence
    with pytest.raises(PriorError, match=r"at least 0\.7"):
        fit_prior(MIXED, FIVE, counts="web", repair="error")


@pytest.mark.parametrize("repair", ["gema", "independent"])
def test_repairs_that_need_a_listing_are_refused(repair):
    with pytest.raises(PriorError, match='web" lists none'):
        fit_prior(MIXED, FIVE, counts="web", repair=repair)
    names = [f"v{i}" for i in range(12)]
    with pytest.raises(PriorError, match="11 pairs of this part have too many"):
        fit_prior([causes(x, y, 0.5) for x, y in pairwise(names)], names, repair=repair)


def test_probabilities_near_zero_do_not_keep_a_fit_from_its_end(monkeypatch):
    """Events that the chains hardly ever meet are no sign that they disagree."""
    monkeypatch.setenv("PATHPRIOR_CACHE", "off")
    beliefs = [
        relation("a", "b", (0.85, 0.1499996, 4e-7, 1e-15)),
        relation("b", "c", (0.05, 0.2, 0.27, 0.48)),
        relation("c", "d", (0.00087, 3e-5, 0.9955, 0.0036)),
    ]
    prior = fit_prior(beliefs, "abcdefgh", counts="web", time_limit=20.0)
    (how,) = prior.webs
    assert how.has_converged
    assert how.num_sweeps < 50_000
    assert prior.marginals[0, :2] == pytest.approx([0.85, 0.15], abs=0.02)


def test_a_fit_cut_short_says_so(monkeypatch):
    monkeypatch.setenv("PATHPRIOR_CACHE", "off")
    with pytest.warns(WebConvergenceWarning, match="time limit reached.*raise time_limit"):
        prior = fit_prior(MIXED, FIVE, counts="web", tolerance=1e-5, time_limit=0.5)
    assert not prior.webs[0].has_converged


@pytest.mark.parametrize("seed", [0, 1])
def test_an_unmet_fit_cut_short_is_not_called_coherent(monkeypatch, seed):
    """Seven causes in a ring: at most six hold in a graph, so they sum to 6 at most, not 6.93."""
    monkeypatch.setenv("PATHPRIOR_CACHE", "off")
    names = [f"v{i}" for i in range(11)]
    ring = [causes(names[i], names[(i + 1) % 7], 0.99) for i in range(7)]
    tail = [causes(x, y, 0.5) for x, y in pairwise(names[6:])]  # too much to list
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WebConvergenceWarning)
        with pytest.warns(UnmetBeliefWarning, match="stated 0.99; no conflict among them was"):
            prior = fit_prior([*ring, *tail], names, time_limit=3.0, seed=seed)
    assert not prior.is_coherent
    assert prior.marginals[:7, 0].sum() < 6.1
    with pytest.raises(PriorError, match="not all beliefs were met"):
        fit_prior([*ring, *tail], names, repair="error", time_limit=3.0, seed=seed)


def test_fits_are_kept_and_saved(tmp_path, monkeypatch):
    monkeypatch.setenv("PATHPRIOR_CACHE", str(tmp_path / "cache"))
    calls = []
    prior = fit_prior(MIXED, FIVE, counts="web", progress=lambda *done: calls.append(done))
    assert calls[-1] == (100, 100)
    calls.clear()
    again = fit_prior(MIXED, FIVE, counts="web", progress=lambda *done: calls.append(done))
    assert not calls
    np.testing.assert_array_equal(prior.log_weights, again.log_weights)
    prior.save(tmp_path / "prior.json")
    loaded = load_prior(tmp_path / "prior.json")
    assert loaded.webs == prior.webs
    np.testing.assert_array_equal(loaded.log_weights, prior.log_weights)


def test_uninformative_beliefs_leave_the_prior_uniform():
    uniform = tuple(count_configurations([(0, 1)], 5).probabilities)
    beliefs = [relation(x, y, uniform) for x, y in [("a", "b"), ("b", "c"), ("c", "a")]]
    prior = fit_prior(beliefs, FIVE, expected_parents=None, counts="web", tolerance=0.01)
    log_probs = [prior.log_prob(dag) for dag in some_dags(5, 20, seed=2)]
    assert log_probs == pytest.approx(np.full(20, -log(29281)), abs=0.3)


@pytest.mark.parametrize("name", ["log_weights", "log_weight_errors", "marginals"])
@pytest.mark.parametrize("change", [lambda a: a[:-1], lambda a: a[:, :4], lambda a: a * np.nan])
def test_a_stored_fit_with_arrays_of_another_shape_is_none(tmp_path, monkeypatch, name, change):
    monkeypatch.setenv("PATHPRIOR_CACHE", str(tmp_path))
    pairs, settings = np.array([[0, 1], [1, 2]]), WebSettings()
    numbers = np.full((2, 6), 1 / 6)
    diagnostics = WebDiagnostics(**{field.name: 0 for field in fields(WebDiagnostics)})
    diagnostics = replace(diagnostics, stopped_because=str(WebStop.CONVERGED))
    fit = WebFit(numbers, numbers, numbers, Estimate(0.0, 0.0), True, diagnostics)
    key = web_key(pairs, 3, 1.0, [], settings, True)
    store_web(key, fit)
    assert load_web(key).log_total == fit.log_total
    (path,) = tmp_path.iterdir()
    arrays = dict(np.load(path))
    np.savez(path, **arrays | {name: change(arrays[name])})
    assert load_web(key) is None
