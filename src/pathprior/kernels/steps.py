"""What the searches share: steps as they are logged, and why a slice of work ended."""

import numpy as np

STEP = np.dtype(
    [
        ("move", np.int64),
        ("x", np.int64),
        ("y", np.int64),
        ("data_gain", np.float64),
        ("prior_gain", np.float64),
    ],
    align=True,
)

NO_MOVE = -1
# Not literals, for each of which numba would compile the kernels that take it again.
INSERT, REMOVE, REVERSE, SWAP, DETACH, PUT, TAKE = np.arange(7, dtype=np.int64)
"""Moves of an edge x → y; `SWAP` turns it with others at no cost to the data score, `DETACH`
removes it with all edges of one node, `PUT` and `TAKE` insert and remove it with others at random.
"""
EDGES_ADDED = np.array([1, -1, 0, 0, -1, 1, -1])
"""By how many edges a graph grows with each move."""

STARTED, PAUSED, NEEDS_SCORES, FINISHED = 0, 1, 2, 3
"""The start is scored; the slice is used up; a column waits for the driver; nothing gains."""

NEVER = 1 << 62
"""A step that is never reached."""
