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
from pathprior.studio.following import Following
from pathprior.studio.graph_pool import (
    MOST_NODES,
    Drawn,
    alphabets_of_rows,
    pair_row,
)
from pathprior.studio.mind import (
    JUDGE_SECONDS,
    Mind,
    conflicts_of,
    is_countable,
    quiet_fit,
)
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
    def fitted(self) -> list[Belief]:
        """The beliefs that are fitted: not those that tiers make impossible."""
        within = self.within
        beliefs = [belief for _, belief in self.beliefs]
        return [one for one in beliefs if within is None or within.clash(one) is None]

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
        self._about: tuple[tuple[str, ...], ExpectedParents, Tiers] | None = None
        self._drawn_by: tuple[Any, ...] | None = None

    def read(self, asked: Stated) -> JsonObject:
        """The quick reading."""
        stated = asked.known
        base = make_base(stated.expected_parents, len(stated.variables))
        self._turn_to(stated, base)
        beliefs = stated.fitted
        if is_countable(beliefs, stated.variables, stated.within):
            prior = _fit(stated)
            conflicts_found = conflicts_of(prior, stated.within)
            implied = self._implied(prior, stated.spoken)
            return _describe(stated, base, prior, conflicts_found, None, implied)
        conflicts: list[Conflict] = []
        fields = []
        for source, own in by_source(beliefs, Pool.SOURCES).items():
            mind = self._minds.get(source) or Mind(
                stated.variables, stated.expected_parents, base.edge_odds, stated.within
            )
            self._minds[source] = mind
            mind.consider(own)
            conflicts += mind.conflicts
            fields.append(mind.field)
        weighed = [field for field in fields if field is not None]
        if self._following is None or len(weighed) < len(fields):
            return _describe(stated, base, None, conflicts, None, [])
        unweighed = self._following.unweighed
        total = np.sum(weighed, axis=0)
        drawn = self._following.draw(total, QUICK_SECONDS)
        implied = self._following.implied(drawn, stated.spoken)
        return _describe(stated, base, None, conflicts, drawn, implied, unweighed)

    def _turn_to(self, stated: Stated, base: Base) -> None:
        """Begin anew with what has changed since the last reading."""
        about = stated.variables, stated.expected_parents, stated.tiers
        if self._about != about:
            self._about = about
            self._minds: dict[str, Mind] = {}
        drawn_by = (*about, stated.alphabets)
        if self._drawn_by != drawn_by:
            self._drawn_by = drawn_by
            self._following = stated.following(base, USUAL_SECONDS)

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
    reading = _describe(stated, base, prior, conflicts_of(prior, stated.within), None, [])
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


def _fit(stated: Stated, progress: Progress = silent) -> PathPrior:
    return quiet_fit(
        stated.fitted, stated.variables, stated.expected_parents, progress, within=stated.within
    )


def _describe(
    stated: Stated,
    base: Base,
    prior: PathPrior | None,
    conflicts: Sequence[Conflict],
    drawn: Drawn | None,
    implied: Sequence[JsonObject],
    unweighed: Drawn | None = None,
) -> JsonObject:
    """A reading as JSON values; fitted values are those of ``prior``, or else of ``drawn``.

    Baselines within tiers are likewise those of the prior, or of graphs drawn ``unweighed``.
    """
    num_nodes = len(stated.variables)
    usual = np.full(len(Tie), np.nan)
    if num_nodes > 1:
        usual = tie_probabilities(num_nodes, base.edge_odds)
    rows = dict(_rows(stated, usual, prior, drawn, unweighed))
    within = stated.within
    return {
        "revision": stated.revision,
        "isFinal": False,
        "isExact": prior is not None,
        "baseline": {event.value: share_of(usual, event) for event in Event if num_nodes > 1},
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
    unweighed: Drawn | None,
) -> Iterator[tuple[int, JsonObject]]:
    """For each belief the baseline and the fitted value of each event that it names."""
    index = {name: k for k, name in enumerate(stated.variables)}
    fitted = {} if prior is None else _column(prior, "fitted")
    before = {} if prior is None else _column(prior, "baseline")
    within = stated.within
    for number, belief in stated.beliefs:
        i, j = index[belief.x], index[belief.y]
        values, errors, baselines = [], [], []
        for event in belief.named_events:
            decided = None if within is None else within.share(belief, event)
            key = belief.x, belief.y, event.value
            if decided is not None:
                baselines.append(decided)
            elif key in before or unweighed is None:
                baselines.append(before.get(key, share_of(usual, event)))
            else:
                baselines.append(drawn_share(unweighed, i, j, event, len(index))[0])
            if decided is not None:
                values.append(decided)
                errors.append(0.0)
            elif key in fitted:
                values.append(fitted[key])
                errors.append(0.0)
            elif drawn is not None:
                value, error = drawn_share(drawn, i, j, event, len(index))
                values.append(value)
                # the weights of a sketch have been drawn too
                errors.append(error * sqrt(1 + QUICK_SECONDS / JUDGE_SECONDS))
        yield number, {"baseline": baselines, "fitted": values, "errors": errors}


def _column(prior: PathPrior, name: str) -> Mapping[tuple[str, str, str], float]:
    table = prior.table
    keys = zip(table["x"], table["y"], table["event"], strict=True)
    return dict(zip(keys, table[name].astype(float), strict=True))


def drawn_share(drawn: Drawn, i: int, j: int, event: Event, size: int) -> tuple[float, float]:
    """Probability of an event of two of ``size`` variables, with its error."""
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


def share_of(probabilities: NDArray[np.float64], event: Event) -> float:
    """Probability of an event by those of the ties."""
    return float(probabilities[sorted(event.ties)].sum())
