"""Missing cells drawn from what a network says of them, given the cells that were observed.

Gibbs sampling, column by column: all missing cells of a column at once, each given the rest of its
row. States are drawn from their probabilities, real numbers from their normal distribution; where a
discrete variable depends on a real one, that is a proposal, which is taken or not (Metropolis).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.data.table import RealTable
from pathprior.network.conditionals import Linear, draw_states, predict
from pathprior.network.mechanisms import Mechanism, Rows, children_of

Floats = NDArray[np.float64]
Columns = list[NDArray[Any]]
Draws = tuple[NDArray[Any], Floats]
"""Codes and real numbers of the cells that were missing."""


def first_draw(dataset: Dataset, generator: np.random.Generator) -> Dataset:
    """Fill every missing cell with an observed value of its column, at random.

    Where values were set, cells are filled from such cells alone, and the others from the others,
    as long as there are any.
    """
    gaps = dataset.imputed if dataset.observed is None else ~dataset.observed
    assert gaps is not None
    columns = _columns_of(dataset)
    for v, column in enumerate(columns):
        is_known = ~gaps[v]
        is_set = np.zeros_like(is_known) if dataset.intervened is None else dataset.intervened[v]
        for rows in (is_set, ~is_set):
            places = np.flatnonzero(rows & ~is_known)
            known = column[rows & is_known]
            if not len(known):
                known = column[is_known]
            if len(places):
                column[places] = known[generator.integers(len(known), size=len(places))]
    return _with_columns(dataset, columns, gaps)


def draw_again(
    dataset: Dataset,
    mechanisms: Sequence[tuple[Rows, tuple[Mechanism, ...]]],
    generator: np.random.Generator,
    *,
    num_sweeps: int,
) -> Dataset:
    """Draw the cells that were missing again, so many times, from where they are."""
    assert dataset.imputed is not None
    columns = _columns_of(dataset)
    sizes = _num_states(dataset)
    for rows, here in mechanisms:
        gaps = [np.flatnonzero(rows & is_gap) for is_gap in dataset.imputed]
        cells = [
            Cells(v, sizes[v], gaps[v], here, children_of(here, v))
            for v in range(dataset.num_variables)
            if len(gaps[v])
        ]
        for _ in range(num_sweeps):
            for cell in cells:
                cell.draw(columns, generator)
    return _with_columns(dataset, columns, dataset.imputed)


def read_draws(dataset: Dataset) -> Draws:
    """What the cells hold that were missing."""
    in_codes, in_values = _gaps(dataset)
    return dataset.coded.codes[in_codes], dataset.reals.values[in_values]


def with_draws(dataset: Dataset, draws: Draws) -> Dataset:
    """Return the data with those cells as `read_draws` found them."""
    codes, values = dataset.coded.codes.copy(), dataset.reals.values.copy()
    in_codes, in_values = _gaps(dataset)
    codes[in_codes], values[in_values] = draws
    return replace(
        dataset,
        coded=replace(dataset.coded.plain(), codes=codes),
        reals=RealTable(dataset.reals.variables, values),
    )


def _gaps(dataset: Dataset) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where cells were missing, among the states and among the real numbers."""
    assert dataset.imputed is not None
    is_real = np.array([size == 0 for size in _num_states(dataset)], dtype=bool)
    return dataset.imputed[~is_real], dataset.imputed[is_real]


def _num_states(dataset: Dataset) -> list[int]:
    """Number of states of each variable; 0 if it is real."""
    known = dict(zip(dataset.coded.variables, dataset.coded.num_states.tolist(), strict=True))
    return [known.get(name, 0) for name in dataset.variables]


def _columns_of(dataset: Dataset) -> Columns:
    """Return a copy of each column, codes or real numbers."""
    of = dict(zip(dataset.coded.variables, dataset.coded.codes, strict=True))
    of |= dict(zip(dataset.reals.variables, dataset.reals.values, strict=True))
    return [np.array(of[name]) for name in dataset.variables]


