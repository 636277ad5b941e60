"""`Network`: what all networks have, whatever their columns hold."""

import json
import os
from abc import ABC
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from pathprior import showing
from pathprior.data.door import Tabular
from pathprior.errors import NetworkError
from pathprior.files import saving
from pathprior.graph.dag import Dag
from pathprior.network.by_node import ByNode
from pathprior.network.columns import read_columns
from pathprior.network.conditionals import Conditional, Parents

if TYPE_CHECKING:
    import pandas as pd

FORMAT = "pathprior.network"
VERSION = 1

# Rows drawn at a time, so that uniforms need little memory beside the sample. The stream runs row
# by row: the block size does not change the sample.
BLOCK = 1 << 16


class Network(ABC):
    """A DAG and for each node its distribution given its parents: P(x) = Π_v P(x_v | parents).

    Base of `BayesianNetwork`, `GaussianNetwork` and `MixedNetwork`.
    """

    __slots__ = ()

    dag: Dag
    """The structure."""
    states: ByNode[tuple[str, ...]]
    """The states of each node; none if it is real."""
    conditionals: ByNode[Conditional]
    """The distribution of each node given its parents."""

    # -- reading it ------------------------------------------------------------------------------

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of the nodes, as of the columns of data."""
        return self.dag.nodes

    @property
    def num_parameters(self) -> int:
        """Number of free parameters."""
        return sum(conditional.num_parameters for conditional in self.conditionals)

    def parents_of(self, node: str) -> Parents:
        """Name and states of each parent."""
        parents = self.dag.parents(node)
        return [(parent, self.states[parent]) for parent in parents]

    @overload
    def log_likelihood(self, data: Tabular, *, per_row: Literal[False] = ...) -> float: ...
    @overload
    def log_likelihood(self, data: Tabular, *, per_row: Literal[True]) -> NDArray[np.float64]: ...
    def log_likelihood(
        self, data: Tabular, *, per_row: bool = False
    ) -> float | NDArray[np.float64]:
        """Log density of data, of discrete columns log probability; −∞ if they are impossible.

        Parameters
        ----------
        data
            A table with a complete column for each node, in any order. Other columns are not used.
        per_row
            Return one number for each row instead of their sum.
        """
        blocks = read_columns(data, self.dag, self.states)
        if per_row:
            return np.concatenate([self._log_densities(columns) for columns in blocks])
        return float(sum(self._log_densities(columns).sum() for columns in blocks))

    def sample(self, num_rows: int, *, seed: int = 0) -> "pd.DataFrame":
        """Draw independent rows.

        Returns
        -------
        DataFrame
            Discrete columns are categoricals of all states of the node, seen or not; real ones
            hold floats. A longer sample with the same seed starts with the same rows.
        """
        import pandas as pd

        check_sampling(num_rows, seed)
        rng = np.random.default_rng(seed)
        columns: list[NDArray[Any]] = [
            np.empty(num_rows, np.int64 if states else np.float64) for states in self.states
        ]
        for start in range(0, num_rows, BLOCK):
            here = slice(start, min(start + BLOCK, num_rows))
            # the middles of their intervals: none is zero, whose normal quantile is infinite
            uniforms = rng.random((here.stop - start, self.dag.num_nodes)) + 2.0**-54
            for v in self.dag.order.tolist():
                parents = [columns[u][here] for u in self._parents(v)]
                columns[v][here] = self.conditionals[v].draw(uniforms[:, v], parents)
        frame = {
            name: pd.Categorical.from_codes(column, categories=pd.Index(states))
            if states
            else column
            for name, column, states in zip(self.variables, columns, self.states, strict=True)
        }
        return pd.DataFrame(frame, index=pd.RangeIndex(num_rows))

    def to_frame(self) -> "pd.DataFrame":
        """All parameters, one a row.

        Returns
        -------
        DataFrame
            Columns: the node (``child``), its ``state`` if it is discrete, the ``parameter``
            (probability, intercept, weight or deviation), what is ``given``, and the ``value``.
            In regressions the first state of a discrete node, parent or child, is the one that the
            others are compared with: its weights are zero and left out.
        """
        import pandas as pd

        rows = [
            (node, *entry)
            for node, states, conditional in zip(
                self.variables, self.states, self.conditionals, strict=True
            )
            for entry in conditional.entries(states, self.parents_of(node))
        ]
        return pd.DataFrame(rows, columns=["child", "state", "parameter", "given", "value"])

    def _log_densities(self, columns: Sequence[NDArray[Any]]) -> NDArray[np.float64]:
        """Of some rows."""
        total = np.zeros(columns[0].size if columns else 0)
        for v, conditional in enumerate(self.conditionals):
            total += conditional.log_density(columns[v], [columns[u] for u in self._parents(v)])
        return total

    def _parents(self, v: int) -> list[int]:
        parents: list[int] = np.flatnonzero(self.dag.adjacency[:, v]).tolist()
        return parents

    # -- keeping it ------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the network as JSON, whole or not at all; `read_network` reads it back equal."""
        with saving(path, NetworkError) as temporary:
            temporary.write_text(format_network(self), encoding="utf-8", newline="")

    # -- comparing and showing it ----------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        mine, theirs = (
            (type(network), network.dag, tuple(network.states), tuple(network.conditionals))
            for network in (self, other)
        )
        return mine == theirs

    def __hash__(self) -> int:
        return hash((self.dag, tuple(self.states)))

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.dag.num_nodes} nodes, {self.dag.num_edges} edges, "
            f"{self.num_parameters} parameters)"
        )

    def _repr_html_(self) -> str:
        return showing.html(self)


def format_network(network: Network) -> str:
    """Return the network as JSON text; floats read back bit for bit."""
    nodes = [
        {
            "name": node,
            "parents": list(network.dag.parents(node)),
            "states": list(states),
            "kind": conditional.kind,
            **conditional.numbers(),
        }
        for node, states, conditional in zip(
            network.variables, network.states, network.conditionals, strict=True
        )
    ]
    content = {"format": FORMAT, "version": VERSION, "nodes": nodes}
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def check_sampling(num_rows: int, seed: int) -> None:
    """Refuse a negative number of rows and a negative seed."""
    if num_rows < 0:
        raise NetworkError(f"the number of rows must not be negative: {num_rows}")
    if seed < 0:
        raise NetworkError(f"the seed must not be negative: {seed}")
