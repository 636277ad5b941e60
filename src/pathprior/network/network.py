"""`BayesianNetwork`: a DAG with a conditional probability table for every node."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.door import Tabular, read_dataset
from pathprior.data.table import DataTable
from pathprior.errors import NetworkError
from pathprior.files import unwritable
from pathprior.graph.dag import Dag
from pathprior.network.by_node import ByNode
from pathprior.network.experiment import Settings, intervene, name_targets
from pathprior.network.sampling import sample_codes

if TYPE_CHECKING:
    import pandas as pd

# A row of a table may miss one by this much: the rounding of a sum of floats, no more.
ROW_SUM_TOLERANCE = 1e-9

# 400 MB of floats. A larger table is a mistake (a node with dozens of parents), not a model.
MAX_TABLE_CELLS = 50_000_000
MAX_TABLE_AXES = 32  # what every numpy release can hold


@dataclass(frozen=True, slots=True, eq=False, init=False)
class BayesianNetwork:
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
        alpha = equivalent_sample_size
        if alpha is not None and not (isfinite(alpha) and alpha > 0):
            raise NetworkError(
                f"equivalent_sample_size must be a positive number or None "
                f"(maximum likelihood), not {alpha!r}"
            )
        dataset = read_dataset(data)
        table = dataset.discrete(may_be_set=True)
        column = {name: v for v, name in enumerate(table.variables)}
        missing = [name for name in dag.nodes if name not in column]
        if missing:
            raise NetworkError(f"the data have no column for the nodes {missing}")
        states = tuple(table.states[column[name]] for name in dag.nodes)
        tables = []
        for node, shape in zip(dag.nodes, table_shapes(dag, states), strict=True):
            family = [table.codes[column[name]] for name in (*dag.parents(node), node)]
            if dataset.intervened is not None:
                family = [codes[~dataset.intervened[column[node]]] for codes in family]
            counts = _count(family, shape)
            posterior = counts + (0.0 if alpha is None else alpha / counts.size)
            totals = posterior.sum(axis=-1, keepdims=True)
            uniform = np.full(shape, 1 / shape[-1])
            tables.append(np.divide(posterior, totals, out=uniform, where=totals > 0))
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

    @property
    def num_parameters(self) -> int:
        """Number of free parameters, Σ_v q_v (r_v − 1)."""
        return sum(table.size - table.size // table.shape[-1] for table in self.tables)

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
        do
            An experiment: nodes and the states that they are set to, whatever their parents; None
            for one at random, all with the same probability.
        target_column
            With ``do``, a further column that says what was set, as `pathprior.learn` reads it.

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

    def sample_table(self, num_rows: int, *, seed: int = 0) -> DataTable:
        """Draw the rows of `sample`, already coded."""
        codes = sample_codes(self.dag, self.tables, num_rows, seed)
        return DataTable(self.dag.nodes, codes, tuple(self.states))

    # -- comparing it ----------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BayesianNetwork):
            return NotImplemented
        return (self.dag, self.states) == (other.dag, other.states) and all(
            np.array_equal(a, b) for a, b in zip(self.tables, other.tables, strict=True)
        )

    def __hash__(self) -> int:
        return hash((self.dag, self.states))

    def __repr__(self) -> str:
        return (
            f"BayesianNetwork({self.dag.num_nodes} nodes, {self.dag.num_edges} edges, "
            f"{self.num_parameters} parameters)"
        )


def table_shapes(dag: Dag, states: tuple[tuple[str, ...], ...]) -> list[tuple[int, ...]]:
    """Shape of each node's table; an error if one is too large to hold."""
    sizes = np.array([len(names) for names in states], dtype=np.int64)
    shapes = []
    for v, node in enumerate(dag.nodes):
        shape = (*sizes[dag.adjacency[:, v]].tolist(), int(sizes[v]))
        if prod(shape) > MAX_TABLE_CELLS or len(shape) > MAX_TABLE_AXES:
            raise NetworkError(
                f"the table of {node!r}, with {len(shape) - 1} parents, is too large to hold: "
                f"give it fewer parents"
            )
        shapes.append(shape)
    return shapes


def _count(family: list[NDArray[np.unsignedinteger]], shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Contingency table of the coded columns."""
    cell = np.zeros(family[0].size, dtype=np.int64)
    for codes, size in zip(family, shape, strict=True):
        cell *= size
        cell += codes
    return np.bincount(cell, minlength=prod(shape)).reshape(shape)


def _check_states(dag: Dag, states: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    checked = tuple(tuple(names) for names in states)
    if len(checked) != dag.num_nodes:
        raise NetworkError(
            f"{dag.num_nodes} nodes need as many lists of states, not {len(checked)}"
        )
    for node, names in zip(dag.nodes, checked, strict=True):
        if not names:
            raise NetworkError(f"node {node!r} has no states")
        for name in names:
            if not isinstance(name, str):
                raise NetworkError(f"a state of {node!r} is {name!r}: states must be strings")
            if flaw := unwritable(name):
                raise NetworkError(
                    f"the state {name!r} of {node!r} holds {flaw}, which files do not keep: "
                    f"rename it"
                )
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise NetworkError(f"node {node!r} has the state {twice!r} twice")
    return checked


def _check_tables(
    dag: Dag, states: tuple[tuple[str, ...], ...], tables: Sequence[NDArray[np.float64]]
) -> tuple[NDArray[np.float64], ...]:
    if len(tables) != dag.num_nodes:
        raise NetworkError(f"{dag.num_nodes} nodes need as many tables, not {len(tables)}")
    checked = []
    for node, shape, given in zip(dag.nodes, table_shapes(dag, states), tables, strict=True):
        table = np.array(given, dtype=np.float64, order="C")
        if table.shape != shape:
            raise NetworkError(
                f"the table of {node!r} has shape {table.shape}; "
                f"its parents {dag.parents(node)} and states need {shape}"
            )
        misses_one = ~(np.abs(table.sum(axis=-1) - 1) <= ROW_SUM_TOLERANCE)  # true for NaN
        is_bad = (table < 0).any(axis=-1) | misses_one
        if is_bad.any():
            row = table.reshape(-1, shape[-1])[np.argmax(is_bad)].tolist()
            raise NetworkError(
                f"the table of {node!r} has the row {row}: "
                f"probabilities must be at least zero and sum to one"
            )
        table.flags.writeable = False
        checked.append(table)
    return tuple(checked)
