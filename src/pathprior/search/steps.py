"""`Step`: the history of a search, read from the log of the kernels."""

from dataclasses import dataclass
from enum import StrEnum

from pathprior.kernels.steps import DETACH, SWAP
from pathprior.search.driver import SearchResult


class Move(StrEnum):
    """One kind of step."""

    INSERT = "insert"
    REMOVE = "remove"
    REVERSE = "reverse"
    SWAP = "swap"


@dataclass(frozen=True, slots=True)
class Step:
    """One accepted step.

    Attributes
    ----------
    move
        What was done. A swap goes to an equivalent graph and may turn several edges; a removal may
        take all edges off one variable.
    edges
        The edges (parent, child) as they were before a removal or reversal, as they are after an
        insertion or swap. A search over equivalence classes names them as in one member.
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


def read_steps(result: SearchResult, names: tuple[str, ...]) -> tuple[Step, ...]:
    """Read the kernels' log; the edges of one swap, and of a detached variable, are consecutive."""
    moves = tuple(Move)
    steps: list[Step] = []
    score = result.start_score
    last_code = -1
    for code, u, v, data_gain, prior_gain in result.log.tolist():
        edge = (names[int(u)], names[int(v)])
        score += data_gain + prior_gain
        if code == last_code and code in (SWAP, DETACH):
            last = steps.pop()
            edges, data_gain = (*last.edges, edge), last.data_gain + data_gain
            steps.append(Step(last.move, edges, data_gain, last.prior_gain + prior_gain, score))
        else:
            move = Move.REMOVE if code == DETACH else moves[int(code)]
            steps.append(Step(move, (edge,), data_gain, prior_gain, score))
        last_code = code
    return tuple(steps)
