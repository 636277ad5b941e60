"""Real columns by ranks: mid-ranks, normal scores, and atoms, which ranks cannot tell apart."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.data.table import RealTable
from pathprior.errors import DataError

ATOM = 0.05
"""Share of the rows beyond which a single value is an atom: a zero, a small count."""


def mid_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rank of each value from 1 up; equal values share the mean of theirs."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = (np.cumsum(counts) - (counts - 1) / 2)[place.reshape(-1)]
    return ranks


def commonest(values: NDArray[np.float64]) -> int:
    """How often the commonest value occurs."""
    return int(np.unique(values, return_counts=True)[1].max(initial=0))


def normal_scores(dataset: Dataset) -> Dataset:
    """Put the normal quantile of rank/(n + 1) in the place of every real number."""
    from scipy.special import ndtri

    reals = dataset.reals
    ranks = np.array([mid_ranks(column) for column in reals.values])
    table = RealTable(reals.variables, ndtri(ranks / (dataset.num_rows + 1.0)))
    return replace(dataset, reals=table)


def atoms(dataset: Dataset) -> tuple[str, ...]:
    """The real columns of which one value has more than `ATOM` of the rows, and more than two."""
    limit = max(2.0, ATOM * dataset.num_rows)
    pairs = zip(dataset.reals.variables, dataset.reals.values, strict=True)
    found = [(name, commonest(column)) for name, column in pairs]
    # a constant column is no matter of shape
    return tuple(name for name, most in found if limit < most < dataset.num_rows)


def require_drawn_none(dataset: Dataset, score: str) -> None:
    """Raise where missing cells were drawn, which is done as BGe has them distributed."""
    if dataset.imputed is not None:
        raise DataError(
            f"the score {score} cannot draw missing values: use bge, which can, or missing='drop'"
        )
