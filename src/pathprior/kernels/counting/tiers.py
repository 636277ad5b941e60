"""One tier more of DAGs in tiers: what nodes of a tier reach, given what later tiers reach.

Every node v *reaches* a set D(v) of belief nodes, as the bits of a number. Of the later tiers it
matters how many nodes reach which set, and what the belief nodes among them reach. The nodes of a
tier are put into classes by what they reach, smaller sets first. A node of class S may have any
children in lower classes of its tier and in later tiers whose sets are within S; it reaches S if it
has a child in its own class, or if the sets of its children unite to S. So the DAG within a class
is free but for its sinks (docs/counting.md).
"""

import numpy as np
from numpy.typing import NDArray

from pathprior.kernels.inner import allocating_entry, inner

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Counts = NDArray[np.uint8]


@allocating_entry
def add_tier(
    reached: Counts,
    counts: Counts,
    weights: Floats,
    members: Ints,
    num_free: int,
    sets: Ints,
    by_sinks: Floats,
    log_q: float,
    new_reached: Counts,
    new_counts: Counts,
    new_weights: Floats,
) -> int:
    """Put a tier before each state; return how many states there are then, −1 for too many.

    Parameters
    ----------
    reached, counts, weights
        Of each state: what each belief node of later tiers reaches (0 for the others), how many
        nodes reach each set, and the weight.
    members, num_free
        The belief nodes of the tier, and how many others it has.
    sets
        All sets of belief nodes, those of fewer first.
    by_sinks
        ``[u, s]``: weight of the DAGs on u nodes with s sinks.
    log_q
        log (1 + β).
    """
    num_sets = sets.shape[0]
    inside = np.zeros(num_sets, np.int64)
    found = np.zeros(reached.shape[1], np.int64)
    option = np.zeros(num_sets + 1, np.int64)
    left = np.zeros(num_sets + 1, np.int64)
    product = np.ones(num_sets + 1)
    chosen = np.zeros((num_sets, 2), np.int64)
    unions = np.empty(num_sets)
    count = 0
    for state in range(reached.shape[0]):
        num_later = 0
        for s in range(num_sets):
            inside[s] = 0
            num_later += counts[state, s]
        for t in range(found.shape[0]):
            found[t] = reached[state, t]
        place, option[0], left[0], product[0] = 0, -1, num_free, weights[state]
        while place >= 0:
            if place == num_sets:
                if left[place] == 0 and _has_all(found, members):
                    if count == new_weights.shape[0]:
                        return -1
                    for t in range(found.shape[0]):
                        new_reached[count, t] = found[t]
                    for s in range(num_sets):
                        new_counts[count, s] = counts[state, s] + inside[s]
                    new_weights[count] = product[place]
                    count += 1
                place -= 1
                continue
            own = sets[place]
            if option[place] >= 0:  # take back what was tried last
                inside[own] = 0
                if chosen[place, 0] >= 0:
                    found[chosen[place, 0]] = 0
            weight = 0.0
            while weight == 0.0:
                option[place] += 1
                belief = option[place] // (num_free + 1) - 1
                others = option[place] % (num_free + 1)
                if belief >= members.shape[0]:
                    break
                if others > left[place]:
                    continue
                if belief >= 0:
                    member = members[belief]
                    if (own >> member) & 1 == 0 or found[member] != 0:
                        continue
                weight = _class_weight(
                    own, -1 if belief < 0 else members[belief], others, counts[state], inside,
                    num_later, by_sinks, log_q, unions,
                )  # fmt: skip
            if weight == 0.0:
                option[place] = -1
                place -= 1
                continue
            chosen[place, 0] = -1 if belief < 0 else members[belief]
            inside[own] = others + int(belief >= 0)
            if belief >= 0:
                found[members[belief]] = own
            product[place + 1] = product[place] * weight
            left[place + 1] = left[place] - others
            place += 1
            if place < num_sets:
                option[place] = -1
    return count


@inner
def _has_all(found: Ints, members: Ints) -> bool:
    missing = 0
    for i in range(members.shape[0]):
        missing += int(found[members[i]] == 0)
    return missing == 0


@inner
def _class_weight(
    own: int,
    member: int,
    others: int,
    later: Counts,
    inside: Ints,
    num_later: int,
    by_sinks: Floats,
    log_q: float,
    unions: Floats,
) -> float:
    """Weight of a class with so many others and perhaps a belief node, by the others' names.

    Up to a factor for every node, which is the same whatever it reaches.
    """
    if member < 0 and others == 0:
        return 1.0
    log_free = 0.0
    for s in range(unions.shape[0]):
        if s & ~own == 0:
            log_free += later[s] + (inside[s] if s != own else 0)
    log_free = (log_free - num_later) * log_q
    weight = 1.0
    for k in range(1, others + 1):
        weight /= k
    if member < 0:
        covered = _chance_of_union(own, own, later, inside, log_q, unions)
        if covered == 0.0:
            return 0.0
        total, power = 0.0, 1.0
        for s in range(1, others + 1):
            power *= covered
            total += by_sinks[others, s] * power
        return weight * total * np.exp(others * log_free)
    rest = own & ~(1 << member)
    covered = _chance_of_union(rest, own, later, inside, log_q, unions)
    log_below = 0.0
    for s in range(unions.shape[0]):
        if s & ~rest == 0:
            log_below += later[s] + inside[s]
    log_below = (log_below - num_later) * log_q
    alone = by_sinks[others + 1, 1] / (others + 1)  # the belief node is the only sink
    return weight * alone * covered * np.exp(others * log_free + log_below)


@inner
def _chance_of_union(
    wanted: int, own: int, later: Counts, inside: Ints, log_q: float, unions: Floats
) -> float:
    """The chance that what random children reach unites to ``wanted``.

    They are nodes whose sets are within it, those of class ``own`` in later tiers alone.
    """
    for s in range(unions.shape[0]):
        unions[s] = 0.0
    unions[0] = 1.0
    for s in range(1, unions.shape[0]):
        if s & ~wanted != 0:
            continue
        number = later[s] + (inside[s] if s != own else 0)
        if number == 0:
            continue
        none = np.exp(-number * log_q)
        some = -np.expm1(-number * log_q)
        # sets are numbered so that a union is no smaller: from the largest down
        for u in range(unions.shape[0] - 1, -1, -1):
            if unions[u] != 0.0:
                joined = u | s
                if joined == u:
                    continue
                unions[joined] += unions[u] * some
                unions[u] *= none
    return unions[wanted]
