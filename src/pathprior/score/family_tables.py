"""Tables of a family from the parts of its score: their mean, and draws, each part by its share."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from pathprior.graph.bitset import unpack_row
from pathprior.kernels.data.parts import ADDITIVE, NUM_PARTS, ROWS, TABLE, Parts, read_parts
from pathprior.network.tables import count_cells, draw_table
from pathprior.score.rows import times_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CountedFamily:
    """A family's counts on some rows, and what its score made of them.

    Configurations are numbered with the state of the first parent, in the order of ``members``,
    changing fastest.
    """

    members: tuple[int, ...]
    of_parents: tuple[int, ...]
    counts: NDArray[np.int64]
    parts: Floats
    chances: Floats | None
    """π̂ of the additive logit; None where the family has none but its table."""
    effects: Floats
    factor: Floats
    """Cholesky's factor of −∇²ℓ, in effects."""
    size: float

    @property
    def shares(self) -> Floats:
        """How probable each part is, given the data; that of no logit goes to the table."""
        weights = np.exp(self.parts - self.parts.max())
        if self.chances is None:
            weights[TABLE] += weights[ADDITIVE]
            weights[ADDITIVE] = 0.0
        return np.asarray(weights / weights.sum())

    def alpha(self, part: int) -> float:
        """The pseudo-count of a cell."""
        return self.size / self.counts.size if part == TABLE else 1 / self.counts.shape[1]

    def mean(self) -> Floats:
        """Posterior means of the parts by their shares; of the logit its most probable table."""
        table = np.zeros(self.counts.shape)
        shares = self.shares
        for part in (TABLE, ROWS):
            cells = self.counts + self.alpha(part)
            table += shares[part] * cells / cells.sum(axis=1, keepdims=True)
        if self.chances is not None:
            table += shares[ADDITIVE] * self.chances
        return np.asarray(table / table.sum(axis=1, keepdims=True))

    def draw(self, generator: np.random.Generator) -> Floats:
        """Draw a part by its share and a table from it, a logit's by its normal approximation."""
        part = int(generator.choice(NUM_PARTS, p=self.shares))
        if part != ADDITIVE:
            return draw_table(self.counts, self.alpha(part), generator)
        normal = generator.standard_normal(len(self.effects))
        effects = self.effects + np.linalg.solve(self.factor.T, normal)
        return chances_of(effects, self.of_parents, self.counts.shape[1])

    def log_odds_ratio(
        self, parent: int, states: tuple[int, int], outcomes: tuple[int, int]
    ) -> tuple[float, float]:
        """What the logit adds to the log odds of one outcome against another, and how sure it is.

        By one state of a parent against another, whatever the other parents are. That is v·θ for
        some v of ones and minus ones, and normal with mean v·θ̂ and variance vᵀ H⁻¹ v.
        """
        free = self.counts.shape[1] - 1
        at = 1 + sum(k - 1 for k in self.of_parents[: self.members.index(parent)])
        last = self.of_parents[self.members.index(parent)] - 1
        weights = np.zeros((len(self.effects) // free, free))
        for state, sign in zip(states, (1.0, -1.0), strict=True):
            for outcome, side in zip(outcomes, (1.0, -1.0), strict=True):
                if state != last and outcome != free:  # the effects of these are 0
                    weights[at + state, outcome] += sign * side
        spread = np.linalg.solve(self.factor, weights.ravel())
        return float(weights.ravel() @ self.effects), float(np.linalg.norm(spread))

    def in_order(self, table: Floats, parents: Sequence[int]) -> Floats:
        """A table of configurations with an axis for each of ``parents``, the child's last."""
        axes = table.reshape(*reversed(self.of_parents), table.shape[1])
        last = len(self.members) - 1
        order = [last - self.members.index(v) for v in parents]
        return np.ascontiguousarray(axes.transpose([*order, len(self.members)]))


def count_family(kernel: Parts, child: int, parents: Sequence[int], stratum: int) -> CountedFamily:
    """Count a family on the rows of a stratum, and read off what the score made of it."""
    members = np.sort(np.asarray(parents, dtype=np.int64))
    rows, strata, room = kernel.rows, kernel.strata, kernel.room
    kept = strata.rows[stratum]
    read_parts(kernel, kept, strata.sizes[stratum], child, members)
    of_parents = tuple(rows.num_states[members].tolist())
    q, r = prod(of_parents), int(rows.num_states[child])
    is_kept = unpack_row(kept, rows.codes.shape[1])
    family = [rows.codes[v][is_kept] for v in (*reversed(members.tolist()), child)]
    shape = (*reversed(of_parents), r)
    is_additive = bool(room.is_additive[0])
    num_effects = (1 + sum(k - 1 for k in of_parents)) * (r - 1) if is_additive else 0
    chances = None
    if is_additive:
        free = room.additive.chances[: q * (r - 1)].reshape(q, r - 1)
        chances = np.column_stack([free, 1 - free.sum(axis=1)])
    return CountedFamily(
        members=tuple(members.tolist()),
        of_parents=of_parents,
        counts=count_cells(family, shape, times_of(rows)[is_kept]).reshape(q, r),
        parts=room.parts.copy(),
        chances=chances,
        effects=room.additive.effects[:num_effects].copy(),
        factor=np.tril(room.additive.hessian[:num_effects, :num_effects]),
        size=kernel.size,
    )


def chances_of(effects: Floats, of_parents: Sequence[int], r: int) -> Floats:
    """The table of a logit with these effects, the last states being the reference."""
    free = effects.reshape(-1, r - 1)
    odds = np.zeros((*reversed(of_parents), r))
    odds[..., : r - 1] = free[0]
    at = 1
    for i, k in enumerate(of_parents):
        shape = [1] * len(of_parents)
        shape[len(of_parents) - 1 - i] = k
        own = np.vstack([free[at : at + k - 1], np.zeros((1, r - 1))])
        odds[..., : r - 1] += own.reshape(*shape, r - 1)
        at += k - 1
    return np.asarray(softmax(odds, axis=-1)).reshape(-1, r)
