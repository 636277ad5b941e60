"""The reference measure U of a prior: which pairs are listed together, and how they are counted."""

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.base import UNIFORM
from pathprior.counting.configurations import METHODS, count_configurations
from pathprior.counting.progress import Progress, silent
from pathprior.counting.result import MAX_ROWS, ConfigurationCounts
from pathprior.counting.shape import Shape, read_pairs
from pathprior.counting.solution import list_tie_rows
from pathprior.counting.ties import edge_probability
from pathprior.counting.validity import list_valid_rows
from pathprior.counting.within import is_listable_within, list_within
from pathprior.errors import PriorError
from pathprior.graph.alphabets import RELATIONS_ALONE, Alphabets
from pathprior.graph.edge_rules import EdgeRules
from pathprior.graph.tie import LINKS, WAYS
from pathprior.kernels.graph.ancestors import NUM_RELATIONS
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.listed.listing import Listing

AUTO = "auto"
"""Listings counted as by `count_configurations`, and webs where these cannot be, or are rough."""
LISTED = "listed"
"""The same listings, and no webs."""
WEB = "web"
"""No listing: all pairs together, their U sampled by Markov chains."""
COUNTS = (*METHODS, LISTED, WEB)


@dataclass(frozen=True, slots=True)
class CountSettings:
    """How U is obtained: options of `count_configurations`; the method is one of `COUNTS`."""

    method: str = AUTO
    num_samples: int = 10**6
    laplace: float = 1e-3
    seed: int = 0
    placements: int = 8
    edge_odds: float = UNIFORM
    rules: EdgeRules | None = field(default=None, compare=False)
    """Rules that the graphs keep; None where there are none."""


def list_configurations(
    pairs: NDArray[np.int64],
    num_nodes: int,
    settings: CountSettings,
    *,
    alphabets: Alphabets = RELATIONS_ALONE,
    rare_pairs: Collection[int] = (),
    progress: Progress = silent,
) -> tuple[Listing, ...]:
    """List the configurations of all pairs together, or of each connected component on its own.

    Together where their joint U is counted exactly (or sampled jointly on request, ``"full"``).
    Otherwise U = Π U_component (FACT, paper §5.1), an approximation for more than one component.
    Of the pairs the ties of their ``alphabets`` are told apart. The pairs of `web_columns` are left
    out. Within rules all pairs are listed together, by looking at every graph.
    """
    webs = web_columns(pairs, num_nodes, settings, alphabets=alphabets, rare_pairs=rare_pairs)
    unlisted = {column for web in webs for column in web}
    columns = [column for column in range(len(pairs)) if column not in unlisted]
    if not columns:
        return ()
    if settings.rules is not None:
        return (_list_within(pairs, settings.rules, settings, alphabets),)
    asked = [(int(i), int(j)) for i, j in pairs[columns]]
    counted = count_configurations(
        asked,
        num_nodes,
        direct=[asked[k] for k in alphabets.at(columns).edges],
        method=AUTO if settings.method == LISTED else settings.method,
        edge_odds=settings.edge_odds,
        num_samples=settings.num_samples,
        laplace=settings.laplace,
        placements=settings.placements,
        seed=settings.seed,
        progress=progress,
    )
    is_joint = counted.is_exact or settings.method == "full"
    parts = (counted,) if is_joint else counted.components
    return tuple(
        _listing(part, tuple(columns[asked.index(pair)] for pair in part.pairs))  # type: ignore[arg-type]
        for part in parts
    )


def _list_within(
    pairs: NDArray[np.int64], rules: EdgeRules, settings: CountSettings, alphabets: Alphabets
) -> Listing:
    if settings.method in ("full", "fact"):
        raise PriorError(
            f"counts={settings.method!r} draws graphs that keep no rules: within "
            f'{" and ".join(rules.options)} use counts="auto"'
        )
    found = list_within(rules, pairs, settings.edge_odds, alphabets=alphabets)
    if found is None:
        raise PriorError(
            f"within {' and '.join(rules.options)} there are too many graphs to list the "
            f'configurations of {len(pairs)} pairs; use counts="auto"'
        )
    return Listing(tuple(range(len(pairs))), found.configurations, found.probabilities)


