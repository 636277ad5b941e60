"""The history of a search, read from the log of the kernels."""

from pathprior.kernels.steps import DETACH, SWAP
from pathprior.search.driver import SearchResult
from pathprior.search.result import Move, Step


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
