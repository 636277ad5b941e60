"""What a prior says of pairs that nobody spoke of, and which of them to ask about."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.event import Event
from pathprior.posterior.ask_next import BELIEF, Relations, ask_next
from pathprior.studio.graph_pool import Drawn

EVENTS = (Event.CAUSES, Event.CAUSED_BY, Event.ASSOCIATED)
"""What is told of a pair: the one of these that moved most."""
NUM_IMPLIED = 3
NUM_QUESTIONS = 3
CHANCE = 0.01
"""How probable it is at most that anything is told of which chance is the cause: what is looked at,
pairs times events, is allowed for (Bonferroni)."""
LEAST_MOVE = 0.01
"""What a probability must have moved to be told: less does not show in two decimals."""
RELIABILITY = 0.9
"""How often an answer is taken to be right."""
MAX_GRAPHS = 2000
"""Most graphs that questions are judged by."""


Floats = NDArray[np.float64]
Usual = Callable[[Event], tuple[Floats, Floats]]
"""Probability of an event without any belief, of all pairs, and its Monte Carlo errors."""


def implied_pairs(
    drawn: Drawn, names: Sequence[str], usual: Usual, spoken: Iterable[tuple[str, str]]
) -> list[dict[str, Any]]:
    """The pairs outside ``spoken`` whose probability is farthest from the baseline ``usual``.

    Each chain is one observation, and a difference is judged by Student's t of their mean.
    """
    from scipy.special import stdtrit

    silent = _silent(drawn, names, spoken)
    num_looks = max(1, len(EVENTS) * int(silent.sum()))
    clear = float(-stdtrit(len(drawn.by_chain) - 1, CHANCE / num_looks / 2))
    found = []
    for event in EVENTS:
        now, errors = drawn.share(event)
        before, errors_before = usual(event)
        # chains that agree by chance are no surer than so many independent graphs would be
        spread = np.maximum(now * (1 - now), before * (1 - before))
        least = np.sqrt(spread / len(drawn.relations))
        errors = np.hypot(np.maximum(errors, least), errors_before)
        move = np.abs(now - before)
        is_told = silent & (move > clear * errors) & (move >= LEAST_MOVE)
        found.append((event, before, now, errors, np.where(is_told, move, 0)))
    largest = np.max([moved for *_, moved in found], axis=0)
    best = np.argsort(-largest, kind="stable")[:NUM_IMPLIED]
    told = []
    for row in best[largest[best] > 0]:
        event, before, now, errors, _ = max(found, key=lambda entry: entry[4][row])
        x, y = (names[end] for end in drawn.pairs[row])
        if event is Event.CAUSED_BY:  # "y causes x" reads better
            event, x, y = Event.CAUSES, y, x
        told.append(
            {
                "x": x,
                "y": y,
                "relation": event.value,
                "phrase": event.phrase(x, y),
                "before": float(before[row]),
                "now": float(now[row]),
                "error": float(errors[row]),
            }
        )
    return told


def questions(
    drawn: Drawn, names: Sequence[str], spoken: Iterable[tuple[str, str]]
) -> list[dict[str, Any]]:
    """The pairs outside ``spoken`` of whom an answer should settle most, with why."""
    step = -(-len(drawn.relations) // MAX_GRAPHS)
    codes = drawn.relations[::step].astype(np.uint8)
    weights = np.full(len(codes), 1 / len(codes))
    known = Relations(drawn.pairs, codes, weights, is_exact=False)
    table = ask_next(
        known, names, kind=BELIEF, top=len(drawn.pairs), about=None, reliability=RELIABILITY
    )
    said = {frozenset(pair) for pair in spoken}
    return [
        {name: row[name] for name in ("x", "y", "gain", "sentence")}
        for row in table.to_dict("records")
        if frozenset((row["x"], row["y"])) not in said
    ][:NUM_QUESTIONS]


def _silent(
    drawn: Drawn, names: Sequence[str], spoken: Iterable[tuple[str, str]]
) -> NDArray[np.bool_]:
    said = {frozenset(pair) for pair in spoken}
    pairs = (frozenset(names[end] for end in pair) for pair in drawn.pairs)
    return np.array([pair not in said for pair in pairs], dtype=bool)
