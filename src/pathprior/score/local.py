"""What a search needs of a score: two small protocols, and the compiled form most scores take.

A new score is one file: a class with `is_score_equivalent` and `bind`. If it has the form of
`kernels.data.families`, derive it from `CountedScore` and say which rule it is; the search
then runs compiled. Any other score gives `local` in Python, and the search calls it per family.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pathprior.data.table import DataTable
from pathprior.errors import DataError
from pathprior.graph.bitset import num_words
from pathprior.kernels.data.families import Rule, family_score
from pathprior.kernels.data.rows import Rows, fill_state_rows

MAX_CODES = 2**31


class BoundScore(Protocol):
    """A score together with its data."""

    def local(self, child: int, parents: Sequence[int]) -> float:
        """Score of one family, by column numbers; a graph's score is the sum over its families."""
        ...


class LocalScore(Protocol):
    """A decomposable score of a DAG on complete discrete data."""

    @property
    def is_score_equivalent(self) -> bool:
        """Whether Markov-equivalent graphs always score alike."""
        ...

    def bind(self, table: DataTable) -> BoundScore:
        """Prepare the score for one data set."""
        ...


@dataclass(frozen=True, slots=True)
class CountedFamilies:
    """A compiled score on one data set: its rule and the data in the form the kernels count."""

    rule: Rule
    rows: Rows

    def local(self, child: int, parents: Sequence[int]) -> float:
        """Score of one family; one pass over the rows per parent, memory linear in the rows."""
        members = np.sort(np.asarray(parents, dtype=np.int64))
        return float(family_score(self.rows.codes, self.rows.num_states, self.rule, child, members))


class CountedScore(ABC):
    """Base of the scores that the kernels evaluate by themselves."""

    @property
    @abstractmethod
    def is_score_equivalent(self) -> bool:
        """Whether Markov-equivalent graphs always score alike."""

    @abstractmethod
    def rule(self, table: DataTable) -> Rule:
        """The score in the common form of `pathprior.kernels.data.families`."""

    def bind(self, table: DataTable) -> CountedFamilies:
        """Lay the data out as bitsets of rows, one per state."""
        return CountedFamilies(self.rule(table), make_rows(table))


def make_rows(table: DataTable) -> Rows:
    """Lay coded data out for the kernels: codes and one bitset of rows per state."""
    num_states = table.num_states
    if table.num_rows * int(num_states.max(initial=1)) >= MAX_CODES:
        name = table.variables[int(num_states.argmax())]
        raise DataError(
            f"{name!r} has {num_states.max()} states: with {table.num_rows} rows that is too many "
            "to count; merge states"
        )
    first_state = np.concatenate([[0], np.cumsum(num_states)])
    state_rows = np.zeros((int(first_state[-1]), num_words(table.num_rows)), np.uint64)
    fill_state_rows(table.codes, first_state, state_rows)
    size_class = np.unique(num_states, return_inverse=True)[1].astype(np.int64)
    return Rows(table.codes, num_states, size_class, first_state, state_rows)
