"""`MissingCells`: what was missing in the data of a fit, and what became of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pathprior.data.gaps import DROP, STATE, Gaps
from pathprior.graph.cpdag import Cpdag
from pathprior.graph.dag import Dag
from pathprior.graph.distance import shd

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class MissingCells:
    """What was missing, what was done about it, and how far rounds of drawing agreed.

    ``str`` gives the sentence.

    Attributes
    ----------
    treatment
        ``"em"``, ``"state"`` or ``"drop"``.
    num_rows, num_rows_used
        Rows of the data as they were given, and those that were learned from.
    by_column
        Each column with missing cells, and how many.
    found
        The class of the learned graph.
    rounds
        The graphs of the later rounds, of which the learned one was chosen; with ``"em"`` alone.
    """

    treatment: str
    num_rows: int
    num_rows_used: int
    by_column: dict[str, int]
    found: Cpdag
    rounds: tuple[Dag, ...]

    @classmethod
    def of(
        cls, gaps: Gaps, num_rows_used: int, found: Cpdag, rounds: tuple[Dag, ...]
    ) -> "MissingCells":
        """Put together what is known of the gaps."""
        return cls(gaps.treatment, gaps.num_rows, num_rows_used, dict(gaps.counts), found, rounds)

    @property
    def num_cells(self) -> int:
        """Missing cells in all."""
        return sum(self.by_column.values())

    @property
    def mean_distance(self) -> float:
        """Mean structural Hamming distance of the learned graph to those of the rounds."""
        if not self.rounds:
            return float("nan")
        return float(np.mean([shd(self.found, dag) for dag in self.rounds]))

    def agreement(self) -> "pd.DataFrame":
        """How often the rounds had each edge that any of them had.

        Returns
        -------
        DataFrame
            Columns ``x``, ``y``, ``share`` (of the rounds, whichever way the edge points) and
            ``is_found`` (whether the learned graph has it); the most frequent first.
        """
        import pandas as pd

        names = self.found.nodes
        size = len(names)
        stack = np.array([dag.adjacency | dag.adjacency.T for dag in self.rounds])
        share = stack.mean(axis=0) if self.rounds else np.zeros((size, size))
        is_found = self.found.adjacency | self.found.adjacency.T
        rows = [
            (names[i], names[j], float(share[i, j]), bool(is_found[i, j]))
            for i, j in np.argwhere(np.triu(share)).tolist()
        ]
        table = pd.DataFrame(rows, columns=["x", "y", "share", "is_found"])
        return table.sort_values("share", ascending=False, kind="stable", ignore_index=True)

    def __str__(self) -> str:
        total = self.num_rows * len(self.found.nodes)
        cells = "1 cell was" if self.num_cells == 1 else f"{self.num_cells} cells were"
        columns = "1 column" if len(self.by_column) == 1 else f"{len(self.by_column)} columns"
        share = f"{self.num_cells / total:.1%}".replace("%", " %")
        head = f"{cells} missing ({share}), in {columns}"
        if self.treatment == DROP:
            return f"{head}: {self.num_rows_used} of {self.num_rows} rows are complete and used."
        if self.treatment == STATE:
            return f"{head}: a state there, so that edges may tell who was not measured."
        return (
            f"{head}: drawn by the network, round after round. The graphs of the last "
            f"{len(self.rounds)} rounds differ from this one by {self.mean_distance:.1f} edges on "
            "average."
        )
