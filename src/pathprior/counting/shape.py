"""`Shape`: the belief pairs without their names, their components and their canonical form."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import factorial, prod

import numpy as np

from pathprior.errors import CountingError

Pair = tuple[Hashable, Hashable]

MAX_NUM_NODES = 10_000
"""Largest graphs counted or sampled."""

MAX_RELABELLINGS = 5000
"""Relabellings tried for a canonical form; shapes with more keep the order they came in."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Belief pairs as pairs of node indices 0 … num_belief_nodes − 1.

    U depends on the pairs only through this shape, up to renaming nodes and turning pairs around.
    """

    edges: tuple[tuple[int, int], ...]

    @property
    def num_belief_nodes(self) -> int:
        """Number of nodes that occur in a pair."""
        return 1 + max((max(edge) for edge in self.edges), default=-1)

    def components(self) -> tuple[tuple[int, ...], ...]:
        """Positions of the pairs of each connected component, by first pair (paper, §5.1)."""
        leader = list(range(self.num_belief_nodes))

        def find(node: int) -> int:
            while leader[node] != node:
                node = leader[node]
            return node

        for x, y in self.edges:
            leader[find(x)] = find(y)
        groups: dict[int, list[int]] = {}
        for position, (x, _) in enumerate(self.edges):
            groups.setdefault(find(x), []).append(position)
        return tuple(tuple(group) for group in groups.values())

    def restrict(self, positions: Iterable[int]) -> "Shape":
        """The shape of the pairs at ``positions`` alone, nodes renumbered by first appearance."""
        return _number([self.edges[position] for position in positions])

    def canonical(self) -> "CanonicalShape":
        """The same shape under a node numbering that does not depend on names or orientation.

        Each component by itself takes the numbering with the smallest sorted edges; components
        follow each other in the order of these.
        """
        parts = [(self.restrict(positions), positions) for positions in self.components()]
        numbered = [
            (part, min(part._relabellings(), key=part._renamed), positions)
            for part, positions in parts
        ]
        renamed = list(self.edges)
        offset = 0
        for part, names, positions in sorted(numbered, key=lambda item: item[0]._renamed(item[1])):
            for position, (x, y) in zip(positions, part.edges, strict=True):
                renamed[position] = (names[x] + offset, names[y] + offset)
            offset += part.num_belief_nodes
        edges = tuple(sorted(_ordered(x, y) for x, y in renamed))
        return CanonicalShape(
            shape=Shape(edges),
            columns=tuple(edges.index(_ordered(x, y)) for x, y in renamed),
            is_reversed=tuple(x > y for x, y in renamed),
        )

    def _renamed(self, names: tuple[int, ...]) -> list[tuple[int, int]]:
        return sorted(_ordered(names[x], names[y]) for x, y in self.edges)

    def _relabellings(self) -> Iterable[tuple[int, ...]]:
        """Numberings that list the nodes cell by cell of an equitable colouring."""
        num_nodes = self.num_belief_nodes
        neighbours: list[list[int]] = [[] for _ in range(num_nodes)]
        for x, y in self.edges:
            neighbours[x].append(y)
            neighbours[y].append(x)
        colours = [len(adjacent) for adjacent in neighbours]
        for _ in range(num_nodes):
            signatures = [
                (colours[v], tuple(sorted(colours[u] for u in neighbours[v])))
                for v in range(num_nodes)
            ]
            ranks = {signature: i for i, signature in enumerate(sorted(set(signatures)))}
            colours = [ranks[signature] for signature in signatures]
        cells = [
            [v for v in range(num_nodes) if colours[v] == colour] for colour in sorted(set(colours))
        ]
        if prod(factorial(len(cell)) for cell in cells) > MAX_RELABELLINGS:
            yield tuple(range(num_nodes))
            return
        for arrangement in product(*(permutations(cell) for cell in cells)):
            order = [node for cell in arrangement for node in cell]
            names = [0] * num_nodes
            for name, node in enumerate(order):
                names[node] = name
            yield tuple(names)


@dataclass(frozen=True, slots=True)
class CanonicalShape:
    """A canonical shape and the way back to the pairs it stands for.

    Attributes
    ----------
    shape
        Edges (a, b) with a < b, sorted.
    columns
        Position in ``shape.edges`` of each original pair.
    is_reversed
        Whether each original pair points against its canonical edge.
    """

    shape: Shape
    columns: tuple[int, ...]
    is_reversed: tuple[bool, ...]


def read_pairs(pairs: Sequence[Pair], num_nodes: int) -> Shape:
    """The shape of labelled ``pairs`` among ``num_nodes`` nodes, checked."""
    if isinstance(num_nodes, bool) or not isinstance(num_nodes, int | np.integer) or num_nodes <= 0:
        raise CountingError(f"num_nodes is {num_nodes!r}; give a positive whole number")
    if num_nodes > MAX_NUM_NODES:
        raise CountingError(f"num_nodes is {num_nodes}; at most {MAX_NUM_NODES} are counted")
    if len(pairs) == 0:
        raise CountingError("no pairs given; give at least one pair of nodes")
    seen: set[frozenset[Hashable]] = set()
    for pair in pairs:
        if isinstance(pair, str) or len(pair) != 2:
            raise CountingError(f"{pair!r} is not a pair of nodes")
        x, y = pair
        if x == y:
            raise CountingError(f"the pair ({x!r}, {y!r}) joins a node with itself; remove it")
        if frozenset((x, y)) in seen:
            raise CountingError(
                f"the pair ({x!r}, {y!r}) is given twice (in either direction); keep one"
            )
        seen.add(frozenset((x, y)))
    shape = _number(pairs)
    if shape.num_belief_nodes > num_nodes:
        raise CountingError(
            f"the pairs name {shape.num_belief_nodes} nodes but num_nodes is {num_nodes}; "
            f"num_nodes counts all variables, those in pairs included"
        )
    return shape


def _number(pairs: Iterable[Pair]) -> Shape:
    names: dict[Hashable, int] = {}
    edges = []
    for x, y in pairs:
        edges.append((names.setdefault(x, len(names)), names.setdefault(y, len(names))))
    return Shape(tuple(edges))


def _ordered(x: int, y: int) -> tuple[int, int]:
    return (x, y) if x < y else (y, x)
