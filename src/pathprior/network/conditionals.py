"""What a node may be given its parents: `Table`, `Linear` or `Logit`.

The column of a real node is an array of floats, that of a discrete one an array of codes. In a
regression a real parent has one weight, a discrete one a weight for each of its states: it adds
x · w, or w[code].
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import log, pi
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pathprior.network.tables import cell_numbers

Floats = NDArray[np.float64]
Columns = Sequence[NDArray[Any]]
Parents = Sequence[tuple[str, tuple[str, ...]]]
"""Name and states of each parent; a real one has no states."""
Entry = tuple[str, str, str, float]
"""State of the child, what the number is, what is given, and the number."""


class Conditional(ABC):
    """The distribution of a node given its parents."""

    __slots__ = ()

    kind: ClassVar[str]
    """What files call it."""

    @property
    @abstractmethod
    def num_parameters(self) -> int:
        """Number of free parameters."""

    @abstractmethod
    def log_density(self, column: NDArray[Any], parents: Columns) -> Floats:
        """Log density, of a discrete node log probability, of each row."""

    @abstractmethod
    def draw(self, uniforms: Floats, parents: Columns) -> NDArray[Any]:
        """The value of each row at which the distribution function passes its uniform."""

    @abstractmethod
    def numbers(self) -> dict[str, Any]:
        """Its parameters by name, as lists and numbers."""

    @abstractmethod
    def entries(self, states: tuple[str, ...], parents: Parents) -> Iterator[Entry]:
        """Its parameters one by one, in words."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Conditional):
            return NotImplemented
        return self.kind == other.kind and self.numbers() == other.numbers()

    def __hash__(self) -> int:
        return hash(self.kind)


@dataclass(frozen=True, slots=True, eq=False)
class Table(Conditional):
    """A discrete node with discrete parents: one axis per parent, the states of the node last."""

    kind = "table"

    probabilities: Floats

    @property
    def num_parameters(self) -> int:
        """One less than states for each configuration of the parents."""
        num_rows: int = self.probabilities.size // self.probabilities.shape[-1]
        return self.probabilities.size - num_rows

    def log_density(self, column: NDArray[Any], parents: Columns) -> Floats:
        """Logarithm of each row's cell; −∞ where it is zero."""
        cells = cell_numbers([*parents, column], self.probabilities.shape)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.probabilities.ravel()[cells]))

    def draw(self, uniforms: Floats, parents: Columns) -> NDArray[np.int64]:
        """First state whose cumulative probability passes the uniform."""
        shape = self.probabilities.shape
        rows = self.probabilities.reshape(-1, shape[-1])
        if not parents:
            return draw_states(uniforms, rows)
        return draw_states(uniforms, rows[cell_numbers(parents, shape[:-1])])

    def numbers(self) -> dict[str, Any]:
        """Nested lists, one level per axis."""
        return {"probabilities": self.probabilities.tolist()}

    def entries(self, states: tuple[str, ...], parents: Parents) -> Iterator[Entry]:
        """One entry per cell."""
        configurations = list(product(*(names for _, names in parents)))
        rows = self.probabilities.reshape(len(configurations), -1).tolist()
        for configuration, row in zip(configurations, rows, strict=True):
            given = ", ".join(
                f"{name} = {state}" for (name, _), state in zip(parents, configuration, strict=True)
            )
            for state, probability in zip(states, row, strict=True):
                yield state, "probability", given, probability


@dataclass(frozen=True, slots=True, eq=False)
class Linear(Conditional):
    """A real node: normal about a sum of what its parents add, with one standard deviation.

    Attributes
    ----------
    intercept
        The mean where all parents add nothing.
    weights
        Of each parent a number, or one number for each of its states.
    deviation
        Standard deviation, above zero.
    """

    kind = "linear"

    intercept: float
    weights: tuple[Floats, ...]
    deviation: float

    @property
    def num_parameters(self) -> int:
        """Intercept, deviation, and for each parent a weight or one less than it has states."""
        return 2 + num_free(self.weights)

    def log_density(self, column: NDArray[Any], parents: Columns) -> Floats:
        """Of the normal distribution."""
        z = (column - self.intercept - predict(self.weights, parents)) / self.deviation
        return np.asarray(-0.5 * (z * z + log(2 * pi)) - log(self.deviation))

    def draw(self, uniforms: Floats, parents: Columns) -> Floats:
        """Normal quantiles of the uniforms, moved and stretched."""
        from scipy.special import ndtri

        mean = self.intercept + predict(self.weights, parents)
        return np.asarray(mean + self.deviation * ndtri(uniforms))

    def numbers(self) -> dict[str, Any]:
        """Intercept, weights by parent, deviation."""
        return {
            "intercept": self.intercept,
            "weights": [weight.tolist() for weight in self.weights],
            "deviation": self.deviation,
        }

    def entries(self, states: tuple[str, ...], parents: Parents) -> Iterator[Entry]:
        """Intercept, weights, deviation; the weight of a parent's first state is made zero."""
        firsts = (weight[0] for weight in self.weights if weight.ndim)
        yield "", "intercept", "", float(self.intercept + sum(firsts))
        for (name, parent_states), weight in zip(parents, self.weights, strict=True):
            for given, number in _by_state(name, parent_states, weight):
                yield "", "weight", given, float(number)
        yield "", "deviation", "", self.deviation


