"""R-hat and effective sample size of one quantity, step by step as Vehtari et al. (2021) say."""

from math import log10, sqrt
from statistics import NormalDist, fmean, median, variance

Chains = list[list[float]]


def split(chains: Chains) -> Chains:
    """First and second half of each chain, without the middle of an odd number."""
    half = len(chains[0]) // 2
    return [chain[:half] for chain in chains] + [chain[-half:] for chain in chains]


def normal_ranks(chains: Chains) -> Chains:
    """Normal quantiles of the ranks among all draws, ties averaged."""
    values = [value for chain in chains for value in chain]

    def quantile(value: float) -> float:
        below = sum(other < value for other in values)
        equal = sum(other == value for other in values)
        rank = below + (equal + 1) / 2
        return NormalDist().inv_cdf((rank - 3 / 8) / (len(values) + 1 / 4))

    return [[quantile(value) for value in chain] for chain in chains]


def r_hat(chains: Chains) -> float:
    """√(V / W) of chains that were split."""
    size = len(chains[0])
    within = fmean(variance(chain) for chain in chains)
    between = variance([fmean(chain) for chain in chains])
    return sqrt(((size - 1) / size * within + between) / within)


def rank_r_hat(chains: Chains) -> float:
    """The larger of the R-hat of ranks and of folded ranks."""
    halves = split(chains)
    middle = median([value for half in halves for value in half])
    folded = [[abs(value - middle) for value in half] for half in halves]
    return max(r_hat(normal_ranks(halves)), r_hat(normal_ranks(folded)))


def effective_samples(halves: Chains) -> float:
    """S / τ of chains that were split, with Geyer's initial monotone positive sequence."""
    size, total = len(halves[0]), len(halves) * len(halves[0])
    means = [fmean(half) for half in halves]

    def covariance(lag: int) -> float:
        return fmean(
            sum((half[t] - m) * (half[t + lag] - m) for t in range(size - lag)) / size
            for half, m in zip(halves, means, strict=True)
        )

    within = covariance(0) * size / (size - 1)
    spread = covariance(0) + variance(means)

    def correlation(lag: int) -> float:
        return 1.0 if lag == 0 else 1 - (within - covariance(lag)) / spread

    kept: list[float] = []
    for k in range((size - 1) // 2):
        pair = correlation(2 * k) + correlation(2 * k + 1)
        if pair <= 0 or k == (size - 1) // 2 - 1:
            break
        kept.append(min([pair, *kept[-1:]]))
    time = -1 + 2 * sum(kept) + max(correlation(2 * k), 0)
    return total / max(time, 1 / log10(total))
