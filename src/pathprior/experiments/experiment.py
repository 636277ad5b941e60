"""What an experiment is: tasks, one function that runs a task, a picture and its claims."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

Cell = int | float | str | bool
Row = dict[str, Cell]
Task = Mapping[str, Cell]


class Scale(Enum):
    """How many repeats: minutes, enough for tight bands, or the paper's own number."""

    QUICK = "quick"
    DEFAULT = "default"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of the paper, and whether our runs bear it out.

    ``holds`` is None where the runs cannot decide, e.g. because a band covers zero.
    """

    sentence: str
    holds: bool | None
    numbers: str

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        return {True: "holds", False: "does not hold", None: "undecided"}[self.holds]


@dataclass(frozen=True, slots=True)
class Experiment:
    """One table or figure.

    Attributes
    ----------
    name
        What `pathprior reproduce` calls it.
    title
        What it shows, in one line.
    tasks
        Scale and seed to the list of tasks, each a flat mapping of settings that includes its own
        ``seed``. The order of the list is the order of the rows of the result.
    run
        One task to its rows, all with the same columns. A pure function of the task at module
        level, so that any process or cluster worker gives the same rows. Only a column ``seconds``
        may differ from run to run; the runner keeps it apart.
    claims
        All rows to the list of claims with verdicts.
    plot
        All rows to a figure.
    timed_by
        Columns that name a run in ``times.csv``, where rows carry ``seconds``; else whole tasks
        are timed.
    is_table
        Whether the rows are themselves the result, to be printed.
    notes
        What a reader of the verdicts must know, such as settings that cannot exist.
    """

    name: str
    title: str
    tasks: Callable[[Scale, int], Sequence[Task]]
    run: Callable[[Task], list[Row]]
    claims: Callable[["pd.DataFrame"], list[Claim]]
    plot: Callable[["pd.DataFrame"], "Figure"]
    timed_by: tuple[str, ...] = ()
    is_table: bool = False
    notes: tuple[str, ...] = ()


def derive_seed(*words: int) -> int:
    """One seed for a task from the run's seed and the numbers that tell the task apart."""
    return int(np.random.SeedSequence(words).generate_state(1)[0])