@dataclass(frozen=True, slots=True, eq=False)
class Logit(Conditional):
    """A discrete node with a real parent: P(k | x) ∝ exp(a_k + Σ what the parents add to k).

    Attributes
    ----------
    intercepts
        a_k, one for each state.
    weights
        Of each real parent one number for each state, of each discrete parent such a row for each
        of its own states.
    """

    kind = "logit"

    intercepts: Floats
    weights: tuple[Floats, ...]

    @property
    def num_parameters(self) -> int:
        """As many for each state but one."""
        first = tuple(weight[..., 0] for weight in self.weights)
        return (self.intercepts.size - 1) * (1 + num_free(first))

    def probabilities(self, parents: Columns) -> Floats:
        """One row of probabilities for each row of the parents."""
        exponents = self.intercepts + predict(self.weights, parents)
        powers = np.exp(exponents - exponents.max(axis=-1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=-1, keepdims=True))

    def log_density(self, column: NDArray[Any], parents: Columns) -> Floats:
        """Logarithm of the probability of each row's state, exact where it underflows."""
        exponents = self.intercepts + predict(self.weights, parents)
        largest = exponents.max(axis=-1)
        total = largest + np.log(np.exp(exponents - largest[:, np.newaxis]).sum(axis=-1))
        return np.asarray(exponents[np.arange(column.size), column] - total)

    def draw(self, uniforms: Floats, parents: Columns) -> NDArray[np.int64]:
        """First state whose cumulative probability passes the uniform."""
        return draw_states(uniforms, self.probabilities(parents))

    def numbers(self) -> dict[str, Any]:
        """Intercepts, and weights by parent."""
        return {
            "intercepts": self.intercepts.tolist(),
            "weights": [weight.tolist() for weight in self.weights],
        }

    def entries(self, states: tuple[str, ...], parents: Parents) -> Iterator[Entry]:
        """Intercepts and weights less those of the first state, as above for the parents."""
        bases = self.intercepts + sum(weight[0] for weight in self.weights if weight.ndim == 2)
        for k, state in enumerate(states[1:], start=1):
            yield state, "intercept", "", float(bases[k] - bases[0])
            for (name, parent_states), weight in zip(parents, self.weights, strict=True):
                beside = weight[..., k] - weight[..., 0]
                for given, number in _by_state(name, parent_states, beside):
                    yield state, "weight", given, float(number)


def num_free(weights: Sequence[NDArray[Any]]) -> int:
    """Number of free weights: of a discrete parent one less than it has states."""
    return sum(max(weight.size - 1, 1) if weight.ndim else 1 for weight in weights)


def predict(weights: Sequence[Floats], parents: Columns) -> Any:
    """What the parents add, in each row: a number or one for each state of the child."""
    total: Any = 0.0
    for weight, column in zip(weights, parents, strict=True):
        is_real = column.dtype.kind == "f"
        total = total + (np.multiply.outer(column, weight) if is_real else weight[column])
    return total


def draw_states(uniforms: Floats, rows: Floats) -> NDArray[np.int64]:
    """First state of each row whose cumulative probability passes the uniform."""
    sums = np.cumsum(rows, axis=-1)
    # scaled to end in exactly one, so that a state of probability zero is never drawn
    sums /= sums[..., -1:]
    return np.asarray((uniforms[:, np.newaxis] >= sums).sum(axis=-1), dtype=np.int64)


def _by_state(name: str, states: tuple[str, ...], weight: Any) -> Iterator[tuple[str, Any]]:
    """The weight of a real parent, or what each state but the first adds to what that one does."""
    if not states:
        yield name, weight
    for k, state in enumerate(states[1:], start=1):
        yield f"{name} = {state}", weight[k] - weight[0]
