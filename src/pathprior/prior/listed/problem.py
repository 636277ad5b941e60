"""`Problem`: beliefs laid on the listed configurations of one part of the constraint graph.

The fits see nothing else. Configurations that no belief tells apart are merged into one *pattern*,
which is exact because every fit has the form J_C = U_C · Π_k λ_k(event_k(C)).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.tie import Tie
from pathprior.kernels.listed.loglinear import add_marginals, add_moments, add_scores
from pathprior.prior.listed.listing import Listing


@dataclass(frozen=True, slots=True)
class Constraint:
    """One belief as a fit sees it."""

    belief: int
    """Position of the belief in the belief set."""
    column: int
    """The pair it speaks of, as a column of the listing."""
    event_of: tuple[int, ...]
    """Which of its events each tie code of that column falls in."""
    targets: tuple[float, ...]
    """The stated probability of each of its events."""
    strength: float

    @property
    def told(self) -> frozenset[Tie]:
        """The ties that its events tell from the relations that go with them."""
        event_of = self.event_of
        return frozenset(tie for tie in Tie if event_of[tie] != event_of[tie.relation])


@dataclass(frozen=True, slots=True)
class Problem:
    """Patterns of events with their reference probability, and the stated marginals.

    Events are numbered through all constraints: event ``e`` belongs to ``constraints[owner[e]]``.
    Patterns that a hard belief excludes are left out, unless asked for.
    """

    constraints: tuple[Constraint, ...]
    events: NDArray[np.int16]
    """Event numbers, one row per pattern and one column per constraint."""
    reference: NDArray[np.float64]
    """U of each pattern; less than 1 in total where hard beliefs exclude some."""
    probe: NDArray[np.bool_]
    """Whether the probed event holds in a pattern; all False if none was asked for."""
    target: NDArray[np.float64]
    """Stated probability of each event."""
    strength: NDArray[np.float64]
    """Strength of each event's belief."""
    owner: NDArray[np.int64]
    """Constraint number of each event."""

    @property
    def num_events(self) -> int:
        """Number of events of all constraints together."""
        return len(self.target)

    @property
    def possible(self) -> NDArray[np.bool_]:
        """The events that some remaining pattern has."""
        seen = np.zeros(self.num_events, dtype=bool)
        seen[np.unique(self.events)] = True
        return seen

    def joint(self, theta: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
        """Return (J, log Z): J = U · exp(Σ_k θ[event_k]) / Z on the patterns."""
        scores = np.log(self.reference)
        add_scores(self.events, theta, scores)
        top = float(scores.max())
        joint = np.exp(scores - top)
        total = float(joint.sum())
        return joint / total, top + float(np.log(total))

    def marginals(self, joint: NDArray[np.float64]) -> NDArray[np.float64]:
        """Probability of each event under ``joint``."""
        out = np.zeros(self.num_events)
        add_marginals(self.events, joint, out)
        return out

    def moments(self, joint: NDArray[np.float64]) -> NDArray[np.float64]:
        """Probability of each two events together; the diagonal holds `marginals`."""
        out = np.zeros((self.num_events, self.num_events))
        add_moments(self.events, joint, out)
        return out


def build_problem(
    listing: Listing,
    constraints: Sequence[Constraint],
    *,
    probe: tuple[int, frozenset[Tie]] | None = None,
    keep_excluded: bool = False,
) -> Problem:
    """Merge the configurations of ``listing`` into the patterns that ``constraints`` tell apart.

    ``probe``, an event as (column, ties), keeps patterns apart that differ in it.
    ``keep_excluded`` keeps the patterns that hard beliefs rule out, so that a linear program over
    some of the beliefs can leave those out.
    """
    starts = np.cumsum([0, *(len(c.targets) for c in constraints)])
    codes = listing.configurations
    num_configurations = len(codes)
    columns = [
        (start + np.array(c.event_of))[codes[:, c.column]]
        for start, c in zip(starts, constraints, strict=False)
    ]
    held = np.zeros(num_configurations, dtype=bool)
    if probe is not None:
        held = np.isin(codes[:, probe[0]], list(probe[1]))
    target = np.array([p for c in constraints for p in c.targets])
    kept = np.ones(num_configurations, dtype=bool)
    if not keep_excluded:
        for column in columns:
            kept &= target[column] > 0
    key = _row_keys([held[kept].astype(np.int64), *(column[kept] for column in columns)])
    _, first, pattern = np.unique(key, return_index=True, return_inverse=True)
    rows = np.flatnonzero(kept)[first]
    events = np.empty((len(rows), len(columns)), dtype=np.int16)
    for k, column in enumerate(columns):
        events[:, k] = column[rows]
    return Problem(
        constraints=tuple(constraints),
        events=events,
        reference=np.bincount(
            pattern, weights=listing.probabilities[kept], minlength=len(rows)
        ).astype(np.float64),
        probe=held[rows],
        target=target,
        strength=np.array([c.strength for c in constraints for _ in c.targets]),
        owner=np.repeat(np.arange(len(constraints)), np.diff(starts)),
    )


def _row_keys(columns: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """One integer per row, equal for equal rows and only for them."""
    key = np.zeros(len(columns[0]), dtype=np.int64)
    size = 1
    for column in columns:
        values, rank = np.unique(column, return_inverse=True)
        if size > np.iinfo(np.int64).max // max(1, len(values)):
            distinct, key = np.unique(key, return_inverse=True)
            size = len(distinct)
        key = key * len(values) + rank
        size *= max(1, len(values))
    return key
