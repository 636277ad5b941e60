"""What can be done to a column before learning: each action applies itself and shows its code.

A new kind of treatment is one more class with the three members of `Action`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pathprior.data.cuts import Cuts

if TYPE_CHECKING:
    import pandas as pd


def quoted(text: str) -> str:
    """Write a text as people write it in code, if it is an ordinary one."""
    is_plain = text.isprintable() and '"' not in text and "\\" not in text
    return f'"{text}"' if is_plain else repr(text)


def listed(texts: Iterable[str]) -> str:
    """Write a list of texts, on several lines if it is long."""
    items = [quoted(text) for text in texts]
    line = f"[{', '.join(items)}]"
    return line if len(line) <= 80 else "".join(["[\n", *(f"    {item},\n" for item in items), "]"])


class Action(Protocol):
    """A treatment of one column; ``apply`` and the expression ``code`` do the same."""

    @property
    def summary(self) -> str:
        """What is done, in a few words."""
        ...

    def apply(self, column: "pd.Series[Any]") -> "pd.Series[Any]":
        """Return the treated column; missing values stay missing."""
        ...

    def code(self, column: str) -> str:
        """Return the expression in pandas, given the one for the column."""
        ...


@dataclass(frozen=True, slots=True)
class Keep:
    """Leave the column as it is."""

    summary: str = "keep"

    def apply(self, column: "pd.Series[Any]") -> "pd.Series[Any]":
        """Return the column."""
        return column

    def code(self, column: str) -> str:
        """Return the column."""
        return column


@dataclass(frozen=True, slots=True)
class Drop:
    """Leave the column out."""

    reason: str = ""

    @property
    def summary(self) -> str:
        """What is done, and why."""
        return f"drop: {self.reason}" if self.reason else "drop"


@dataclass(frozen=True, slots=True)
class AsStates:
    """Declare the values to be states, whatever they look like."""

    summary: str = "keep as states"

    def apply(self, column: "pd.Series[Any]") -> "pd.Series[Any]":
        """Make it a categorical, which the door takes at its word."""
        return column.astype("category")

    def code(self, column: str) -> str:
        """Make it a categorical."""
        return f'{column}.astype("category")'


@dataclass(frozen=True, slots=True)
class AsReal:
    """Keep numbers as real numbers, whole or not."""

    are_objects: bool
    summary: str = "keep as real numbers"

    def apply(self, column: "pd.Series[Any]") -> "pd.Series[Any]":
        """Make them doubles."""
        import pandas as pd

        numbers = pd.to_numeric(column) if self.are_objects else column
        return numbers.astype("float64")

    def code(self, column: str) -> str:
        """Make them doubles."""
        numbers = f"pd.to_numeric({column})" if self.are_objects else column
        return f'{numbers}.astype("float64")'


@dataclass(frozen=True, slots=True)
class OnlyUsed:
    """Forget the categories that do not occur."""

    summary: str = "keep the states that occur"

    def apply(self, column: "pd.Series[Any]") -> "pd.Series[Any]":
        """Remove the others."""
        return column.cat.remove_unused_categories()

    def code(self, column: str) -> str:
        """Remove the others."""
        return f"{column}.cat.remove_unused_categories()"


@dataclass(frozen=True, slots=True)
class AsLabels:
    """Write the values as the labels of their states, whole floats without a point."""

    is_float: bool
    summary: str = "keep"

    def apply(self, column: "pd.Series[Any]") -> "pd.Series[Any]":
        """Make them texts."""
        whole = column.astype("Int64") if self.is_float else column
        return whole.astype("string")

    def code(self, column: str) -> str:
        """Make them texts."""
        whole = f'{column}.astype("Int64")' if self.is_float else column
        return f'{whole}.astype("string")'


@dataclass(frozen=True, slots=True)
class Bin:
    """Cut numbers into intervals, each closed on the left."""

    cuts: Cuts
    labels: tuple[str, ...]
    are_objects: bool

    @property
    def summary(self) -> str:
        """The bins."""
        return f"bin: {' | '.join(self.labels)}"

    def apply(self, column: "pd.Series[Any]") -> "pd.Series[Any]":
        """Make it an ordered categorical."""
        import pandas as pd

        edges = [-float("inf"), *self.cuts, float("inf")]
        numbers = pd.to_numeric(column) if self.are_objects else column
        return pd.cut(numbers, edges, right=False, labels=list(self.labels))

    def code(self, column: str) -> str:
        """Make it an ordered categorical."""
        edges = ", ".join(map(repr, self.cuts))
        numbers = f"pd.to_numeric({column})" if self.are_objects else column
        return (
            f'pd.cut(\n    {numbers},\n    [-float("inf"), {edges}, float("inf")],\n'
            f"    right=False,\n    labels={listed(self.labels)},\n)"
        )


@dataclass(frozen=True, slots=True)
class Merge:
    """Keep some states and make one of the rest."""

    states: tuple[str, ...]
    other: str
    is_float: bool

    @property
    def summary(self) -> str:
        """What is kept."""
        return f"merge: {' | '.join((*self.states, self.other))}"

    def apply(self, column: "pd.Series[Any]") -> "pd.Series[Any]":
        """Replace the rest."""
        labels = AsLabels(self.is_float).apply(column)
        return labels.where(labels.isin(self.states) | labels.isna(), self.other)

    def code(self, column: str) -> str:
        """Replace the rest."""
        labels = AsLabels(self.is_float).code(column)
        return (
            f"{labels}.pipe(\n    lambda labels: labels.where(\n"
            f"        labels.isin({listed(self.states)}) | labels.isna(),\n"
            f"        {quoted(self.other)},\n    )\n)"
        )
