"""Data from a known network, prepared so that only the data speak."""

from dataclasses import dataclass

import numpy as np

from pathprior.data.table import DataTable
from pathprior.graph.dag import Dag
from pathprior.network.network import BayesianNetwork


@dataclass(frozen=True, slots=True)
class Trial:
    """Data from a known network under names that carry no information.

    Columns and names are permuted at random: hill climbing breaks its many ties by order, and
    which order is right must not be known to it.
    """

    truth: Dag
    table: DataTable

    @classmethod
    def draw(cls, network: BayesianNetwork, num_rows: int, *, seed: int) -> "Trial":
        """Sample rows and hide the order of the columns."""
        sampled = network.sample_table(num_rows, seed=seed)
        order = np.random.default_rng(seed).permutation(sampled.num_variables)
        names = tuple(f"V{i:03d}" for i in range(len(order)))
        table = DataTable(names, sampled.codes[order], tuple(sampled.states[v] for v in order))
        return cls(Dag(names, network.dag.adjacency[np.ix_(order, order)]), table)


def first_rows(table: DataTable, num_rows: int) -> DataTable:
    """The first rows of a table: smaller samples are prefixes of larger ones."""
    return DataTable(table.variables, table.codes[:, :num_rows].copy(), table.states)
