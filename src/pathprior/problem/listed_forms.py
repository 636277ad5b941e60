"""Forms of options that list something: names, edges, tiers, kinds, reliabilities."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from pathprior.beliefs.testimony import check_reliability
from pathprior.data.coding import declared
from pathprior.data.kinds import DISCRETE, REAL
from pathprior.errors import BeliefError, SearchError
from pathprior.problem.forms import Form


@dataclass(frozen=True, slots=True)
class Listed(Form):
    """Texts; on the command line separated by commas, in flags that may be repeated."""

    kinds = (list,)
    num_flags: ClassVar[int] = 1

    @property
    def reads(self) -> tuple[Any, ...]:
        """See `Form.reads`."""
        return (list[str] | None,) * self.num_flags

    def show(self, default: Any) -> tuple[Any, ...]:
        """See `Form.show`."""
        return (None,) * self.num_flags

    def parse(self, *given: Any) -> Any:
        """See `Form.parse`."""
        if given[0] is None and self.is_optional:
            return None
        return tuple(text for text in split_list(given[0]) if text)

    def take(self, value: Any) -> Any:
        """See `Form.take`; a text is one."""
        if value is None and self.is_optional:
            return None
        return (value,) if isinstance(value, str) else tuple(value or ())

    def say(self, value: Any) -> str:
        """See `Form.say`."""
        return self.none if value is None else ", ".join(map(str, value)) or "none"

    def restore(self, value: Any) -> Any:
        """See `Form.restore`."""
        found = Form.restore(self, value)
        return None if found is None else tuple(self.restore_one(entry) for entry in found)

    def restore_one(self, value: Any) -> Any:
        """One of the entries that were kept; ValueError if it cannot have been one."""
        if not isinstance(value, str):
            raise ValueError
        return value


@dataclass(frozen=True, slots=True)
class Tiers(Listed):
    """Names in tiers, each of a flag of its own."""

    def parse(self, *given: Any) -> Any:
        """See `Form.parse`."""
        return tuple(tuple(split_list([text])) for text in given[0] or [])

    def take(self, value: Any) -> Any:
        """See `Form.take`."""
        # a text for a tier is refused with the other rules
        return tuple(part if isinstance(part, str) else tuple(part) for part in value or ())

    def say(self, value: Any) -> str:
        """Say which variables come before which."""
        named = [tier for tier in value if tier]
        if len(named) < 2:
            return "none"
        first, second, *rest = (", ".join(tier) for tier in named)
        comes = "come" if len(named[0]) > 1 else "comes"
        return f"{first} {comes} before {second}" + "".join(f", then {tier}" for tier in rest)

    def restore_one(self, value: Any) -> Any:
        """See `Listed.restore_one`."""
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise ValueError
        return tuple(value)


@dataclass(frozen=True, slots=True)
class Edges(Tiers):
    """Edges, each a parent and a child."""

    def parse(self, *given: Any) -> Any:
        """See `Form.parse`."""
        if given[0] is None and self.is_optional:
            return None
        return tuple(_parse_edge(text) for text in split_list(given[0]))

    def take(self, value: Any) -> Any:
        """See `Form.take`; what is no edge is refused with the other rules."""
        if value is None and self.is_optional:
            return None
        # a graph stands for its edges
        return tuple(getattr(value, "edges", value))

    def say(self, value: Any) -> str:
        """See `Form.say`."""
        return "; ".join(" → ".join(edge) for edge in value or ()) or "none"


@dataclass(frozen=True, slots=True)
class KindsOfColumns(Listed):
    """Columns and their kinds; a flag for each kind."""

    num_flags = 2

    def parse(self, *given: Any) -> Any:
        """See `Form.parse`."""
        listed = zip((REAL, DISCRETE), given, strict=True)
        return tuple((name, kind) for kind, texts in listed for name in split_list(texts))

    def take(self, value: Any) -> Any:
        """See `Form.take`."""
        return tuple(declared(value).items())

    def say(self, value: Any) -> str:
        """See `Form.say`."""
        return "; ".join(f"{name} → {kind}" for name, kind in value) or "none"

    def restore_one(self, value: Any) -> Any:
        """See `Listed.restore_one`."""
        match value:
            case [str() as name, str() as kind]:
                return name, kind
        raise ValueError


@dataclass(frozen=True, slots=True)
class Reliabilities(Listed):
    """Sources of statements, each with a and b of a Beta distribution."""

    def parse(self, *given: Any) -> Any:
        """See `Form.parse`."""
        found = []
        for text in given[0] or []:
            name, _, numbers = text.rpartition("=")
            try:
                right, wrong = map(float, numbers.split(","))
            except ValueError:
                raise BeliefError(f"a reliability is written 'survey=8,2', not {text!r}") from None
            found.append((name.strip(), (right, wrong)))
        return tuple(found)

    def take(self, value: Any) -> Any:
        """See `Form.take`."""
        return tuple(check_reliability(value).items())

    def say(self, value: Any) -> str:
        """See `Form.say`."""
        return "; ".join(f"{name} → {beta}" for name, beta in value) or "none"

    def restore_one(self, value: Any) -> Any:
        """See `Listed.restore_one`; what the numbers may be is checked where they are used."""
        match value:
            case [str() as name, [int() | float() as right, int() | float() as wrong]]:
                return name, (right, wrong)
        raise ValueError


def split_list(texts: Iterable[str] | None) -> list[str]:
    """What an option that may be repeated lists: separated by commas, quoted if it holds one."""
    rows = csv.reader(texts or [], skipinitialspace=True)
    return [part.strip() for row in rows for part in row]


def _parse_edge(text: str) -> tuple[str, str]:
    parent, arrow, child = text.partition("->")
    if not arrow or not parent.strip() or not child.strip():
        raise SearchError(f"an edge is written 'parent->child', not {text!r}")
    return parent.strip(), child.strip()