def _with_columns(dataset: Dataset, columns: Columns, imputed: NDArray[np.bool_]) -> Dataset:
    """Return complete data with these values."""
    of = dict(zip(dataset.variables, columns, strict=True))
    codes, values = np.empty_like(dataset.coded.codes), np.empty_like(dataset.reals.values)
    for table, matrix in ((dataset.coded, codes), (dataset.reals, values)):
        for v, name in enumerate(table.variables):
            matrix[v] = of[name]
    return replace(
        dataset,
        coded=replace(dataset.coded.plain(), codes=codes),
        reals=RealTable(dataset.reals.variables, values),
        observed=None,
        imputed=imputed,
    )


@dataclass(frozen=True, slots=True)
class Cells:
    """The missing cells of one variable in rows with the same mechanisms."""

    variable: int
    num_states: int
    rows: NDArray[np.int64]
    mechanisms: tuple[Mechanism, ...]
    children: list[int]

    def draw(self, columns: Columns, generator: np.random.Generator) -> None:
        """Draw all of them, given the others."""
        here = {v: columns[v][self.rows] for v in self._around()}
        draw = self._draw_states if self.num_states else self._draw_numbers
        columns[self.variable][self.rows] = draw(here, generator)

    def _around(self) -> set[int]:
        """The variable, its parents, its children and their other parents."""
        families = [self.variable, *self.children]
        return {u for v in families for u in (v, *self.mechanisms[v].parents)}

    def _draw_states(
        self, here: dict[int, NDArray[Any]], generator: np.random.Generator
    ) -> NDArray[Any]:
        return draw_states(generator.random(len(self.rows)), self.weigh_states(here))

    def weigh_states(self, here: dict[int, NDArray[Any]]) -> Floats:
        """How probable each state is in each row, up to a factor of the row."""
        size, num_rows = self.num_states, len(self.rows)
        # every row once with each state
        tiled = {v: np.tile(column, size) for v, column in here.items()}
        tiled[self.variable] = np.repeat(np.arange(size), num_rows)
        logs = self._log_density([self.variable, *self.children], tiled).reshape(size, num_rows).T
        return np.asarray(np.exp(logs - logs.max(axis=1, keepdims=True)))

    def _draw_numbers(
        self, here: dict[int, NDArray[Any]], generator: np.random.Generator
    ) -> NDArray[Any]:
        v, num_rows = self.variable, len(self.rows)
        own = self.mechanisms[v].conditional
        assert isinstance(own, Linear)
        precision = own.deviation**-2
        total = precision * (own.intercept + self._predict(v, own, here))
        others = []
        for child in self.children:
            given = self.mechanisms[child].conditional
            if not isinstance(given, Linear):
                others.append(child)
                continue
            weight = float(given.weights[self.mechanisms[child].parents.index(v)])
            without = here[child] - given.intercept - self._predict(child, given, here)
            total = total + weight * given.deviation**-2 * (without + weight * here[v])
            precision += weight * weight * given.deviation**-2
        drawn = total / precision + generator.standard_normal(num_rows) / np.sqrt(precision)
        if not others:
            return np.asarray(drawn)
        gain = self._log_density(others, here | {v: drawn}) - self._log_density(others, here)
        is_taken = -generator.standard_exponential(num_rows) < gain
        return np.where(is_taken, drawn, here[v])

    def _predict(self, v: int, linear: Linear, here: dict[int, NDArray[Any]]) -> Any:
        return predict(linear.weights, [here[u] for u in self.mechanisms[v].parents])

    def _log_density(self, nodes: list[int], here: dict[int, NDArray[Any]]) -> Floats:
        """Log density of some variables given their parents."""
        total = np.zeros(len(here[self.variable]))
        for v in nodes:
            mechanism = self.mechanisms[v]
            parents = [here[u] for u in mechanism.parents]
            total += mechanism.conditional.log_density(here[v], parents)
        return total
