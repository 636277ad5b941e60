"""`Step`: the history of a search, read from the log of the kernels."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.records import Records, make_records
from pathprior.kernels.steps import DETACH, PUT, STEP, SWAP, TAKE
from pathprior.search.driver import SearchResult


class Move(StrEnum):
    """One kind of step."""

    INSERT = "insert"
    REMOVE = "remove"
    REVERSE = "reverse"
    SWAP = "swap"
    SHAKE = "shake"


@dataclass(frozen=True, slots=True)
class Step:
    """One accepted step.

    Attributes
    ----------
    move
        What was done. A swap goes to an equivalent graph and may turn several edges; a removal may
        take all edges off one variable; a shake puts edges in and takes others out at random.
    edges
        The edges (parent, child) as they were before a removal or reversal, as they are after an
        insertion or swap; of a shake those put in and those taken out. A search over equivalence
        classes names them as in one member.
    data_gain, prior_gain
        Change of the data score and of the prior score.
    score
        The total after the step.
    """

    move: Move
    edges: tuple[tuple[str, str], ...]
    data_gain: float
    prior_gain: float
    score: float


_TOGETHER = {
    int(SWAP): Move.SWAP,
    int(DETACH): Move.REMOVE,
    int(PUT): Move.SHAKE,
    int(TAKE): Move.SHAKE,
}
"""Moves of several edges at once."""


def read_steps(result: SearchResult, names: tuple[str, ...]) -> tuple[Step, ...]:
    """Read the kernels' log; the edges of a step that has several are consecutive."""
    moves = tuple(Move)
    steps: list[Step] = []
    score = result.start_score
    last_code = -1
    for code, u, v, data_gain, prior_gain in result.log.tolist():
        edge = (names[int(u)], names[int(v)])
        score += data_gain + prior_gain
        move = _TOGETHER.get(code)
        if move is not None and move is _TOGETHER.get(last_code):
            last = steps.pop()
            edges, data_gain = (*last.edges, edge), last.data_gain + data_gain
            steps.append(Step(move, edges, data_gain, last.prior_gain + prior_gain, score))
        else:
            steps.append(Step(move or moves[code], (edge,), data_gain, prior_gain, score))
        last_code = code
    return tuple(steps)


def steps_between(
    here: NDArray[np.bool_], there: NDArray[np.bool_], data_gain: float, prior_gain: float
) -> Records:
    """The edges to put in and take out on the way to another graph; the first gains it all."""
    edges = [(PUT, *edge) for edge in np.argwhere(there & ~here).tolist()]
    edges += [(TAKE, *edge) for edge in np.argwhere(here & ~there).tolist()]
    steps = make_records(len(edges), STEP)
    for step, (move, x, y) in zip(steps, edges, strict=True):
        step.move, step.x, step.y = move, x, y
        step.data_gain = step.prior_gain = 0.0
    if len(edges):
        steps[0].data_gain, steps[0].prior_gain = data_gain, prior_gain
    return steps
