"""Verdicts on Figure 2 (c, d), and the comparison of repairs."""

from typing import TYPE_CHECKING

import numpy as np

from pathprior.experiments.experiment import Claim
from pathprior.experiments.interval import (
    Interval,
    all_positive,
    describe,
    mean_interval,
    paired_difference,
)

if TYPE_CHECKING:
    import pandas as pd

TITLES = {"alarm": "ALARM", "insurance": "INSURANCE"}
LARGE = 1000
"""N from which on the order none > beliefs > beliefs + operator is asked for by itself."""
MATTERS = 1
"""A change of SHD smaller than this counts as none."""


class Scores:
    """A measure by network and experts: one row per repeat, one column per (method, N)."""

    def __init__(self, rows: "pd.DataFrame", measure: str = "shd") -> None:
        self._frames = {
            key: frame.pivot(index="repeat", columns=["method", "num_rows"], values=measure)
            for key, frame in rows.groupby(["network", "experts"])
        }
        self.sizes = sorted(int(n) for n in rows["num_rows"].unique())

    @property
    def networks(self) -> list[str]:
        """The networks that were run, in the paper's order."""
        return [name for name in TITLES if any(name == key[0] for key in self._frames)]

    def has(self, network: str, experts: str) -> bool:
        """Whether there are rows of these experts."""
        return (network, experts) in self._frames

    def get(self, network: str, experts: str, method: str, num_rows: int) -> "pd.Series[float]":
        """The measure by repeat."""
        return self._frames[network, experts][method, num_rows]

    def gain(self, network: str, experts: str, worse: str, better: str) -> dict[int, Interval]:
        """Paired difference, worse − better, by N."""
        return {
            n: paired_difference(
                self.get(network, experts, worse, n), self.get(network, experts, better, n)
            )
            for n in self.sizes
        }

    def mean_gain(self, network: str, experts: str, worse: str, better: str) -> Interval:
        """Paired difference of the averages over all N, worse − better."""
        frame = self._frames[network, experts]
        means = frame.T.groupby(level="method").mean().T
        return paired_difference(means[worse], means[better])


NONE, BELIEFS, OPERATOR = "paper: no beliefs", "paper: beliefs", "paper: beliefs + operator"


def find_claims(rows: "pd.DataFrame") -> list[Claim]:
    """The paper's claims for its own search and experts, then ours for the repairs."""
    scores = Scores(rows)
    recovered = Scores(rows.assign(percent=100 * rows["causes_recall"]), "percent")
    claims = []
    for network in scores.networks:
        if scores.has(network, "true"):
            claims += _paper_claims(scores, network)
            claims += _our_claims(scores, network)
    for experts in ("true", "calibrated", "misled"):
        for network in scores.networks:
            if scores.has(network, experts):
                claims += _repair_claims(scores, recovered, network, experts)
    return claims


def _paper_claims(scores: Scores, network: str) -> list[Claim]:
    title = TITLES[network]
    beliefs = scores.gain(network, "true", NONE, BELIEFS)
    operator = scores.gain(network, "true", NONE, OPERATOR)
    further = scores.gain(network, "true", BELIEFS, OPERATOR)
    large = [n for n in scores.sizes if n >= LARGE]
    claims = [
        Claim(
            f"{title}: SHD is lower with beliefs than without, at every N.",
            all_positive([*beliefs.values(), *operator.values()]),
            f"gain of beliefs alone, N = {describe(beliefs)}; with the operator, "
            f"N = {describe(operator)}",
        ),
        Claim(
            f"{title}: the operator lowers SHD further, at every N.",
            all_positive(further.values()),
            f"further gain, N = {describe(further)}",
        ),
        Claim(
            f"{title}: no beliefs > beliefs > beliefs + operator at N ≥ {LARGE}.",
            all_positive([gain[n] for gain in (beliefs, further) for n in large]),
            "mean SHD, N = "
            + ", ".join(
                f"{n}: "
                + " > ".join(
                    f"{scores.get(network, 'true', method, n).mean():.1f}"
                    for method in (NONE, BELIEFS, OPERATOR)
                )
                for n in large
            ),
        ),
    ]
    return [*claims, *(_shrinking(scores) if network == "alarm" else _rising(scores))]


