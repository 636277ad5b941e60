"""How much better than a normal one a flexible density describes residuals, in closed form.

Nine densities are averaged: of the normal, a skewed one and its mirror image, a blunt one and one
with heavy tails; and those but the blunt one once more with a Pólya tree on top, which corrects
them in bins between their quantiles.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.inner import arithmetic, inner

Floats = NDArray[np.float64]

BLUR = 0.25
"""Standard deviation a of the normal part of the skewed and of the blunt density."""
SKEW = math.sqrt(1.0 - BLUR * BLUR)
"""Standard deviation c of the other part: all in all it is 1."""
REACH = SKEW * math.sqrt(3.0)
"""Half the length of the blunt density's interval."""
MAX_LEVELS = 6
"""Most levels of a tree, of 2^6 bins."""
UPPER_QUARTILE = 0.7406970841126829
"""¾ quantile of Student's t with four degrees of freedom."""

_TOLERANCE = 1e-9  # a value is above a border if it is by more: medians and quantiles lie on some
_NUM_BORDERS = (1 << MAX_LEVELS) - 1
_FAR = -30.0  # below it the normal distribution function is taken by its asymptotic series
_LEAST = 1e-300
_ROOT_HALF = math.sqrt(0.5)
_LOG_2 = math.log(2.0)
_LOG_2_PI = math.log(2.0 * math.pi)
_LOG_T4 = math.lgamma(2.5) - math.lgamma(2.0) - 0.5 * math.log(4.0 * math.pi)
_LOG_SKEW = BLUR * BLUR / (2.0 * SKEW * SKEW) - math.log(SKEW)


class Noise(NamedTuple):
    """What the densities are read off, and scratch.

    Borders are the quantiles i/64 of a density; trees of fewer levels use every second of them.
    """

    normal: Floats
    skewed: Floats
    heavy: Floats
    log_gamma: Floats  # log Γ(i) of whole numbers
    counts: NDArray[np.int64]  # one for each bin
    terms: Floats  # what is averaged


@inner
def log_normal_below(x: float) -> float:
    """log Φ(x), Φ the distribution function of the normal."""
    if x >= _FAR:
        return math.log(0.5 * math.erfc(-x * _ROOT_HALF))
    inverse = 1.0 / (x * x)
    series = 1.0 + inverse * (-1.0 + inverse * (3.0 + inverse * (-15.0 + inverse * 105.0)))
    return -0.5 * x * x - 0.5 * _LOG_2_PI - math.log(-x) + math.log(series)


@inner
def log_skewed(w: float) -> float:
    """Log density of a normal variable times ¼ and an exponential one, of mean 0 and variance 1."""
    x = (w + SKEW) / BLUR
    return log_normal_below(x - BLUR / SKEW) + _LOG_SKEW - (w + SKEW) / SKEW


@inner
def log_blunt(w: float) -> float:
    """The same of a normal and a uniform one."""
    x = abs(w)
    upper, lower = (x - REACH) / BLUR, (x + REACH) / BLUR
    mass = 0.5 * (math.erfc(upper * _ROOT_HALF) - math.erfc(lower * _ROOT_HALF))
    return math.log(max(mass / (2.0 * REACH), _LEAST))


@inner
def log_heavy(w: float) -> float:
    """Log density of Student's t with four degrees of freedom."""
    return _LOG_T4 - 2.5 * math.log1p(0.25 * w * w)


@inner
def count_bins(
    counts: NDArray[np.int64],
    borders: Floats,
    values: Floats,
    sign: float,
    middle: float,
    scale: float,
    levels: int,
) -> None:
    """Count how many of sign · (values − middle)/scale lie in each bin; ``values`` ascend."""
    n, stride, num_bins = values.shape[0], 1 << (MAX_LEVELS - levels), 1 << levels
    start = 0
    for i in range(num_bins - 1):
        border = borders[(i + 1) * stride - 1] + _TOLERANCE
        low, high = start, n
        while low < high:
            k = (low + high) >> 1
            value = values[k] if sign > 0.0 else values[n - 1 - k]
            if sign * (value - middle) / scale > border:
                high = k
            else:
                low = k + 1
        counts[i] = low - start
        start = low
    counts[num_bins - 1] = n - start


@inner
def spread_about(values: Floats, k: int) -> float:
    """The ⌊n/2⌋-th smallest distance of ascending values from the k-th of them."""
    n = values.shape[0]
    left, right, distance = k, k + 1, 0.0
    for _ in range(n // 2 + 1):
        below = values[k] - values[left] if left >= 0 else np.inf
        above = values[right] - values[k] if right < n else np.inf
        if below <= above:
            distance = below
            left -= 1
        else:
            distance = above
            right += 1
    return distance


@inner
def tree(noise: Noise, num_values: int, levels: int) -> float:
    """How much better a tree on the counts of the bins is than its base alone; uses them up."""
    counts, log_gamma = noise.counts, noise.log_gamma
    total = num_values * levels * _LOG_2
    for level in range(levels, 0, -1):
        c = 2 * level * level
        usual = 2.0 * log_gamma[c] - log_gamma[2 * c]
        for i in range(1 << (level - 1)):
            left, right = counts[2 * i], counts[2 * i + 1]
            both = left + right
            total += log_gamma[c + left] + log_gamma[c + right] - log_gamma[2 * c + both] - usual
            counts[i] = both
    return total


@arithmetic
def noise_gain(noise: Noise, w: Floats, levels: int) -> float:
    """Log density of residuals w by the mean of the nine densities, less that by the normal.

    ``w`` ascend, and their mean square is 1; the trees have ``levels``.
    """
    n, terms = w.shape[0], noise.terms
    normal, right, left, blunt, heavy = 0.0, 0.0, 0.0, 0.0, 0.0
    middle = w[n // 2]
    scale = spread_about(w, n // 2) / UPPER_QUARTILE
    is_spread = scale > _TOLERANCE
    for i in range(n):
        normal -= 0.5 * w[i] * w[i]
        right += log_skewed(w[i])
        left += log_skewed(-w[i])
        blunt += log_blunt(w[i])
        if is_spread:
            heavy += log_heavy((w[i] - middle) / scale)
    normal -= 0.5 * n * _LOG_2_PI
    count_bins(noise.counts, noise.normal, w, 1.0, 0.0, 1.0, levels)
    terms[0], terms[1] = 0.0, tree(noise, n, levels)
    terms[2] = right - normal
    count_bins(noise.counts, noise.skewed, w, 1.0, 0.0, 1.0, levels)
    terms[3] = terms[2] + tree(noise, n, levels)
    terms[4] = left - normal
    count_bins(noise.counts, noise.skewed, w, -1.0, 0.0, 1.0, levels)
    terms[5] = terms[4] + tree(noise, n, levels)
    terms[6] = blunt - normal
    size = 7
    if is_spread:
        terms[7] = heavy - n * math.log(scale) - normal - 0.5 * math.log(n)
        count_bins(noise.counts, noise.heavy, w, 1.0, middle, scale, levels)
        terms[8] = terms[7] + tree(noise, n, levels)
        size = 9
    return log_mean_exp(terms, size)


@inner
def log_mean_exp(terms: Floats, size: int) -> float:
    """log of the mean of e^term over the first terms."""
    largest = terms[0]
    for i in range(1, size):
        largest = max(largest, terms[i])
    total = 0.0
    for i in range(size):
        total += math.exp(terms[i] - largest)
    return largest + math.log(total / size)
