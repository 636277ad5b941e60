"""What the slider of one statement shows."""

import numpy as np

from pathprior.beliefs.event import Event
from pathprior.counting.expected_parents import Base, make_base
from pathprior.counting.within import tie_shares_within
from pathprior.prior.reference import tie_probabilities
from pathprior.prior.sources import Pool, by_source
from pathprior.studio.allowed import allowed_range
from pathprior.studio.mind import FEW_WITHIN
from pathprior.studio.reading import (
    QUICK_SECONDS,
    JsonObject,
    Stated,
    drawn_share,
    share_of,
)


def read_range(asked: Stated, x: str, relation: str, y: str, source: str) -> JsonObject:
    """What the slider of one statement shows: its baseline, and what other beliefs allow."""
    stated = asked.known
    base = make_base(stated.expected_parents, len(stated.variables))
    own = by_source([belief for _, belief in stated.beliefs], Pool.SOURCES).get(source, ())
    allowed = allowed_range(own, stated.variables, x, relation, y, within=stated.within)
    return {
        "baseline": _baseline(stated, base, x, Event.parse(relation), y),
        "lower": None if allowed is None else allowed.lower,
        "upper": None if allowed is None else allowed.upper,
        "isWhole": allowed is not None and allowed.is_whole,
        "isWithinTiers": stated.within is not None,
    }


def _baseline(stated: Stated, base: Base, x: str, event: Event, y: str) -> float:
    """How probable an event is without any belief, within the tiers."""
    num_nodes = len(stated.variables)
    if stated.within is None:
        return share_of(tie_probabilities(num_nodes, base.edge_odds), event)
    pair = np.array([[stated.variables.index(x), stated.variables.index(y)]])
    counted = None
    if num_nodes <= FEW_WITHIN:
        counted = tie_shares_within(stated.within.rules, pair, base.edge_odds)
    if counted is not None:
        return share_of(counted[0], event)
    following = stated.following(base, QUICK_SECONDS)
    if following is None:
        return share_of(tie_probabilities(num_nodes, base.edge_odds), event)
    i, j = pair[0].tolist()
    drawn = following.draw(following.pool.no_field(), QUICK_SECONDS)
    return drawn_share(drawn, i, j, event, num_nodes)[0]
