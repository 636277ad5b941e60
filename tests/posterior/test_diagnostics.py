"""R-hat, effective samples and errors against a slow twin, and against another library."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.posterior.diagnostics import diagnose, diagnose_indicators
from tests.oracles import diagnostics as oracle


def autoregressive(chains, draws, correlation, seed):
    noise = np.random.default_rng(seed).normal(size=(chains, draws))
    series = noise.copy()
    for t in range(1, draws):
        series[:, t] = correlation * series[:, t - 1] + noise[:, t]
    return series


def error(series, size):
    return series.std(ddof=1) / np.sqrt(size)


@settings(max_examples=40)
@given(
    st.integers(1, 4),
    st.integers(8, 60),
    st.sampled_from([-0.9, -0.3, 0.0, 0.5, 0.95]),
    st.integers(0, 2**32 - 1),
)
def test_numbers(chains, draws, correlation, seed):
    series = np.stack(
        [autoregressive(chains, draws, correlation, seed + k) for k in (0, 1)], axis=2
    )
    found = diagnose(series)
    for k in (0, 1):
        values = series[:, :, k].tolist()
        halves = oracle.split(values)
        assert found.mean[k] == pytest.approx(np.mean(values))
        assert found.r_hat[k] == pytest.approx(oracle.rank_r_hat(values))
        ranked = oracle.effective_samples(oracle.normal_ranks(halves))
        assert found.effective_samples[k] == pytest.approx(ranked)
        plain = oracle.effective_samples(halves)
        assert found.error[k] == pytest.approx(error(series[:, :, k], plain))


@settings(max_examples=40)
@given(
    st.integers(1, 4),
    st.integers(4, 30).map(lambda half: 2 * half),
    st.sampled_from([-0.5, 0.0, 0.9]),
    st.integers(0, 2**32 - 1),
)
def test_indicators(chains, draws, correlation, seed):
    numbers = autoregressive(chains, draws, correlation, seed)
    series = numbers[:, :, None] > np.array([-9.0, -1.0, 0.2, 1.0, 99.0])
    found = diagnose_indicators(series, 70.0)
    for k in range(5):
        values = series[:, :, k].astype(float)
        if values.min() == values.max():
            assert found.r_hat[k] == 1
            assert found.effective_samples[k] == 70
            assert found.error[k] == 1 / 72
            continue
        halves = oracle.split(values.tolist())
        # ranks of two values are a linear function of them
        size = oracle.effective_samples(oracle.normal_ranks(halves))
        assert found.effective_samples[k] == pytest.approx(size)
        assert found.error[k] == pytest.approx(error(values, size))
        if min(np.var(half) for half in halves) > 0:
            assert found.r_hat[k] == pytest.approx(oracle.r_hat(oracle.normal_ranks(halves)))


def test_the_values_of_arviz():
    """rhat(method="rank"), ess(method="bulk") and mcse(method="mean") of ArviZ 0.23.4."""
    series = autoregressive(4, 250, 0.8, seed=1)[:, :, None]
    numbers, indicators = diagnose(series), diagnose_indicators(series > 1, 1.0)
    assert numbers.r_hat[0] == pytest.approx(1.0404224778678726, rel=1e-9)
    assert numbers.effective_samples[0] == pytest.approx(105.70706611899114, rel=1e-9)
    assert numbers.error[0] == pytest.approx(0.15626406972158444, rel=1e-9)
    assert indicators.r_hat[0] == pytest.approx(1.0290580550255608, rel=1e-9)
    assert indicators.effective_samples[0] == pytest.approx(138.94863988687914, rel=1e-9)
    assert indicators.error[0] == pytest.approx(0.0342028049297265, rel=1e-9)


def test_errors_are_those_of_repeated_runs():
    z = []
    for seed in range(200):
        series = autoregressive(4, 400, 0.8, seed) > 0  # true half of the time
        found = diagnose_indicators(series[:, :, None], 1.0)
        z.append((found.mean[0] - 0.5) / found.error[0])
    assert 0.85 < np.sqrt(np.mean(np.square(z))) < 1.15


def test_chains_that_never_meet():
    stuck = np.zeros((2, 100, 1), dtype=bool)
    stuck[1] = True
    found = diagnose_indicators(stuck, 1.0)
    assert found.r_hat[0] == np.inf
    assert found.effective_samples[0] < 5
    assert found.error[0] > 0.2


def test_too_few_draws_to_tell():
    series = np.arange(14.0).reshape(2, 7, 1)
    for found in (diagnose(series), diagnose_indicators(series > 3, 1.0)):
        assert np.isnan([found.r_hat[0], found.effective_samples[0], found.error[0]]).all()
