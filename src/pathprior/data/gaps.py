"""`Gaps`: how many cells were missing from some data, and what was done with them."""

from dataclasses import dataclass

from pathprior.data.flaws import GAPS, Flaw

REFUSE, EM, STATE, DROP = "refuse", "em", "state", "drop"
"""What can become of missing values."""


@dataclass(frozen=True, slots=True)
class Gaps:
    """Missing cells of a table as it was given.

    Attributes
    ----------
    treatment
        ``"em"``, ``"state"`` or ``"drop"``.
    num_rows, num_columns
        Size of the table.
    counts
        Each column with missing cells, and how many.
    """

    treatment: str
    num_rows: int
    num_columns: int
    counts: tuple[tuple[str, int], ...]

    @property
    def num_cells(self) -> int:
        """Missing cells in all."""
        return sum(count for _, count in self.counts)

    def __str__(self) -> str:
        cells = "1 cell was" if self.num_cells == 1 else f"{self.num_cells} cells were"
        columns = "1 column" if len(self.counts) == 1 else f"{len(self.counts)} columns"
        share = self.num_cells / (self.num_rows * self.num_columns)
        return f"{cells} missing ({100 * share:.1f} %), in {columns}"


def missing_flaw(name: str, num_missing: int, num_rows: int) -> Flaw:
    """Say that values are missing, and what can be done."""
    return Flaw(name, f"misses {num_missing} of {num_rows} values", GAPS)


def no_value_flaw(name: str) -> Flaw:
    """Say that a column is empty."""
    return Flaw(name, "has no values", "drop it")
