"""The table of errors: what each reported probability is worth."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.event import RELATION_EVENTS
from pathprior.kernels.graph.ancestors import NUM_RELATIONS
from pathprior.posterior.diagnostics import Diagnostics
from pathprior.posterior.indicators import all_pairs, relation_codes
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
    for x, event, y in zip(beliefs["x"], beliefs["event"], beliefs["y"], strict=True):
        yield error_rows(BELIEF, x, event, y, ask_event(judge, x, event, y))


def edge_rows(judge: Judge, nodes: Sequence[str]) -> Iterator["pd.DataFrame"]:
    """One row per edge x → y, by child, then parent, in the order of ``nodes``."""
    place = _place(judge, nodes)
    for v, child in enumerate(nodes):
        others = np.delete(np.arange(len(nodes)), v)
        found = judge.indicators(judge.draws.edges_into(int(place[v]))[..., place[others]])
        yield error_rows(EDGE, [nodes[u] for u in others.tolist()], PARENT, child, found)


def path_rows(judge: Judge, nodes: Sequence[str]) -> Iterator["pd.DataFrame"]:
    """Four rows per pair, one a relation, in the order of ``nodes``."""
    pairs = all_pairs(len(nodes))
    events = [event.value for event in RELATION_EVENTS]
    first = 0
    for codes in relation_codes(judge.draws, _place(judge, nodes)[pairs]):
        indicators = codes[..., None] == np.arange(NUM_RELATIONS, dtype=np.uint8)
        found = judge.indicators(indicators.reshape(*codes.shape[:2], -1))
        block = pairs[first : first + codes.shape[2]]
        x, y = ([nodes[end] for end in ends for _ in events] for ends in block.T)
        yield error_rows(PATH, x, events * len(block), y, found)
        first += len(block)


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
        }
    )


def _place(judge: Judge, nodes: Sequence[str]) -> NDArray[np.int64]:
    return np.array([judge.draws.variables.index(name) for name in nodes], dtype=np.int64)
