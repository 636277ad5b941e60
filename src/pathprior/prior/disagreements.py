"""Disagreements: what one source says against another. Evidence to weigh, not a contradiction."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.event import Event
from pathprior.graph.tie import Tie
from pathprior.kernels.graph.ties import NUM_TIES
from pathprior.prior.constraints import direct_pairs, find_pair
from pathprior.prior.listed.listing import Listing
from pathprior.prior.sources import SourceFit, source_words

APART = 0.1
"""Least gap between probabilities on different sides of the baseline. One that a source only
implies must also be as far from the baseline."""
FAR_APART = 0.5
"""Least gap between stated probabilities on the same side of the baseline."""
MAX_DISAGREEMENTS = 20
MAX_IMPLIED_ROWS = 10**5
"""Listed configurations beyond which it is not asked what a source implies of other pairs."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two sources that give one event different probabilities."""

    sources: tuple[str, str]
    """Their names, in order of appearance."""
    x: str
    event: Event
    y: str
    probabilities: tuple[float, float]
    """What each of them says; what its own beliefs come to where it does not state this event."""
    together: float
    """What the pooled prior makes of them."""
    is_implied: bool
    """Whether one of the two does not speak of the pair, and only implies its probability."""
    sentence: str

    @property
    def gap(self) -> float:
        """How far their probabilities are apart."""
        return abs(self.probabilities[0] - self.probabilities[1])


@dataclass(frozen=True, slots=True)
class _Claim:
    """A probability that a source states."""

    source: int
    pair: int
    ties: tuple[Tie, ...]
    """The event, as the prior orders the pair."""
    x: str
    event: Event
    y: str


def find_disagreements(
    sources: Sequence[SourceFit],
    index: Mapping[str, int],
    pairs: NDArray[np.int64],
    together: NDArray[np.float64],
    uninformative: NDArray[np.float64],
    listings: Sequence[Listing],
) -> tuple[Disagreement, ...]:
    """Find the widest disagreements, one for each two sources and pair.

    Sources disagree on an event if one makes it more and the other less probable than it is without
    beliefs, or if their probabilities are far apart. ``together`` are the pooled probabilities of
    ``pairs``; in ``listings`` it can be seen what a source implies of pairs that it is silent on.
    """
    own = [dict(zip(s.columns, s.marginals, strict=True)) for s in sources]
    implied = [_implied(source, listings) for source in sources]
    stated = [_stated(source, index, pairs) for source in sources]
    edges = [
        {s.columns[k] for k in direct_pairs(s.beliefs, index, pairs[list(s.columns)])}
        for s in sources
    ]
    found: dict[tuple[int, int, int], Disagreement] = {}
    for claim in _claims(sources, index, pairs):
        usual = float(uninformative[list(claim.ties)].sum())
        for other in range(len(sources)):
            is_told = claim.pair in own[other]
            if claim.event.is_about_edge:  # elsewhere edges are counted with the paths
                is_told = claim.pair in edges[other]
            vectors = own[other] if is_told else implied[other]
            if other == claim.source or claim.pair not in vectors:
                continue
            numbers = {
                s: _number(stated[s].get((claim.pair, claim.ties)), claim, v)
                for s, v in ((claim.source, own[claim.source]), (other, vectors))
            }
            is_implied = vectors is implied[other]
            if not _is_apart(numbers[claim.source], numbers[other], usual, is_implied):
                continue
            first, second = sorted(numbers)
            disagreement = _describe(
                claim,
                (sources[first].name, sources[second].name),
                (numbers[first], numbers[second]),
                float(together[claim.pair][list(claim.ties)].sum()),
                usual,
                implied=(other == first, other == second) if is_implied else (False, False),
            )
            known = found.get((claim.pair, first, second))
            if known is None or disagreement.gap > known.gap + 1e-9:
                found[claim.pair, first, second] = disagreement
    widest = sorted(found.values(), key=lambda one: -round(one.gap, 9))
    return tuple(widest[:MAX_DISAGREEMENTS])


