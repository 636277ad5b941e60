"""What beliefs come to: fitted values, conflicts, and what they imply for other pairs.

There are two readings of a revision. The *quick* one is there at once: exact where all beliefs can
be counted in a moment, else a sketch, with its errors. The *careful* one is `fit_prior` as scripts
call it, and more graphs for what follows.
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.beliefs.event import Event
from pathprior.counting.expected_parents import Base, ExpectedParents, make_base
from pathprior.counting.progress import Progress, silent
from pathprior.errors import PathPriorWarning
from pathprior.graph.relation import Relation
from pathprior.prior.fit import fit_prior
from pathprior.prior.listed.conflicts import Conflict
from pathprior.prior.path_prior import PathPrior
from pathprior.prior.reference import pair_probabilities
from pathprior.studio.allowed import allowed_range, nearby_conflicts
from pathprior.studio.implied import implied_pairs, questions
from pathprior.studio.pool import Drawn, Pool, num_records
from pathprior.studio.sketch import Sketch

FEW_NODES = 4
"""Variables of connected beliefs that are counted exactly in a moment."""
MOST_NODES = 150
"""Variables beyond which the pairs are too many to draw while somebody waits."""
ROUND_SECONDS, QUICK_SECONDS, CAREFUL_SECONDS = 0.004, 0.06, 1.0
"""What chains may take, about: for a round of a sketch, and for graphs of the two readings."""

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Stated:
    """What is to be read: beliefs by number, among all variables."""

    revision: int
    variables: tuple[str, ...]
    beliefs: tuple[tuple[int, Belief], ...]
    expected_parents: ExpectedParents

    @property
    def known(self) -> "Stated":
        """Only the beliefs on variables that there are."""
        there = set(self.variables)
        kept = tuple(item for item in self.beliefs if {item[1].x, item[1].y} <= there)
        return Stated(self.revision, self.variables, kept, self.expected_parents)


class Reader:
    """Quick readings, each from where the last one left off."""

    def __init__(self) -> None:
        self._about: tuple[tuple[str, ...], ExpectedParents] | None = None
        self._before: tuple[Belief, ...] = ()
        self._conflicts: tuple[Conflict, ...] = ()

    def read(self, asked: Stated) -> JsonObject:
        """The quick reading."""
        stated = asked.known
        beliefs = tuple(belief for _, belief in stated.beliefs)
        base = make_base(stated.expected_parents, len(stated.variables))
        if self._about != (stated.variables, stated.expected_parents):
            self._begin(stated, base)
        if is_countable(beliefs):
            prior = _fit(stated)
            drawn = self._draw(base, self._pool_field(prior))
            return _describe(stated, base, prior, prior.conflicts, drawn, is_exact=True)
        self._conflicts = self._find_conflicts(beliefs, stated.variables)
        field = self._sketched(beliefs, stated.variables, base)
        drawn = self._draw(base, field)
        return _describe(stated, base, None, self._conflicts, drawn, is_exact=False)

    def _begin(self, stated: Stated, base: Base) -> None:
        self._about = stated.variables, stated.expected_parents
        self._pool = Pool(len(stated.variables), base.edge_odds)
        self._sketches: dict[str, Sketch] = {}
        self._before, self._conflicts = (), ()

    def _pool_field(self, prior: PathPrior) -> NDArray[np.float64]:
        return self._pool.field_of(prior.pairs, prior.log_weights)

    def _draw(self, base: Base, field: NDArray[np.float64]) -> Drawn | None:
        num_nodes = self._pool.chains.num_nodes
        if not 2 <= num_nodes <= MOST_NODES:
            return None
        return self._pool.draw(field, num_records(num_nodes, QUICK_SECONDS))

    def _sketched(
        self, beliefs: Sequence[Belief], variables: tuple[str, ...], base: Base
    ) -> NDArray[np.float64]:
        """The weights of all minds together: each is sketched by itself, and tilts add."""
        clashing = {belief for conflict in self._conflicts for belief in conflict.beliefs}
        total = np.zeros((len(self._pool.pairs), len(Relation)))
        for source, own in minds(beliefs).items():
            sketch = self._sketches.setdefault(source, Sketch(variables, base.edge_odds))
            records = num_records(len(variables), ROUND_SECONDS)
            total += sketch.fit(own, records, is_coherent=clashing.isdisjoint(own))
        return total

    def _find_conflicts(
        self, beliefs: tuple[Belief, ...], variables: Sequence[str]
    ) -> tuple[Conflict, ...]:
        """The conflicts that still are, and those around what is new."""
        kept = [c for c in self._conflicts if set(c.beliefs) <= set(beliefs)]
        found = {conflict.beliefs: conflict for conflict in kept}
        for own in minds(beliefs).values():
            new = [belief for belief in own if belief not in self._before]
            for conflict in nearby_conflicts(own, variables, new):
                found.setdefault(conflict.beliefs, conflict)
        self._before = beliefs
        return tuple(found.values())


def read_carefully(asked: Stated, progress: Progress = silent) -> JsonObject:
    """The careful reading."""
    stated = asked.known
    num_nodes = len(stated.variables)
    base = make_base(stated.expected_parents, num_nodes)
    prior = _fit(stated, progress)
    drawn = None
    if 2 <= num_nodes <= MOST_NODES:
        pool = Pool(num_nodes, base.edge_odds)
        field = pool.field_of(prior.pairs, prior.log_weights)
        drawn = pool.draw(field, num_records(num_nodes, CAREFUL_SECONDS))
    reading = _describe(stated, base, prior, prior.conflicts, drawn, is_exact=True)
    spoken = [(belief.x, belief.y) for _, belief in stated.beliefs]
    return reading | {
        "isFinal": True,
        "reference": prior.reference,
        "questions": [] if drawn is None else questions(drawn, stated.variables, spoken),
    }


def read_range(asked: Stated, x: str, relation: str, y: str, source: str) -> JsonObject:
    """What the slider of one statement shows: its baseline, and what other beliefs allow."""
    stated = asked.known
    base = make_base(stated.expected_parents, len(stated.variables))
    usual = pair_probabilities(len(stated.variables), base.edge_odds)
    own = minds([belief for _, belief in stated.beliefs]).get(source, [])
    allowed = allowed_range(own, stated.variables, x, relation, y)
    return {
        "baseline": float(usual[sorted(Event.parse(relation).relations)].sum()),
        "lower": None if allowed is None else allowed.lower,
        "upper": None if allowed is None else allowed.upper,
        "isWhole": allowed is not None and allowed.is_whole,
    }


def minds(beliefs: Sequence[Belief]) -> dict[str, list[Belief]]:
    """The beliefs by source: those of one are fitted together."""
    found: dict[str, list[Belief]] = {}
    for belief in beliefs:
        found.setdefault(belief.source, []).append(belief)
    return found


def is_countable(beliefs: Sequence[Belief]) -> bool:
    """Whether every group of connected beliefs has few enough variables to be counted at once."""
    import networkx as nx

    for own in minds(beliefs).values():
        graph: nx.Graph[str] = nx.Graph([(belief.x, belief.y) for belief in own])
        if any(len(part) > FEW_NODES for part in nx.connected_components(graph)):
            return False
    return True


def _fit(stated: Stated, progress: Progress = silent) -> PathPrior:
    with warnings.catch_warnings():
        # low and repeated beliefs are shown for what they are; errors stand beside the numbers
        warnings.simplefilter("ignore", PathPriorWarning)
        return fit_prior(
            BeliefSet(belief for _, belief in stated.beliefs),
            stated.variables,
            expected_parents=stated.expected_parents,
            progress=progress,
        )


def _describe(
    stated: Stated,
    base: Base,
    prior: PathPrior | None,
    conflicts: Sequence[Conflict],
    drawn: Drawn | None,
    *,
    is_exact: bool,
) -> JsonObject:
    """A reading as JSON values."""
    num_nodes = len(stated.variables)
    usual = pair_probabilities(num_nodes, base.edge_odds) if num_nodes > 1 else np.full(4, np.nan)
    rows = dict(_rows(stated, usual, prior, drawn))
    beliefs = [belief for _, belief in stated.beliefs]
    spoken = [(belief.x, belief.y) for belief in beliefs]
    return {
        "revision": stated.revision,
        "isFinal": False,
        "isExact": is_exact,
        "baseline": {event.value: _share(usual, event) for event in Event},
        "beliefs": rows,
        "conflicts": [_conflict(conflict, stated.beliefs) for conflict in conflicts],
        "implied": [] if drawn is None else implied_pairs(drawn, stated.variables, usual, spoken),
        "isTooWide": num_nodes > MOST_NODES,
    }


def _rows(
    stated: Stated,
    usual: NDArray[np.float64],
    prior: PathPrior | None,
    drawn: Drawn | None,
) -> Iterator[tuple[int, JsonObject]]:
    """For each belief the baseline and the fitted value of each event that it names."""
    index = {name: k for k, name in enumerate(stated.variables)}
    fitted = {} if prior is None else _fitted(prior)
    for number, belief in stated.beliefs:
        i, j = index[belief.x], index[belief.y]
        values, errors = [], []
        for event in belief.named_events:
            if prior is not None:
                values.append(fitted[belief.x, belief.y, event.value])
                errors.append(0.0)
            elif drawn is not None:
                value, error = _drawn_share(drawn, i, j, event, len(index))
                values.append(value)
                errors.append(error)
        yield (
            number,
            {
                "baseline": [_share(usual, event) for event in belief.named_events],
                "fitted": values,
                "errors": errors,
            },
        )


def _fitted(prior: PathPrior) -> Mapping[tuple[str, str, str], float]:
    table = prior.table
    keys = zip(table["x"], table["y"], table["event"], strict=True)
    return dict(zip(keys, table["fitted"].astype(float), strict=True))


def _drawn_share(drawn: Drawn, i: int, j: int, event: Event, size: int) -> tuple[float, float]:
    low, high = min(i, j), max(i, j)
    row = low * (2 * size - low - 1) // 2 + high - low - 1
    codes = [int(r.reverse if i > j else r) for r in event.relations]
    error = float(np.sqrt((drawn.errors[row, codes] ** 2).sum()))
    return float(drawn.probabilities[row, codes].sum()), error


def _conflict(conflict: Conflict, beliefs: Sequence[tuple[int, Belief]]) -> JsonObject:
    members = [number for number, belief in beliefs if belief in conflict.beliefs]
    return {"sentence": conflict.sentence, "beliefs": members}


def _share(probabilities: NDArray[np.float64], event: Event) -> float:
    return float(probabilities[sorted(event.relations)].sum())
