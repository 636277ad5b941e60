"""The table of errors: what each reported probability is worth."""

from collections.abc import Iterator, Sequence
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.event import RELATION_EVENTS
from pathprior.kernels.graph.ancestors import NUM_RELATIONS
from pathprior.posterior.diagnostics import BLOCK, Diagnostics
from pathprior.posterior.indicators import (
    all_pairs,
    relation_codes,
    relation_probabilities,
)
from pathprior.posterior.judge import Judge
from pathprior.posterior.questions import ask_event

if TYPE_CHECKING:
    import pandas as pd

EDGE, PATH, BELIEF = "edge", "path", "belief"
"""The kinds of rows."""
PARENT = "parent"
"""What an edge x → y says of x."""


def error_frames(
    judge: Judge, nodes: Sequence[str], beliefs: "pd.DataFrame"
) -> Iterator["pd.DataFrame"]:
    """All rows, some at a time as they are computed: edges, paths and a table of ``beliefs``."""
    yield from edge_rows(judge, nodes)
    yield from path_rows(judge, nodes)
    yield from belief_rows(judge, beliefs)


def errors_by(
    end: float, judge: Judge, nodes: Sequence[str], beliefs: "pd.DataFrame"
) -> "pd.DataFrame":
    """All rows, in the same order; errors that are not computed by ``end`` are NaN.

    Beliefs, which are few, come first. ``end`` is a reading of `monotonic`.
    """
    import pandas as pd

    last = list(belief_rows(judge, beliefs))
    frames = [*edge_rows(judge, nodes, end), *path_rows(judge, nodes, end), *last]
    return pd.concat(frames, ignore_index=True)


def unknown_errors(table: "pd.DataFrame") -> tuple[str, ...]:
    """What to say of errors that were not computed; nothing if all were."""
    unknown = int(table["error"].isna().sum())
    if not unknown:
        return ()
    return (f"The errors of {unknown:,} of {len(table):,} probabilities were not computed.",)


def belief_rows(judge: Judge, beliefs: "pd.DataFrame") -> Iterator["pd.DataFrame"]:
    """One row per row of a table of beliefs."""
    for x, event, y in zip(beliefs["x"], beliefs["event"], beliefs["y"], strict=True):
        yield error_rows(BELIEF, x, event, y, ask_event(judge, x, event, y))


def edge_rows(judge: Judge, nodes: Sequence[str], end: float = inf) -> Iterator["pd.DataFrame"]:
    """One row per edge x → y, by child, then parent, in the order of ``nodes``."""
    place = _place(judge, nodes)
    for v, child in enumerate(nodes):
        others = np.delete(np.arange(len(nodes)), v)
        series = judge.draws.edges_into(int(place[v]))[..., place[others]]
        found = judge.indicators(series) if monotonic() <= end else _means(series.mean((0, 1)))
        yield error_rows(EDGE, [nodes[u] for u in others.tolist()], PARENT, child, found)


def path_rows(judge: Judge, nodes: Sequence[str], end: float = inf) -> Iterator["pd.DataFrame"]:
    """Four rows per pair, one a relation, in the order of ``nodes``."""
    pairs, place = all_pairs(len(nodes)), _place(judge, nodes)
    first = 0
    for codes in relation_codes(judge.draws, place[pairs]):
        width = max(1, BLOCK // (NUM_RELATIONS * codes.shape[0] * codes.shape[1]))
        for start in range(0, codes.shape[2], width):
            if monotonic() > end:
                means = relation_probabilities(judge.draws, place[pairs[first:]])
                yield _relation_rows(nodes, pairs[first:], _means(means.ravel()))
                return
            block = codes[..., start : start + width, None]
            indicators = block == np.arange(NUM_RELATIONS, dtype=np.uint8)
            found = judge.indicators(indicators.reshape(*codes.shape[:2], -1))
            size = indicators.shape[2]
            yield _relation_rows(nodes, pairs[first : first + size], found)
            first += size


def _relation_rows(
    nodes: Sequence[str], pairs: NDArray[np.int64], found: Diagnostics
) -> "pd.DataFrame":
    events = [event.value for event in RELATION_EVENTS]
    x, y = ([nodes[end] for end in ends for _ in events] for ends in pairs.T)
    return error_rows(PATH, x, events * len(pairs), y, found)


def _means(means: NDArray[np.float64]) -> Diagnostics:
    """Probabilities of which nothing else is known."""
    return Diagnostics(means, *(np.full(len(means), np.nan) for _ in range(3)))


def error_rows(
    kind: str,
    x: str | list[str],
    event: str | list[str],
    y: str | list[str],
    found: Diagnostics,
) -> "pd.DataFrame":
    """Rows of the table; a text stands for as many as there are."""
    import pandas as pd

    return pd.DataFrame(
        {
            "kind": kind,
            "x": x,
            "event": event,
            "y": y,
            "probability": found.mean,
            "error": found.error,
            "r_hat": found.r_hat,
            "effective_samples": found.effective_samples,
            "is_settled": found.is_settled,
        }
    )


def _place(judge: Judge, nodes: Sequence[str]) -> NDArray[np.int64]:
    return np.array([judge.draws.variables.index(name) for name in nodes], dtype=np.int64)
