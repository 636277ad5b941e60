"""Tables on a terminal of any width: lines end between words, not within them."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from pathprior.cli.console import console

SEPARATORS = re.compile(r"(?<=[_.\-/])(?=[^\W\d])")
"""Where a word may be broken that is too long for its column; no number ever is."""

LONGEST = 40
"""Letters beyond which a word may be broken anywhere."""

Cell: TypeAlias = str | Text


@dataclass(frozen=True, slots=True)
class Column:
    """A column; on a narrow terminal those that are spare are left out, the last first."""

    heading: str
    justify: Literal["left", "center", "right"] = "left"
    is_spare: bool = False


def fitted_cell(fitted: object, is_missed: bool) -> Cell:
    """A fitted probability, and whether it is not what was stated."""
    from pathprior.report.belief_rows import NOT_MET

    return Text(f"{fitted:.3f}, {NOT_MET}", style="yellow") if is_missed else f"{fitted:.3f}"


def print_table(
    columns: Sequence[Column], rows: Iterable[Sequence[Cell]], *, title: str | None = None
) -> None:
    """Print a table; strings in its cells are shown as they are, without markup.

    Where the words do not fit beside each other, spare columns go first, then names are broken at
    separators. A table that is too wide even so is printed whole, wider than the terminal.
    """
    cells: list[Sequence[Cell]] = [[column.heading for column in columns], *rows]
    shown = list(range(len(columns)))
    while _excess(cells, shown, str.split) > 0:
        spare = [k for k in shown if columns[k].is_spare]
        if not spare:
            break
        shown.remove(spare[-1])
    widths = _widths(cells, shown)
    lines_and_blanks = 3 * len(shown) + 1
    table = Table(title=title, title_justify="left", width=sum(widths.values()) + lines_and_blanks)
    for k in shown:
        heading = _broken(columns[k].heading, widths[k])
        table.add_column(heading, justify=columns[k].justify, width=widths[k], overflow="fold")
    for row in cells[1:]:
        table.add_row(*(_broken(row[k], widths[k]) for k in shown))
    console.print(table, crop=False)


def _excess(
    rows: Sequence[Sequence[Cell]], shown: Sequence[int], cut: Callable[[str], list[str]]
) -> int:
    """How many letters too many the longest parts of the columns have, side by side."""
    needed = sum(3 + _longest(rows, k, cut) for k in shown) + 1
    return needed - console.width


def _widths(rows: Sequence[Sequence[Cell]], shown: Sequence[int]) -> dict[int, int]:
    """At least the longest word or piece for each column; the rest to those that need it."""
    cut = str.split if _excess(rows, shown, str.split) <= 0 else _pieces
    widths = {k: _longest(rows, k, cut) for k in shown}
    left = max(0, -_excess(rows, shown, cut))
    wanted = {k: _widest_line(rows, k) - widths[k] for k in shown}
    for place, k in enumerate(sorted(shown, key=wanted.__getitem__)):  # the modest first
        given = min(wanted[k], left // (len(shown) - place))
        widths[k] += given
        left -= given
    return widths


def _widest_line(rows: Sequence[Sequence[Cell]], k: int) -> int:
    return max(cell_len(line) for row in rows for line in str(row[k]).splitlines() or [""])


def _longest(rows: Sequence[Sequence[Cell]], k: int, cut: Callable[[str], list[str]]) -> int:
    """Width of the longest part of a column's cells."""
    longest = max((cell_len(part) for row in rows for part in cut(str(row[k]))), default=0)
    return min(longest, LONGEST)


def _pieces(text: str) -> list[str]:
    return [piece for word in text.split() for piece in SEPARATORS.split(word)]


def _broken(cell: Cell, width: int) -> Text:
    """The cell, with line breaks in words that are wider than the column."""
    if isinstance(cell, Text):
        return cell
    return Text(re.sub(r"\S+", lambda word: _break_word(word[0], width), cell))


def _break_word(word: str, width: int) -> str:
    lines = [""]
    for piece in SEPARATORS.split(word):
        if lines[-1] and cell_len(lines[-1] + piece) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines)
