"""The prior within the rules, before any data: what evidence is measured against."""

from dataclasses import replace

import numpy as np

from pathprior.data.door import read_dataset
from pathprior.data.table import DataTable
from pathprior.score.bdeu import Bdeu
from pathprior.task.task import Task

MAX_SECONDS = 60.0
"""Most time that is spent on graphs from the prior."""


def needs_drawing(task: Task) -> bool:
    """Whether rules change how probable what is believed is, so that `fitted` does not say it."""
    return bool(task.rules.options) and len(task.prior.beliefs) > 0


def without_data(task: Task) -> Task:
    """The same task on no rows: every family scores 0, and each graph has its prior.

    Statements are left out: they are evidence, as the data are.
    """
    names = task.rules.variables
    no_rows = DataTable(names, np.zeros((len(names), 0), np.uint8), (("0", "1"),) * len(names))
    data = read_dataset(no_rows)
    weights = task.weights
    if task.statements is not None:
        weights = weights._replace(log_weights=task.statements.believed)
    return replace(task, data=data, scorer=Bdeu().bind(data), weights=weights, statements=None)
