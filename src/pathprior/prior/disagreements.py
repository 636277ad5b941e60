"""Disagreements: what one source says against others. Evidence to weigh, not a contradiction."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log, log1p

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.event import Event
from pathprior.beliefs.evidence import SOME
from pathprior.graph.tie import Tie
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.constraints import alphabets_of, find_pair
from pathprior.prior.listed.listing import Listing
from pathprior.prior.sources import SourceFit, source_words

APART, FAR_APART = 0.1, 0.5
"""Least gap between probabilities on different sides of the baseline, and on the same side."""
MOST = 0.7
"""Share of what others imply, in log odds, that those of them who are named must come to."""
LEAST = 1e-9
"""Probability that stands for none, where log odds must be finite."""
MAX_DISAGREEMENTS = 20
MAX_IMPLYING = 20
"""Sources beyond which it is not asked what the others imply."""

Where = tuple[int, tuple[Tie, ...]]
"""A pair of the prior, and an event of it as the prior orders the pair."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Sources that give one event different probabilities."""

    sources: tuple[str, ...]
    """Two that speak of the pair; or the one that does, and those from whose beliefs another
    probability follows."""
    x: str
    event: Event
    y: str
    probabilities: tuple[float, float]
    """What the first source says, and what the others do."""
    together: float
    """What the pooled prior makes of them."""
    is_implied: bool
    """Whether only the first source speaks of the pair."""
    sentence: str

    @property
    def gap(self) -> float:
        """How far the probabilities are apart."""
        return abs(self.probabilities[0] - self.probabilities[1])


@dataclass(frozen=True, slots=True)
class _Claim:
    """A probability that a source states."""

    source: int
    where: Where
    x: str
    event: Event
    y: str
    usual: float
    """The baseline."""
    together: float

    def disagreement(
        self, names: Sequence[str], numbers: tuple[float, float], *, is_implied: bool
    ) -> Disagreement:
        said = [source_words(name) for name in names]
        others = said[1]
        if is_implied:
            others = f"what follows from {_listed(said[1:])}"
        sentence = (
            f"{said[0]} and {others} disagree about {self.event.phrase(self.x, self.y)}: "
            f"{round(numbers[0], 3):g} and {round(numbers[1], 3):g}; together "
            f"{round(self.together, 2):g}"
        )
        if (numbers[0] - self.usual) * (numbers[1] - self.usual) > 0:
            which = "more" if numbers[0] > self.usual else "less"
            sentence += f", for both make it {which} probable than the baseline of {self.usual:.3g}"
        return Disagreement(
            tuple(names), self.x, self.event, self.y, numbers, self.together, is_implied, sentence
        )


def find_disagreements(
    sources: Sequence[SourceFit],
    index: Mapping[str, int],
    pairs: NDArray[np.int64],
    together: NDArray[np.float64],
    usual: NDArray[np.float64],
    listing_around: Callable[[int], Listing | None],
) -> tuple[Disagreement, ...]:
    """Find the widest disagreements.

    Two sources disagree on an event if one makes it more and the other less probable than it is
    without beliefs, or if their probabilities are far apart; one for each two sources and pair is
    told. What only one source speaks of is held against what the others imply, in the listing
    around its pair, if that is some evidence against it: log odds changed by a nat.
    ``together`` are the pooled probabilities of ``pairs``, ``usual`` those without any belief.
    """
    claims = list(_claims(sources, index, pairs, together, usual))
    spoken_of = [set(source.columns) for source in sources]
    edges_of = [
        {s.columns[k] for k in alphabets_of(s.beliefs, index, pairs[list(s.columns)]).edges}
        for s in sources
    ]
    stated = [_stated(source, index, pairs) for source in sources]
    found: dict[object, Disagreement] = {}  # the same sources imply one thing in several places
    for claim in claims:
        pair = claim.where[0]
        # who does not speak of edges counts them with the paths
        told = edges_of if claim.event.is_about_edge else spoken_of
        others = [s for s in range(len(sources)) if s != claim.source and pair in told[s]]
        for other in others:
            first, second = sorted([claim.source, other])
            one, two = (_number(claim, sources, stated, s) for s in (first, second))
            if _is_apart(one, two, claim.usual):
                names = sources[first].name, sources[second].name
                _keep_widest(
                    found,
                    (pair, first, second),
                    claim.disagreement(names, (one, two), is_implied=False),
                )
        if not others:
            number = _number(claim, sources, stated, claim.source)
            implied = _implied(claim, number, sources, listing_around(pair))
            if implied is not None:
                _keep_widest(found, frozenset(implied.sources), implied)
    widest = sorted(found.values(), key=lambda one: -round(one.gap, 9))
    return tuple(widest[:MAX_DISAGREEMENTS])


