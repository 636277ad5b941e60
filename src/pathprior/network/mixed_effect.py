"""What setting a variable does to another where some columns are of states and others real."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.errors import NetworkError
from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag, node_index
from pathprior.network.conditionals import Conditional, Linear, Logit, Table, predict
from pathprior.network.curves import Curved
from pathprior.network.experiment import rows_left_alone
from pathprior.network.form_draws import DrawForm, form_draws
from pathprior.network.response import Response
from pathprior.network.slope import Slope

Floats = NDArray[np.float64]
Family = tuple[int, ...]

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Quantiles that a real variable is set to."""
MAX_ROWS = 1000
"""Rows that an effect is averaged over, drawn anew each time."""


class MixedDraws:
    """Draws of conditionals given the data, and of what follows for effects.

    What x does not change keeps its distribution where x is set: that of the rows as they are,
    drawn with replacement. What lies between x and y is drawn by its conditional, and y is averaged
    (the g-formula of Robins, 1986).

    Parameters
    ----------
    data
        Columns in the order of the graphs' nodes. Rows in which a child was set say nothing about
        its conditional; effects are averaged over rows in which nothing was, if there are two.
    prior_rows
        How many rows the prior on parameters is worth.
    """

    are_linear = True
    """Whether real nodes are linear functions of real parents."""
    shares: tuple[float, ...] = SHARES
    """Quantiles that a real variable is set to."""

    def __init__(self, data: Dataset, prior_rows: float) -> None:
        self._data, self._prior_rows = data, prior_rows
        coded = dict(zip(data.coded.variables, data.coded.codes, strict=True))
        reals = dict(zip(data.reals.variables, data.reals.values, strict=True))
        states = dict(zip(data.coded.variables, data.coded.states, strict=True))
        self._columns: list[NDArray[Any]] = [
            reals[name] if name in reals else coded[name].astype(np.int64)
            for name in data.variables
        ]
        self.states = [states.get(name, ()) for name in data.variables]
        self._kept = np.arange(data.num_rows)
        if data.intervened is not None and (free := ~data.intervened.any(axis=0)).sum() > 1:
            self._kept = np.flatnonzero(free)
        self._forms: dict[Family, DrawForm] = {}

    def place(self, name: str) -> int:
        """The column of a variable."""
        index = {known: v for v, known in enumerate(self._data.variables)}
        return node_index(index, name)

    def settings(self, x: int) -> tuple[str, ...] | tuple[float, ...]:
        """What x is set to: its states, or quantiles of its values."""
        if self.states[x]:
            return self.states[x]
        values = np.quantile(self._columns[x][self._kept], self.shares)
        return tuple(float(value) for value in np.unique(values))

    def slope(self, dag: Dag, x: int, y: int, generator: np.random.Generator) -> float:
        """The sum over all paths of the products of the weights along them, all nodes real."""
        change = np.zeros(dag.num_nodes)
        change[x] = 1.0
        for v in between(dag, x, y):
            form = self._draw(dag, v, generator)
            assert isinstance(form, Linear)
            for u, weight in zip(_parents(dag, v), form.weights, strict=True):
                if not self.states[u]:
                    change[v] += change[u] * float(weight)
        return float(change[y])

    def response(
        self, dag: Dag, x: int, y: int, settings: Sequence[Any], generator: np.random.Generator
    ) -> Floats:
        """For each setting of x the probabilities of y's states, or its mean."""
        size = min(len(self._kept), MAX_ROWS)
        rows = self._kept[generator.integers(len(self._kept), size=size)]
        path = between(dag, x, y)
        if not path:
            values = self._columns[y][rows]
            mean = _shares(values, len(self.states[y])) if self.states[y] else values.mean()
            return np.tile(mean, (len(settings), 1))
        own = range(len(settings)) if self.states[x] else settings
        there = {x: np.repeat(np.asarray(own), size)}
        for v in path:
            given = [
                there[u] if u in there else np.tile(self._columns[u][rows], len(settings))
                for u in _parents(dag, v)
            ]
            form = self._draw(dag, v, generator)
            if v == y:
                break
            # the same numbers whatever x is set to, so that only x makes a difference
            there[v] = form.draw(np.tile(generator.random(size), len(settings)), given)
        expected = _expected(form, given)
        return np.asarray(expected.reshape(len(settings), size, -1).mean(axis=1))

    def _draw(self, dag: Dag, v: int, generator: np.random.Generator) -> Conditional:
        family = (*_parents(dag, v), v)
        if family not in self._forms:
            self._forms[family] = self.make_form(family)
        return self._forms[family](generator)

    def make_form(self, family: Family) -> DrawForm:
        """Make what draws the conditional of the last of a family."""
        kept = rows_left_alone(self._data, family[-1])
        columns = [self._columns[u][kept] for u in family]
        sizes = [len(self.states[u]) for u in family]
        return form_draws(self._data.variables[family[-1]], columns, sizes, self._prior_rows)


def between(dag: Dag, x: int, y: int) -> list[int]:
    """The nodes on directed paths from x to y but x itself, causes first; none without a path."""
    above = unpack_row(dag.ancestor_words[y], dag.num_nodes)
    changes = np.zeros(dag.num_nodes, dtype=bool)
    changes[x], above[y] = True, True
    path = []
    for v in dag.order.tolist():
        if v != x and above[v] and changes[dag.adjacency[:, v]].any():
            changes[v] = True
            path.append(v)
    return path if changes[y] else []


def draw_response(
    graphs: Sequence[Dag], forms: Sequence[MixedDraws], x: str, y: str, seed: int
) -> Response | Slope:
    """Draw conditionals for each of ``graphs`` and ask them what setting ``x`` does to ``y``.

    A slope where both are real and so is everything between them in every graph. ``forms`` are
    those to draw from for each graph; the nodes of all graphs are in the order of their columns.
    """
    first = forms[0]
    i, j = first.place(x), first.place(y)
    if i == j:
        raise NetworkError(f"an effect needs two different variables, not {x!r} twice")
    generator = np.random.default_rng(seed)
    has_path = np.array([x in dag.ancestors(y) for dag in graphs])
    met = {v for dag in set(graphs) for v in (i, j, *between(dag, i, j))}
    pairs = list(zip(graphs, forms, strict=True))
    if first.are_linear and not any(first.states[v] for v in met):
        return Slope(
            x, y, np.array([of.slope(dag, i, j, generator) for dag, of in pairs]), has_path
        )
    settings = first.settings(i)
    draws = np.array([of.response(dag, i, j, settings, generator) for dag, of in pairs])
    return Response(x, y, settings, first.states[j], draws, has_path)


def _parents(dag: Dag, v: int) -> list[int]:
    parents: list[int] = np.flatnonzero(dag.adjacency[:, v]).tolist()
    return parents


def _shares(codes: NDArray[np.int64], size: int) -> Floats:
    return np.asarray(np.bincount(codes, minlength=size) / len(codes))


def _expected(form: Conditional, given: Sequence[NDArray[Any]]) -> Floats:
    """The mean of a real node in each row, or the probabilities of its states."""
    if isinstance(form, Linear):
        return np.asarray(form.intercept + predict(form.weights, given), dtype=np.float64)
    if isinstance(form, Curved):
        return form.mean(given)
    if isinstance(form, Table):
        return np.asarray(form.probabilities[tuple(given)])
    assert isinstance(form, Logit)
    return form.probabilities(given)
