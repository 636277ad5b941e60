"""`MixedNetwork`: a DAG of discrete and real variables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.data.door import Tabular, read_dataset
from pathprior.data.kinds import Kinds
from pathprior.data.stream import HELD_CELLS
from pathprior.errors import NetworkError
from pathprior.graph.dag import Dag
from pathprior.network.by_node import ByNode
from pathprior.network.columns import of_dataset, require_columns
from pathprior.network.conditionals import Conditional, Linear, Logit, Table
from pathprior.network.embedding import Embedding
from pathprior.network.experiment import rows_left_alone
from pathprior.network.gaussian import WEIGHTS
from pathprior.network.linear import check_linear, fit_additive
from pathprior.network.logit import check_logit, fit_logit
from pathprior.network.model import Network
from pathprior.network.tables import (
    check_sample_size,
    check_shape,
    check_states,
    check_table,
    estimate_table,
)


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class MixedNetwork(Network):
    """A network of discrete and real nodes, each given its parents by one of three forms.

    =================  =======================  =================================================
    node               parents                  distribution
    =================  =======================  =================================================
    discrete           all discrete             `Table` of probabilities
    real               any                      `Linear`: normal about an intercept, a weight for
                                                each real parent and one for each state of each
                                                discrete parent, with one standard deviation
    discrete           at least one real        `Logit`: the same sums, one for each state, as
                                                logarithms of odds
    =================  =======================  =================================================

    What discrete parents add to a real node adds up, and its deviation is the same throughout: this
    is what the score "mixed" weighs (a discrete variable is a set of columns of zeros and ones to
    it), so that the network has the parameters that the score paid for, and none that only a few
    rows speak of. A separate regression for each configuration of the discrete parents, as in a
    conditional Gaussian network, has many of those.

    Immutable and comparable; read by position or by name: ``conditionals["bmi"]``.

    Parameters
    ----------
    dag
        The structure.
    states
        ``states[v]``: the names of the states of node v; an empty tuple if v is real.
    conditionals
        ``conditionals[v]``: the distribution of node v given its parents.

    See Also
    --------
    MixedNetwork.estimate : parameters from data.
    """

    dag: Dag
    states: ByNode[tuple[str, ...]]
    conditionals: ByNode[Conditional] = field(repr=False)

    def __init__(
        self, dag: Dag, states: Sequence[Sequence[str]], conditionals: Sequence[Conditional]
    ) -> None:
        for what, given in (("lists of states", states), ("conditionals", conditionals)):
            if len(given) != dag.num_nodes:
                raise NetworkError(f"{dag.num_nodes} nodes need as many {what}, not {len(given)}")
        named = zip(dag.nodes, states, strict=True)
        checked = ByNode(dag, tuple(check_states(node, names) for node, names in named))
        forms = tuple(
            _check(dag, node, checked, conditional)
            for node, conditional in zip(dag.nodes, conditionals, strict=True)
        )
        object.__setattr__(self, "dag", dag)
        object.__setattr__(self, "states", checked)
        object.__setattr__(self, "conditionals", ByNode(dag, forms))

    # -- making one ------------------------------------------------------------------------------

    @classmethod
    def estimate(
        cls,
        dag: Dag,
        data: Tabular,
        *,
        kinds: Kinds | None = None,
        equivalent_sample_size: float | None = None,
    ) -> "MixedNetwork":
        """Estimate the parameters of ``dag`` from complete data.

        Parameters
        ----------
        dag
            The structure; each node must be a column of ``data``. Other columns are not used.
        data
            Anything `read_dataset` takes.
        kinds
            Columns that are not what they look like, as in `learn`.
        equivalent_sample_size
            α > 0, how many rows the prior is worth. Tables: as of `BayesianNetwork.estimate`.
            Regressions: as of `GaussianNetwork.estimate`, the states of discrete parents as columns
            of zeros and ones. Logits: α/r rows of each of the r states at the mean of the parents,
            and weights that are normal with variance 1/α for a standard deviation of the parent;
            the most probable weights. None means maximum likelihood, but for logits, which keep a
            prior of a thousandth of a row: where a parent tells the states apart without fail,
            nothing else has a maximum.
        """
        check_sample_size(equivalent_sample_size)
        dataset = read_dataset(data, kinds=kinds)
        require_columns(dag, set(dataset.variables))
        dataset = dataset.select(dag.nodes)
        states = _states_of(dataset)
        if dataset.num_rows < 2:
            raise NetworkError("one row says nothing about a spread: give at least two rows")
        families = [[*np.flatnonzero(dag.adjacency[:, v]).tolist(), v] for v in range(len(states))]
        forms: list[Conditional] = []
        while len(forms) < len(families):
            some = _at_a_time(families[len(forms) :], dataset)
            needed = sorted(set().union(*some))
            chosen = dataset.select([dag.nodes[u] for u in needed])
            columns = of_dataset(chosen, [states[u] for u in needed])
            column_of = dict(zip(needed, columns, strict=True))
            for family in some:
                kept = rows_left_alone(dataset, family[-1])
                rows = [column_of[u][kept] for u in family]
                sizes = [len(states[u]) for u in family]
                forms.append(_estimate(dag.nodes[family[-1]], rows, sizes, equivalent_sample_size))
        return cls(dag, states, forms)

    @classmethod
    def random(
        cls,
        dag: Dag,
        num_states: Mapping[str, int],
        *,
        weights: tuple[float, float] = WEIGHTS,
        shape: float = 0.5,
        seed: int = 0,
    ) -> "MixedNetwork":
        """Draw parameters for simulations.

        Tables as of `BayesianNetwork.random`; the weights of regressions and logits have sizes
        uniform in a range and random signs. Intercepts are 0, deviations 1.

        Parameters
        ----------
        dag
            The structure.
        num_states
            Number of states of each discrete node; the others are real.
        weights
            Smallest and largest size.
        shape
            Of the Dirichlet distribution of each row of a table.
        seed
            The parameters are a function of the other arguments and ``seed``.
        """
        for name in num_states:
            dag.index(name)
        rng = np.random.default_rng(seed)
        sizes = [num_states.get(node, 0) for node in dag.nodes]
        states = tuple(tuple(str(k) for k in range(size)) for size in sizes)

        def draw(*axes: int) -> NDArray[np.float64]:
            return np.asarray(rng.uniform(*weights, axes) * rng.choice([-1.0, 1.0], axes))

        forms: list[Conditional] = []
        for v, node in enumerate(dag.nodes):
            parents = [sizes[u] for u in np.flatnonzero(dag.adjacency[:, v]).tolist()]
            if sizes[v] and all(parents):
                cells = check_shape(node, (*parents, sizes[v]))
                forms.append(Table(rng.dirichlet(np.full(cells[-1], shape), size=cells[:-1])))
            elif sizes[v]:
                drawn = tuple(draw(*([size] if size else []), sizes[v]) for size in parents)
                forms.append(Logit(np.zeros(sizes[v]), drawn))
            else:
                drawn = tuple(draw(*([size] if size else [])) for size in parents)
                forms.append(Linear(0.0, drawn, 1.0))
        return cls(dag, states, forms)


def _at_a_time(families: list[list[int]], dataset: Dataset) -> list[list[int]]:
    """The first families, as many as have no more columns than may be held; at least one."""
    num_columns = HELD_CELLS // dataset.num_rows
    needed: set[int] = set()
    for number, family in enumerate(families):
        needed |= set(family)
        if number and len(needed) > num_columns:
            return families[:number]
    return families


def _states_of(dataset: Dataset) -> tuple[tuple[str, ...], ...]:
    """The states of each column; none of a real one."""
    known = dict(zip(dataset.coded.variables, dataset.coded.states, strict=True))
    return tuple(known.get(name, ()) for name in dataset.variables)


def _estimate(
    node: str, family: list[NDArray[Any]], sizes: list[int], alpha: float | None
) -> Conditional:
    """The form that fits the kinds of a node, last, and its parents, with its parameters."""
    *parents, child = family
    if sizes[-1] and all(sizes):
        return Table(estimate_table(family, check_shape(node, tuple(sizes)), alpha))
    if sizes[-1]:
        return fit_logit(node, child, sizes[-1], Embedding.of(parents, sizes[:-1]), alpha)
    return fit_additive(node, family, sizes, alpha=alpha)


def _check(dag: Dag, node: str, states: ByNode[tuple[str, ...]], given: Conditional) -> Conditional:
    """Return the distribution with read-only numbers, or say why the node cannot have it."""
    own, parents = states[node], [states[parent] for parent in dag.parents(node)]
    if isinstance(given, Linear) and not own:
        return check_linear(dag, node, states, given)
    if isinstance(given, Logit) and own:
        return check_logit(dag, node, states, given)
    if isinstance(given, Table) and own and all(parents):
        shape = check_shape(node, (*map(len, parents), len(own)))
        return Table(check_table(dag, node, shape, given.probabilities))
    needed = "Linear" if not own else "Table" if all(parents) else "Logit"
    raise NetworkError(
        f"{node!r} cannot be a {type(given).__name__}: its states and its parents' need a {needed}"
    )
