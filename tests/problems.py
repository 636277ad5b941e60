"""Problems as tests pose them: on any table, with options by name."""

from typing import Any

from pathprior.data.door import Tabular, read_dataset
from pathprior.problem import problem
from pathprior.problem.problem import Problem
from pathprior.problem.settings import ProblemSettings
from pathprior.score.score import Score


def make_problem(data: Tabular, beliefs: Any, score: Score, **options: Any) -> Problem:
    """Read the data and fit the beliefs, under the usual settings but for ``options``."""
    settings = ProblemSettings.take(options)
    return problem.make_problem(read_dataset(data), beliefs, settings, score=score)
