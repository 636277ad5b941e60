"""Which pairs form a part, and the way in which each part is fitted.

Pairs are listed where that can be done, together or by connected component, and left to Markov
chains otherwise (`pathprior.prior.reference`).
"""

from collections.abc import Collection
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.progress import Progress, silent
from pathprior.graph.alphabets import RELATIONS_ALONE, Alphabets
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.baselines import baselines
from pathprior.prior.listed.part import ListedPart
from pathprior.prior.part import FitSettings, Part, Repair
from pathprior.prior.reference import CountSettings, list_configurations, web_columns
from pathprior.prior.web.part import WebPart
from pathprior.prior.web.settings import WebSettings

BASE_TOLERANCE = 0.01
"""Twice the largest standard error of a baseline that chains estimate."""


def listed_parts(
    pairs: NDArray[np.int64],
    num_nodes: int,
    settings: CountSettings,
    *,
    alphabets: Alphabets = RELATIONS_ALONE,
    rare_pairs: Collection[int] = (),
    progress: Progress = silent,
) -> tuple[Part, ...]:
    """The parts that are fitted from a list; that lists them."""
    listings = list_configurations(
        pairs, num_nodes, settings, alphabets=alphabets, rare_pairs=rare_pairs, progress=progress
    )
    rules = settings.rules
    within = "" if rules is None else f" within {' and '.join(rules.options)}"
    return tuple(ListedPart(listing, within) for listing in listings)


def web_parts(
    pairs: NDArray[np.int64],
    num_nodes: int,
    settings: CountSettings,
    *,
    alphabets: Alphabets = RELATIONS_ALONE,
    rare_pairs: Collection[int] = (),
) -> tuple[Part, ...]:
    """The parts that are fitted by Markov chains."""
    webs = web_columns(pairs, num_nodes, settings, alphabets=alphabets, rare_pairs=rare_pairs)
    return tuple(
        WebPart(
            columns,
            pairs[list(columns)],
            num_nodes,
            settings.edge_odds,
            alphabets.at(columns),
            settings.rules,
        )
        for columns in webs
    )


def find_baselines(
    pairs: NDArray[np.int64], num_nodes: int, settings: CountSettings, num_jobs: int = 1
) -> NDArray[np.float64]:
    """Probability of each tie of each pair without any belief, within the rules."""
    return baselines(
        pairs, num_nodes, settings, partial(_sample_base, num_nodes, settings, num_jobs)
    )


def _sample_base(
    num_nodes: int, settings: CountSettings, num_jobs: int, pairs: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The same from Markov chains."""
    every = tuple(range(len(pairs)))
    web = WebPart(every, pairs, num_nodes, settings.edge_odds, Alphabets(every), settings.rules)
    how = WebSettings(BASE_TOLERANCE, seed=settings.seed, num_jobs=num_jobs)
    return web.pool(
        np.zeros((len(pairs), NUM_TIES)), (), (), FitSettings(Repair.SOFT, how)
    ).marginals
