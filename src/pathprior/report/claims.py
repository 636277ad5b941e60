"""Which x causes which y most probably."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pathprior.report.path_matrix import path_matrix

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior


class Claim(NamedTuple):
    """That x causes y, along whichever path, with its probability."""

    x: str
    y: str
    probability: float


def surest_claims(posterior: "Posterior", most: int) -> list[Claim]:
    """The most probable claims; of equally probable ones those first that are edges."""
    matrix, names = np.nan_to_num(path_matrix(posterior)), posterior.variables
    edges = posterior.edges.to_numpy()
    order = np.lexsort((-edges.ravel(), -matrix.ravel().round(3)))[:most]
    places = [divmod(k, len(names)) for k in order.tolist()]
    return [Claim(names[i], names[j], float(matrix[i, j])) for i, j in places if matrix[i, j] > 0]