def _number(
    stated: float | None, claim: _Claim, vectors: Mapping[int, NDArray[np.float64]]
) -> float:
    """What is stated of the claim's event, or else what the source's beliefs come to."""
    return float(vectors[claim.pair][list(claim.ties)].sum()) if stated is None else stated


def _is_apart(said: float, other: float, usual: float, is_implied: bool) -> bool:
    is_opposite = (said - usual) * (other - usual) < 0 and abs(said - other) >= APART
    if is_implied:
        return is_opposite and abs(other - usual) >= APART
    return is_opposite or abs(said - other) >= FAR_APART


def _describe(
    claim: _Claim,
    names: tuple[str, str],
    numbers: tuple[float, float],
    together: float,
    usual: float,
    *,
    implied: tuple[bool, bool],
) -> Disagreement:
    first, second = (
        f"{number:.3g}{' (implied by other beliefs)' if is_implied else ''}"
        for number, is_implied in zip(numbers, implied, strict=True)
    )
    sentence = (
        f"{source_words(names[0])} and {source_words(names[1])} disagree about "
        f"{claim.event.phrase(claim.x, claim.y)}: {first} and {second}; together {together:.3g}"
    )
    if (numbers[0] - usual) * (numbers[1] - usual) > 0:
        which = "more" if numbers[0] > usual else "less"
        sentence += f", for both make it {which} probable than the baseline of {usual:.3g}"
    return Disagreement(
        names, claim.x, claim.event, claim.y, numbers, together, any(implied), sentence
    )


def _claims(
    sources: Sequence[SourceFit], index: Mapping[str, int], pairs: NDArray[np.int64]
) -> Iterator[_Claim]:
    for number, source in enumerate(sources):
        for belief in source.beliefs:
            for event in belief.named_events:
                pair, ties = _place(belief, event.ties, index, pairs)
                yield _Claim(number, pair, ties, belief.x, event, belief.y)


def _stated(
    source: SourceFit, index: Mapping[str, int], pairs: NDArray[np.int64]
) -> dict[tuple[int, tuple[Tie, ...]], float | None]:
    """The probability that a source states of an event or its complement; None if it states two."""
    found: dict[tuple[int, tuple[Tie, ...]], float | None] = {}
    for belief in source.beliefs:
        for event, probability in zip(belief.events, belief.probabilities, strict=True):
            where = _place(belief, event, index, pairs)
            found[where] = None if found.get(where, probability) != probability else probability
    return found


def _place(
    belief: Belief,
    event: frozenset[Tie],
    index: Mapping[str, int],
    pairs: NDArray[np.int64],
) -> tuple[int, tuple[Tie, ...]]:
    """The pair of a belief and an event of it, as the prior orders the pair."""
    found = find_pair(pairs, index[belief.x], index[belief.y])
    assert found is not None  # every belief's pair is listed
    return found[0], tuple(sorted(t.reverse if found[1] else t for t in event))


def _implied(source: SourceFit, listings: Sequence[Listing]) -> dict[int, NDArray[np.float64]]:
    """Probabilities, by its beliefs alone, of the pairs that share a listing with its own."""
    found: dict[int, NDArray[np.float64]] = {}
    row = {column: k for k, column in enumerate(source.columns)}
    for listing in listings:
        known = [(k, row[c]) for k, c in enumerate(listing.columns) if c in row]
        if not known or len(listing.probabilities) > MAX_IMPLIED_ROWS:
            continue
        log_weights = np.zeros((len(listing.columns), NUM_TIES))
        log_weights[[k for k, _ in known]] = source.log_weights[[r for _, r in known]]
        if np.isneginf(listing.scores(log_weights)).all():  # a sample without what it holds certain
            continue
        marginals = listing.marginals(listing.joint(log_weights))
        found.update(zip(listing.columns, marginals, strict=True))
    return found
