"""Local scores from their definitions, with dictionaries of counts."""

from collections import Counter
from collections.abc import Sequence
from math import lgamma, log, prod

import numpy as np
from numpy.typing import NDArray


def local_score(
    codes: NDArray[np.integer],
    num_states: Sequence[int],
    child: int,
    parents: Sequence[int],
    *,
    score: str,
    equivalent_sample_size: float = 3.0,
    num_rows: int | None = None,
) -> float:
    """Score of one family: ``codes[v][row]``; BIC takes the log of ``num_rows``, if given."""
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
