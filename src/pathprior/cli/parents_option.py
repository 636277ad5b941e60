"""The option --expected-parents, which several commands have."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pathprior.counting.expected_parents import ExpectedParents

ParentsOption = Annotated[
    str,
    typer.Option(
        "--expected-parents",
        help="Parents of a variable on average before anything is believed: a number, auto (1), "
        "or none (all DAGs alike).",
    ),
]


def read_parents(text: str) -> "ExpectedParents":
    """What ``text`` stands for."""
    from pathprior.counting.expected_parents import AUTO

    if text.lower() == AUTO:
        return AUTO
    return read_number(text, "--expected-parents", "auto or none")


def read_number(text: str, option: str, others: str = "or none") -> float | None:
    """The number that ``text`` writes; None for ``none``."""
    from pathprior.errors import CountingError

    if text.lower() == "none":
        return None
    try:
        return float(text)
    except ValueError:
        raise CountingError(f"{option} is {text!r}; give a number, {others}") from None
