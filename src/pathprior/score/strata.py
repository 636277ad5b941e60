"""Strata of rows in the form of the kernels."""

import numpy as np

from pathprior.data.strata import RowStrata
from pathprior.graph.bitset import pack_rows
from pathprior.kernels.data.strata import Strata


def make_strata(strata: RowStrata) -> Strata:
    """Pack the strata."""
    sizes = [len(numbers) for numbers in strata.of_variable]
    return Strata(
        first=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        which=np.concatenate([np.array(n, np.int64) for n in strata.of_variable]),
        rows=pack_rows(strata.rows),
        sizes=strata.rows.sum(axis=1).astype(np.int64),
    )
