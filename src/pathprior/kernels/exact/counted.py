"""Scores of all parent sets of one node by counting, but for those that no graph can need.

Rows are numbered by the state of a growing set of parents, one parent more at each depth, so that a
set costs a few passes over the rows; equal ones come once, with how often they occur.
"""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.data.families import Rule, table_score
from pathprior.kernels.data.rows import Codes, append_member, renumber
from pathprior.kernels.data.special import DIRICHLET, LARGE
from pathprior.kernels.exact.families import squeeze
from pathprior.kernels.inner import allocating_entry, inner


@inner
def bound_larger(
    rule: Rule, num_found: int, nominal: float, num_states: int, edge_terms: float
) -> float:
    """The most that a set with one parent more, or several, can score.

    Of a Dirichlet score the first row of each configuration of parents takes log r, whatever the
    others show (de Campos and Ji, 2011), and larger sets have no fewer; a likelihood is at most 1.
    """
    if rule.kind == DIRICHLET:
        return edge_terms - num_found * np.log(num_states)
    return edge_terms - rule.penalty * nominal * (num_states - 1)


@allocating_entry
def count_sets(
    codes: Codes,
    times: NDArray[np.int32],
    num_states: NDArray[np.int64],
    rule: Rule,
    child: int,
    required: NDArray[np.int64],
    others: NDArray[np.int64],
    max_parents: int,
    log_edge_odds: float,
    slack: float,
    table: NDArray[np.float64],
) -> None:
    """Write the scores, edge terms included, of the required parents with subsets of ``others``.

    ``times`` says how often a row occurs. Sets are left out that some subset beats by more than
    ``slack``, as all larger ones.
    """
    num_rows, num_others = codes.shape[1], others.shape[0]
    r = num_states[child]
    counts = np.empty(num_rows * r, np.int32)
    tables, large = np.empty((2, LARGE + 1)), np.empty(2 * (times.sum() // LARGE + 1))
    numbers = np.zeros((num_others + 1, num_rows), np.int32)
    sizes = np.ones(num_others + 1, np.int64)
    nominals = np.ones(num_others + 1)
    highest = np.full(num_others + 1, -np.inf)
    sets = np.zeros(num_others + 1, np.int64)
    places = np.zeros(num_others + 1, np.int64)  # among the others, the next to be added
    listed = np.empty(0, np.int32)
    for v in required:
        size = append_member(codes[v], num_states[v], sizes[0], listed, numbers[0])
        sizes[0] = renumber(numbers[0], size)
        nominals[0] *= num_states[v]
        sets[0] |= np.int64(1) << v
    depth, is_new = 0, True
    while depth >= 0:
        num_parents = required.shape[0] + depth
        if is_new:
            counts[: sizes[depth] * r] = 0
            for row in range(num_rows):
                counts[numbers[depth, row] * r + codes[child, row]] += times[row]
            score = log_edge_odds * num_parents + table_score(
                rule, counts, sizes[depth], r, nominals[depth], tables, large
            )
            table[squeeze(sets[depth], child)] = score
            highest[depth] = max(score, highest[depth - 1] if depth else score)
            edge_terms = log_edge_odds * (num_parents + 1 if log_edge_odds < 0 else max_parents)
            most = bound_larger(rule, sizes[depth], nominals[depth], r, edge_terms)
            if num_parents >= max_parents or most < highest[depth] - slack:
                places[depth] = num_others
        if places[depth] == num_others:
            depth -= 1
            is_new = False
            continue
        v = others[places[depth]]
        places[depth] += 1
        depth += 1
        is_new = True
        numbers[depth] = numbers[depth - 1]
        size = append_member(codes[v], num_states[v], sizes[depth - 1], listed, numbers[depth])
        sizes[depth] = renumber(numbers[depth], size)
        nominals[depth] = nominals[depth - 1] * num_states[v]
        sets[depth] = sets[depth - 1] | (np.int64(1) << v)
        places[depth] = places[depth - 1]
