"""One sweep of GEMA, on beliefs taken together in blocks.

Patterns with the same events in all beliefs of a block form one of its *cells*. A belief's factor
is the same throughout a cell, so what the block's beliefs do to the joint is worked out on its few
cells, and each pass over the patterns serves a whole block instead of one belief.

``cells[b, c]`` is the cell of pattern c in block b, whose beliefs are ``first[b]`` up to
``first[b + 1]``; ``cell_events[k, i]`` is the event of belief k in cell i of its block.
"""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.inner import allocating, allocating_entry

BLOCK_CELLS = 256
"""Cells of a block: a byte each, and a table of them fits the innermost cache."""

Cells = NDArray[np.uint8]
Events = NDArray[np.int16]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@allocating_entry
def sweep_blocks(
    cells: Cells, first: Ints, num_cells: Ints, cell_events: Events, target: Floats,
    joint: Floats, theta: Floats,
) -> float:  # fmt: skip
    """Average the beliefs' corrections of ``joint``, then scale it through the averaged marginals.

    ``joint`` changes in place, ``theta`` gets the log factors; returns the greatest change of a
    pattern. Events without mass keep their factor 1.
    """
    num_blocks, num_patterns = cells.shape
    tables = np.zeros((num_blocks, BLOCK_CELLS))
    for c in range(num_patterns):
        for b in range(num_blocks):
            tables[b, cells[b, c]] += joint[c]

    ratio = _event_masses(tables, first, num_cells, cell_events, len(target))
    for e in range(len(target)):
        if ratio[e] > 0:
            ratio[e] = target[e] / ratio[e]
    ratios = np.zeros((num_blocks, BLOCK_CELLS))
    for b in range(num_blocks):
        for k in range(first[b], first[b + 1]):
            for i in range(num_cells[b]):
                ratios[b, i] += ratio[cell_events[k, i]]

    averages = np.zeros((num_blocks, BLOCK_CELLS))
    for c in range(num_patterns):
        average = 0.0
        for b in range(num_blocks):
            average += ratios[b, cells[b, c]]
        average *= joint[c]
        for b in range(num_blocks):
            averages[b, cells[b, c]] += average
    goal = _event_masses(averages, first, num_cells, cell_events, len(target))
    goal /= averages[0].sum()

    before = joint.copy()
    table, factors = tables[0], np.empty(BLOCK_CELLS)
    for b in range(num_blocks):
        if b > 0:
            table[:] = 0.0
            for c in range(num_patterns):
                joint[c] *= factors[cells[b - 1, c]]
                table[cells[b, c]] += joint[c]
        events = cell_events[first[b] : first[b + 1], : num_cells[b]]
        _scale_cells(events, goal, table, factors, theta)
    change = 0.0
    for c in range(num_patterns):
        joint[c] *= factors[cells[num_blocks - 1, c]]
        change = max(change, abs(joint[c] - before[c]))
    return change


@allocating
def _event_masses(
    tables: Floats, first: Ints, num_cells: Ints, cell_events: Events, num_events: int
) -> Floats:
    """Sum each block's cells into the events of its beliefs."""
    masses = np.zeros(num_events)
    for b in range(len(tables)):
        for k in range(first[b], first[b + 1]):
            for i in range(num_cells[b]):
                masses[cell_events[k, i]] += tables[b, i]
    return masses


@allocating
def _scale_cells(
    events: Events, goal: Floats, table: Floats, factors: Floats, theta: Floats
) -> None:
    """IPFP through the beliefs of one block: the factor of each cell, log factors to ``theta``."""
    num_beliefs, num_cells = events.shape
    factors[:] = 1.0
    factor, mass = np.ones(len(goal)), np.zeros(len(goal))
    for k in range(num_beliefs):
        for i in range(num_cells):
            mass[events[k, i]] += table[i] * factors[i]
        for i in range(num_cells):
            e = events[k, i]
            if mass[e] > 0:
                factor[e] = goal[e] / mass[e]
                theta[e] += np.log(factor[e])
                mass[e] = 0.0  # done: the other cells of e find its factor
            factors[i] *= factor[e]
