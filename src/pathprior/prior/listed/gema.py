"""GEMA: the paper's fit for incoherent beliefs (§6.2)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.listed.gema import BLOCK_CELLS, sweep_blocks
from pathprior.prior.listed.newton import Weights
from pathprior.prior.listed.problem import Problem

STOP = 1e-6
MAX_SWEEPS = 100_000


def fit_gema(problem: Problem) -> Weights:
    """Average the beliefs' own corrections, then scale once through the averaged marginals.

    From Q (at first U): Q_k = Q scaled to belief k's marginal; S = Σ_k Q_k / K; one IPFP sweep from
    Q onto the marginals of S gives the next Q. Stop when max |Q_next − Q| < 1e-6. It descends
    Σ_k KL(π_k ‖ Q_k) / K, whose minimiser for incoherent beliefs gives some valid configurations
    probability zero; the paper's numbers are those of this early stop.
    Each sweep costs O(patterns · blocks), four beliefs or more to a block.
    """
    blocks = Blocks.of(problem.events)
    theta = np.zeros(problem.num_events)
    joint = problem.reference / problem.reference.sum()
    for sweep in range(MAX_SWEEPS):
        change = sweep_blocks(
            blocks.cells,
            blocks.first,
            blocks.num_cells,
            blocks.cell_events,
            problem.target,
            joint,
            theta,
        )
        if change < STOP:
            return Weights(theta, sweep + 1, has_converged=True)
    return Weights(theta, MAX_SWEEPS, has_converged=False)


@dataclass(frozen=True, slots=True)
class Blocks:
    """Consecutive beliefs taken together, as `pathprior.kernels.listed.gema` reads them."""

    cells: NDArray[np.uint8]
    """The cell of each pattern, one row per block."""
    first: NDArray[np.int64]
    """The first belief of each block, and a last entry for their number."""
    num_cells: NDArray[np.int64]
    """The number of cells of each block."""
    cell_events: NDArray[np.int16]
    """The event of each belief in the cells of its block; -1 behind the last cell."""

    @classmethod
    def of(cls, events: NDArray[np.int16]) -> "Blocks":
        """Put beliefs into blocks in their order, as many as fit into `BLOCK_CELLS` cells."""
        num_beliefs = events.shape[1]
        first, cells = [0], [np.zeros(len(events), dtype=np.int64)]
        for k in range(num_beliefs):
            merged = _renumber(cells[-1], events[:, k])
            if merged.max() < BLOCK_CELLS:
                cells[-1] = merged
            else:
                first.append(k)
                cells.append(_renumber(np.zeros_like(merged), events[:, k]))
        first.append(num_beliefs)
        cell_events = np.full((num_beliefs, BLOCK_CELLS), -1, dtype=np.int16)
        for b, of_pattern in enumerate(cells):
            members = slice(first[b], first[b + 1])
            cell_events[members, of_pattern] = events[:, members].T
        return cls(
            np.array(cells, dtype=np.uint8),
            np.array(first),
            np.array([of_pattern.max() + 1 for of_pattern in cells]),
            cell_events,
        )


def _renumber(cells: NDArray[np.int64], events: NDArray[np.int16]) -> NDArray[np.int64]:
    """Number the distinct (cell, event) of the patterns from 0 on."""
    key = cells * (int(events.max()) + 1) + events
    numbers: NDArray[np.int64] = np.unique(key, return_inverse=True)[1]
    return numbers
