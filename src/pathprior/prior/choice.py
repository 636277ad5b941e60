"""Which pairs form a part, and the way in which each part is fitted.

Pairs are listed where that can be done, together or by connected component, and left to Markov
chains otherwise (`pathprior.prior.reference`).
"""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.progress import Progress, silent
from pathprior.prior.listed.part import ListedPart
from pathprior.prior.part import Part
from pathprior.prior.reference import CountSettings, list_configurations, web_columns
from pathprior.prior.web.part import WebPart


def listed_parts(
    pairs: NDArray[np.int64],
    num_nodes: int,
    settings: CountSettings,
    *,
    direct: Collection[int] = (),
    rare_pairs: Collection[int] = (),
    progress: Progress = silent,
) -> tuple[Part, ...]:
    """The parts that are fitted from a list; that lists them."""
    listings = list_configurations(
        pairs, num_nodes, settings, direct=direct, rare_pairs=rare_pairs, progress=progress
    )
    return tuple(ListedPart(listing) for listing in listings)


def web_parts(
    pairs: NDArray[np.int64],
    num_nodes: int,
    settings: CountSettings,
    *,
    direct: Collection[int] = (),
    rare_pairs: Collection[int] = (),
) -> tuple[Part, ...]:
    """The parts that are fitted by Markov chains."""
    webs = web_columns(pairs, num_nodes, settings.method, direct=direct, rare_pairs=rare_pairs)
    return tuple(
        WebPart(
            columns,
            pairs[list(columns)],
            num_nodes,
            settings.edge_odds,
            tuple(k for k, column in enumerate(columns) if column in direct),
        )
        for columns in webs
    )
