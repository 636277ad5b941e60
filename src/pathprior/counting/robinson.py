"""Robinson's numbers: labelled DAGs, in all and by their number of sinks, as exact integers."""

from functools import cache
from math import comb, factorial, log

import numpy as np

from pathprior.errors import CountingError

MAX_NODES = 2000
"""Most nodes that `count_dags` takes: minutes, and a number of 600 000 digits."""


def num_labelled_dags(num_nodes: int) -> int:
    """Number of labelled DAGs; 1 for n = 0.

    Inclusion–exclusion over a set of k sinks gives N(n) = Σ_{k≥1} (−1)^{k+1} C(n, k) 2^{k(n−k)}
    N(n−k) (Robinson): O(n²) shifts of integers of about n²/2 bits for all N up to n.
    """
    for n in range(len(_NUM_DAGS), num_nodes + 1):
        _NUM_DAGS.append(sum(_with_marked_sinks(n, k) * (-1) ** (k + 1) for k in range(1, n + 1)))
    return _NUM_DAGS[num_nodes]


_NUM_DAGS = [1]


def _with_marked_sinks(num_nodes: int, num_marked: int) -> int:
    """DAGs with ``num_marked`` of their sinks marked: C(n, k) 2^{k(n−k)} N(n−k)."""
    rest = num_nodes - num_marked
    return (comb(num_nodes, num_marked) * _NUM_DAGS[rest]) << (num_marked * rest)


@cache
def dags_by_sinks(num_nodes: int) -> tuple[int, ...]:
    """``a(n, k)`` for k = 0 … n: labelled DAGs with exactly k sinks (equally, k sources).

    A DAG with j sinks is counted C(j, k) times among those with k marked, hence
    a(n, k) = Σ_{j≥k} (−1)^{j−k} C(j, k) C(n, j) 2^{j(n−j)} N(n−j). O(n²) integer operations.
    """
    num_labelled_dags(num_nodes)
    marked = [_with_marked_sinks(num_nodes, j) for j in range(num_nodes + 1)]
    return tuple(
        sum((-1) ** (j - k) * comb(j, k) * marked[j] for j in range(k, num_nodes + 1))
        for k in range(num_nodes + 1)
    )


LIMIT_NODES = 100
"""Above it N(n) / (n! 2^{n(n−1)/2}) falls by the same factor from each n to the next, to 128 bits.

The factors differ from their limit by (1.49 / 4.88)^n, the ratio of the two smallest roots of
Σ_k (−z)^k / (k! 2^{k(k−1)/2}).
"""


def log_num_dags(num_nodes: int) -> float:
    """log N(n), to all bits of a float, also where N(n) itself would take minutes."""
    if num_nodes <= LIMIT_NODES:
        return log(num_labelled_dags(num_nodes))
    last, before = num_labelled_dags(LIMIT_NODES), num_labelled_dags(LIMIT_NODES - 1)
    precision = 192
    factor = (last << precision) // (before * LIMIT_NODES << LIMIT_NODES - 1)
    more = num_nodes - LIMIT_NODES
    scaled: int = last * (factorial(num_nodes) // factorial(LIMIT_NODES)) * factor**more
    bits = scaled.bit_length()
    exponent = comb(num_nodes, 2) - comb(LIMIT_NODES, 2) - precision * more + bits
    return log(scaled / (1 << bits)) + log(2.0) * exponent  # as log() does for integers


def count_dags(num_nodes: int) -> int:
    """Count the labelled DAGs on ``num_nodes`` nodes, exactly (Robinson).

    The sequence begins 1, 3, 25, 543, 29281, 3781503. O(n²) operations on integers of n²/2 bits.

    Parameters
    ----------
    num_nodes
        Number of nodes, at least 1.

    Returns
    -------
    int
        The exact number.

    Examples
    --------
    >>> count_dags(5)
    29281
    """
    if isinstance(num_nodes, bool) or not isinstance(num_nodes, int | np.integer) or num_nodes < 1:
        raise CountingError(f"num_nodes is {num_nodes!r}; give a positive whole number")
    if num_nodes > MAX_NODES:
        raise CountingError(f"num_nodes is {num_nodes}; DAGs are counted on at most {MAX_NODES}")
    return num_labelled_dags(int(num_nodes))
