"""What the draws of a posterior say to a question: of two variables, or of whole graphs."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.event import Event
from pathprior.errors import PosteriorError
from pathprior.graph.dag import Dag, node_index
from pathprior.posterior.answers import Estimate, find_distinct
from pathprior.posterior.diagnostics import Diagnostics
from pathprior.posterior.indicators import tie_codes
from pathprior.posterior.judge import Judge

Question = Callable[[Dag], float]
"""A number, or true or false, of each graph."""


def estimate(
    judge: Judge, nodes: Sequence[str], x: str | Question, event: str | None, y: str | None
) -> Estimate:
    """The probability of an event, or the mean of a function of graphs on ``nodes``."""
    if callable(x):
        found = ask_graphs(judge, nodes, x)
    elif event is None or y is None:
        raise PosteriorError(
            "ask for a variable, an event and a variable, such as ('a', 'causes', 'b'), or "
            "for a function of a graph"
        )
    else:
        found = ask_event(judge, x, event, y)
    return Estimate(
        float(found.mean[0]),
        float(found.error[0]),
        float(found.r_hat[0]),
        float(found.effective_samples[0]),
    )


def ask_event(judge: Judge, x: str, event: str, y: str) -> Diagnostics:
    """In which draws the event holds."""
    return judge.indicators(holds(judge, x, event, y))


def ask_either(judge: Judge, x: str, event: str, y: str) -> tuple[Diagnostics, float]:
    """In which draws the event holds, and the probability that it does not.

    One less a probability next to one would lose the digits of the latter.
    """
    held = holds(judge, x, event, y)
    return judge.indicators(held), float(judge.draws.average(~held.ravel()))


def ask_graphs(judge: Judge, nodes: Sequence[str], question: Question) -> Diagnostics:
    """Ask each distinct graph once."""
    draws = judge.draws
    first, group = find_distinct(draws.graphs)
    values = [question(draws.dag(int(k), nodes)) for k in first]
    series = np.array(values)[group].reshape(*draws.scores.shape, 1)
    if series.dtype == bool:
        return judge.indicators(series)
    return judge.numbers(series.astype(np.float64))


def holds(judge: Judge, x: str, event: str, y: str) -> NDArray[np.bool_]:
    """Whether the event holds, by chain and draw, in a last dimension of one."""
    ties = sorted(Event.parse(event).ties)
    index = {name: v for v, name in enumerate(judge.draws.variables)}
    i, j = node_index(index, x), node_index(index, y)
    if i == j:
        raise PosteriorError(f"a relation needs two different variables, not {x!r} twice")
    return np.isin(tie_codes(judge.draws, i, j), ties)
