"""What a place of a node in a partial order weighs: cover pairs, ordered pairs and the field.

See `pathprior.kernels.web.replant`. While node v is out of the order, it has
`Places`.
"""

from pathprior.kernels.bits import lowest_bit, popcount
from pathprior.kernels.graph.ancestors import (
    CAUSED_BY,
    CAUSES,
    CONFOUNDED,
    ONE,
    UNRELATED,
    Words,
)
from pathprior.kernels.inner import inner, pasted
from pathprior.kernels.web.closed_sets import ZERO, is_in_row
from pathprior.kernels.web.state import Floats, Partners, Tilting


@pasted
def count_covers(closure: Words, ends: Words, place: int) -> int:
    """Cover pairs that a node adds there: those it is part of, less those it comes between."""
    num_words = closure.shape[2]
    covers = 0
    for block in range(num_words):
        covers += popcount(ends[place, 0, block]) + popcount(ends[place, 1, block])
    for block in range(num_words):
        word = ends[place, 0, block]
        while word != 0:
            a = (block << 6) + lowest_bit(word)
            word &= word - ONE
            for other in range(num_words):
                rest = ends[place, 1, other]
                while rest != 0:
                    b = (other << 6) + lowest_bit(rest)
                    rest &= rest - ONE
                    between = 0
                    for w in range(num_words):
                        between += popcount(closure[1, a, w] & closure[0, b, w])
                    if between == 2:
                        covers -= 1
    return covers


@inner
def cover_bonus(closure: Words, bonus: Floats, v: int, ends: Words, place: int) -> float:
    """The bonus of the cover pairs that v adds there, less that of those it comes between."""
    num_words = closure.shape[2]
    total = 0.0
    for block in range(num_words):
        word = ends[place, 1, block]
        while word != 0:
            total += bonus[v, (block << 6) + lowest_bit(word)]
            word &= word - ONE
        word = ends[place, 0, block]
        while word != 0:
            a = (block << 6) + lowest_bit(word)
            word &= word - ONE
            total += bonus[a, v]
            for other in range(num_words):
                rest = ends[place, 1, other]
                while rest != 0:
                    b = (other << 6) + lowest_bit(rest)
                    rest &= rest - ONE
                    if bonus[a, b] != 0.0:
                        between = 0
                        for w in range(num_words):
                            between += popcount(closure[1, a, w] & closure[0, b, w])
                        if between == 2:
                            total -= bonus[a, b]
    return total


@inner
def list_partners(v: int, tilting: Tilting, found: Partners) -> int:
    """List the nodes x paired with v, and the field of each by the relation of (x, v)."""
    pairs, partners, number, field = tilting.pairs, tilting.partners, tilting.number, tilting.field
    others, tilts = found.nodes, found.tilts
    count = 0
    for block in range(partners.shape[1]):
        word = partners[v, block]
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            k = number[v, x]
            is_reversed = pairs[k, 0] == v
            others[count] = x
            tilts[count, CAUSES] = field[k, CAUSED_BY if is_reversed else CAUSES]
            tilts[count, CAUSED_BY] = field[k, CAUSES if is_reversed else CAUSED_BY]
            tilts[count, CONFOUNDED] = field[k, CONFOUNDED]
            tilts[count, UNRELATED] = field[k, UNRELATED]
            count += 1
    return count


@pasted
def tilt(
    closure: Words, tilting: Tilting, found: Partners, num_others: int, sets: Words, place: int
) -> float:
    """Σ of the field over the pairs of v, and what v changes of the others', planted there."""
    partners, number, field = tilting.partners, tilting.number, tilting.field
    others, tilts = found.nodes, found.tilts
    num_words = closure.shape[2]
    total = 0.0
    for i in range(num_others):
        x = int(others[i])
        common = ZERO
        for w in range(num_words):
            common |= closure[0, x, w] & sets[place, 0, w]
        relation = UNRELATED if common == 0 else CONFOUNDED
        relation = CAUSED_BY if is_in_row(sets, place, 1, x) else relation
        relation = CAUSES if is_in_row(sets, place, 0, x) else relation
        total += tilts[i, relation]
    anything = ZERO
    for w in range(num_words):
        anything |= sets[place, 0, w]
    if anything != 0:
        return total
    # with nothing above it, v may be the only common ancestor of two nodes below it
    for block in range(num_words):
        word = sets[place, 1, block]
        while word != 0:
            x = (block << 6) + lowest_bit(word)
            word &= word - ONE
            for other in range(block, num_words):
                rest = partners[x, other] & (word if other == block else sets[place, 1, other])
                while rest != 0:
                    y = (other << 6) + lowest_bit(rest)
                    rest &= rest - ONE
                    common = ZERO
                    for w in range(num_words):
                        common |= closure[0, x, w] & closure[0, y, w]
                    if common == 0:
                        k = number[x, y]
                        total += field[k, CONFOUNDED] - field[k, UNRELATED]
    return total


@inner
def num_ordered(sets: Words, place: int) -> int:
    """Ordered pairs that v is part of there."""
    total = 0
    for w in range(sets.shape[2]):
        total += popcount(sets[place, 0, w]) + popcount(sets[place, 1, w])
    return total
