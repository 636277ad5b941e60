"""What is wrong with the columns of some data, all of it in one error."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

from pathprior.errors import DataError

# Lines of the list, and how many columns it names before it only counts.
WIDTH = 80
MAX_LISTED = 200

GAPS = "missing='em' draws them, 'state' makes missing a state, 'drop' drops such rows"
"""What can be done about missing values; said once, however many columns have some."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why a column cannot be used as it is, in words that follow its name, and what to do."""

    column: str
    problem: str
    remedy: str


def refusal(flaws: Sequence[Flaw], num_columns: int) -> DataError:
    """Make the error that names all flaws: in one line if it is one, else in one line each."""
    if len(flaws) == 1:
        (flaw,) = flaws
        return DataError(
            f"column {flaw.column!r} {flaw.problem}: {flaw.remedy}; "
            "pp.prepare(data), or pathprior prepare FILE, proposes how"
        )
    num_flawed = len({flaw.column for flaw in flaws})
    lines = [f"{num_flawed} of {num_columns} columns cannot be used as they are:"]
    for flaw in flaws[:MAX_LISTED]:
        text = f"{flaw.column!r} {flaw.problem}"
        if flaw.remedy != GAPS:
            text += f": {flaw.remedy}"
        lines.append(
            fill(
                text, WIDTH, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False
            )
        )
    if len(flaws) > MAX_LISTED:
        lines.append(f"  and {len(flaws) - MAX_LISTED} more")
    if any(flaw.remedy == GAPS for flaw in flaws):
        lines.append(GAPS)
    lines.append("pp.prepare(data), or pathprior prepare FILE, proposes what to do with each")
    return DataError("\n".join(lines))
