"""`BayesianNetwork`: a DAG with a conditional probability table for every node."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.door import Tabular, read_dataset
from pathprior.data.table import DataTable
from pathprior.errors import NetworkError
from pathprior.graph.dag import Dag
from pathprior.network.by_node import ByNode
from pathprior.network.columns import require_columns
from pathprior.network.conditionals import Table
from pathprior.network.experiment import Settings, intervene, name_targets
from pathprior.network.marginal import effect_table
from pathprior.network.model import Network
from pathprior.network.sampling import sample_codes
from pathprior.network.tables import (
    check_sample_size,
    check_states,
    check_table,
    estimate_table,
    table_shapes,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class BayesianNetwork(Network):
    """A discrete Bayesian network: P(x) = Π_v P(x_v | parents of v). Immutable and comparable.

    States and tables are given in the order of the nodes and read by position or by name:
    ``tables["HR"]``.

    Parameters
    ----------
    dag
        The structure.
    states
        ``states[v]``: the names of the states of node v, in the order of ``dag.nodes``.
    tables
        ``tables[v]``: P(v | parents), one axis per parent in the order of ``dag.parents(v)`` and
        the states of v last, so that the last axis sums to one. Checked, copied, read-only.

    See Also
    --------
    read_bif, load_network : networks from files.
    BayesianNetwork.estimate : tables from data.
    """

    dag: Dag
    states: ByNode[tuple[str, ...]]
    tables: ByNode[NDArray[np.float64]] = field(repr=False)
    conditionals: ByNode[Table] = field(repr=False)

    def __init__(
        self,
        dag: Dag,
        states: Sequence[tuple[str, ...]],
        tables: Sequence[NDArray[np.float64]],
    ) -> None:
        checked = _check_states(dag, states)
        object.__setattr__(self, "dag", dag)
        object.__setattr__(self, "states", ByNode(dag, checked))
        object.__setattr__(self, "tables", ByNode(dag, _check_tables(dag, checked, tables)))
        object.__setattr__(self, "conditionals", ByNode(dag, tuple(map(Table, self.tables))))

    # -- making one ------------------------------------------------------------------------------

    @classmethod
    def estimate(
        cls,
        dag: Dag,
        data: Tabular,
        *,
        equivalent_sample_size: float | None = None,
    ) -> "BayesianNetwork":
        """Estimate the tables of ``dag`` from complete data.

        Rows in which a node was set say nothing about its table, and are left out of it. With N_jk
        rows in parent configuration j and state k, q configurations and r states,
        P(k | j) = (N_jk + α/(qr)) / (N_j + α/q), the posterior mean under the BDeu prior of
        equivalent sample size α.

        Parameters
        ----------
        dag
            The structure; each node must be a column of ``data``. Other columns are not used.
        data
            Anything `read_dataset` takes.
        equivalent_sample_size
            α > 0. None means maximum likelihood (α → 0): N_jk / N_j, and the uniform
            distribution where a parent configuration never occurs, which is also the limit of
            the formula.
        """
        check_sample_size(equivalent_sample_size)
        dataset = read_dataset(data)
        table = dataset.states(may_be_set=True)
        column = {name: v for v, name in enumerate(table.variables)}
        require_columns(dag, column)
        states = tuple(table.states[column[name]] for name in dag.nodes)
        tables = []
        for node, shape in zip(dag.nodes, table_shapes(dag, states), strict=True):
            family = [table.held[column[name]] for name in (*dag.parents(node), node)]
            if dataset.intervened is not None:
                kept = ~dataset.intervened[column[node]]
                family = [codes[kept] for codes in family]
            tables.append(estimate_table(family, shape, equivalent_sample_size, table.times))
        return cls(dag, states, tuple(tables))

    @classmethod
    def random(
        cls,
        dag: Dag,
        num_states: int | Mapping[str, int],
        *,
        shape: float = 0.5,
        seed: int = 0,
    ) -> "BayesianNetwork":
        """Draw each row of each table from the symmetric Dirichlet distribution.

        A row is r independent Gamma(shape, 1) variables over their sum. States are named
        "0", "1", ….

        Parameters
        ----------
        dag
            The structure.
        num_states
            Number of states of every node, or of each by name.
        shape
            Small values make near-deterministic rows, 1 is uniform on the simplex.
        seed
            The tables are a function of ``dag``, ``num_states``, ``shape`` and ``seed``.
        """
        if not (isfinite(shape) and shape > 0):
            raise NetworkError(f"shape must be a positive number, not {shape!r}")
        if isinstance(num_states, Mapping):
            missing = [name for name in dag.nodes if name not in num_states]
            if missing:
                raise NetworkError(f"num_states says nothing about the nodes {missing}")
            sizes = [num_states[name] for name in dag.nodes]
        else:
            sizes = [num_states] * dag.num_nodes
        states = tuple(tuple(str(k) for k in range(size)) for size in sizes)
        rng = np.random.default_rng(seed)
        tables = tuple(
            rng.dirichlet(np.full(cells[-1], shape), size=cells[:-1])
            for cells in table_shapes(dag, _check_states(dag, states))
        )
        return cls(dag, states, tables)

    # -- reading it ------------------------------------------------------------------------------

    def sample(
        self,
        num_rows: int,
        *,
        seed: int = 0,
        do: Settings | None = None,
        target_column: str = "target",
    ) -> "pd.DataFrame":
        """Draw independent rows.

        Parameters
        ----------
        num_rows, seed
            How many, and of what they are a function.
        do
            An experiment: nodes and the states that they are set to, whatever their parents; None
            for one at random, all with the same probability.
        target_column
            With ``do``, the name of a further column that says in each row what was set, as
            ``interventions`` of `pathprior.learn` reads it.

        Returns
        -------
        DataFrame
            One categorical column per node, whose categories are all states of the node, seen or
            not. A longer sample with the same seed starts with the same rows.
        """
        import pandas as pd

        dag, tables = intervene(self.dag, tuple(self.states), tuple(self.tables), do or {})
        codes = sample_codes(dag, tables, num_rows, seed)
        columns: dict[str, Any] = {
            name: pd.Categorical.from_codes(codes[v], categories=pd.Index(self.states[v]))
            for v, name in enumerate(self.dag.nodes)
        }
        columns |= name_targets(self.dag, do or {}, target_column)
        return pd.DataFrame(columns, index=pd.RangeIndex(num_rows))

    def effect(self, x: str, y: str) -> "pd.DataFrame":
        """What setting ``x`` does to ``y``: P(y | do(x)), rows the states of x, columns those of y.

        Whatever x depends on is cut off from it; the other tables stay (J. Pearl, *Causality*).
        """
        import pandas as pd

        i, j = self.dag.index(x), self.dag.index(y)
        if i == j:
            raise NetworkError(f"an effect needs two different variables, not {x!r} twice")
        return pd.DataFrame(
            effect_table(self.dag, tuple(self.tables), i, j),
            index=pd.Index(self.states[i], name=x),
            columns=pd.Index(self.states[j], name=y),
        )

    def sample_table(self, num_rows: int, *, seed: int = 0) -> DataTable:
        """Draw the rows of `sample`, already coded."""
        codes = sample_codes(self.dag, self.tables, num_rows, seed)
        return DataTable(self.dag.nodes, codes, tuple(self.states))


def _check_states(dag: Dag, states: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    if len(states) != dag.num_nodes:
        raise NetworkError(f"{dag.num_nodes} nodes need as many lists of states, not {len(states)}")
    for node, names in zip(dag.nodes, states, strict=True):
        if not names:
            raise NetworkError(f"node {node!r} has no states")
    return tuple(check_states(node, names) for node, names in zip(dag.nodes, states, strict=True))


def _check_tables(
    dag: Dag, states: tuple[tuple[str, ...], ...], tables: Sequence[NDArray[np.float64]]
) -> tuple[NDArray[np.float64], ...]:
    if len(tables) != dag.num_nodes:
        raise NetworkError(f"{dag.num_nodes} nodes need as many tables, not {len(tables)}")
    shapes = table_shapes(dag, states)
    return tuple(
        check_table(dag, node, shape, table)
        for node, shape, table in zip(dag.nodes, shapes, tables, strict=True)
    )
