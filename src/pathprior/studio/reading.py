"""What beliefs come to: fitted values, conflicts, and what they imply for other pairs.

There are two readings of a revision. The *quick* one is there at once: exact where all beliefs can
be counted in a moment, else a sketch, with its errors. The *careful* one is `fit_prior` as scripts
call it, and more graphs for what follows.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.event import Event
from pathprior.beliefs.statement import Statement
from pathprior.counting.expected_parents import Base, ExpectedParents, make_base
from pathprior.counting.progress import Progress, silent
from pathprior.graph.alphabets import Alphabets
from pathprior.graph.tie import Tie
from pathprior.prior.listed.conflicts import Conflict
from pathprior.prior.path_prior import PathPrior
from pathprior.prior.reference import tie_probabilities
from pathprior.prior.sources import Pool, by_source
from pathprior.prior.unmet import Unmet
from pathprior.studio.allowed import allowed_range
from pathprior.studio.following import Following
from pathprior.studio.graph_pool import (
    MOST_NODES,
    Drawn,
    GraphPool,
    alphabets_of_rows,
    num_records,
    pair_row,
)
from pathprior.studio.mind import JUDGE_SECONDS, Mind, is_countable, quiet_fit
from pathprior.studio.within import Tiers, Within

QUICK_SECONDS, CAREFUL_SECONDS = 0.04, 1.0
"""What drawing graphs may take for the two readings, about."""
USUAL_SECONDS = 0.4
"""What it may take once for tiers: how probable all is within them without any belief."""

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Stated:
    """What is to be read: beliefs by number, among all variables."""

    revision: int
    variables: tuple[str, ...]
    beliefs: tuple[tuple[int, Belief], ...]
    expected_parents: ExpectedParents
    tiers: Tiers = ()

    @property
    def known(self) -> "Stated":
        """Only the beliefs on variables that there are; statements have no probability to fit."""
        there = set(self.variables)
        kept = tuple(
            (number, belief)
            for number, belief in self.beliefs
            if {belief.x, belief.y} <= there and not isinstance(belief, Statement)
        )
        return replace(self, beliefs=kept)

    @property
    def alphabets(self) -> Alphabets:
        """Which ties are told apart, by the rows of pairs."""
        index = {name: k for k, name in enumerate(self.variables)}
        return alphabets_of_rows((belief for _, belief in self.beliefs), index)

    @property
    def within(self) -> Within | None:
        """What the tiers rule out; None where they rule out nothing."""
        if not any(self.tiers):
            return None
        within = Within.of(self.variables, self.tiers)
        return within if within.barred.any() else None

    @property
    def spoken(self) -> list[tuple[str, str]]:
        """The pairs that somebody spoke of."""
        return [(belief.x, belief.y) for _, belief in self.beliefs]

    def following(self, base: Base, seconds: float) -> Following | None:
        """Graphs for what follows; None where there are no pairs, or too many to draw."""
        if not 2 <= len(self.variables) <= MOST_NODES:
            return None
        return Following(self.variables, base, self.alphabets, self.within, seconds)


class Reader:
    """Quick readings, each from where the last one left off."""

    def __init__(self) -> None:
        self._about: tuple[tuple[str, ...], ExpectedParents] | None = None
        self._drawn_by: tuple[Any, ...] | None = None

    def read(self, asked: Stated) -> JsonObject:
        """The quick reading."""
        stated = asked.known
        base = make_base(stated.expected_parents, len(stated.variables))
        self._turn_to(stated, base)
        beliefs = [belief for _, belief in stated.beliefs]
        if is_countable(beliefs):
            prior = _fit(stated)
            return _describe(
                stated, base, prior, prior.conflicts, None, self._implied(prior, stated.spoken)
            )
        conflicts: list[Conflict] = []
        fields = []
        for source, own in by_source(beliefs, Pool.SOURCES).items():
            mind = self._minds.get(source) or Mind(
                stated.variables, stated.expected_parents, base.edge_odds
            )
            self._minds[source] = mind
            mind.consider(own)
            conflicts += mind.conflicts
            fields.append(mind.field)
        weighed = [field for field in fields if field is not None]
        if self._following is None or self._pool is None or len(weighed) < len(fields):
            return _describe(stated, base, None, conflicts, None, [])
        total = np.sum(weighed, axis=0)
        drawn = self._following.draw(total, QUICK_SECONDS)
        implied = self._following.implied(drawn, stated.spoken)
        if self._pool is not self._following.pool:  # tiers have no part in what is fitted
            drawn = self._pool.draw(total, num_records(len(stated.variables), QUICK_SECONDS))
        return _describe(stated, base, None, conflicts, drawn, implied)

    def _turn_to(self, stated: Stated, base: Base) -> None:
        """Begin anew with what has changed since the last reading."""
        about = stated.variables, stated.expected_parents
        if self._about != about:
            self._about = about
            self._minds: dict[str, Mind] = {}
        drawn_by = (*about, stated.tiers, stated.alphabets)
        if self._drawn_by != drawn_by:
            self._drawn_by = drawn_by
            self._following = stated.following(base, USUAL_SECONDS)
            self._pool = None if self._following is None else self._following.pool
            if self._pool is not None and stated.within is not None:
                self._pool = GraphPool(
                    len(stated.variables), base.edge_odds, alphabets=stated.alphabets
                )

    def _implied(self, prior: PathPrior, spoken: Sequence[tuple[str, str]]) -> list[JsonObject]:
        following = self._following
        if following is None or not spoken:
            return []
        return following.implied(following.draw_of(prior, QUICK_SECONDS), spoken)


def read_carefully(asked: Stated, progress: Progress = silent) -> JsonObject:
    """The careful reading."""
    stated = asked.known
    base = make_base(stated.expected_parents, len(stated.variables))
    prior = _fit(stated, progress)
    reading = _describe(stated, base, prior, prior.conflicts, None, [])
    follows: JsonObject = {"questions": []}
    following = stated.following(base, CAREFUL_SECONDS)
    if following is not None:
        drawn = following.draw_of(prior, CAREFUL_SECONDS)
        follows = {
            "implied": following.implied(drawn, stated.spoken),
            "questions": following.questions(drawn, stated.spoken),
        }
    return (
        reading
        | follows
        | {
            "isFinal": True,
            "reference": prior.reference,
            "disagreements": [found.sentence for found in prior.disagreements],
        }
    )


def read_range(asked: Stated, x: str, relation: str, y: str, source: str) -> JsonObject:
    """What the slider of one statement shows: its baseline, and what other beliefs allow."""
    stated = asked.known
    base = make_base(stated.expected_parents, len(stated.variables))
    usual = tie_probabilities(len(stated.variables), base.edge_odds)
    own = by_source([belief for _, belief in stated.beliefs], Pool.SOURCES).get(source, ())
    allowed = allowed_range(own, stated.variables, x, relation, y, within=stated.within)
    return {
        "baseline": float(usual[sorted(Event.parse(relation).ties)].sum()),
        "lower": None if allowed is None else allowed.lower,
        "upper": None if allowed is None else allowed.upper,
        "isWhole": allowed is not None and allowed.is_whole,
        "isWithinTiers": stated.within is not None,
    }


def _fit(stated: Stated, progress: Progress = silent) -> PathPrior:
    beliefs = [belief for _, belief in stated.beliefs]
    return quiet_fit(beliefs, stated.variables, stated.expected_parents, progress)


def _describe(
    stated: Stated,
    base: Base,
    prior: PathPrior | None,
    conflicts: Sequence[Conflict],
    drawn: Drawn | None,
    implied: Sequence[JsonObject],
) -> JsonObject:
    """A reading as JSON values; fitted values are those of ``prior``, or else of ``drawn``."""
    num_nodes = len(stated.variables)
    usual = np.full(len(Tie), np.nan)
    if num_nodes > 1:
        usual = tie_probabilities(num_nodes, base.edge_odds)
    rows = dict(_rows(stated, usual, prior, drawn))
    within = stated.within
    return {
        "revision": stated.revision,
        "isFinal": False,
        "isExact": prior is not None,
        "baseline": {event.value: _share(usual, event) for event in Event if num_nodes > 1},
        "beliefs": rows,
        "conflicts": [
            *_clashes(stated.beliefs, within),
            *(_conflict(conflict, stated.beliefs) for conflict in conflicts),
        ],
        "unmet": [] if prior is None else [_unmet(one, stated.beliefs) for one in prior.unmet],
        "implied": implied,
        "isWithinTiers": within is not None,
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
                # the weights of a sketch have been drawn too
                errors.append(error * sqrt(1 + QUICK_SECONDS / JUDGE_SECONDS))
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
    shares, errors = drawn.share(event, is_reversed=i > j)
    row = pair_row(i, j, size)
    return float(shares[row]), float(errors[row])


def _clashes(beliefs: Sequence[tuple[int, Belief]], within: Within | None) -> Iterator[JsonObject]:
    """The beliefs that tiers make impossible, one by one."""
    for number, belief in beliefs:
        sentence = None if within is None else within.clash(belief)
        if sentence is not None:
            yield {"sentence": sentence, "beliefs": [number]}


def _conflict(conflict: Conflict, beliefs: Sequence[tuple[int, Belief]]) -> JsonObject:
    members = [number for number, belief in beliefs if belief in conflict.beliefs]
    return {"sentence": conflict.sentence, "beliefs": members}


def _unmet(missed: Unmet, beliefs: Sequence[tuple[int, Belief]]) -> JsonObject:
    members = [number for number, belief in beliefs if belief in missed.beliefs]
    return {"sentence": f"{missed.missed}; {missed.reason}", "beliefs": members}


def _share(probabilities: NDArray[np.float64], event: Event) -> float:
    return float(probabilities[sorted(event.ties)].sum())
