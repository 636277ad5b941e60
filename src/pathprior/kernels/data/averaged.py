"""BDeu averaged over equivalent sample sizes, from one table of counts.

Of all rows as a whole, a sample size e makes the values of some variables S as probable as

  P_e(S) = Γ(e)/Γ(e + N) Π_c Γ(e/q + N_c)/Γ(e/q),

c the configurations of S, q how many there can be. Averaged over sizes it is P(S) = Σ_e w_e P_e(S),
and the score of a family is log P(child and parents) − log P(parents): the probability of the
child's values given those of its parents, each size as probable as the parents have made it.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.special import DIRICHLET, LARGE, log_gamma_large, small_counts
from pathprior.kernels.inner import inner

FACTORS = (0.1, math.sqrt(0.1), 1.0, math.sqrt(10.0), 10.0)
"""The sizes, all of the same weight, as multiples of that in the middle."""


class AveragedRule(NamedTuple):
    """The score, as a class of its own, so that nobody compiles it who does not ask for it."""

    kind: int  # `AVERAGED`, which has no cell function
    middle: float  # of the sizes


@inner
def averaged_score(
    rule: AveragedRule,
    counts: NDArray[np.int32],
    num_rows: int,
    num_states: int,
    nominal: float,
    tables: NDArray[np.float64],
    large: NDArray[np.float64],
) -> float:
    """Score ``num_rows`` runs of ``num_states`` cells with q = ``nominal`` for the parents.

    ``tables`` and ``large`` are scratch, with room for the large cells and totals.
    """
    most_cells, most_totals = -np.inf, -np.inf
    sum_cells, sum_totals = 0.0, 0.0
    for factor in FACTORS:
        cells, totals = sized_sums(
            factor * rule.middle, counts, num_rows, num_states, nominal, tables, large
        )
        largest = max(most_cells, cells)
        sum_cells = sum_cells * math.exp(most_cells - largest) + math.exp(cells - largest)
        most_cells = largest
        largest = max(most_totals, totals)
        sum_totals = sum_totals * math.exp(most_totals - largest) + math.exp(totals - largest)
        most_totals = largest
    return most_cells - most_totals + math.log(sum_cells / sum_totals)


@inner
def sized_sums(
    size: float,
    counts: NDArray[np.int32],
    num_rows: int,
    num_states: int,
    nominal: float,
    tables: NDArray[np.float64],
    large: NDArray[np.float64],
) -> tuple[float, float]:
    """log P_e of child and parents, and of the parents, for one sample size."""
    kind: Any = np.int64(DIRICHLET)  # not a literal, for which numba would compile the callee again
    alpha = size / (nominal * num_states)
    total_alpha = size / nominal
    log_gamma_cell = small_counts(kind, alpha, tables[0])
    log_gamma_total = small_counts(kind, total_alpha, tables[1])
    cells, totals, middle = 0.0, 0.0, 0
    for i in range(num_rows * num_states):
        count = counts[i]
        large[middle] = count + alpha
        middle += count >= LARGE
        cells += tables[0, min(count, LARGE)]
    end, whole = middle, 0
    for j in range(num_rows):
        total = 0
        for k in range(num_states):
            total += counts[j * num_states + k]
        whole += total
        large[end] = total + total_alpha
        end += total >= LARGE
        totals += tables[1, min(total, LARGE)]
    log_gamma_large(large, end)
    for i in range(middle):
        cells += large[i] - log_gamma_cell
    for i in range(middle, end):
        totals += large[i] - log_gamma_total
    log_whole = math.lgamma(whole + size) - math.lgamma(size)
    return cells - log_whole, totals - log_whole
