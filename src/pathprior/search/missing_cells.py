"""`MissingCells`: what was missing in the data of a fit, and what became of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pathprior.data.gaps import DROP, EM, STATE, Gaps
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
    gaps
        What was missing, and the way it was treated.
    num_rows_used
        Rows that were learned from.
    found
        The class of the learned graph.
    rounds
        The graphs of the later rounds, of which the learned one was chosen; with ``"em"`` alone.
    """

    gaps: Gaps
    num_rows_used: int
    found: Cpdag
    rounds: tuple[Dag, ...]

    @property
    def treatment(self) -> str:
        """``"em"``, ``"state"`` or ``"drop"``."""
        return self.gaps.treatment

    @property
    def num_rows(self) -> int:
        """Rows of the data as they were given."""
        return self.gaps.num_rows

    @property
    def num_cells(self) -> int:
        """Missing cells in all."""
        return self.gaps.num_cells

    @property
    def by_column(self) -> dict[str, int]:
        """Each column with missing cells, and how many."""
        return dict(self.gaps.counts)

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
        if self.treatment == EM:
            return (
                f"{self.gaps}: drawn by the network, round after round. The graphs of the last "
                f"{len(self.rounds)} rounds differ from this one by {self.mean_distance:.1f} edges "
                "on average."
            )
        return gaps_sentence(self.gaps, self.num_rows_used)


def gaps_sentence(gaps: Gaps, num_rows_used: int) -> str:
    """Say what was missing and what was done, once and for all."""
    if gaps.treatment == DROP:
        return f"{gaps}: {num_rows_used} of {gaps.num_rows} rows are complete and used."
    if gaps.treatment == STATE:
        return f"{gaps}: a state there, so that edges may tell who was not measured."
    return f"{gaps}: drawn along with the graphs."
