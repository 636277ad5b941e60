"""Evidence for a belief as the weakest of the reasonable models has it, and what to say of that."""

from dataclasses import dataclass, replace
from math import isfinite, nan

from pathprior.beliefs.event import Event
from pathprior.beliefs.evidence import NOT_DETECTABLE, SOME, Evidence, evidence_of, weakest_of
from pathprior.graph.tie import Tie
from pathprior.posterior.doubts import Doubts

SAME = 0.05
"""Nats that change no word."""
MOST = 0.5
"""Share of the graphs that speak against an effect in which its ends must be unrelated for the
rows to be silent rather than against it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The evidence that can be stood up for.

    Attributes
    ----------
    evidence
        With the log factor of the weakest model; of what no row could show, words that say so.
    range
        The factors of all models that the data do not rule out, lowest and highest.
    chance_to_show
        Probability that rows like these show an effect of the stated size; NaN if not known.
    doubt
        A sentence, or nothing.
    """

    evidence: Evidence
    range: tuple[float, float]
    chance_to_show: float = nan
    doubt: str = ""


def judge_evidence(
    evidence: Evidence, event: str, absent: float, doubts: Doubts | None, row: int
) -> Judged:
    """Take the weakest of the models' factors for a row of the prior's table.

    ``absent`` is how probable it is that x and y are unrelated, where there is no effect.
    """
    factor = evidence.log_factor
    if doubts is None or not isfinite(factor):  # not known, or all graphs say the same
        return Judged(evidence, (factor, factor))
    # where all graphs say the same, other weights of theirs tell nothing
    shifts = (0.0, 0.0) if evidence.is_bound else doubts.shifts_of(row)
    low, high = (factor + shift for shift in shifts)
    least = weakest_of(low, high)
    found = evidence
    if abs(least - factor) > SAME:
        found = evidence_of(least, is_bound=evidence.is_bound and least == factor)
    detection = doubts.detections[row]
    sentences = [_of_models(doubts, row, factor)]
    chance = nan if detection is None else detection.chance
    is_silent = detection is not None and not detection.is_seen and absent >= MOST
    if detection is not None and is_silent and _is_for_nothing(event, found.log_factor):
        sentences.insert(0, detection.sentence)
        if not detection.is_possible:
            words = f"{NOT_DETECTABLE} with these {detection.num_rows} rows"
            found = replace(found, words=words)
    return Judged(found, (low, high), chance, " ".join(filter(None, sentences)))


def _is_for_nothing(event: str, factor: float) -> bool:
    """Whether evidence, or the lack of it, comes from rows that show no dependence."""
    is_absence = Tie.UNRELATED in Event.parse(event).ties
    return factor > -SOME if is_absence else factor < SOME


def _of_models(doubts: Doubts, row: int, factor: float) -> str:
    """What a model makes of it that explains the two columns far better."""
    better = doubts.better(row)
    if better is None:
        return ""
    name, fit, shift = better
    number = f"{round(factor + shift, 1) + 0.0:+.1f}".replace("-", "−")
    return f"By {name}, which these columns speak for by {fit:.0f} nats, log B is {number}."
