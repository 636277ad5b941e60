"""What the data make of each belief: probabilities, evidence and a sentence."""

from collections.abc import Sequence
from math import ceil, isfinite
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.evidence import HALF, SETTLED, SOME, Evidence, weigh
from pathprior.posterior.judge import Judge
from pathprior.posterior.questions import ask_either
from pathprior.prior.belief_table import belief_probabilities, contradicted_first, speakers

if TYPE_CHECKING:
    import pandas as pd

CLEAR = 0.05
"""Difference of two probabilities from which a sentence names both."""


def belief_rows(
    stated: "pd.DataFrame", judge: Judge, before: "Sequence[float] | NDArray[np.float64]"
) -> "pd.DataFrame":
    """Add to the table of a prior what the data make of it; what they contradict comes first.

    ``before`` is the probability of each row's event within the rules, before the data.
    """
    table = belief_probabilities(stated)
    events = list(zip(table["x"], table["event"], table["y"], strict=True))
    found, others = zip(*(ask_either(judge, *event) for event in events), strict=True)
    table["before"] = np.asarray(before, dtype=np.float64)
    table["after"] = [float(held.mean[0]) for held in found]
    table["error"] = [float(held.error[0]) for held in found]
    samples = [float(held.effective_samples[0]) for held in found]
    weighed = [
        weigh(*row) for row in zip(table["before"], table["after"], others, samples, strict=True)
    ]
    table["log_bayes_factor"] = [evidence.log_factor for evidence in weighed]
    table["is_bound"] = [evidence.is_bound for evidence in weighed]
    table["evidence"] = [evidence.words for evidence in weighed]
    table["is_contradicted"] = [
        evidence.agrees(stated) is False
        for evidence, stated in zip(weighed, table["stated"], strict=True)
    ]
    table["sentence"] = [
        _sentence(*row)
        for row in zip(
            weighed,
            speakers(stated),
            *(table[name] for name in ("stated", "fitted", "before", "after")),
            samples,
            strict=True,
        )
    ]
    return contradicted_first(table, "log_bayes_factor")


def _sentence(
    evidence: Evidence,
    speaker: str,
    stated: float,
    fitted: float,
    before: float,
    after: float,
    effective_samples: float,
) -> str:
    """Say in a sentence or two what was said, and what the data say."""
    said = f"{speaker} said {_number(stated)}"
    if abs(fitted - stated) > CLEAR:
        said += f", beside the other beliefs {_number(fitted)}"
    if abs(before - fitted) > CLEAR:
        said += f", within the rules {_number(before)}"
    if evidence.words == SETTLED:
        return f"{said}. No data can change that."
    agrees = evidence.agrees(stated)
    if abs(evidence.log_factor) < SOME:
        answer = "The data say little"
    elif agrees is None:
        answer = "After the data"
    elif agrees:
        answer = "The data agree"
    else:
        is_opposite = (after > HALF) != (stated > HALF)
        answer = "The data say otherwise" if is_opposite else "The data disagree"
    # what is certain is settled, so that of all graphs only rounding leaves none
    is_rounded = after in (0.0, 1.0) and not isfinite(effective_samples)
    found = _extreme(after) if is_rounded else bounded(after, effective_samples)
    return f"{said}. {answer}: {found}."


def bounded(after: float, effective_samples: float) -> str:
    """A probability in words; of finitely many graphs that agree, how far it can be from that."""
    if 0.0 < after < 1.0 or not isfinite(effective_samples):
        return _number(after)
    thousandths = ceil(1000.0 / (effective_samples + 2.0))
    if after > 0.5:
        return f"at least {1.0 - thousandths / 1000.0:.3f}"
    return f"at most {thousandths / 1000.0:.3f}"


def _number(probability: float) -> str:
    """Two digits, and more where these would say never or always."""
    if probability in (0.0, 1.0):
        return f"{probability:g}"
    if 0.005 <= probability < 0.995:
        return f"{probability:.2f}"
    return f"{probability:.3f}" if 0.0005 <= probability < 0.9995 else _extreme(probability)


def _extreme(probability: float) -> str:
    return "below 0.001" if probability < 0.5 else "above 0.999"
