"""Data with gaps, filled for a first look."""

import numpy as np

from pathprior.data.dataset import Dataset
from pathprior.network.imputation import first_draw


def complete(dataset: Dataset, seed: int) -> Dataset:
    """Return the data with every gap filled by an observed value of its column, at random."""
    if dataset.observed is None:
        return dataset
    # by name, so that the order of the columns has no influence
    by_name = dataset.select(sorted(dataset.variables))
    return first_draw(by_name, np.random.default_rng(seed)).select(dataset.variables)
