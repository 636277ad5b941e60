"""Scores by name."""

from collections.abc import Callable

from pathprior.errors import SearchError
from pathprior.score.aic import Aic
from pathprior.score.bdeu import Bdeu
from pathprior.score.bic import Bic
from pathprior.score.counted import CountedScore
from pathprior.score.k2 import K2
from pathprior.score.likelihood import LogLikelihood
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE
from pathprior.score.score import Score

NAMED: dict[str, Callable[[float], CountedScore]] = {
    "bdeu": Bdeu,
    "k2": lambda _: K2(),
    "bic": lambda _: Bic(),
    "aic": lambda _: Aic(),
    "loglik": lambda _: LogLikelihood(),
}
"""How to make each score, given the equivalent sample size."""

SCORE_NAMES = tuple(NAMED)


def named_score(name: str, *, equivalent_sample_size: float = DEFAULT_SAMPLE_SIZE) -> CountedScore:
    """Return the score of that name; ``equivalent_sample_size`` belongs to BDeu."""
    if name not in NAMED:
        raise SearchError(
            f"unknown score {name!r}: choose one of {', '.join(SCORE_NAMES)}, or pass a score "
            "object such as Bde(network)"
        )
    return NAMED[name](equivalent_sample_size)


def make_score(score: str | Score, *, equivalent_sample_size: float = DEFAULT_SAMPLE_SIZE) -> Score:
    """Return the score of that name, or the score object itself, which brings its own options."""
    if isinstance(score, str):
        return named_score(score, equivalent_sample_size=equivalent_sample_size)
    return score
