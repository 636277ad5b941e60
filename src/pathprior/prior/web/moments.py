"""The fit's equations for sampled configurations: moments, their errors, one Newton step.

With one weight θ_e > 0 per event, the soft fit (`pathprior.prior.listed.newton`) has the optimum
J_e = s_e π_e / θ_e, where J is the measure tilted by θ. Chains estimate J_e; a Newton step lowers
what is left, with the sampled covariance of the events as the Hessian of log Z.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.listed.problem import Constraint

Real = TypeVar("Real", np.float32, np.float64)

RIDGE = 10.0
"""Samples as stated that are added to a belief's own, for events that the chains have not met."""
MAX_WEIGHT_CHANGE = 2.0
"""Largest change of a single log λ in one step."""

EXCLUDED = -50.0
"""log λ of an event that a hard belief excludes, where it must be finite."""


@dataclass(frozen=True, slots=True)
class Moments:
    """Event probabilities and covariances as the chains saw them."""

    marginals: NDArray[np.float64]
    products: NDArray[np.float64]
    """Probability of each two events together."""

    def mixed(self, other: "Moments", share: float) -> "Moments":
        """These moments with ``share`` of the ``other`` in them."""
        return Moments(
            self.marginals + share * (other.marginals - self.marginals),
            self.products + share * (other.products - self.products),
        )


def relations_of(codes: NDArray[np.int8]) -> NDArray[np.float32]:
    """Indicators of the relations, ``codes`` with its last axis replaced by (pair, relation)."""
    held: NDArray[np.bool_] = codes[..., None] == np.arange(NUM_TIES, dtype=np.int8)
    return held.reshape(*codes.shape[:-1], -1).astype(np.float32)


def mean_products(some: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float64]:
    """Average of the products of each two indicators, which are along the last axes."""
    rows = some.reshape(-1, some.shape[-1])
    return (rows.T @ others.reshape(len(rows), -1)).astype(np.float64) / len(rows)


@dataclass(frozen=True, slots=True)
class SoftEquations:
    """Beliefs as events with targets; ``theta`` is the state of the fit."""

    constraints: tuple[Constraint, ...]
    num_pairs: int
    target: NDArray[np.float64]
    strength: NDArray[np.float64]
    owner: NDArray[np.int64]
    theta: NDArray[np.float64]

    @classmethod
    def start(
        cls, constraints: Sequence[Constraint], num_pairs: int, strength: float | None = None
    ) -> "SoftEquations":
        """The untilted measure; ``strength``, if given, replaces every belief's own."""
        sizes = [len(c.targets) for c in constraints]
        strengths = np.array([c.strength if strength is None else strength for c in constraints])
        return cls(
            constraints=tuple(constraints),
            num_pairs=num_pairs,
            target=np.array([p for c in constraints for p in c.targets]),
            strength=np.repeat(strengths, sizes),
            owner=np.repeat(np.arange(len(constraints)), sizes),
            theta=np.repeat(strengths, sizes),
        )

    @property
    def wanted(self) -> NDArray[np.float64]:
        """J_e = s_e π_e / θ_e: what the marginals must be for ``theta`` to be the optimum."""
        wanted: NDArray[np.float64] = self.strength * self.target / self.theta
        return wanted

    def field(self, excluded: float = -np.inf) -> NDArray[np.float64]:
        """log λ by pair and relation; ``excluded`` where a hard belief says never."""
        return self.by_relation(np.where(self.target == 0, excluded, self.theta - self.strength))

    def by_relation(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values of events, along the last axis, added up by pair and relation."""
        total = np.zeros((*values.shape[:-1], self.num_pairs, NUM_TIES))
        start = 0
        for constraint in self.constraints:
            total[..., constraint.column, :] += values[..., start + np.array(constraint.event_of)]
            start += len(constraint.targets)
        return total

    def events_of(self, relations: NDArray[Real]) -> NDArray[Real]:
        """Events from relations, indicators or probabilities along the last axis."""
        found = np.zeros((*relations.shape[:-1], len(self.target)), relations.dtype)
        start = 0
        for constraint in self.constraints:
            for r, e in enumerate(constraint.event_of):
                found[..., start + e] += relations[..., NUM_TIES * constraint.column + r]
            start += len(constraint.targets)
        return found

    def events(self, codes: NDArray[np.int8]) -> NDArray[np.float32]:
        """Indicators of the events, ``codes`` with its last axis replaced by the events."""
        return self.events_of(relations_of(codes))

    def moments(self, codes: NDArray[np.int8]) -> Moments:
        """Moments over all rows of ``codes``."""
        held = self.events(codes)
        products = mean_products(held, held)
        return Moments(products.diagonal().copy(), products)

    def newton_matrix(self, moments: Moments, num_effective: float) -> NDArray[np.float64]:
        """The matrix that turns a gap wanted − marginals into a Newton step of ``theta``.

        (Cov + diag(J_e/θ_e))⁻¹ with covariances between beliefs shrunk: the more beliefs there are
        for the ``num_effective`` samples, the more of what those say is noise. A common direction
        of many beliefs then looks flatter than it is, by the share taken off, so the whole matrix
        is scaled down by it.
        """
        active = self.target > 0
        kept = 1 / (1 + len(self.constraints) / num_effective)
        wanted = self.wanted[active]
        owner = self.owner[active]
        marginals = moments.marginals[active]
        same = owner[:, None] == owner[None, :]
        spread = moments.products[np.ix_(active, active)] - np.outer(marginals, marginals)
        spread = np.where(same, spread, kept * spread)
        stated = np.where(same, np.diag(wanted) - np.outer(wanted, wanted), 0.0)
        spread += RIDGE / num_effective * stated
        matrix = np.zeros((len(self.target), len(self.target)))
        matrix[np.ix_(active, active)] = kept * np.linalg.inv(
            spread + np.diag(wanted / self.theta[active])
        )
        return matrix

    def moved(self, step: NDArray[np.float64], gain: float) -> "SoftEquations":
        """Change ``theta`` by ``gain`` times ``step``, cut where it goes far or leaves θ > 0."""
        bounded = gain * np.clip(step, -MAX_WEIGHT_CHANGE, MAX_WEIGHT_CHANGE)
        return replace(self, theta=np.maximum(self.theta + bounded, 0.1 * self.theta))