def web_columns(
    pairs: NDArray[np.int64],
    num_nodes: int,
    settings: CountSettings,
    *,
    alphabets: Alphabets = RELATIONS_ALONE,
    rare_pairs: Collection[int] = (),
) -> tuple[tuple[int, ...], ...]:
    """Positions of the pairs of each part to be fitted without a listing.

    With `WEB` that is one part with everything; with `AUTO` the connected components that have
    more than 10⁶ valid configurations, or a pair among ``rare_pairs``: those whose favoured
    configurations were too rare in a sample. With any other method none. Within rules everything is
    one part, as components are not independent there, unless it can be listed.
    """
    method, rules = settings.method, settings.rules
    if len(pairs) == 0 or method not in (WEB, AUTO):
        return ()
    if method == WEB:
        return (tuple(range(len(pairs))),)
    if rules is not None:
        if is_listable_within(rules, pairs, settings.edge_odds, alphabets):
            return ()
        return (tuple(range(len(pairs))),)
    rare = set(rare_pairs)
    return tuple(
        part.columns
        for part in components(pairs, num_nodes, alphabets)
        if not part.is_listable or not rare.isdisjoint(part.columns)
    )


@dataclass(frozen=True, slots=True)
class Component:
    """A connected component of the constraint graph."""

    columns: tuple[int, ...]
    """Positions of its pairs."""
    is_listable: bool
    """Whether it has at most 10⁶ valid configurations."""


def components(
    pairs: NDArray[np.int64], num_nodes: int, alphabets: Alphabets = RELATIONS_ALONE
) -> tuple[Component, ...]:
    """The connected components of ``pairs``, by first pair; of ties by their ``alphabets``."""
    shape = read_pairs([(int(i), int(j)) for i, j in pairs], num_nodes)
    return tuple(
        Component(
            columns,
            _is_listable(
                shape.restrict(columns),
                num_nodes,
                alphabets.at(columns),
            ),
        )
        for columns in shape.components()
    )


@lru_cache(maxsize=256)
def _is_listable(shape: Shape, num_nodes: int, alphabets: Alphabets) -> bool:
    """Whether there are at most 10⁶ valid configurations of a connected shape."""
    # the relations along a spanning tree are free, so there are 4^(m − 1) or more
    if NUM_RELATIONS ** (shape.num_belief_nodes - 1) > MAX_ROWS:
        return False
    if alphabets:
        return list_tie_rows(shape, alphabets, num_nodes) is not None
    return list_valid_rows(shape, num_nodes, MAX_ROWS) is not None


def pair_probabilities(num_nodes: int, edge_odds: float = UNIFORM) -> NDArray[np.float64]:
    """Uninformative probability of each relation of a single pair, by relation code."""
    counted = count_configurations([(0, 1)], num_nodes, edge_odds=edge_odds)
    probabilities = np.zeros(NUM_RELATIONS)
    probabilities[counted.configurations[:, 0]] = counted.probabilities
    return probabilities


def tie_probabilities(num_nodes: int, edge_odds: float = UNIFORM) -> NDArray[np.float64]:
    """Uninformative probability of each tie of a single pair, by tie code."""
    probabilities = np.zeros(NUM_TIES)
    probabilities[:NUM_RELATIONS] = pair_probabilities(num_nodes, edge_odds)
    probabilities[LINKS] = edge_probability(num_nodes, edge_odds)
    probabilities[WAYS] -= probabilities[LINKS]
    if num_nodes == 2:  # nothing lies between them
        probabilities[WAYS] = 0.0
    return probabilities


def reference_words(
    kind: str, expected_parents: float | None, num_parts: int, rules: EdgeRules | None = None
) -> str:
    """Say which U it is, ``kind`` being how it was obtained."""
    if rules is not None:
        kind = f"within {' and '.join(rules.options)}, {kind}"
    if expected_parents is not None:
        kind = f"{kind} (expected parents: {expected_parents:g})"
    if num_parts > 1:
        return f"the U of each of {num_parts} unconnected parts, {kind}, multiplied"
    return f"the joint U of all pairs, {kind}"


def _listing(counted: ConfigurationCounts, columns: tuple[int, ...]) -> Listing:
    # Without Laplace's correction a sample can leave valid configurations at zero.
    occurs = counted.probabilities > 0
    everything = bool(occurs.all())
    return Listing(
        columns=columns,
        configurations=counted.configurations if everything else counted.configurations[occurs],
        probabilities=counted.probabilities if everything else counted.probabilities[occurs],
        num_samples=counted.num_samples,
        is_complete=counted.is_complete,
    )
