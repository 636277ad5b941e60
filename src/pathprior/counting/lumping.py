"""Lumping of reach classes: which of them the exact sum can count together.

Notation (docs/counting.md). T = belief nodes 0 … m − 1, ``below[t]`` = the belief nodes that t
reaches, t included. The reach set D(v) of a node v is an *ideal*: a set of belief nodes closed
under ``below``. Sets of belief nodes are bit masks. Ideals with two nodes of an unrelated (⇎) pair
cannot occur. A *lump* is a set of ideals whose nodes are counted as one group; the conditions of
`_is_lumping` make the number of DAGs a function of the lump sizes alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

Lump = frozenset[int]


@dataclass(frozen=True, slots=True)
class ChildRule:
    """What the children of belief node t may be: any set of nodes with D ⊆ ``within``.

    With ``must_cover`` the union of their D has to be ``within`` itself.
    """

    node: int
    within: int
    must_cover: bool


@dataclass(frozen=True, slots=True)
class Family:
    """A family of DAGs: an order on the belief nodes, unrelated pairs, one child rule per node."""

    below: tuple[int, ...]
    unrelated: tuple[tuple[int, int], ...]
    rules: tuple[ChildRule, ...]

    def ideals(self) -> list[int]:
        """The non-empty reach sets that can occur, in increasing order of their masks."""
        return [
            ideal
            for ideal in range(1, 1 << len(self.below))
            if all(self.below[t] & ~ideal == 0 for t in members(ideal))
            and not any(ideal >> x & ideal >> y & 1 for x, y in self.unrelated)
        ]


def members(mask: int) -> list[int]:
    """The belief nodes in ``mask``."""
    return [t for t in range(mask.bit_length()) if mask >> t & 1]


def may_link(upper: Lump, lower: Lump) -> bool:
    """Whether a node of ``upper`` may have children in ``lower`` (all ideals agree: take any)."""
    return (min(upper) | min(lower)) in upper


def coarsest_lumping(family: Family) -> list[Lump]:
    """Merge ideals greedily into as few lumps as the conditions allow, in topological order.

    Starts from single ideals, where the conditions always hold, and takes the merge that leaves
    the fewest lumps until none is left. Lumps that may be linked to come first.
    """
    lumps: list[Lump] = [frozenset({ideal}) for ideal in family.ideals()]
    while True:
        merged = [
            candidate
            for first, second in combinations(range(len(lumps)), 2)
            if (candidate := _merge(lumps, first, second)) is not None
            and _is_lumping(candidate, family)
        ]
        if not merged:
            return _topological(lumps)
        lumps = min(merged, key=lambda candidate: (len(candidate), sorted(map(sorted, candidate))))


def _topological(lumps: Sequence[Lump]) -> list[Lump]:
    """Lumps in an order in which children come before parents."""
    rest = sorted(lumps, key=sorted)
    ordered: list[Lump] = []
    while rest:
        for lump in rest:
            if not any(may_link(lump, other) for other in rest if other != lump):
                ordered.append(lump)
                rest.remove(lump)
                break
    return ordered


def _merge(lumps: Sequence[Lump], first: int, second: int) -> list[Lump] | None:
    """Merge two lumps and all that must follow, or None where no lumping contains the merge."""
    current = [lump for i, lump in enumerate(lumps) if i not in (first, second)]
    current.append(lumps[first] | lumps[second])
    while (clash := _first_clash(current)) is not None:
        lump, union = clash
        other = next((other for other in current if union in other), None)
        if other is None:
            return None
        current = [rest for rest in current if rest not in (lump, other)]
        current.append(lump | other)
    return current


def _first_clash(lumps: Sequence[Lump]) -> tuple[Lump, int] | None:
    """A lump and a union of ideals that would have to belong to it but does not."""
    for lump in lumps:
        for other in lumps:
            unions = [upper | lower for upper in sorted(lump) for lower in sorted(other)]
            outside = [union for union in unions if union not in lump]
            if outside and (other == lump or len(outside) < len(unions)):
                return lump, outside[0]
    return None


def _is_lumping(lumps: Sequence[Lump], family: Family) -> bool:
    """Whether the number of DAGs of ``family`` is a function of the lump sizes.

    1. D(u) stays in the lump of u whatever allowed children u gains: for lumps A, B either every
       union of an ideal of A with one of B is in A (u ∈ A may link to B), or none is. `_merge`
       ensures it.
    2. Whether the union of a child set in lower lumps lies in A depends only on which lumps the
       set touches.
    3. Which lumps the children of a belief node may lie in, and which of them cover its rule, does
       too; its own lump is not among them.
    """
    for lump in lumps:
        lower = [other for other in lumps if other != lump and may_link(lump, other)]
        reachable = _unions(ideal for other in lower for ideal in other)
        for other in lower:
            if not _interchangeable(other, reachable, lump):
                return False
    for rule in family.rules:
        home = next(lump for lump in lumps if family.below[rule.node] in lump)
        for lump in lumps:
            inside = {ideal & ~rule.within == 0 for ideal in lump}
            if len(inside) > 1 or (inside == {True} and lump == home):
                return False
            if inside == {True} and rule.must_cover:
                subsets = [s for s in range(rule.within + 1) if s & ~rule.within == 0]
                if not _interchangeable(lump, subsets, frozenset({rule.within})):
                    return False
    return True


def _interchangeable(lump: Lump, others: Iterable[int], target: Lump) -> bool:
    """Whether ``ideal | other ∈ target`` is the same for every ideal of ``lump``."""
    return all(len({(ideal | other) in target for ideal in lump}) == 1 for other in others)


def _unions(ideals: Iterable[int]) -> set[int]:
    unions = {0}
    for ideal in ideals:
        unions |= {ideal | union for union in unions}
    return unions
