"""What Laplace's method misses of the additive logit's prior, sampled and fitted.

    python benchmarks/additive_prior.py [--quick]

∫ Π π_jc^a dθ is known with one parent or none. With more, importance sampling gives it for small
shapes; what is left after the known parts is smooth in the numbers of states and the sample size,
and `pathprior.kernels.data.additive_evidence.missed_beyond_one` is the formula fitted here: its
coefficients are printed in its order, then how far it is from the samples.
"""

from argparse import ArgumentParser
from itertools import combinations, combinations_with_replacement
from math import lgamma, log, pi, prod

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares
from scipy.special import log_softmax, logsumexp

from tests.oracles.additive import contrasts, design

Floats = NDArray[np.float64]
SIZES = (0.5, 2.0, 8.0, 32.0)
LEAST_EFFECTIVE = 400
BATCH = 20_000
START = (-0.6, 0.9, 1.1, 0.8, -0.4, 0.35, 0.6, 0.75, -0.8, 1.3)


def shapes(most: int) -> list[tuple[tuple[int, ...], int]]:
    """Numbers of states of two parents or more, and of the child."""
    return [
        (ks, r)
        for r in (2, 3, 4, 5)
        for m in (2, 3, 4, 5)
        for ks in combinations_with_replacement((2, 3, 4, 6), m)
        if (1 + sum(k - 1 for k in ks)) * (r - 1) <= most and prod(ks) * r <= 400
    ]


def log_exact(k: int, r: int, e: float) -> float:
    """log ∫ Π π^a dθ, in orthonormal contrasts, of one parent with k states, or of none (1)."""
    a = e / (k * r)
    value = k * (r * lgamma(a) - lgamma(r * a)) - 0.5 * k * log(r)
    return value - (0.5 * (r - 1) * log(k) if k > 1 else 0.0)


def log_laplace(ks: tuple[int, ...], r: int, e: float) -> float:
    """The same by Laplace's method."""
    size = (1 + sum(k - 1 for k in ks)) * (r - 1)
    log_det = (r - 1) * (log(e / r) + sum((k - 1) * log(e / (r * k)) for k in ks))
    return -e * log(r) + 0.5 * size * log(2 * pi) - 0.5 * log_det


def sample_missed(
    ks: tuple[int, ...], r: int, e: float, num_samples: int, rng: np.random.Generator
) -> tuple[float, float]:
    """What Laplace's method misses beyond one parent, and the effective number of samples."""
    z, c, degrees = design(list(ks)), contrasts(r), 3
    size, a = z.shape[1] * (r - 1), e / (prod(ks) * r)
    curvature = np.array([e / r, *(e / (r * k) for k in ks for _ in range(k - 1))])
    root = np.sqrt(2 / curvature.repeat(r - 1))
    logs = []
    for _ in range(num_samples // BATCH):
        scale = np.sqrt(rng.chisquare(degrees, BATCH) / degrees)[:, None]
        drawn = rng.standard_normal((BATCH, size)) / scale
        density = (
            lgamma((degrees + size) / 2)
            - lgamma(degrees / 2)
            - size / 2 * log(degrees * pi)
            - np.log(root).sum()
            - (degrees + size) / 2 * np.log1p((drawn**2).sum(axis=1) / degrees)
        )
        theta = (drawn * root).reshape(-1, z.shape[1], r - 1)
        eta = np.einsum("jp,npf,rf->njr", z, theta, c, optimize=True)
        logs.append(a * log_softmax(eta, axis=2).sum(axis=(1, 2)) - density)
    weights = np.concatenate(logs)
    total = float(logsumexp(weights))
    effective = float(np.exp(2 * total - logsumexp(2 * weights)))
    none = log_exact(1, r, e) - log_laplace((), r, e)
    known = none + sum(log_exact(k, r, e) - log_laplace((k,), r, e) - none for k in ks)
    found = total - log(len(weights))
    return found - log_laplace(ks, r, e) - known, effective


def missed(p: Floats, ks: tuple[int, ...], r: int, e: float) -> float:
    """The formula, as the kernel has it."""
    free = [k - 1.0 for k in ks]
    pairs = sum((x * y) ** p[1] for x, y in combinations(free, 2))
    size = 1 + sum(free)
    most = np.exp(p[0]) * pairs ** p[2] * (r - 1) ** p[3] * size ** p[8]
    middle = np.exp(p[4]) * r ** p[5] * size ** p[6]
    return float(most / (1 + (e / middle) ** p[9]) ** p[7])


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer shapes and samples")
    quick = parser.parse_args().quick
    rng = np.random.default_rng(0)
    found = []
    for ks, r in shapes(8 if quick else 22):
        for e in SIZES:
            value, effective = sample_missed(ks, r, e, BATCH if quick else 5 * BATCH, rng)
            if effective > LEAST_EFFECTIVE:
                found.append((ks, r, e, value))
    values = np.array([value for *_, value in found])
    weights = 1 / (0.02 + 0.05 * np.abs(values))

    def errors(p: Floats) -> Floats:
        return np.array([missed(p, ks, r, e) for ks, r, e, _ in found]) - values

    fit = least_squares(lambda p: errors(p) * weights, START, loss="soft_l1")
    print("coefficients", np.round(fit.x, 3).tolist())
    of_rounded = errors(np.round(fit.x, 3))
    for r in sorted({r for _, r, *_ in found}):
        own = np.array([other == r for _, other, *_ in found])
        print(
            f"child of {r} states: {own.sum()} values up to {values[own].max():.2f}, root mean "
            f"square error {np.sqrt((of_rounded[own] ** 2).mean()):.3f}, "
            f"largest {np.abs(of_rounded[own]).max():.3f}"
        )


if __name__ == "__main__":
    main()
