"""`AdditiveNetwork`: real variables that are sums of bent functions of their parents, and noise."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import NetworkError
from pathprior.graph.dag import Dag
from pathprior.network.by_node import ByNode
from pathprior.network.conditionals import Columns, Conditional, Entry, Parents
from pathprior.network.model import Network

Floats = NDArray[np.float64]

TOLD = 5
"""Points of a curve that are listed in words."""
LEAST_SHARE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A function that is straight between knots, and goes on straight beyond them.

    Attributes
    ----------
    knots, values
        Ascending, at least one, and what the function is there.
    slope
        Beyond the knots.
    """

    knots: Floats
    values: Floats
    slope: float

    def __call__(self, x: Floats) -> Floats:
        """The function's values."""
        beyond = x - np.clip(x, self.knots[0], self.knots[-1])
        return np.asarray(np.interp(x, self.knots, self.values) + self.slope * beyond)

    def inverse(self) -> "Curve":
        """Return the function that undoes a rising one."""
        return Curve(self.values, self.knots, 1.0 / self.slope)

    def steepness(self, x: Floats) -> Floats:
        """The slope at each place."""
        between = np.diff(self.values) / np.diff(self.knots)
        slopes = np.concatenate([[self.slope], between, [self.slope]])
        return np.asarray(slopes[np.searchsorted(self.knots, x)])

    def numbers(self) -> dict[str, Any]:
        """As lists and numbers."""
        return {
            "knots": self.knots.tolist(),
            "values": self.values.tolist(),
            "slope": self.slope,
        }

    @classmethod
    def of_numbers(cls, numbers: dict[str, Any]) -> "Curve":
        """Undo `numbers`."""
        knots, values = (np.array(numbers[name], dtype=float) for name in ("knots", "values"))
        is_fine = knots.ndim == 1 and knots.shape == values.shape and len(knots)
        if not is_fine or not np.isfinite([*knots, *values, float(numbers["slope"])]).all():
            raise NetworkError("a curve needs as many values as knots, all of them finite")
        if (np.diff(knots) <= 0).any():
            raise NetworkError("the knots of a curve must ascend")
        return cls(knots, values, float(numbers["slope"]))


