"""What the plots and tables say of each belief besides its numbers."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.event import Event
from pathprior.beliefs.evidence import Evidence
from pathprior.prior.path_prior import PathPrior
from pathprior.report.draw import BeliefMark
from pathprior.report.legend import Verdict

if TYPE_CHECKING:
    import pandas as pd


WITHOUT_SUPPORT = "by edges that the data hardly support"
"""Said of a belief whose fate rests on edges worth less than a nat to the data score."""
SHOWN = 0.1
"""Nats between models from which their range is printed."""
NOT_MET = "not met"
"""Said of a belief that its fit misses, though it is in no conflict that is known."""


def belief_marks(held: "pd.DataFrame") -> list[BeliefMark]:
    """One mark per pair with a belief; of several beliefs on a pair the worst verdict counts."""
    verdicts: dict[tuple[str, str], set[Verdict]] = {}
    # of a four-vector only the likeliest relation counts as what was believed
    likely = held[held["stated"] >= 0.5]
    for row in likely.itertuples(index=False):
        verdict = Verdict.HELD if row.holds else Verdict.NOT_HELD
        verdict = Verdict.WEAK if row.is_weak else verdict
        verdicts.setdefault((str(row.x), str(row.y)), set()).add(verdict)
    worst_first = (Verdict.NOT_HELD, Verdict.WEAK, Verdict.HELD)
    return [
        BeliefMark(x, y, next(verdict for verdict in worst_first if verdict in found))
        for (x, y), found in verdicts.items()
    ]


def evidence_lines(weighed: "pd.DataFrame") -> list[str]:
    """A line for each row of `Posterior.beliefs` or `Fit.evidence`: belief, sentence, evidence."""
    return [
        f"{phrase}. {sentence} Evidence: {words} ({number.replace(' (', ' nats; by model ', 1)}"
        f"{'' if number.endswith(')') else ' nats)'}."
        if number != "–"
        else f"{phrase}. {sentence}"
        for phrase, sentence, words, number in zip(
            phrases(weighed),
            weighed["sentence"],
            weighed["evidence"],
            evidence_numbers(weighed),
            strict=True,
        )
    ]


def phrases(table: "pd.DataFrame") -> list[str]:
    """What each row says of its pair, in words."""
    events = zip(table["x"], table["event"], table["y"], strict=True)
    return [Event.parse(event).phrase(x, y) for x, event, y in events]


def evidence_numbers(weighed: "pd.DataFrame") -> list[str]:
    """The log factors as they are printed, with their range where models differ."""
    factor = "log_bayes_factor" if "log_bayes_factor" in weighed else "log_ratio"
    numbers = [evidence.number for evidence in _evidence(weighed, factor)]
    if "low" not in weighed:
        return numbers
    ends = zip(weighed["low"], weighed["high"], strict=True)
    return [
        f"{number} ({Evidence(low, '').number} to {Evidence(high, '').number})"
        if high - low >= SHOWN
        else number
        for number, (low, high) in zip(numbers, ends, strict=True)
    ]


def agreements(weighed: "pd.DataFrame") -> list[bool | None]:
    """Whether the data agree with what was stated; None where they hardly say, or could not."""
    factor = "weakest" if "weakest" in weighed else "log_ratio"
    return [
        evidence.agrees(stated)
        for evidence, stated in zip(_evidence(weighed, factor), weighed["stated"], strict=True)
    ]


def _evidence(weighed: "pd.DataFrame", factor: str) -> list[Evidence]:
    bounds = weighed.get("is_bound", [False] * len(weighed))
    rows = zip(weighed[factor], weighed["evidence"], bounds, strict=True)
    return [Evidence(float(number), words, bool(bound)) for number, words, bound in rows]


def not_met(prior: PathPrior, table: "pd.DataFrame") -> list[bool]:
    """For each row of a table of beliefs whether the fit misses what was stated."""
    missed = {
        (belief.x, belief.y, event.value, stated)
        for unmet in prior.unmet
        for belief in unmet.beliefs
        for event, stated in zip(belief.named_events, belief.stated, strict=True)
    }
    rows = table[["x", "y", "event", "stated"]].itertuples(index=False, name=None)
    return [row in missed for row in rows]


def in_conflict(prior: PathPrior) -> NDArray[np.bool_]:
    """For each row of ``prior.table`` whether its belief is in a conflict."""
    claims = {
        (belief.x, belief.y, event.value, stated, belief.source)
        for conflict in prior.conflicts
        for belief in conflict.beliefs
        for event, stated in zip(belief.named_events, belief.stated, strict=True)
    }
    columns = ["x", "y", "event", "stated", "source"]
    rows = prior.table[columns].itertuples(index=False, name=None)
    return np.array([row in claims for row in rows], dtype=bool)
