"""From beliefs on named variables to constraints on listed pairs."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.event import RELATION_EVENTS
from pathprior.graph.alphabets import Alphabets
from pathprior.graph.tie import Tie, say_ties
from pathprior.prior.listed.problem import Constraint


def distinct_pairs(beliefs: Sequence[Belief], index: Mapping[str, int]) -> NDArray[np.int64]:
    """The unordered pairs that beliefs speak of, each once, as it was first stated."""
    pairs: dict[frozenset[int], tuple[int, int]] = {}
    for belief in beliefs:
        i, j = index[belief.x], index[belief.y]
        pairs.setdefault(frozenset((i, j)), (i, j))
    return np.array(list(pairs.values()), dtype=np.int64).reshape(-1, 2)


def find_pair(pairs: NDArray[np.int64], i: int, j: int) -> tuple[int, bool] | None:
    """Position of the pair {i, j} and whether it is listed as (j, i), if it is listed."""
    for is_reversed, pair in enumerate([(i, j), (j, i)]):
        rows = np.flatnonzero((pairs == pair).all(axis=1))
        if len(rows):
            return int(rows[0]), bool(is_reversed)
    return None


def alphabets_of(
    beliefs: Sequence[Belief], index: Mapping[str, int], pairs: NDArray[np.int64]
) -> Alphabets:
    """Which ties of the pairs some belief tells apart."""
    number = {frozenset(pair): k for k, pair in enumerate(pairs.tolist())}
    stated = ((number.get(frozenset((index[b.x], index[b.y]))), b) for b in beliefs)
    return Alphabets.of((k, b.told) for k, b in stated if k is not None)


def mind_columns(
    beliefs: Sequence[Belief], index: Mapping[str, int], pairs: NDArray[np.int64]
) -> list[int]:
    """Positions of the ``pairs`` that some of the beliefs speak of, in order."""
    number = {frozenset(pair): column for column, pair in enumerate(pairs.tolist())}
    return sorted({number[frozenset((index[b.x], index[b.y]))] for b in beliefs})


def make_constraints(
    beliefs: Sequence[Belief],
    index: Mapping[str, int],
    pairs: NDArray[np.int64],
    columns: Sequence[int],
    completion: Mapping[tuple[int, int], NDArray[np.float64]] | None,
) -> list[Constraint]:
    """Constraints of the beliefs on the pairs ``columns``, in the order of the beliefs.

    With ``completion`` (U of the ties of each pair) every belief in paths becomes a full 4-vector:
    the probability of each event is shared among its relations in proportion to U. That is the
    paper's reading, which has no beliefs in edges: they stay as they are.
    """
    constraints = []
    for position, belief in enumerate(beliefs):
        found = find_pair(pairs, index[belief.x], index[belief.y])
        if found is None or found[0] not in columns:
            continue
        pair, is_reversed = found
        if completion is None or belief.is_about_edge:
            events, targets = belief.events, belief.probabilities
        else:
            events = tuple(event.ties for event in RELATION_EVENTS)
            order = [tie.reverse if is_reversed else tie for tie in Tie]
            usual = completion[pairs[pair, 0], pairs[pair, 1]]
            targets = complete_probabilities(belief, usual[order])
        event_of = [
            next(e for e, event in enumerate(events) if tie in event)
            for tie in (t.reverse if is_reversed else t for t in Tie)
        ]
        constraints.append(
            Constraint(
                belief=position,
                column=columns.index(pair),
                event_of=tuple(event_of),
                targets=targets,
                strength=belief.strength,
            )
        )
    return constraints


def complete_probabilities(belief: Belief, uninformative: NDArray[np.float64]) -> tuple[float, ...]:
    """Share the probability of each event among its relations in proportion to U."""
    vector = np.zeros(len(uninformative))
    for event, p in zip(belief.events, belief.probabilities, strict=True):
        members = sorted(event)
        total = uninformative[members].sum()
        if total > 0:
            vector[members] = p * uninformative[members] / total
    return tuple(by_relation(vector).tolist())


def by_relation(ties: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities of relations from those of ties, along the last axis."""
    return np.stack([ties[..., sorted(event.ties)].sum(axis=-1) for event in RELATION_EVENTS], -1)


def require_possible(beliefs: Sequence[Belief], uninformative: NDArray[np.float64]) -> None:
    """Raise if a belief gives probability to an event that no DAG on the variables has."""
    for belief in beliefs:
        for event, p in zip(belief.events, belief.probabilities, strict=True):
            if p > 0 and uninformative[sorted(event)].sum() == 0:
                raise belief.error(
                    f"{belief.phrase} gives {say_ties(event)} probability {p:g}, but no DAG on "
                    "these variables has it: a common cause needs a third variable"
                )
