"""The prior within the rules, before any data: what evidence is measured against."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.event import Event
from pathprior.data.door import read_dataset
from pathprior.data.table import DataTable
from pathprior.errors import SearchError
from pathprior.graph.possible_ties import PossibleTies, blame
from pathprior.graph.tie import ALL_TIES
from pathprior.prior.constraints import find_pair
from pathprior.problem.problem import Problem
from pathprior.problem.start import find_start
from pathprior.score.bdeu import Bdeu

MAX_SECONDS = 60.0
"""Most time that is spent on graphs from the prior."""


def needs_drawing(problem: Problem) -> bool:
    """Whether rules that the data made change how probable what is believed is.

    Constant columns do, and variables that were set in every row: the prior was fitted without.
    """
    if not len(problem.prior.beliefs):
        return False
    fitted = problem.prior.rules
    return not problem.rules.agrees_with(fitted) if fitted else bool(problem.rules.options)


def without_data(problem: Problem) -> Problem:
    """The same problem on no rows: every family scores 0, and each graph has its prior.

    Statements are left out: they are evidence, as the data are.
    """
    names = problem.rules.variables
    no_rows = DataTable(names, np.zeros((len(names), 0), np.uint8), (("0", "1"),) * len(names))
    data = read_dataset(no_rows)
    weights = problem.weights._replace(log_weights=problem.statements.believed)
    return replace(problem, data=data, scorer=Bdeu().bind(data), weights=weights, heard=None)


def has_other(problem: Problem, x: str, event: str, y: str) -> bool:
    """Whether rules and hard beliefs leave graphs with the event and graphs without it.

    That all graphs which were drawn say the same is no proof that all do.
    """
    variables, holds = problem.rules.variables, Event.parse(event).ties
    found = find_pair(problem.weights.pairs, variables.index(x), variables.index(y))
    assert found is not None  # every belief's pair is listed
    pair, is_reversed = found
    for kept in (holds, ALL_TIES - holds):
        log_weights = problem.weights.log_weights.copy()
        dropped = [tie.reverse if is_reversed else tie for tie in ALL_TIES - kept]
        log_weights[pair, dropped] = -np.inf
        try:
            find_start(problem.rules, problem.weights.pairs, log_weights)
        except SearchError:
            return False
    return True


def name_rules(problem: Problem, before: NDArray[np.float64] | None) -> tuple[str, ...]:
    """The rules that make the event of each row of the prior's table impossible or certain.

    Empty where they do not by themselves; no texts where there are no rules. Where the prior was
    fitted within all of them it says so itself: ``before`` is None.
    """
    if before is None:
        table = problem.prior.table
        return tuple(map(str, table["rule"])) if "rule" in table else ()
    table, variables = problem.prior.table, problem.rules.variables
    possible, named = PossibleTies(problem.rules), []
    rows = zip(table["x"], table["event"], table["y"], before.tolist(), strict=True)
    for x_name, event, y_name, probability in rows:
        x, y = variables.index(x_name), variables.index(y_name)
        holds = Event.parse(event).ties
        lost = sorted(holds if probability == 0.0 else ALL_TIES - holds)
        is_ruled = probability in (0.0, 1.0) and not possible.of(x, y)[lost].any()
        named.append(blame(problem.rules, x, y, lost) if is_ruled else "")
    return tuple(named)
