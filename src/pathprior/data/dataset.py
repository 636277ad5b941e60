"""`Dataset`: columns of states and of real numbers, which cells were seen and which were set."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.flaws import MAX_LISTED
from pathprior.data.gaps import Gaps
from pathprior.data.merged import Coded
from pathprior.data.stream import Reals, RealStream
from pathprior.data.table import DataTable, RealTable
from pathprior.errors import DataError
from pathprior.nearest import suggestion


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Named columns, each of states or of real numbers; immutable.

    The columns of a kind lie together in one matrix, so that a score reads them without a copy. A
    score takes the view it needs, `discrete` or `real`; they refuse what they cannot show.

    Attributes
    ----------
    variables
        The names of all columns, in their order.
    coded
        The columns of states. Where they are very many, equal rows may be held once; not where
        there are real numbers, or where values are missing or were set.
    reals
        The columns of real numbers; both tables keep the order of ``variables``. Where they are
        very many, they stay in their file; not where values are missing or were set, because then
        some rows are looked at without the others.
    observed
        ``observed[v, row]``: whether that value of variable v is known. What stands in another
        cell has no meaning. None if all are.
    intervened
        ``intervened[v, row]``: whether that value was set from outside, not only observed. None if
        none was.
    name
        What the data are called, the file's name if they were read from one; for titles only.
    are_soft
        Whether what was set from outside is how the value comes about, not the value itself.
    target_column
        The column that named what was set, if one did; it is no variable.
    imputed
        ``imputed[v, row]``: whether that value was missing and is a draw. None if none is.
    gaps
        What was missing when the data were read, and what became of it; None if nothing was.
    """

    variables: tuple[str, ...]
    coded: Coded
    reals: Reals
    observed: NDArray[np.bool_] | None = None
    intervened: NDArray[np.bool_] | None = None
    name: str = ""
    are_soft: bool = False
    target_column: str | None = None
    imputed: NDArray[np.bool_] | None = None
    gaps: Gaps | None = None

    def __post_init__(self) -> None:
        _require_order(self.variables, self.coded, self.reals)
        if self.coded.num_rows != self.reals.num_rows:
            raise DataError(
                f"the columns of states have {self.coded.num_rows} rows, those of real numbers "
                f"{self.reals.num_rows}: they must be the same rows"
            )
        shape = (self.num_variables, self.num_rows)
        for field, usual in (("observed", True), ("intervened", False), ("imputed", False)):
            object.__setattr__(self, field, _mask(field, getattr(self, field), shape, usual=usual))
        is_plain = self.observed is None and self.intervened is None
        if isinstance(self.reals, RealStream) and not is_plain:
            object.__setattr__(self, "reals", self.reals.held())
        if not is_plain or self.reals.variables:
            object.__setattr__(self, "coded", self.coded.plain())
        _require_finite(self)

    # -- making one ------------------------------------------------------------------------------

    @classmethod
    def of_codes(cls, table: Coded) -> "Dataset":
        """Return the data with columns of states alone, all observed."""
        return cls(table.variables, table, RealTable((), np.empty((0, table.num_rows))))

    @classmethod
    def of_reals(cls, table: Reals) -> "Dataset":
        """Return the data with columns of real numbers alone, all observed."""
        none = DataTable((), np.empty((0, table.num_rows), np.uint8), ())
        return cls(table.variables, none, table)

    def select(self, names: Iterable[str]) -> "Dataset":
        """Return the data of these columns, in this order."""
        names = tuple(names)
        if names == self.variables:
            return self
        place = {name: v for v, name in enumerate(self.variables)}
        unknown = [name for name in names if name not in place]
        if unknown:
            raise DataError(
                f"the data have no column {_listed(map(repr, unknown))}; "
                f"{suggestion('column', unknown, self.variables)}"
            )
        places = [place[name] for name in names]
        coded = set(self.coded.variables)
        return replace(
            self,
            variables=names,
            coded=self.coded.select([name for name in names if name in coded]),
            reals=self.reals.select([name for name in names if name not in coded]),
            **self._masks(places),
        )

    def among(self, rows: NDArray[Any]) -> "Dataset":
        """Return the data of some rows: their numbers, or True for each that stays."""
        return replace(
            self,
            coded=replace(self.coded.plain(), codes=self.coded.codes[:, rows]),
            reals=RealTable(self.reals.variables, self.reals.values[:, rows]),
            **self._masks((slice(None), rows)),
        )

    # -- reading it ------------------------------------------------------------------------------

    @property
    def num_variables(self) -> int:
        """Number of columns."""
        return len(self.variables)

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return self.coded.num_rows

    def known(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """Each column's name and its observed values: codes, or real numbers."""
        row = dict(zip(self.coded.variables, self.coded.codes, strict=True))
        row |= dict(zip(self.reals.variables, self.reals.values, strict=True))
        for v, name in enumerate(self.variables):
            yield name, row[name] if self.observed is None else row[name][self.observed[v]]

    def spans(self) -> Iterator[tuple[str, Any, Any]]:
        """Each column's name, its smallest and its largest observed value; None if it has none."""
        if self.observed is not None or not self.num_rows:
            for name, values in self.known():
                yield (name, values.min(), values.max()) if len(values) else (name, None, None)
            return
        coded, reals = self.coded, self.reals
        ends = dict(
            zip(reals.variables, zip(reals.lowest, reals.highest, strict=True), strict=True)
        )
        for name, codes in zip(coded.variables, coded.held, strict=True):
            ends[name] = codes.min(), codes.max()
        for name in self.variables:
            yield name, *ends[name]

    def discrete(self, *, may_be_set: bool = False) -> DataTable:
        """Return the data as states, row by row; not a copy unless equal rows are held once.

        Raises
        ------
        DataError
            See `states`.
        """
        return self.states(may_be_set=may_be_set).plain()

    def states(self, *, may_be_set: bool = False) -> Coded:
        """Return the data as states, as they are held, for scores that count; not a copy.

        Raises
        ------
        DataError
            If there are real numbers or missing values, or interventions unless ``may_be_set``.
        """
        if self.reals.variables:
            raise DataError(
                "states are needed, and these columns hold real numbers: "
                f"{_listed(map(repr, self.reals.variables))}; cut them into bins, drop them, or "
                "use a score that takes them: bge where all are real, else mixed"
            )
        self.require_plain(may_be_set=may_be_set)
        return self.coded

    def real(self, *, may_be_set: bool = False) -> Reals:
        """Return the data as real numbers; not a copy.

        Raises
        ------
        DataError
            If there are states or missing values, or interventions unless ``may_be_set``.
        """
        if self.coded.variables:
            raise DataError(
                "real numbers are needed, and these columns hold states: "
                f"{_listed(map(repr, self.coded.variables))}; drop them, use the score mixed, or "
                "declare whole numbers that are measured, as in kinds={'age': 'real'}"
            )
        self.require_plain(may_be_set=may_be_set)
        return self.reals

    def require_plain(self, *, may_be_set: bool = False) -> None:
        """Raise if values are missing, or were set and may not be."""
        if self.observed is not None:
            raise DataError(
                f"complete data are needed, and values are missing in {self._tally(~self.observed)}"
                "; drop those rows or columns"
            )
        if self.intervened is not None and not may_be_set:
            raise DataError(
                "data that were only observed are needed, and values were set in "
                f"{self._tally(self.intervened)}; drop those rows or columns"
            )

    def _masks(self, place: Any) -> dict[str, Any]:
        """What is said of some cells, by field."""
        masks = {name: getattr(self, name) for name in ("observed", "intervened", "imputed")}
        return {name: mask if mask is None else mask[place] for name, mask in masks.items()}

    def _tally(self, cells: NDArray[np.bool_]) -> str:
        """Each column with such cells, and how many."""
        numbers = zip(self.variables, cells.sum(axis=1).tolist(), strict=True)
        return _listed(f"{name!r} ({number})" for name, number in numbers if number)


def _require_order(variables: tuple[str, ...], coded: Coded, reals: Reals) -> None:
    """Refuse names that are not those of the tables, each once and in their order."""
    num_columns = coded.num_variables + reals.num_variables
    for table in (coded, reals):
        names = set(table.variables)
        in_order = tuple(name for name in variables if name in names)
        if in_order != table.variables or not len(set(variables)) == len(variables) == num_columns:
            raise DataError(
                "variables must name the columns of both tables, each once and in their order: "
                f"{_listed(map(repr, variables))} for {_listed(map(repr, coded.variables))} and "
                f"{_listed(map(repr, reals.variables))}"
            )


def _mask(
    field: str, mask: NDArray[np.bool_] | None, shape: tuple[int, int], *, usual: bool
) -> NDArray[np.bool_] | None:
    """Return the mask, read-only; None if all cells are as usual."""
    if mask is None:
        return None
    mask = np.ascontiguousarray(mask, dtype=bool)
    if mask.shape != shape:
        raise DataError(
            f"{field} has the shape {mask.shape}, the data have {shape}: one row for each variable"
        )
    if (mask == usual).all():
        return None
    mask.flags.writeable = False
    return mask


def _require_finite(data: Dataset) -> None:
    """Refuse real numbers that are infinite or NaN where a value is observed."""
    reals = data.reals
    if data.observed is None:
        is_finite = np.isfinite(reals.lowest) & np.isfinite(reals.highest) | (not data.num_rows)
        names = [
            name for name, is_fine in zip(reals.variables, is_finite, strict=True) if not is_fine
        ]
    else:
        known = (column for column in data.known() if column[0] in reals.variables)
        names = [name for name, values in known if not np.isfinite(values).all()]
    if names:
        raise DataError(
            f"columns hold NaN or infinite numbers: {_listed(map(repr, names))}; drop those rows, "
            "or mark the cells as not observed"
        )


def _listed(texts: Iterable[str]) -> str:
    """The texts in one line, of very many only the first."""
    texts = list(texts)
    more = f" and {len(texts) - MAX_LISTED} more" if len(texts) > MAX_LISTED else ""
    return ", ".join(texts[:MAX_LISTED]) + more
