"""The normalising constant of a web: exact at one end of a path, bridged along it.

Z(β, λ) = Σ_G β^edges Π_p λ_p(r_p(G)), which at λ = 1 is counted. From the fitted weights at the
base's β the chains walk in small steps to λ = 1 at a small β, and each step's ratio of constants
comes from the records at both its ends.
"""

from dataclasses import dataclass
from functools import lru_cache
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.base import log_sum_of_weights
from pathprior.counting.within import log_sum_within
from pathprior.graph.dag import Dag
from pathprior.graph.edge_rules import EdgeRules
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.web.chains import Chains, Records

Point = tuple[float, NDArray[np.float64]]
"""A measure on the path: log β and log λ by pair and relation."""

STEP_DEVIATION = 1.0
"""Standard deviation of the log ratio that a step of the path aims at."""
RECORDS = 20
# Sweeps between records: with 2 the estimated error was a fifth too small over 24 exactly known
# cases, with 5 it was right.
SWEEPS = 5
NUM_CHAINS, NUM_STEPS = 8, 40
FEW_OPEN = 5
"""One graph in about so many has an edge beyond the required at the end of a path within rules."""
ANCHOR_RECORDS = 400
LATE_DEVIATION, LATE_SWEEPS = 3.0, 1
"""The same when time is up: about fifteen times as quick, and rougher."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its standard error."""

    value: float
    standard_error: float


def log_tilted_dags(
    chains: Chains,
    field: NDArray[np.float64],
    log_base: float,
    log_end: float,
    *,
    deadline: float = np.inf,
) -> Estimate:
    """log Z(β, λ) at log β ``log_base``, the chains being at equilibrium there.

    They end at λ = 1 and log β ``log_end``.

    The path is straight in (log β, log λ), which must be finite. The error is the jackknife's over
    chains, which walk the whole path each on its own. After ``deadline``, a reading of `monotonic`,
    they hurry.
    """
    place, length = 0.0, 0.01
    here = chains.run(log_base, field, num_records=RECORDS, sweeps=SWEEPS)
    gains: list[NDArray[np.float64]] = []
    losses: list[NDArray[np.float64]] = []
    while place < 1:
        old: Point = (log_base + place * (log_end - log_base), (1 - place) * field)
        length = min(length, 1 - place)
        log_beta = log_base + (place + length) * (log_end - log_base)
        new: Point = (log_beta, (1 - place - length) * field)
        forward = _difference(here, new, old)
        deviation = float(forward.std())
        is_late = monotonic() > deadline
        wanted = LATE_DEVIATION if is_late else STEP_DEVIATION
        if deviation > 2 * wanted:
            length /= 2
            continue
        place += length
        here = chains.run(*new, num_records=RECORDS, sweeps=LATE_SWEEPS if is_late else SWEEPS)
        gains.append(forward)
        losses.append(_difference(here, old, new))
        length *= min(2.0, wanted / max(deviation, 1e-9))
    total = _log_ratio(gains, losses)
    left_out = np.arange(chains.num_chains)
    jackknife = np.array(
        [
            _log_ratio([g[:, left_out != i] for g in gains], [b[:, left_out != i] for b in losses])
            for i in left_out
        ]
    )
    spread = (chains.num_chains - 1) * float(np.mean((jackknife - jackknife.mean()) ** 2))
    if chains.rules is None:
        anchor = Estimate(log_sum_of_weights(chains.num_nodes, float(np.exp(log_end))), 0.0)
    else:
        anchor = _anchor_within(chains, chains.rules, log_end)
    return Estimate(anchor.value - total, float(np.hypot(np.sqrt(spread), anchor.standard_error)))


def find_log_sum(rules: EdgeRules, edge_odds: float, seed: int) -> Estimate:
    """log Z(β), Z the sum of β^edges over the graphs within ``rules``: exact, or from chains."""
    exact = log_sum_within(rules, edge_odds)
    return Estimate(exact, 0.0) if exact is not None else _sample_log_sum(rules, edge_odds, seed)


def log_sparse_within(rules: EdgeRules) -> float:
    """A log β at which most graphs within ``rules`` have the required edges alone."""
    num_open = int((~rules.forbidden & ~rules.required).sum())
    return -float(np.log(FEW_OPEN * max(num_open, 1)))


@lru_cache(maxsize=64)
def _sample_log_sum(rules: EdgeRules, edge_odds: float, seed: int) -> Estimate:
    log_base = float(np.log(edge_odds))
    none = np.zeros((0, 2), np.int64)
    size = len(rules.variables)
    chains = Chains(none, size, num_chains=NUM_CHAINS, seed=seed, rules=rules)
    field = np.zeros((0, NUM_TIES))
    log_end = min(log_base, log_sparse_within(rules))
    for log_beta in np.linspace(log_end, log_base, NUM_STEPS):
        chains.run(float(log_beta), field, num_records=RECORDS, sweeps=SWEEPS, is_learning=True)
    return log_tilted_dags(chains, field, log_base, log_end)


def _anchor_within(chains: Chains, rules: EdgeRules, log_beta: float) -> Estimate:
    """log Z at a small β, the chains being at equilibrium there without any weights.

    Known exactly, or else from how many graphs have the required edges alone.
    """
    exact = log_sum_within(rules, float(np.exp(log_beta)))
    if exact is not None:
        return Estimate(exact, 0.0)
    no_weights = np.zeros((chains.num_pairs, NUM_TIES))
    records = chains.run(log_beta, no_weights, num_records=ANCHOR_RECORDS, sweeps=LATE_SWEEPS)
    num_required = Dag(rules.variables, rules.required).ancestor_words
    least = int(np.bitwise_count(num_required).sum()) - len(rules.variables)
    is_least = records.num_ordered == least
    if records.barrier.is_limited:  # graphs are drawn
        is_least = records.num_covers == int(rules.required.sum())
    share = is_least.mean()
    by_chain = is_least.mean(axis=0)
    error = float(by_chain.std(ddof=1) / np.sqrt(len(by_chain)) / share)
    weights = records.log_weights(log_beta, no_weights)
    return Estimate(float(weights[is_least][0] - np.log(share)), error)


def _difference(records: Records, new: Point, old: Point) -> NDArray[np.float64]:
    return records.log_weights(*new) - records.log_weights(*old)


def _log_ratio(gains: list[NDArray[np.float64]], losses: list[NDArray[np.float64]]) -> float:
    """Σ over steps of log Z_new / Z_old, each the root of Bennett's acceptance-ratio equation."""
    return sum(_bridge(forward, backward) for forward, backward in zip(gains, losses, strict=True))


def _bridge(forward: NDArray[np.float64], backward: NDArray[np.float64]) -> float:
    """The c with Σ_old 1/(1 + e^(c − f)) = Σ_new 1/(1 + e^(−c − b)), both of one size."""
    from scipy.optimize import brentq
    from scipy.special import expit

    ends = float(forward.mean()), float(-backward.mean())
    root = brentq(
        lambda c: float(expit(forward - c).sum() - expit(backward + c).sum()),
        min(ends) - 20.0,
        max(ends) + 20.0,
    )
    return float(root)
