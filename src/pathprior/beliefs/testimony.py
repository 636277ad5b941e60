"""`Testimony`: statements, and what is known beforehand of how reliable their sources are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from numbers import Real

from pathprior.beliefs.statement import Statement
from pathprior.errors import BeliefError
from pathprior.nearest import suggestion

Reliability = Mapping[str, Sequence[float]]
"""The two numbers of a Beta distribution by the name of a source."""

DEFAULT_RELIABILITY = (4.0, 2.0)
"""Beta(4, 2): right in two of three, and as sure of that as after having heard six statements."""


@dataclass(frozen=True, slots=True)
class Testimony:
    """Statements whose sources are right with probabilities that are not known.

    Attributes
    ----------
    statements
        What is said, in order.
    reliability
        Of each of `sources` a and b: beforehand ρ ~ Beta(a, b).
    """

    statements: tuple[Statement, ...]
    reliability: tuple[tuple[float, float], ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """Who says something, in order of first appearance."""
        return tuple(dict.fromkeys(statement.source for statement in self.statements))


def check_reliability(reliability: Reliability | None) -> dict[str, tuple[float, float]]:
    """The Beta distributions that were given, by the name of the source.

    Raises
    ------
    BeliefError
        If that is not two positive numbers by name.
    """
    if reliability is None:
        return {}
    if not isinstance(reliability, Mapping):
        raise BeliefError(
            "reliability gives a source two numbers, as {'survey': (8, 2)} does, not "
            f"{reliability!r}"
        )
    return {str(name): _shape(name, given) for name, given in reliability.items()}


def make_testimony(
    statements: Sequence[Statement], reliability: Reliability | None = None
) -> Testimony:
    """Give each source its Beta distribution, `DEFAULT_RELIABILITY` where none is named.

    Raises
    ------
    BeliefError
        If ``reliability`` names a source that says nothing, or numbers that are not positive.
    """
    given = check_reliability(reliability)
    sources = dict.fromkeys(statement.source for statement in statements)
    unknown = [name for name in given if name not in sources]
    if unknown:
        hint = suggestion("source", unknown, sources) if sources else "nobody does"
        silent = " and ".join(map(repr, unknown))
        makes = "makes" if len(unknown) == 1 else "make"
        raise BeliefError(f"reliability of {silent}, who {makes} no statement; {hint}")
    shapes = tuple(given.get(name, DEFAULT_RELIABILITY) for name in sources)
    return Testimony(tuple(statements), shapes)


def _shape(source: object, given: object) -> tuple[float, float]:
    """Two positive numbers, or an error that names the source."""
    is_pair = isinstance(given, Sequence) and not isinstance(given, str) and len(given) == 2
    numbers = list(given) if is_pair else []  # type: ignore[call-overload]
    if not numbers or not all(_is_positive(number) for number in numbers):
        raise BeliefError(
            f"the reliability of {source!r} must be two positive numbers, a and b of Beta(a, b), "
            f"not {given!r}"
        )
    return float(numbers[0]), float(numbers[1])


def _is_positive(number: object) -> bool:
    is_number = isinstance(number, Real) and not isinstance(number, bool)
    return is_number and isfinite(number) and number > 0  # type: ignore[arg-type, operator]
