"""How far averages over chains can be trusted (Vehtari, Gelman, Simpson, Carpenter, Bürkner, 2021).

Quantities come as arrays by chain, draw and quantity. Chains are split in halves first, so that a
drift within a chain counts as a difference between chains.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.posterior.settling import have_settled

Series = NDArray[np.float64]
"""Values by chain, draw and quantity."""
Numbers = NDArray[np.float64]
"""One number per quantity."""

FEWEST_DRAWS = 4
"""Draws of half a chain below which nothing can be said of it."""
BLOCK = 2**22
"""Most values that are transformed at a time."""


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """Mean of each quantity, its Monte Carlo standard error, and how well the chains mixed it."""

    mean: Numbers
    error: Numbers
    r_hat: Numbers
    effective_samples: Numbers

    @property
    def is_settled(self) -> NDArray[np.bool_]:
        """Whether anything may be said of each."""
        return have_settled(self.r_hat, self.effective_samples)


def diagnose_indicators(indicators: NDArray[np.bool_], effective_samples: float) -> Diagnostics:
    """Judge quantities that are true or false in each graph, by chain, draw and quantity.

    Ranks of two values are a linear function of them, under which R-hat and the effective sample
    size do not change: no ranks are taken. What is the same in all draws has R-hat 1, and
    ``effective_samples`` S for its own; its error is 1 / (S + 2), about the standard deviation of
    a probability of which S independent draws show nothing, all values alike at first. What varies
    has no smaller error than if it had not in as many draws.
    """
    num_quantities = indicators.shape[2]
    mean = indicators.mean(axis=(0, 1))
    result = Diagnostics(
        mean,
        np.full(num_quantities, 1 / (effective_samples + 2)),
        np.ones(num_quantities),
        np.full(num_quantities, effective_samples),
    )
    varying = np.flatnonzero((mean > 0) & (mean < 1))
    width = max(1, BLOCK // max(1, indicators.shape[0] * indicators.shape[1]))
    for first in range(0, len(varying), width):
        block = varying[first : first + width]
        series = indicators[:, :, block].astype(np.float64)
        halves = split_chains(series)
        size = effective_sample_size(halves)
        result.effective_samples[block] = size
        result.error[block] = np.maximum(_standard_error(series, size), 1 / (size + 2))
        result.r_hat[block] = r_hat(halves)
    return result


def diagnose(series: Series) -> Diagnostics:
    """Judge quantities that may be any numbers.

    R-hat is the larger of that of the ranks, made normal, and that of the ranks of the distances
    from the median; the effective sample size is that of the former, which the authors call bulk.
    The error is that of the mean.
    """
    halves = split_chains(series)
    ranks = rank_normalise(halves)
    folded = rank_normalise(np.abs(halves - np.median(halves, axis=(0, 1))))
    return Diagnostics(
        series.mean(axis=(0, 1)),
        _standard_error(series, effective_sample_size(halves)),
        np.fmax(r_hat(ranks), r_hat(folded)),
        effective_sample_size(ranks),
    )


def split_chains(series: Series) -> Series:
    """Halves of the chains as chains of their own; of an odd number of draws the middle is left."""
    half = series.shape[1] // 2
    return np.concatenate([series[:, :half], series[:, series.shape[1] - half :]])


def rank_normalise(series: Series) -> Series:
    """Φ⁻¹((r − 3/8) / (S + 1/4)), r the rank among all S draws, ties averaged (eq. 14)."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    num_chains, num_draws, num_quantities = series.shape
    ranks = rankdata(series.reshape(-1, num_quantities), axis=0)
    scaled = (ranks - 3 / 8) / (num_chains * num_draws + 1 / 4)
    return np.asarray(ndtri(scaled), dtype=np.float64).reshape(series.shape)


def r_hat(halves: Series) -> Numbers:
    """√(((d − 1)/d W + B/d) / W) over chains of d draws (eqs. 1–4); 1 where nothing varies.

    W is the mean variance within them, B/d the variance of their means. NaN with too few draws.
    """
    size = halves.shape[1]
    if size < FEWEST_DRAWS:
        return np.full(halves.shape[2], np.nan)
    within = halves.var(axis=1, ddof=1).mean(axis=0)
    between = halves.mean(axis=1).var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Numbers = np.sqrt((size - 1) / size + between / within)
    ratio[_never_varies(halves)] = 1.0
    return ratio


def effective_sample_size(halves: Series) -> Numbers:
    """S / τ, τ = 1 + 2 Σ_t ρ_t, the sum cut off by Geyer's rules (eqs. 10–13); S all draws.

    ρ_t = 1 − (W − mean autocovariance at lag t) / V, V = (d − 1)/d W + B/d. Sums of two following
    ρ count up to the first that is not positive, each no more than those before. S where nothing
    varies; NaN with too few draws.
    """
    num_chains, size, num_quantities = halves.shape
    if size < FEWEST_DRAWS:
        return np.full(num_quantities, np.nan)
    means = halves.mean(axis=1)
    covariances = _autocovariances(halves - means[:, None])
    within = covariances[0] * size / (size - 1)
    variance = covariances[0] + means.var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        correlations = 1 - (within - covariances) / variance
    correlations[0] = 1.0
    num_pairs = (size - 1) // 2
    pairs = correlations[0 : 2 * num_pairs : 2] + correlations[1 : 2 * num_pairs : 2]
    is_over = ~(pairs > 0)
    is_over[-1] = True
    last = is_over.argmax(axis=0)
    counted = np.arange(num_pairs)[:, None] < last
    sums = np.where(counted, np.minimum.accumulate(pairs, axis=0), 0.0).sum(axis=0)
    following = correlations[2 * last, np.arange(num_quantities)]
    total = num_chains * size
    times = np.maximum(-1 + 2 * sums + np.maximum(following, 0.0), 1 / np.log10(total))
    times[_never_varies(halves)] = 1.0
    return np.asarray(total / times, dtype=np.float64)


def _standard_error(series: Series, effective_samples: Numbers) -> Numbers:
    deviation = series.reshape(-1, series.shape[2]).std(axis=0, ddof=1)
    return np.asarray(deviation / np.sqrt(effective_samples), dtype=np.float64)


def _autocovariances(centred: Series) -> NDArray[np.float64]:
    """Autocovariances by lag and quantity, averaged over the chains."""
    from scipy.fft import irfft, next_fast_len, rfft

    size = centred.shape[1]
    padded = next_fast_len(2 * size, real=True)
    power = (np.abs(rfft(centred, padded, axis=1)) ** 2).mean(axis=0)
    return np.asarray(irfft(power, padded, axis=0)[:size] / size, dtype=np.float64)


def _never_varies(series: Series) -> NDArray[np.bool_]:
    return np.asarray((series == series[:1, :1]).all(axis=(0, 1)))
