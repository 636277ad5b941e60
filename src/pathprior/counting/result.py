"""`ConfigurationCounts`: how often each configuration occurs, and how well that is known."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.shape import Pair
from pathprior.errors import CountingError

Method = Literal["enumerate", "exact", "full", "fact", "mixed"]

MAX_ROWS = 10**6
"""Configurations listed at most; larger joints stay a product of components."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Configurations in lexicographic order with their probabilities under U.

    ``is_complete``: all valid configurations are listed, not only those a sample showed.
    ``relative_error``: bound on the rounding of an exact sum, 0 for integers.
    """

    configurations: NDArray[np.int8]
    probabilities: NDArray[np.float64]
    counts: tuple[int, ...] | None = None
    standard_errors: NDArray[np.float64] | None = None
    is_complete: bool = True
    relative_error: float = 0.0

    def __post_init__(self) -> None:
        for array in (self.configurations, self.probabilities, self.standard_errors):
            if array is not None:
                array.flags.writeable = False


class LazyTable:
    """A table built when first asked for."""

    __slots__ = ("_build", "_table")

    def __init__(self, build: Callable[[], Table]) -> None:
        self._build = build
        self._table: Table | None = None

    def get(self) -> Table:
        """The table."""
        if self._table is None:
            self._table = self._build()
        return self._table


@dataclass(frozen=True, slots=True, eq=False)
class ConfigurationCounts:
    """The reference measure U over the configurations of some pairs.

    Attributes
    ----------
    pairs
        The pairs as asked for: order and orientation of the columns of ``configurations``.
    num_nodes
        Number of nodes of the DAGs, n.
    edge_odds
        What each edge multiplies the weight of a DAG by; 1 for uniform DAGs.
    method
        ``"enumerate"``, ``"exact"``, ``"full"`` or ``"fact"``; ``"mixed"`` where the components
        were counted in different ways.
    is_exact
        Whether ``probabilities`` is the true joint over *all* pairs. A product of exact components
        is not exact.
    num_samples
        DAGs sampled, 0 where none were.
    omitted_mass
        Bound on what exact counting lost of each N_C, relative to it: 0 in integers; the rounding
        in floating point; the error of the extrapolation to many nodes; None for samples.
    components
        One result per connected component of the constraint graph, over that component's pairs;
        the result itself where there is one component only.

    Notes
    -----
    The joint table (``configurations``, ``probabilities``, ``counts``, ``standard_errors``) is
    built when first asked for and holds valid configurations only; beyond 10⁶ rows asking for it
    raises `CountingError`, and ``components`` is the answer.
    """

    pairs: tuple[Pair, ...]
    num_nodes: int
    edge_odds: float
    method: Method
    is_exact: bool
    num_samples: int
    omitted_mass: float | None
    _table: LazyTable = field(repr=False)
    _parts: tuple["ConfigurationCounts", ...] = field(default=(), repr=False)

    @property
    def components(self) -> tuple["ConfigurationCounts", ...]:
        """One result per connected component of the constraint graph."""
        return self._parts or (self,)

    @property
    def configurations(self) -> NDArray[np.int8]:
        """Relation codes, one row per configuration and one column per pair."""
        return self._table.get().configurations

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """U of each row of ``configurations``; sums to 1."""
        return self._table.get().probabilities

    @property
    def is_complete(self) -> bool:
        """Whether all valid configurations are listed, not only those a sample showed."""
        return self._table.get().is_complete

    @property
    def counts(self) -> tuple[int, ...] | None:
        """N_C of each row as exact integers, or None where there are none.

        They are not known where they were sampled or extrapolated, and DAGs that are weighted
        (``edge_odds`` other than 1) are not counted.
        """
        return self._table.get().counts

    @property
    def standard_errors(self) -> NDArray[np.float64] | None:
        """Standard error of each probability; None where nothing was sampled.

        0 for a configuration that never occurred: its probability is then likely below 3 / S.
        """
        return self._table.get().standard_errors


def product_table(
    num_pairs: int, positions: tuple[tuple[int, ...], ...], tables: tuple[Table, ...]
) -> Table:
    """The joint under independence: U_C = Π_i U_{C_i} (paper, §5.1).

    ``positions[i]`` are the columns of component i. Standard errors by the delta method.
    """
    sizes = [len(table.probabilities) for table in tables]
    if prod(sizes) > MAX_ROWS:
        raise CountingError(
            f"the joint over {num_pairs} pairs has {prod(sizes)} configurations, more than "
            f"{MAX_ROWS}; use .components, one table per connected component"
        )
    rows = np.indices(sizes).reshape(len(sizes), -1)
    configurations = np.empty((rows.shape[1], num_pairs), dtype=np.int8)
    probabilities = np.ones(rows.shape[1])
    variances = np.zeros(rows.shape[1])
    for columns, table, index in zip(positions, tables, rows, strict=True):
        configurations[:, list(columns)] = table.configurations[index]
        probabilities *= table.probabilities[index]
        if table.standard_errors is not None:
            with np.errstate(divide="ignore", invalid="ignore"):
                relative = table.standard_errors / table.probabilities
            variances += np.nan_to_num(relative, posinf=0.0)[index] ** 2
    order = np.lexsort(configurations.T[::-1])
    sampled = any(table.standard_errors is not None for table in tables)
    return Table(
        configurations[order],
        probabilities[order],
        standard_errors=(probabilities * np.sqrt(variances))[order] if sampled else None,
    )