def _shrinking(scores: Scores) -> list[Claim]:
    """ALARM: the gain of beliefs alone falls with N, the gain with the operator does not."""
    first, last = scores.sizes[0], scores.sizes[-1]
    without, with_operator = (_drop(scores, method) for method in (BELIEFS, OPERATOR))
    between = f"drop of the gain from N = {first} to N = {last}, by a line through all N:"
    return [
        Claim(
            "ALARM: the gain without the operator shrinks as N grows.",
            without.is_positive,
            f"{between} {without}",
        ),
        Claim(
            f"ALARM: the gain with the operator does not shrink (by {MATTERS} or more) as N grows.",
            with_operator.is_below(MATTERS),
            f"{between} {with_operator}",
        ),
    ]


def _drop(scores: Scores, method: str) -> Interval:
    """How much the gain of ``method`` falls over the range of log N: a line for each repeat."""
    gains = np.array(
        [
            scores.get("alarm", "true", NONE, n) - scores.get("alarm", "true", method, n)
            for n in scores.sizes
        ],
        dtype=np.float64,
    )
    position = np.log(scores.sizes)
    slopes = np.polyfit(position, gains, 1)[0]
    return mean_interval(-slopes * (position[-1] - position[0]))


def _rising(scores: Scores) -> list[Claim]:
    """INSURANCE: SHD rises from 5000 to 10000 rows, hardly so with the operator."""
    before, after = scores.sizes[-2:]

    def rise(method: str) -> Interval:
        return paired_difference(
            scores.get("insurance", "true", method, after),
            scores.get("insurance", "true", method, before),
        )

    without, with_operator = rise(NONE), rise(OPERATOR)
    return [
        Claim(
            f"INSURANCE: without beliefs SHD rises from N = {before} to N = {after}.",
            without.is_positive,
            f"rise {without}",
        ),
        Claim(
            f"INSURANCE: with the operator SHD does not rise there (by {MATTERS} or more).",
            with_operator.is_below(MATTERS),
            f"rise {with_operator}",
        ),
    ]


def _our_claims(scores: Scores, network: str) -> list[Claim]:
    title = TITLES[network]
    search = scores.gain(network, "true", NONE, "no beliefs")
    order = scores.gain(network, "true", "no beliefs", "gema, no operator")
    further = scores.gain(network, "true", "gema, no operator", "gema")
    counts = scores.gain(network, "true", "gema, sampled", "gema")
    large = [n for n in scores.sizes if n >= LARGE]
    return [
        Claim(
            f"{title}, beyond the paper: our search has lower SHD than plain greedy search at "
            f"N ≥ {LARGE}, both without beliefs.",
            all_positive(search[n] for n in large),
            f"gain, N = {describe(search)}",
        ),
        Claim(
            f"{title}, our search: no beliefs > beliefs > beliefs + operator at N ≥ {LARGE}.",
            all_positive([gain[n] for gain in (order, further) for n in large]),
            f"gain of beliefs, N = {describe(order)}; of the operator, N = {describe(further)}",
        ),
        Claim(
            f"{title}, beyond the paper: exact counts give lower SHD than 10⁶ sampled DAGs.",
            scores.mean_gain(network, "true", "gema, sampled", "gema").is_positive,
            f"averaged over N: {scores.mean_gain(network, 'true', 'gema, sampled', 'gema')}; "
            f"N = {describe(counts)}",
        ),
    ]


REPAIRS = ("soft 1", "soft 10", "gema", "independent")


def _repair_claims(scores: Scores, recovered: Scores, network: str, experts: str) -> list[Claim]:
    """What each repair gains, and the soft fit of strength 1 against the others; means over N."""
    title = f"{TITLES[network]}, {experts} experts"
    gains = {method: scores.mean_gain(network, experts, "no beliefs", method) for method in REPAIRS}
    others = {
        method: scores.mean_gain(network, experts, method, "soft 1") for method in REPAIRS[1:]
    }
    causes = {
        method: recovered.mean_gain(network, experts, method, "no beliefs") for method in REPAIRS
    }
    return [
        Claim(
            f"{title}: beliefs lower SHD, whichever repair fits them.",
            all_positive(gains.values()),
            "SHD without beliefs less SHD with them, averaged over N: " + describe(gains),
        ),
        Claim(
            f"{title}: soft, strength 1 has lower SHD than every other repair.",
            all_positive(others.values()),
            "SHD of the other less its own, averaged over N: " + describe(others),
        ),
        Claim(
            f"{title}: beliefs recover more of the true causal relations, whichever repair.",
            all_positive(causes.values()),
            "gain in percent points of recall, averaged over N: " + describe(causes, digits=1),
        ),
    ]
