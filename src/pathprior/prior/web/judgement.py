"""Judgements of a web's weights, and what several of them together say.

A judgement at weights θ_j sees averages of relations and events. Near the solution they are linear
in the weights, with the covariances between relations and events as slopes. So judgements at nearby
weights are carried over to any of these and count as one long judgement there, and the Newton step
that mends the gaps uses every sample that was drawn.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.web.diagnostics import Agreement, cut_blocks, root_mean_square
from pathprior.prior.web.moments import Moments, SoftEquations

NEAR = 2.0
"""So many standard errors, root mean square over the events, may be noise alone."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A run with fixed weights."""

    equations: SoftEquations
    """The weights that were judged."""
    blocks: NDArray[np.float32]
    """Averages of relations, block of rounds × chain × (pair, relation)."""
    products: NDArray[np.float64]
    """Probability of each relation together with each event, (pair, relation) × event."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What weights do, as far as judgements tell."""

    equations: SoftEquations
    relations: NDArray[np.float64]
    """Probability of each pair's relations."""
    events: Agreement
    parts: NDArray[np.float64]
    """Averages of the events over the parts of the chains, part × event."""

    @property
    def gaps(self) -> NDArray[np.float64]:
        """What the events' averages are short of what the weights want them to be."""
        gaps: NDArray[np.float64] = self.equations.wanted - self.events.marginals
        return gaps

    def is_good(self, tolerance: float) -> bool:
        """Whether every event is where it should be, and that is known well enough."""
        return self.events.has_settled(tolerance) and bool((np.abs(self.gaps) <= tolerance).all())

    def meets(self, tolerance: float) -> bool:
        """Whether noise explains what stated beliefs are missed by beyond ``tolerance``."""
        missed = np.abs(self.events.marginals - self.equations.target)
        beyond = np.maximum(missed - tolerance, 0.0) / self.errors
        return bool(beyond.max(initial=0.0) <= 3.0) and root_mean_square(beyond) <= 1.0

    @property
    def is_near(self) -> bool:
        """Whether gaps are about as large as their errors."""
        return _is_noise(self.gaps, self.errors)

    @property
    def errors(self) -> NDArray[np.float64]:
        """Standard errors, no less than what the effective samples allow: rare events show none."""
        wanted = np.clip(self.equations.wanted, 0.0, 1.0)
        least = np.sqrt(wanted * (1 - wanted) / self.events.num_effective)
        return np.maximum(np.maximum(self.events.standard_errors, least), 1e-9)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Judgements at nearby weights."""

    judgements: tuple[Judgement, ...]

    @property
    def num_blocks(self) -> int:
        """Blocks of rounds of all judgements."""
        return sum(len(judged.blocks) for judged in self.judgements)

    @property
    def latest(self) -> SoftEquations:
        """The weights that were judged last."""
        return self.judgements[-1].equations

    def joined(self, judged: Judgement) -> "Evidence":
        """This and one more judgement.

        Gaps beyond noise, in the one or the other, may be too large to be linear: then the new
        judgement stands alone. Its weights come from a step that had the noise of those before. If
        gaps have grown on top of that, the step was wrong, and this is returned without it.
        """
        alone = Evidence((judged,))
        if not self.judgements:
            return alone
        both = Evidence((*self.judgements, judged))
        if np.array_equal(judged.equations.theta, self.latest.theta):
            return both
        seen, before, start = alone.at(alone.latest), self.at(alone.latest), self.at(self.latest)
        is_near = _is_noise(seen.gaps, np.hypot(seen.errors, before.errors))
        if is_near and (start.is_near or len(self.judgements) > 1):
            return both
        is_worse = root_mean_square(seen.gaps) > root_mean_square(start.gaps)
        return self if is_worse and not is_near else alone

    def at(self, equations: SoftEquations) -> Finding:
        """What these weights do."""
        slopes = self._covariances
        carried = [
            judged.blocks + (slopes @ (equations.theta - judged.equations.theta)).astype(np.float32)
            for judged in self.judgements
        ]
        relations, parts = cut_blocks(np.concatenate(carried))
        parts = equations.events_of(parts)
        drawn = equations.events_of(self._relations)
        events = Agreement.of_parts(equations.events_of(relations), parts, drawn=drawn)
        # straight lines may pass 0
        probabilities = np.maximum(relations.reshape(-1, NUM_TIES), 0.0)
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        return Finding(equations, probabilities, events, parts)

    def corrected(self) -> SoftEquations:
        """The equations after the Newton step that closes the gaps, from the mean weights."""
        theta = self._mean([judged.equations.theta for judged in self.judgements])
        found = self.at(replace(self.latest, theta=theta))
        return found.equations.moved(self._newton_matrix(found) @ found.gaps, 1.0)

    def weight_errors(self, found: Finding) -> NDArray[np.float64]:
        """Standard errors of log λ after such a step, by pair and relation.

        Each part of the chains alone would have asked for a step of its own. A pair's log λ count
        from their mean under the fitted probabilities, for only their differences mean something.
        """
        steps = found.equations.by_relation(found.parts @ self._newton_matrix(found).T)
        steps -= (steps * found.relations).sum(axis=-1, keepdims=True)
        errors = steps.std(axis=0, ddof=1) / np.sqrt(len(steps))
        # rare events may not have been met: the error of one such weight by itself
        wanted = np.clip(found.equations.wanted, 1e-9, 1.0)
        least = np.sqrt((1 / wanted - 1) / found.events.num_effective)
        least[found.equations.target == 0] = 0.0
        largest: NDArray[np.float64] = np.maximum(errors, found.equations.by_relation(least))
        return largest

    def _newton_matrix(self, found: Finding) -> NDArray[np.float64]:
        products = found.equations.events_of(self._products.T).T
        moments = Moments(products.diagonal().copy(), products)
        return found.equations.newton_matrix(moments, found.events.num_effective)

    @property
    def _products(self) -> NDArray[np.float64]:
        return self._mean([judged.products for judged in self.judgements])

    @property
    def _covariances(self) -> NDArray[np.float64]:
        """Of relations with events."""
        relations = self._relations
        return self._products - np.outer(relations, self.latest.events_of(relations))

    @property
    def _relations(self) -> NDArray[np.float64]:
        """Averages of the relations as they were drawn, each judgement at its own weights."""
        return self._mean(
            [judged.blocks.mean(axis=(0, 1), dtype=np.float64) for judged in self.judgements]
        )

    def _mean(self, values: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        lengths = [len(judged.blocks) for judged in self.judgements]
        return np.asarray(np.average(values, axis=0, weights=lengths))


def _is_noise(gaps: NDArray[np.float64], errors: NDArray[np.float64]) -> bool:
    return root_mean_square(gaps / errors) <= NEAR
