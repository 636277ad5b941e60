"""`StatementWeights`: statements as the kernels read them, one weight per tie of a pair."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.statement import Statement
from pathprior.beliefs.testimony import Testimony
from pathprior.graph.tie import Tie
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.kernels.prior.ties import NUM_TIES

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class StatementWeights:
    """What statements say of graphs, given or averaged over the reliability ρ of each source.

    With E the event of a statement of strength w, b the baseline and t the pair's relation, its log
    probability is w log ρ if t ∈ E, otherwise w (log(1 − ρ) + log b(E) − log(1 − b(t))). Given ρ
    these are weights of ties, and add to those of the beliefs. Averaged over ρ ~ Beta(a, b),

        P(statements | G) = Π_sources B(a + k, b + m − k) / B(a, b) · Π_wrong (b(E) / (1 − b(t)))^w,

    where k of the m statements of a source hold in G, counted by strength.

    Attributes
    ----------
    testimony
        The statements.
    believed
        Log weights of the beliefs alone, by pair and tie.
    pair, source
        Of each statement: the row of its pair, the position of its source.
    strength
        What each statement counts for.
    holds
        By statement and tie of its pair as it is listed.
    log_wrong
        log b(E) − log(1 − b(t)) by statement and tie; 0 where the statement holds.
    """

    testimony: Testimony
    believed: Floats
    pair: NDArray[np.int64]
    source: NDArray[np.int64]
    strength: Floats
    holds: NDArray[np.bool_]
    log_wrong: Floats

    @property
    def shapes(self) -> Floats:
        """a and b of each source's Beta distribution, before anything is known of the graph."""
        return np.array(self.testimony.reliability).reshape(-1, 2)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that chains depend on, besides the weights of the beliefs."""
        names = ("pair", "source", "strength", "holds", "log_wrong", "shapes")
        return {name: getattr(self, name) for name in names}

    def log_weights(self, log_right: Floats, log_wrong: Floats) -> Floats:
        """Weights of beliefs and statements, given log ρ and log(1 − ρ) of each source."""
        right, wrong = log_right[self.source, None], log_wrong[self.source, None]
        terms = np.where(self.holds, right, wrong + self.log_wrong) * self.strength[:, None]
        found = self.believed.copy()
        np.add.at(found, self.pair, terms)
        return found

    def shapes_given(self, codes: NDArray[np.integer]) -> Floats:
        """a + k and b + m − k of each source, given graphs by the codes of their pairs.

        ``codes`` has the pairs in its last dimension; the result has (sources, 2) in its place.
        """
        total = np.bincount(self.source, self.strength)
        of_source = np.eye(len(total))[self.source]
        num_held = self._look_up(self.holds.astype(np.float64), codes) @ of_source
        a, b = self.shapes.T
        return np.stack([a + num_held, b + (total - num_held)], axis=-1)

    def log_marginal(self, codes: NDArray[np.integer]) -> Floats:
        """log P(statements | G), the reliabilities averaged out, by the codes of the pairs."""
        from scipy.special import betaln

        after = self.shapes_given(codes)
        a, b = self.shapes.T
        wrong = self._look_up(self.log_wrong, codes).sum(axis=-1)
        found: Floats = (betaln(after[..., 0], after[..., 1]) - betaln(a, b)).sum(axis=-1) + wrong
        return found

    def log_prior(self, codes: NDArray[np.integer]) -> Floats:
        """The weights of the beliefs and log P(statements | G), by the codes of the pairs."""
        return self.log_believed(codes) + self.log_marginal(codes)

    def log_believed(self, codes: NDArray[np.integer]) -> Floats:
        """The weights of the beliefs alone, summed, by the codes of the pairs."""
        found: Floats = self.believed[np.arange(len(self.believed)), codes].sum(axis=-1)
        return found

    def _look_up(self, table: Floats, codes: NDArray[np.integer]) -> Floats:
        """What a table by statement and tie says of each statement, by its strength."""
        found: Floats = table[np.arange(len(self.pair)), codes[..., self.pair]] * self.strength
        return found


def no_statements(believed: GraphPrior) -> StatementWeights:
    """Beliefs beside which nobody says anything: averages over no source."""
    nowhere, nothing = np.zeros(0, np.int64), np.zeros((0, NUM_TIES))
    return StatementWeights(
        testimony=Testimony((), ()),
        believed=believed.log_weights,
        pair=nowhere,
        source=nowhere,
        strength=np.zeros(0),
        holds=nothing.astype(bool),
        log_wrong=nothing,
    )


def weigh_statements(
    testimony: Testimony, variables: Sequence[str], believed: GraphPrior, baseline: Floats
) -> tuple[StatementWeights, GraphPrior]:
    """Put statements beside the beliefs, on the pairs of both, those of the beliefs first.

    The weights that the kernels read are those at what is known of the sources beforehand.

    Parameters
    ----------
    variables
        Names, in the order of the pairs' positions.
    believed
        The beliefs.
    baseline
        Probability of each tie of a pair without any belief.
    """
    position = {name: v for v, name in enumerate(variables)}
    place = {name: s for s, name in enumerate(testimony.sources)}
    pairs = believed.pairs.tolist()
    rows = {frozenset(pair): row for row, pair in enumerate(pairs)}
    heard = []
    for statement in testimony.statements:
        x, y = position[statement.x], position[statement.y]
        row = rows.setdefault(frozenset((x, y)), len(pairs))
        if row == len(pairs):
            pairs.append([x, y])
        holds = _where_it_holds(statement, is_reversed=pairs[row] != [x, y])
        heard.append((row, place[statement.source], holds, _log_wrong(statement, holds, baseline)))
    pair, source, is_held, log_wrong = zip(*heard, strict=True)
    log_weights = np.zeros((len(pairs), NUM_TIES))
    log_weights[: len(believed.pairs)] = believed.log_weights
    found = StatementWeights(
        testimony=testimony,
        believed=log_weights,
        pair=np.array(pair, dtype=np.int64),
        source=np.array(source, dtype=np.int64),
        strength=np.array([statement.strength for statement in testimony.statements]),
        holds=np.array(is_held),
        log_wrong=np.array(log_wrong),
    )
    weights = found.log_weights(*expected_logs(found.shapes))
    return found, GraphPrior(np.array(pairs, np.int64), weights, believed.log_edge_odds)


def expected_logs(shapes: Floats) -> tuple[Floats, Floats]:
    """E log ρ and E log(1 − ρ) of each ρ ~ Beta(a, b)."""
    from scipy.special import digamma

    right, wrong = (digamma(shapes) - digamma(shapes.sum(axis=1, keepdims=True))).T
    return right, wrong


def _where_it_holds(statement: Statement, *, is_reversed: bool) -> NDArray[np.bool_]:
    """By tie of the pair as it is listed, which may be as (y, x)."""
    ties = statement.event.ties
    said = [tie.reverse for tie in ties] if is_reversed else list(ties)
    return np.isin(np.arange(NUM_TIES), said)


def _log_wrong(statement: Statement, holds: NDArray[np.bool_], baseline: Floats) -> Floats:
    probability = float(baseline[holds].sum())
    true = baseline if statement.event.is_about_edge else _by_relation(baseline)
    if probability == 0:
        raise statement.error(
            f"{statement.phrase}, but no DAG on these variables has it: a common cause needs a "
            "third variable"
        )
    return np.where(holds, 0.0, np.log(probability) - np.log1p(-true))


def _by_relation(baseline: Floats) -> Floats:
    """Of each tie the probability of its relation."""
    found: Floats = _SAME_RELATION @ baseline
    return found


_SAME_RELATION = np.array([[a.relation is b.relation for b in Tie] for a in Tie], dtype=np.float64)