def _keep_widest(found: dict[object, Disagreement], key: object, new: Disagreement) -> None:
    if key not in found or new.gap > found[key].gap + 1e-9:
        found[key] = new


def _is_apart(said: float, other: float, usual: float) -> bool:
    is_opposite = (said - usual) * (other - usual) < 0
    return abs(said - other) >= (APART if is_opposite else FAR_APART)


def _log_odds(probability: float) -> float:
    inside = min(max(probability, LEAST), 1 - LEAST)
    return log(inside) - log1p(-inside)


def _number(
    claim: _Claim,
    sources: Sequence[SourceFit],
    stated: Sequence[Mapping[Where, float | None]],
    source: int,
) -> float:
    """What a source states of the claim's event, or else what its beliefs come to."""
    said = stated[source].get(claim.where)
    if said is not None:
        return said
    pair, ties = claim.where
    row = sources[source].columns.index(pair)
    return float(sources[source].marginals[row, list(ties)].sum())


def _implied(
    claim: _Claim, number: float, sources: Sequence[SourceFit], listing: Listing | None
) -> Disagreement | None:
    """What follows from the other sources, if it is against the claim; named are those needed."""
    if listing is None:
        return None
    column = listing.columns.index(claim.where[0])
    holds = np.isin(listing.configurations[:, column], claim.where[1])

    def follows(members: Sequence[int]) -> float:
        log_weights = sum(
            (_spread(sources[s], listing) for s in members),
            np.zeros((len(listing.columns), NUM_TIES)),
        )
        if np.isneginf(listing.scores(log_weights)).all():  # no sampled DAG is left
            return claim.usual
        return float(listing.joint(log_weights)[holds].sum())

    others = [
        s
        for s, source in enumerate(sources)
        if s != claim.source and not set(source.columns).isdisjoint(listing.columns)
    ]
    if len(others) > MAX_IMPLYING:
        return None
    moved = _log_odds(follows(others)) - _log_odds(claim.usual)
    if abs(moved) < SOME or (number - claim.usual) * moved >= 0:
        return None
    for s in list(others):
        rest = [other for other in others if other != s]
        if (_log_odds(follows(rest)) - _log_odds(claim.usual)) / moved >= MOST:
            others = rest
    names = [sources[s].name for s in (claim.source, *others)]
    return claim.disagreement(names, (number, follows(others)), is_implied=True)


def _spread(source: SourceFit, listing: Listing) -> NDArray[np.float64]:
    """A source's weights on the pairs of a listing; zeros where it is silent."""
    log_weights = np.zeros((len(listing.columns), NUM_TIES))
    for row, column in zip(source.log_weights, source.columns, strict=True):
        if column in listing.columns:
            log_weights[listing.columns.index(column)] = row
    return log_weights


def _claims(
    sources: Sequence[SourceFit],
    index: Mapping[str, int],
    pairs: NDArray[np.int64],
    together: NDArray[np.float64],
    usual: NDArray[np.float64],
) -> Iterator[_Claim]:
    for number, source in enumerate(sources):
        for belief in source.beliefs:
            for event in belief.named_events:
                where = _place(belief, event.ties, index, pairs)
                ties = list(where[1])
                yield _Claim(
                    number,
                    where,
                    belief.x,
                    event,
                    belief.y,
                    float(usual[where[0], ties].sum()),
                    float(together[where[0], ties].sum()),
                )


def _stated(
    source: SourceFit, index: Mapping[str, int], pairs: NDArray[np.int64]
) -> dict[Where, float | None]:
    """The probability that a source states of an event or its complement; None if it states two."""
    found: dict[Where, float | None] = {}
    for belief in source.beliefs:
        for event, probability in zip(belief.events, belief.probabilities, strict=True):
            where = _place(belief, event, index, pairs)
            found[where] = None if found.get(where, probability) != probability else probability
    return found


def _place(
    belief: Belief, event: frozenset[Tie], index: Mapping[str, int], pairs: NDArray[np.int64]
) -> Where:
    """The pair of a belief and an event of it, as the prior orders the pair."""
    found = find_pair(pairs, index[belief.x], index[belief.y])
    assert found is not None  # every belief's pair is listed
    return found[0], tuple(sorted(t.reverse if found[1] else t for t in event))


def _listed(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
