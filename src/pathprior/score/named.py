"""Scores by name, and the one that suits the data."""

from collections.abc import Callable

from pathprior.data.dataset import Dataset
from pathprior.data.normal_scores import atoms
from pathprior.data.stream import RealStream
from pathprior.errors import SearchError
from pathprior.score.aic import Aic
from pathprior.score.averaged_bdeu import AveragedBdeu
from pathprior.score.bdeu import Bdeu
from pathprior.score.bge import Bge
from pathprior.score.bic import Bic
from pathprior.score.counted import CountedScore
from pathprior.score.curves import Additive
from pathprior.score.families import Families
from pathprior.score.gaussian_bic import GaussianBic
from pathprior.score.k2 import K2
from pathprior.score.likelihood import LogLikelihood
from pathprior.score.mixed import Mixed
from pathprior.score.ranks import Ranks
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE
from pathprior.score.score import Score

AVERAGED = "averaged-bdeu"

COUNTED: dict[str, Callable[[float], CountedScore]] = {
    "bdeu": Bdeu,
    AVERAGED: AveragedBdeu,
    "k2": lambda _: K2(),
    "bic": lambda _: Bic(),
    "aic": lambda _: Aic(),
    "loglik": lambda _: LogLikelihood(),
}
"""How to make each score of states in the common form, given the equivalent sample size."""

MIXED = "mixed"
"""The score that takes states and real numbers."""

OF_STATES: dict[str, Callable[[float], Score]] = {**COUNTED, "families": Families}

PENALISED = "gaussian-bic"
"""The score whose penalty may have a factor: ``"gaussian-bic:2"``."""

OF_REALS: dict[str, Callable[[], Score]] = {
    "bge": Bge,
    "ranks": Ranks,
    "additive": Additive,
    "additive-ranks": lambda: Additive(ranks=True),
    PENALISED: GaussianBic,
}
"""How to make each score of real numbers."""

AUTO = "auto"

SCORE_NAMES = (*OF_STATES, *OF_REALS, MIXED)


def pick_score(score: str | Score, dataset: Dataset) -> str | Score:
    """Return the score that ``"auto"`` is before scores are weighed.

    BDeu for states, mixed for both kinds; for real numbers BGe, or ranks where some have atoms.
    """
    if score != AUTO:
        return score
    if not dataset.reals.variables:
        return "bdeu"
    if dataset.coded.variables:
        return MIXED
    # ranks cannot draw what is missing, and need all rows at once
    may_rank = dataset.observed is None and not isinstance(dataset.reals, RealStream)
    return "ranks" if may_rank and atoms(dataset) else "bge"


def make_score(score: str | Score, *, equivalent_sample_size: float = DEFAULT_SAMPLE_SIZE) -> Score:
    """Return the score of that name, or the score object itself, which brings its own options.

    ``equivalent_sample_size`` belongs to BDeu, which the mixed score is for states.
    """
    if not isinstance(score, str):
        return score
    if score in OF_REALS:
        return OF_REALS[score]()
    if score == MIXED:
        return Mixed(equivalent_sample_size)
    penalised, _, factor = score.partition(":")
    if penalised == PENALISED and (penalty := _number(factor)) is not None:
        return GaussianBic(penalty)
    if score not in OF_STATES:
        raise SearchError(
            f"unknown score {score!r}: choose one of {', '.join((AUTO, *SCORE_NAMES))}, or pass a "
            "score object such as Bde(network)"
        )
    return OF_STATES[score](equivalent_sample_size)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