@dataclass(frozen=True, slots=True, eq=False)
class Curved(Conditional):
    """A real node v: scale(x_v) = intercept + Σ curve(x_u) + exp(Σ spread(x_u)) · noise.

    Attributes
    ----------
    intercept
        A number.
    curves
        One for each parent.
    spreads
        The same of the logarithm of the noise's spread; none where this is constant.
    noise
        Ascending values, all as probable; about each lies a normal distribution.
    width
        Standard deviation of these.
    scale
        A rising curve to the scale on which this holds, such as normal scores; None for the data's.
    """

    kind = "curved"

    intercept: float
    curves: tuple[Curve, ...]
    spreads: tuple[Curve, ...]
    noise: Floats
    width: float
    scale: Curve | None = None

    @property
    def num_parameters(self) -> int:
        """All numbers that were estimated, of curves those at their knots."""
        told = sum(len(curve.knots) for curve in (*self.curves, *self.spreads))
        return 1 + told + len(self.noise)

    def middle(self, parents: Columns) -> Floats:
        """Intercept and curves, on the scale of the noise."""
        total: Any = self.intercept
        for curve, column in zip(self.curves, parents, strict=True):
            total = total + curve(column)
        return np.asarray(total, dtype=np.float64)

    def spread(self, parents: Columns) -> Any:
        """What the noise is multiplied with."""
        if not self.spreads:
            return 1.0
        logs = [curve(column) for curve, column in zip(self.spreads, parents, strict=True)]
        return np.exp(np.sum(logs, axis=0))

    def log_density(self, column: NDArray[Any], parents: Columns) -> Floats:
        """Of the mixture of normals, back from the scale."""
        y = column if self.scale is None else self.scale(column)
        spread = np.broadcast_to(self.spread(parents), y.shape)
        e = (y - self.middle(parents)) / spread
        z = (e[:, None] - self.noise) / self.width
        logs = np.logaddexp.reduce(-0.5 * z * z, axis=1) - np.log(len(self.noise) * self.width)
        density = logs - 0.5 * np.log(2 * np.pi) - np.log(spread)
        if self.scale is not None:
            density = density + np.log(self.scale.steepness(column))
        return np.asarray(density)

    def draw(self, uniforms: Floats, parents: Columns) -> Floats:
        """One of the normals by the first digits of each uniform, a value of it by the others."""
        from scipy.special import ndtri

        places = uniforms * len(self.noise)
        which = np.minimum(places.astype(np.int64), len(self.noise) - 1)
        rest = np.clip(places - which, LEAST_SHARE, 1 - LEAST_SHARE)
        noise = self.noise[which] + self.width * ndtri(rest)
        y = self.middle(parents) + self.spread(parents) * noise
        return np.asarray(y if self.scale is None else self.scale.inverse()(y))

    def mean(self, parents: Columns) -> Floats:
        """Of the node, in each row; on another scale by a few of the noise's values."""
        if self.scale is None:
            return np.asarray(self.middle(parents) + self.spread(parents) * self.noise.mean())
        back, size = self.scale.inverse(), len(self.noise)
        some = self.noise[np.linspace(0, size - 1, min(size, 25)).round().astype(np.int64)]
        middle, spread = self.middle(parents), self.spread(parents)
        return np.asarray(np.mean([back(middle + spread * e) for e in some], axis=0))

    def numbers(self) -> dict[str, Any]:
        """By name, curves as knots and values."""
        return {
            "intercept": self.intercept,
            "curves": [curve.numbers() for curve in self.curves],
            "spreads": [curve.numbers() for curve in self.spreads],
            "noise": self.noise.tolist(),
            "width": self.width,
            "scale": None if self.scale is None else self.scale.numbers(),
        }

    @classmethod
    def of_numbers(cls, numbers: dict[str, Any]) -> "Curved":
        """Undo `numbers`."""
        curves, spreads = (
            tuple(Curve.of_numbers(one) for one in numbers[name]) for name in ("curves", "spreads")
        )
        scale = numbers["scale"]
        return cls(
            float(numbers["intercept"]),
            curves,
            spreads,
            np.sort(np.array(numbers["noise"], dtype=float)),
            float(numbers["width"]),
            None if scale is None else Curve.of_numbers(scale),
        )

    def entries(self, states: tuple[str, ...], parents: Parents) -> Iterator[Entry]:
        """The intercept, some points of each curve, and the deviation of the noise."""
        yield "", "intercept", "", self.intercept
        for what, curves in (("curve", self.curves), ("log spread", self.spreads)):
            for (name, _), curve in zip(parents, curves, strict=bool(curves)):
                places = np.linspace(0, len(curve.knots) - 1, TOLD).round().astype(np.int64)
                for k in np.unique(places):
                    yield "", what, f"{name} = {curve.knots[k]:.4g}", float(curve.values[k])
        yield "", "deviation", "", float(np.hypot(self.noise.std(), self.width))


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class AdditiveNetwork(Network):
    """A network of real variables, each a sum of bent functions of its parents and noise.

    Made by `Fit.network` where the score is additive or of ranks. Immutable and comparable; read by
    position or by name: ``conditionals["bmi"]``.

    Parameters
    ----------
    dag
        The structure.
    conditionals
        ``conditionals[v]``: of node v, a `Curved` with a curve for each parent.
    """

    dag: Dag
    states: ByNode[tuple[str, ...]] = field(repr=False)
    conditionals: ByNode[Curved] = field(repr=False)

    def __init__(self, dag: Dag, conditionals: Sequence[Curved]) -> None:
        if len(conditionals) != dag.num_nodes:
            raise NetworkError(
                f"{dag.num_nodes} nodes need as many conditionals, not {len(conditionals)}"
            )
        for node, given in zip(dag.nodes, conditionals, strict=True):
            size = len(dag.parents(node))
            if len(given.curves) != size or len(given.spreads) not in (0, size):
                raise NetworkError(f"{node!r} needs a curve for each of its {size} parents")
            if not (given.width > 0 and len(given.noise) and np.isfinite(given.noise).all()):
                raise NetworkError(f"the noise of {node!r} must be finite, its width above zero")
        object.__setattr__(self, "dag", dag)
        object.__setattr__(self, "states", ByNode(dag, ((),) * dag.num_nodes))
        object.__setattr__(self, "conditionals", ByNode(dag, tuple(conditionals)))
