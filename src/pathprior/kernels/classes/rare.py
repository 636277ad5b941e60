"""What the search over classes needs with beliefs, limits or experiments alone, compiled apart.

Each kernel is bound to the arrays that it works on, which stay where they are during a search; see
`pathprior.kernels.apart`.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import int64
from numpy.typing import NDArray

from pathprior.kernels.apart import UNBOUND, bind, load
from pathprior.kernels.classes.member import comply, fill_class
from pathprior.kernels.classes.state import ClassClimb, Rare, Reach
from pathprior.kernels.graph.ancestors import Words, close_ancestors
from pathprior.kernels.graph.cpdag import topological_order
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.graph.meek import Trail
from pathprior.kernels.graph.swap import swap_equivalent
from pathprior.kernels.prior.class_moves import bound_prior_gain, bound_prior_gains
from pathprior.kernels.prior.graph_prior import GraphPrior, read_pairs


class Read(NamedTuple):
    """A DAG, and where to write what it says of each pair of beliefs."""

    prior: GraphPrior
    graph: Graph
    order: NDArray[np.int64]
    codes: NDArray[np.int64]


class Swap(NamedTuple):
    """A DAG to be replaced by the best of its class."""

    prior: GraphPrior
    graph: Graph
    order: NDArray[np.int64]
    forbidden: Words
    cut: Words
    budget: int


class Slack(NamedTuple):
    """What bounds on gains of the prior rest on, and where to write them."""

    prior: GraphPrior
    pdag: Words
    ancestors: Words
    reach: Reach
    slack: NDArray[np.float64]


class Draw(NamedTuple):
    """A DAG, and where to draw its class."""

    parents: Words
    order: NDArray[np.int64]
    cut: Words
    trail: Trail
    pdag: Words
    forbidden: Words


def _read(bound: Any, arguments: Any) -> float:
    read = load(bound)
    return read_pairs(read.prior, read.graph, read.codes)


def _arrive(bound: Any, arguments: Any) -> float:
    read = load(bound)
    topological_order(read.graph.parents, read.order)
    close_ancestors(read.graph.parents, read.order, read.graph.ancestors)
    return read_pairs(read.prior, read.graph, read.codes)


def _swap(bound: Any, arguments: Any) -> float:
    swap = load(bound)
    graph = swap.graph
    topological_order(graph.parents, swap.order)
    close_ancestors(graph.parents, swap.order, graph.ancestors)
    return float(swap_equivalent(graph, swap.prior, swap.forbidden, swap.cut, swap.budget))


def _bound_all(bound: Any, arguments: Any) -> float:
    it = load(bound)
    bound_prior_gains(it.prior, it.pdag, it.ancestors, it.reach, it.slack)
    return 0.0


def _bound_one(bound: Any, arguments: Any) -> float:
    it = load(bound)
    move, x, y = load(arguments)
    return bound_prior_gain(it.prior, it.ancestors, it.reach, move, x, y)


def _draw(bound: Any, arguments: Any) -> float:
    draw = load(bound)
    fill_class(draw.parents, draw.order, draw.cut, draw.trail, draw.pdag)
    return 0.0


def _comply(bound: Any, arguments: Any) -> float:
    draw = load(bound)
    fill_class(draw.parents, draw.order, draw.cut, draw.trail, draw.pdag)
    return 1.0 if comply(draw.pdag, draw.forbidden, draw.trail, draw.parents) else 0.0


def bind_rare(
    prior: GraphPrior,
    forbidden: Words,
    cut: Words,
    climb: ClassClimb,
    swap_budget: int,
    is_limited: bool,
) -> Rare:
    """Compile what the search needs, and leave the rest out."""
    here, trial, scratch, reach = climb.here, climb.trial, climb.scratch, climb.reach
    rare = Rare(*(UNBOUND,) * len(Rare._fields))
    draw = Draw(trial.parents, scratch.order, cut, scratch.trail, trial.pdag, forbidden)
    if is_limited:
        rare = rare._replace(comply=bind(_comply, draw))
    if cut.any():
        rare = rare._replace(draw=bind(_draw, draw._replace(parents=here.parents)))
    if len(prior.pairs) == 0:
        return rare
    present, tried = Graph(here.parents, here.ancestors), Graph(trial.parents, trial.ancestors)
    slack = Slack(prior, here.pdag, here.ancestors, reach, climb.ranking.slack)
    swap = Swap(prior, tried, scratch.order, forbidden, cut, swap_budget)
    return rare._replace(
        arrive=bind(_arrive, Read(prior, present, scratch.order, reach.codes)),
        swap=bind(_swap, swap),
        read=bind(_read, Read(prior, tried, scratch.order, scratch.codes)),
        bound_all=bind(_bound_all, slack),
        bound_one=bind(_bound_one, slack, int64, int64, int64),
    )
