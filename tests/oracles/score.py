"""Local scores from their definitions, with dictionaries of counts."""

from collections import Counter
from collections.abc import Callable, Sequence
from math import exp, fsum, lgamma, log, prod, sqrt

import numpy as np
from numpy.typing import NDArray

from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE
from tests.oracles.additive import families


def local_score(
    codes: NDArray[np.integer],
    num_states: Sequence[int],
    child: int,
    parents: Sequence[int],
    *,
    score: str,
    equivalent_sample_size: float = DEFAULT_SAMPLE_SIZE,
    num_rows: int | None = None,
) -> float:
    """Score of one family: ``codes[v][row]``; BIC takes the log of ``num_rows``, if given."""
    if score == "averaged-bdeu":
        sizes = [equivalent_sample_size * f for f in (0.1, sqrt(0.1), 1.0, sqrt(10.0), 10.0)]
        return log_averaged(codes, num_states, [*parents, child], sizes) - log_averaged(
            codes, num_states, parents, sizes
        )
    if score == "families":
        counts = count_family(codes, num_states, child, parents)
        return families(counts, [num_states[p] for p in parents], equivalent_sample_size)
    q = prod(num_states[p] for p in parents)
    r = num_states[child]
    columns = [codes[p].tolist() for p in parents]
    configurations = list(zip(*columns, strict=True)) if columns else [()] * codes.shape[1]
    cells = Counter(zip(configurations, codes[child].tolist(), strict=True))
    totals = Counter(configurations)
    if score in ("bdeu", "k2"):
        alpha = equivalent_sample_size / (q * r) if score == "bdeu" else 1.0
        value = sum(lgamma(n + alpha) - lgamma(alpha) for n in cells.values())
        return value - sum(lgamma(n + r * alpha) - lgamma(r * alpha) for n in totals.values())
    likelihood = sum(n * log(n / totals[j]) for (j, _), n in cells.items())
    penalty = {"bic": 0.5 * log(num_rows or codes.shape[1]), "aic": 1.0, "loglik": 0.0}[score]
    return likelihood - penalty * q * (r - 1)


def count_family(
    codes: NDArray[np.integer], num_states: Sequence[int], child: int, parents: Sequence[int]
) -> NDArray[np.int64]:
    """Counts by configuration, the first parent's state fastest."""
    family = (*reversed(parents), child)
    counts = np.zeros([num_states[v] for v in family], np.int64)
    np.add.at(counts, tuple(codes[v] for v in family), 1)
    return counts.reshape(-1, num_states[child])


def log_averaged(
    codes: NDArray[np.integer], num_states: Sequence[int], nodes: Sequence[int], sizes: list[float]
) -> float:
    """log of the mean over sample sizes of the probability of all rows of some variables."""
    num_cells, num_rows = prod(num_states[v] for v in nodes), codes.shape[1]
    counts = Counter(zip(*(codes[v].tolist() for v in nodes), strict=True))
    if not nodes:
        counts = Counter({(): num_rows})
    logs = [
        lgamma(size)
        - lgamma(size + num_rows)
        + fsum(lgamma(size / num_cells + n) - lgamma(size / num_cells) for n in counts.values())
        for size in sizes
    ]
    most = max(logs)
    return most + log(fsum(exp(value - most) for value in logs) / len(sizes))


def with_unseen(
    local: Callable[[Sequence[int]], float], parents: Sequence[int], share: float
) -> float:
    """log Σ over the parents S that are seen of ε^|P ∖ S| (1 − ε)^|S| e^score(S), by a recursion.

    One parent after the other is seen or is not: no formula of subsets, and no bound on them.
    """

    def go_on(kept: tuple[int, ...], left: Sequence[int]) -> float:
        if not left:
            return exp(local(sorted(kept)) - local([]))
        seen = go_on((*kept, left[0]), left[1:])
        return share * go_on(kept, left[1:]) + (1 - share) * seen

    return local([]) + log(go_on((), parents))
