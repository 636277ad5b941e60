"""The problem that files and options pose to `learn` and `posterior`."""

from contextlib import nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathprior.problem.problem import Problem
    from pathprior.problem.run_record import RunInputs
    from pathprior.problem.settings import ProblemSettings

WEB_LIMIT = 600.0
"""Seconds for each web of beliefs, as of `fit_prior`."""


def pose(
    inputs: "RunInputs",
    settings: "ProblemSettings",
    *,
    fixed: tuple[str, ...] | None,
    num_jobs: int,
    progress: bool,
    time_limit: float = WEB_LIMIT,
) -> "Problem":
    """Read data and beliefs, and fit these; names in ``fixed`` must be variables."""
    from pathprior.beliefs.belief_file import read_beliefs
    from pathprior.cli.progress import reporting
    from pathprior.counting.progress import silent
    from pathprior.data.door import read_dataset
    from pathprior.graph.dag import Dag
    from pathprior.posterior.settings import named_variables
    from pathprior.problem.problem import make_problem
    from pathprior.search.settings import check_num_jobs

    check_num_jobs(num_jobs, settings.error)
    dataset = read_dataset(inputs.data.path, **settings.reading)
    named_variables(dataset.variables, fixed or ())
    begun = getattr(settings, "start", None)
    start = None if begun is None else Dag.from_edges(dataset.variables, begun)
    beliefs = None if inputs.beliefs is None else read_beliefs(inputs.beliefs.path)
    # among hundreds of variables counting takes longer than the search
    with reporting("counting") if progress else nullcontext(silent) as report:
        return make_problem(
            dataset,
            beliefs,
            settings,
            start=start,
            num_jobs=num_jobs,
            progress=report,
            time_limit=time_limit,
        )
