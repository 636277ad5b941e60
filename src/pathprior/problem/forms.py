"""What the value of an option may be: as Python gives it, as a command line does, as a record does.

A value is kept as JSON can write it: numbers, texts, and tuples of these.
"""

from collections.abc import Callable
from dataclasses import dataclass
from sys import float_info
from typing import Any, ClassVar

import numpy as np

from pathprior.errors import CountingError, PathPriorError, SearchError

Error = Callable[[str], PathPriorError]


@dataclass(frozen=True, slots=True)
class Form:
    """Any text; base of what says more.

    Attributes
    ----------
    is_optional
        Whether the value may be None as well.
    none
        What that means, in a word.
    """

    is_optional: bool = False
    none: str = "none"

    kinds: ClassVar[tuple[type, ...]] = (str,)
    """What the value is kept as."""

    @property
    def reads(self) -> tuple[Any, ...]:
        """What the command line reads, for each of its flags."""
        return (self.kinds[-1] | None if self.is_optional else self.kinds[-1],)

    def show(self, default: Any) -> tuple[Any, ...]:
        """What it reads where nobody says, for each of the flags."""
        return (default,)

    def parse(self, *given: Any) -> Any:
        """The value that texts and numbers of a command line stand for."""
        return given[0]

    def take(self, value: Any) -> Any:
        """The value of an argument of Python, as it is kept."""
        return value

    def check(self, name: str, value: Any, error: Error) -> None:
        """Raise an ``error`` if the value can never be one, whatever the data."""

    def say(self, value: Any) -> str:
        """The value as a reader would write it."""
        if value is None:
            return self.none
        if isinstance(value, bool):
            return "yes" if value else "no"
        return str(value)

    def restore(self, value: Any) -> Any:
        """The value that was kept as JSON; ValueError if it cannot have been one."""
        if value is None and self.is_optional:
            return None
        # a bool is an int to Python, but no number of anything
        if not isinstance(value, self.kinds) or (
            isinstance(value, bool) and bool not in self.kinds
        ):
            raise ValueError
        return value


@dataclass(frozen=True, slots=True)
class Choice(Form):
    """One of some names."""

    names: tuple[str, ...] = ()

    def check(self, name: str, value: Any, error: Error) -> None:
        """See `Form.check`."""
        if value not in self.names:
            raise error(f"unknown {name} {value!r}: choose one of {', '.join(self.names)}")


@dataclass(frozen=True, slots=True)
class Most(Form):
    """The most of something; what it may be is checked with what it limits."""

    kinds = (int,)


@dataclass(frozen=True, slots=True)
class Whole(Form):
    """A whole number; ``why`` says what to do instead of asking for more than the ``most``."""

    least: int = 0
    most: int | None = None
    why: str = ""

    kinds = (int,)

    def check(self, name: str, value: Any, error: Error) -> None:
        """See `Form.check`."""
        if value is None and self.is_optional:
            return
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < self.least:
            raise error(f"{name} must be a whole number of at least {self.least}, not {value!r}")
        if self.most is not None and value > self.most:
            raise error(f"{name} must be at most {self.most}, not {value}{self.why}")


@dataclass(frozen=True, slots=True)
class Weight(Form):
    """A number, checked by what it weighs."""

    kinds = (int, float)


@dataclass(frozen=True, slots=True)
class Positive(Weight):
    """A number above 0, of some ``unit``."""

    most: float | None = None
    unit: str = ""

    def check(self, name: str, value: Any, error: Error) -> None:
        """See `Form.check`."""
        if value is None and self.is_optional:
            return
        is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not (is_number and 0 < value <= (self.most or float_info.max)):
            none = ", or None" if self.is_optional else ""
            raise error(f"{name} must be a positive number{self.unit}{none}, not {value!r}")


@dataclass(frozen=True, slots=True)
class Switch(Form):
    """What is on or off by itself; Python says either, the command line off."""

    kinds = (bool,)

    @property
    def reads(self) -> tuple[Any, ...]:
        """See `Form.reads`."""
        return (bool,)

    def show(self, default: Any) -> tuple[Any, ...]:
        """See `Form.show`."""
        return (True,)

    def parse(self, *given: Any) -> Any:
        """See `Form.parse`."""
        return None if given[0] else False


@dataclass(frozen=True, slots=True)
class Target(Form):
    """The column that says what was set; None where that was said otherwise."""

    def take(self, value: Any) -> Any:
        """See `Form.take`."""
        return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class ScoreName(Form):
    """The name of a score, or how a score object writes itself."""

    penalised: str = ""
    """The one whose penalty may have a factor, which the command line reads by itself."""

    @property
    def reads(self) -> tuple[Any, ...]:
        """See `Form.reads`."""
        return (str, float | None)

    def show(self, default: Any) -> tuple[Any, ...]:
        """See `Form.show`."""
        return (default, None)

    def parse(self, *given: Any) -> Any:
        """See `Form.parse`."""
        score, penalty = given
        if penalty is None:
            return score
        if score != self.penalised:
            raise SearchError(f"--penalty belongs to --score {self.penalised}, not {score}")
        return f"{score}:{penalty!r}"

    def take(self, value: Any) -> Any:
        """See `Form.take`."""
        return value if isinstance(value, str) else repr(value)


@dataclass(frozen=True, slots=True)
class Parents(Form):
    """How many parents are expected: a number, ``"auto"`` or None."""

    kinds = (int, float, str)

    def parse(self, *given: Any) -> Any:
        """See `Form.parse`."""
        text = str(given[0]).lower()
        return text if text == "auto" else read_number(given[0])

    @property
    def reads(self) -> tuple[Any, ...]:
        """See `Form.reads`."""
        return (str,)


@dataclass(frozen=True, slots=True)
class Share(Form):
    """A number from 0 to below 1, or ``"auto"``."""

    what: str = "share"

    kinds = (int, float, str)

    def parse(self, *given: Any) -> Any:
        """See `Form.parse`."""
        try:
            return float(given[0])
        except ValueError:
            return given[0]

    @property
    def reads(self) -> tuple[Any, ...]:
        """See `Form.reads`."""
        return (str,)

    def check(self, name: str, value: Any, error: Error) -> None:
        """See `Form.check`."""
        is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if value != "auto" and not (is_number and 0 <= value < 1):
            raise error(f"{name} is {value!r}; give the {self.what}, from 0 to below 1, or 'auto'")


def read_number(
    text: str, option: str = "--expected-parents", others: str = "auto or none"
) -> float | None:
    """The number that ``text`` writes; None for ``none``."""
    if text.lower() == "none":
        return None
    try:
        return float(text)
    except ValueError:
        raise CountingError(f"{option} is {text!r}; give a number, {others}") from None
