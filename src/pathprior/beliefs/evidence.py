"""How strongly data speak for or against an event: log Bayes factors, and words for them."""

from dataclasses import dataclass
from math import copysign, inf, isfinite, isnan, log, nan

SOME, STRONG, VERY_STRONG = 1.0, 3.0, 5.0
"""Nats from which evidence is some, strong, very strong.

Twice the log Bayes factor is 2, 6 and 10 there: R. E. Kass and A. E. Raftery, *Bayes Factors*,
Journal of the American Statistical Association 90, 1995, who revise the scale of H. Jeffreys.
"""

HALF = 0.5
"""Probability above which an event is called likely."""

NOT_KNOWN = "not known"
"""Said where nothing was computed."""
TOO_FEW = "too few graphs to say"
"""Said where the event was the same in all graphs drawn, as was to be expected of so few."""
NOT_SETTLED = "not settled"
"""Said where chains do not agree on the probability yet."""
NOT_DETECTABLE = "not detectable"
"""Begins what is said where rows show nothing, and would hardly have shown it had it been there."""
SETTLED = "settled beforehand"
"""Said where rules or a hard belief leave the data nothing to say."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What data say of an event.

    Attributes
    ----------
    log_factor
        How far they move the log odds, in nats; NaN where that is not known.
    words
        The same in words, such as ``"strong against"``.
    is_bound
        Whether it is this or further from 0: no graph drawn said anything else.
    """

    log_factor: float
    words: str
    is_bound: bool = False

    @property
    def number(self) -> str:
        """The log factor as it is printed."""
        if isnan(self.log_factor):
            return "–"
        if not isfinite(self.log_factor):
            return "∞" if self.log_factor > 0 else "−∞"
        bound = "" if not self.is_bound else "≥ " if self.log_factor > 0 else "≤ "
        # adding 0 makes −0 a 0
        return f"{bound}{round(self.log_factor, 1) + 0.0:+.1f}".replace("-", "−")

    def agrees(self, stated: float) -> bool | None:
        """Whether the data agree with who gave the event this probability; None where they hardly.

        Above one half the event was called likely, below it unlikely, at one half neither.
        """
        if stated == HALF or not abs(self.log_factor) >= SOME:  # NaN too
            return None
        if self.words.startswith(NOT_DETECTABLE):
            return None
        return (self.log_factor > 0) == (stated > HALF)


def evidence_of(log_factor: float, *, is_bound: bool = False) -> Evidence:
    """Put a log Bayes factor into words."""
    size = abs(log_factor)
    if size < SOME:
        return Evidence(log_factor, "hardly any", is_bound)
    degree = "very strong" if size >= VERY_STRONG else "strong" if size >= STRONG else "some"
    words = f"{degree} {'for' if log_factor > 0 else 'against'}"
    may_be_more = is_bound and degree != "very strong"
    return Evidence(log_factor, f"at least {words}" if may_be_more else words, is_bound)


def weakest_of(low: float, high: float) -> float:
    """The factor nearest to 0 of those from ``low`` to ``high``."""
    return 0.0 if low <= 0.0 <= high else low if low > 0.0 else high


def weigh(
    before: float,
    after: float,
    otherwise: float,
    effective_samples: float,
    *,
    is_settled: bool = True,
) -> Evidence:
    """Compare the odds of an event after the data with those before.

    Parameters
    ----------
    before
        Its probability before the data; NaN if that is not known.
    after, otherwise
        Its probability after them, and that of its opposite.
    effective_samples
        How many independent graphs S the latter rest on; infinite where all were weighed. What
        they all say has a probability of 1 − 1/(S + 2) or more.
    is_settled
        Whether ``after`` has settled; if not, there is no evidence in it.
    """
    if isnan(before):
        return Evidence(nan, NOT_KNOWN)
    if not 0.0 < before < 1.0:
        return Evidence(nan, SETTLED)
    if not is_settled:
        return Evidence(nan, NOT_SETTLED)
    log_odds = log(before) - log(1.0 - before)
    if after > 0.0 and otherwise > 0.0:
        return evidence_of(log(after) - log(otherwise) - log_odds)
    sign = 1.0 if after > 0.0 else -1.0
    if not isfinite(effective_samples):
        return evidence_of(copysign(inf, sign))
    least = sign * log(effective_samples + 1.0) - log_odds
    if sign * least < SOME:
        return Evidence(nan, TOO_FEW)
    return evidence_of(least, is_bound=True)
