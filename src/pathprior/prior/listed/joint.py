"""The joint of a prior as a table: all configurations with J, U and the number of DAGs."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.robinson import count_dags
from pathprior.errors import PriorError
from pathprior.graph.tie import Tie
from pathprior.prior.listed.listing import Listing

if TYPE_CHECKING:
    import pandas as pd

MAX_JOINT_ROWS = 10**6


def joint_table(
    variables: Sequence[str],
    pairs: NDArray[np.int64],
    log_weights: NDArray[np.float64],
    listings: Sequence[Listing],
) -> "pd.DataFrame":
    """All valid configurations of ``pairs``, each part's with each of the others'."""
    import pandas as pd

    size = int(np.prod([len(listing.configurations) for listing in listings]))
    if size > MAX_JOINT_ROWS:
        raise PriorError(
            f"the joint has {size} configurations, more than {MAX_JOINT_ROWS}; "
            "ask for single probabilities with probability(x, relation, y)"
        )
    codes = np.zeros((size, len(pairs)), dtype=np.int8)
    joint, uninformative = np.ones(size), np.ones(size)
    step = size
    for listing in listings:
        step //= len(listing.configurations)
        row = np.arange(size) // step % len(listing.configurations)
        columns = list(listing.columns)
        codes[:, columns] = listing.configurations[row]
        joint *= listing.joint(log_weights[columns])[row]
        uninformative *= listing.probabilities[row]
    order = np.lexsort(codes.T[::-1]) if len(pairs) else np.arange(size)
    symbols = np.array([tie.symbol for tie in Tie], dtype=object)
    frame = pd.DataFrame(
        {
            f"{variables[i]}, {variables[j]}": symbols[codes[order, p]]
            for p, (i, j) in enumerate(pairs)
        },
        index=range(size),
    )
    num_dags = count_dags(len(variables)) if variables else 1
    frame["J"], frame["U"] = joint[order], uninformative[order]
    frame["num_dags"] = pd.Series(
        [round(Fraction(float(u)) * num_dags) for u in uninformative[order]], dtype=object
    )
    return frame
