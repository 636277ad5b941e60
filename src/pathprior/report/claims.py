"""Which x causes which y most probably."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathprior.report.path_matrix import path_matrix

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior


class Claim(NamedTuple):
    """That x causes y, along whichever path, with its probability."""

    x: str
    y: str
    probability: float


def surest_claims(
    posterior: "Posterior", most: int, among: NDArray[np.bool_] | None = None
) -> list[Claim]:
    """The most probable claims; of equally probable ones those first that are edges.

    ``among[i, j]`` says whether that i causes j may be one of them; all may unless given.
    """
    matrix, names = np.nan_to_num(path_matrix(posterior)), posterior.variables
    if among is not None:
        matrix = np.where(among, matrix, 0.0)
    edges = posterior.edges.to_numpy()
    order = np.lexsort((-edges.ravel(), -matrix.ravel().round(3)))[:most]
    places = [divmod(k, len(names)) for k in order.tolist()]
    return [Claim(names[i], names[j], float(matrix[i, j])) for i, j in places if matrix[i, j] > 0]
