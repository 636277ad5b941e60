"""Probabilities that no float tells from 0 or 1, which would make a doubt a certainty unasked."""

from decimal import Decimal, InvalidOperation
from numbers import Real

from pathprior.errors import BeliefError

LEAST_PROBABILITY = 1e-300
"""Smaller ones but 0 are refused: products with them leave the range of floats."""


class Rounded(float):
    """A number as JSON has it that is 0 or 1 only because floats are no finer."""

    text: str


def json_number(text: str) -> float:
    """Read a number of a JSON file; give it to ``json.loads`` as ``parse_float``."""
    if _end_of(text) is None:
        return float(text)
    rounded = Rounded(text)
    rounded.text = text
    return rounded


def refuse_nearly_certain(given: object) -> None:
    """Raise if a number, or a text that holds one, would be taken for 0 or 1 without being it."""
    exact = given.text if isinstance(given, Rounded) else given
    end = _end_of(exact) if isinstance(exact, str | Real) else None
    if end == 0:
        raise BeliefError(
            f"probability {exact} is too near 0 to be told from it: write 0 if that never is, or "
            f"{LEAST_PROBABILITY:g} at least"
        )
    if end == 1:
        raise BeliefError(
            f"probability {exact} is too near 1 to be told from it: write 1 if that is certain, or "
            "0.9999999999999999 at most"
        )


def _end_of(given: str | Real) -> int | None:
    """The certainty that a number would be rounded to, if it is not that exactly."""
    value = float(given)
    if 0.0 <= value < LEAST_PROBABILITY:
        return 0 if _differs(given, 0) else None
    if value == 1.0:
        return 1 if _differs(given, 1) else None
    return None


def _differs(given: str | Real, end: int) -> bool:
    if not isinstance(given, str):
        return bool(given != end)
    try:
        return Decimal(given) != end
    except InvalidOperation:  # an exponent beyond all measure
        return True
