"""Tables drawn from what data say about them, graph after graph."""

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag, node_index
from pathprior.network.marginal import effect_table
from pathprior.network.tables import count_cells, draw_table

Family = tuple[int, ...]


class TableDraws:
    """Draws of P(child | parents) given the data, under the BDeu prior on tables.

    A row of a table is Dirichlet(N_jk + α/(qr)): N_jk rows in parent configuration j and state k,
    q configurations, r states. Counts are kept, since graphs of a posterior share most families.

    Parameters
    ----------
    data
        Columns of states, in the order of the graphs' nodes. Rows in which a child was set say
        nothing about its table, and are not counted for it.
    equivalent_sample_size
        α.
    """

    def __init__(self, data: Dataset, equivalent_sample_size: float) -> None:
        self._table = table = data.states(may_be_set=True)
        self._intervened = data.intervened
        self._sizes = table.num_states.tolist()
        self._alpha = equivalent_sample_size
        self._counts: dict[Family, NDArray[np.int64]] = {}

    def place(self, name: str) -> int:
        """The column of a variable."""
        index = {known: v for v, known in enumerate(self._table.variables)}
        return node_index(index, name)

    def states(self, column: int) -> tuple[str, ...]:
        """The states of a variable."""
        return self._table.states[column]

    def effect(
        self, dag: Dag, x: int, y: int, generator: np.random.Generator
    ) -> NDArray[np.float64]:
        """P(y | do(x)) in ``dag`` with tables drawn: rows states of x, columns states of y.

        Tables of nodes that are not above y do not matter, and are not drawn.
        """
        matters = unpack_row(dag.ancestor_words[y], dag.num_nodes)
        matters[x] = False
        no_table = np.empty((0, self._sizes[x]))
        tables = [
            self._draw(dag, v, generator) if matters[v] else no_table for v in range(dag.num_nodes)
        ]
        return effect_table(dag, tables, x, y)

    def _draw(self, dag: Dag, v: int, generator: np.random.Generator) -> NDArray[np.float64]:
        family = (*np.flatnonzero(dag.adjacency[:, v]).tolist(), v)
        if family not in self._counts:
            self._counts[family] = self._count(family)
        counts = self._counts[family]
        return draw_table(counts, self._alpha / counts.size, generator)

    def _count(self, family: Family) -> NDArray[np.int64]:
        shape = tuple(self._sizes[w] for w in family)
        codes = [self._table.held[w] for w in family]
        if self._intervened is None:
            return count_cells(codes, shape, self._table.times)
        is_free = ~self._intervened[family[-1]]
        return count_cells([column[is_free] for column in codes], shape)
