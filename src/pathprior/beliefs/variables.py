"""Variables as people know them: names, descriptions and units, and the file that lists them."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from pathprior.beliefs.belief_file import read_text
from pathprior.errors import BeliefError
from pathprior.nearest import unknown_message

COLUMNS = ("name", "description", "unit")


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, with what one must know of it to say what it does.

    Attributes
    ----------
    name
        As in the data.
    description
        What it is, in a few words; may be empty.
    unit
        What it is measured in, or its states; may be empty.
    """

    name: str
    description: str = ""
    unit: str = ""

    def __str__(self) -> str:
        unit = f" ({self.unit})" if self.unit else ""
        return f"{self.name}: {self.description}{unit}" if self.description else self.name + unit


def read_variables(path: str | PathLike[str]) -> tuple[Variable, ...]:
    """Read a CSV file of variables: a column ``name``, and maybe ``description`` and ``unit``.

    Raises
    ------
    BeliefError
        If it cannot be read, names a variable twice, or has other columns.
    """
    file = Path(path)
    reader = csv.DictReader(
        io.StringIO(read_text(file), newline=""), skipinitialspace=True, restkey="", strict=True
    )
    try:
        rows = list(reader)
    except csv.Error as error:
        raise BeliefError(f"{file}: bad quoting: {error}") from None
    header = [name.strip().lower() for name in reader.fieldnames or ()]
    _check_header(header, file)
    found = []
    for number, row in enumerate(rows, start=2):
        cells = dict(zip(header, row.values(), strict=False))
        if "" in row:
            raise BeliefError(
                f"{file}, row {number}: more values than columns; put a text with commas in quotes"
            )
        found.append(Variable(**{name: (cells[name] or "").strip() for name in header}))
    return check_variables(found, f"{file}: ")


def check_variables(variables: Iterable[Variable | str], where: str = "") -> tuple[Variable, ...]:
    """Variables or mere names, each once.

    Raises
    ------
    BeliefError
        If there are fewer than two, or one has no name or that of another.
    """
    found = tuple(Variable(one) if isinstance(one, str) else one for one in variables)
    seen = set()
    for variable in found:
        if not variable.name:
            raise BeliefError(f"{where}a variable has no name: give it that of its column")
        if variable.name in seen:
            raise BeliefError(f"{where}the variable {variable.name!r} is there twice: keep one")
        seen.add(variable.name)
    if len(found) < 2:
        raise BeliefError(f"{where}questions are about two variables, and there are {len(found)}")
    return found


def _check_header(header: list[str], file: Path) -> None:
    if "name" not in header:
        raise BeliefError(f"{file}: no column 'name'; the columns are {', '.join(COLUMNS)}")
    unknown = [name for name in header if name not in COLUMNS]
    if unknown:
        raise BeliefError(f"{file}: {unknown_message('column', unknown, COLUMNS)}")
