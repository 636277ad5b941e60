"""Transition probabilities of the chains' moves, from their definitions, over all DAGs.

A move is given by what it proposes; Metropolis and Hastings' rule does the rest. Sets of nodes are
numbers, node u the bit u.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import permutations
from math import prod

import numpy as np
from numpy.typing import NDArray

from tests.oracles.posterior import everything

Families = tuple[int, ...]
"""The parents of every node."""
Proposals = dict[Families, float]
"""Probabilities of graphs; what they lack of 1 is that nothing is proposed."""


@dataclass(frozen=True)
class Setting:
    """The posterior of every DAG, in the order of `everything`, and what guides the moves."""

    probabilities: NDArray[np.float64]
    required: Families
    forbidden: Families
    max_parents: int
    lists: list[dict[int, float]]  # weights of the listed parent sets of each node
    extend: float  # chance that a set drawn for one node gets one more parent
    blocks: dict[frozenset[int], float]  # chances of the blocks that are drawn together
    pairs: list[tuple[int, int]]  # with a belief

    @property
    def nodes(self) -> range:
        """All nodes."""
        return range(len(self.lists))

    def keeps_rules(self, v: int, parents: int) -> bool:
        """Whether v may have these parents."""
        return (
            parents & self.required[v] == self.required[v]
            and not parents & self.forbidden[v]
            and parents.bit_count() <= self.max_parents
        )


@cache
def all_families(num_nodes: int) -> list[Families]:
    """Every DAG."""
    bits = 1 << np.arange(num_nodes)
    return [tuple((bits @ graph).tolist()) for graph in everything(num_nodes).adjacencies]


def transitions(
    setting: Setting, propose: Callable[[Setting, Families], Proposals]
) -> NDArray[np.float64]:
    """T(G, G′) = q(G, G′) min(1, π(G′) q(G′, G) / (π(G) q(G, G′))); the rest stays at G."""
    graphs = all_families(len(setting.lists))
    place = {families: number for number, families in enumerate(graphs)}
    proposed = np.zeros((len(graphs), len(graphs)))
    for number in np.flatnonzero(setting.probabilities):
        for families, chance in propose(setting, graphs[number]).items():
            if families in place:  # it has no cycle
                proposed[number, place[families]] += chance
    flow = setting.probabilities[:, None] * proposed
    result = np.zeros_like(proposed)
    np.divide(np.minimum(flow, flow.T), setting.probabilities[:, None], result, where=flow > 0)
    np.fill_diagonal(result, 0.0)
    np.fill_diagonal(result, 1 - result.sum(axis=1))
    return result


def members(bits: int) -> list[int]:
    """The nodes of a set."""
    return [v for v in range(bits.bit_length()) if bits >> v & 1]


def below(families: Families, v: int, *cleared: int) -> int:
    """v and its descendants when some nodes have lost their parents."""
    found = 1 << v
    for _ in families:
        for x, parents in enumerate(families):
            if x not in cleared and parents & found:
                found |= 1 << x
    return found


def above(families: Families, v: int) -> int:
    """v and its ancestors."""
    return sum(1 << u for u in range(len(families)) if below(families, u) >> v & 1)


def edges(families: Families) -> list[tuple[int, int]]:
    """All u → v."""
    return [(u, v) for v, parents in enumerate(families) for u in members(parents)]


def replaced(families: Families, *changes: tuple[int, int]) -> Families:
    """The graph with other parents (node, parents)."""
    made = list(families)
    for v, parents in changes:
        made[v] = parents
    return tuple(made)


def add(proposals: Proposals, families: Families, chance: float) -> None:
    """One more way to a graph."""
    proposals[families] = proposals.get(families, 0.0) + chance


def candidates(setting: Setting, families: Families, v: int) -> list[int]:
    """Nodes that may be parents of v and need not be, and are not below it."""
    barred = setting.forbidden[v] | setting.required[v] | below(families, v)
    return [u for u in setting.nodes if not barred >> u & 1]


def walk(setting: Setting, families: Families) -> Proposals:
    """A node and one of three kinds of steps: a candidate more, one less, or one for another."""
    proposals: Proposals = {}
    for v in setting.nodes:
        among, old = candidates(setting, families, v), families[v]
        inside = [u for u in among if old >> u & 1]
        outside = [u for u in among if not old >> u & 1]
        more = [old | 1 << u for u in outside]
        less = [old ^ 1 << u for u in inside]
        exchanged = [old ^ 1 << p | 1 << u for p in inside for u in outside]
        for sets in (more, less, exchanged):
            for parents in sets:
                if setting.keeps_rules(v, parents):
                    add(proposals, replaced(families, (v, parents)),
                        1 / len(families) / 3 / len(sets))  # fmt: skip
    return proposals


def turned(setting: Setting, families: Families, u: int, v: int) -> Families | None:
    """The graph with v → u in place of u → v, if the rules allow it."""
    changes = (u, families[u] | 1 << v), (v, families[v] ^ 1 << u)
    if all(setting.keeps_rules(x, parents) for x, parents in changes):
        return replaced(families, *changes)
    return None


def reverse(setting: Setting, families: Families) -> Proposals:
    """Turn one of the edges."""
    found = edges(families)
    made = (turned(setting, families, u, v) for u, v in found)
    return {graph: 1 / len(found) for graph in made if graph is not None}


def turn(setting: Setting, families: Families) -> Proposals:
    """Turn one of the covered edges that the rules let turn."""
    covered = [(u, v) for u, v in edges(families) if families[v] == families[u] | 1 << u]
    made = [turned(setting, families, u, v) for u, v in covered]
    legal = [graph for graph in made if graph is not None]
    return {graph: 1 / len(legal) for graph in legal}


def listed(setting: Setting, v: int, *, without: int, holding: int = 0) -> dict[int, float]:
    """Chances of the listed sets of v that hold some nodes and none of others."""
    weights = {
        parents: weight
        for parents, weight in setting.lists[v].items()
        if not parents & without and parents & holding == holding
    }
    return {parents: weight / sum(weights.values()) for parents, weight in weights.items()}


def redraw(setting: Setting, families: Families) -> Proposals:
    """Give a node a listed set, and sometimes one more candidate, if there is room."""
    proposals: Proposals = {}
    for v in setting.nodes:
        for parents, chance in listed(setting, v, without=below(families, v)).items():
            lacking = [u for u in candidates(setting, families, v) if not parents >> u & 1]
            has_room = bool(lacking) and parents.bit_count() < setting.max_parents
            share = chance / len(families)
            plain = share * (1 - setting.extend) if has_room else share
            add(proposals, replaced(families, (v, parents)), plain)
            for u in lacking if has_room else ():
                more = share * setting.extend / len(lacking)
                add(proposals, replaced(families, (v, parents | 1 << u)), more)
    return proposals


def reverse_redraw(setting: Setting, families: Families) -> Proposals:
    """Turn an edge u → v: listed parents of u with v first, then of v, no cycle at any time."""
    proposals: Proposals = {}
    found = edges(families)
    for u, v in found:
        below_u, below_v = below(families, u, u, v), below(families, v, u, v)
        for first, chance in listed(setting, u, without=below_u, holding=1 << v).items():
            for second, share in listed(setting, v, without=below_u | below_v).items():
                made = replaced(families, (u, first), (v, second))
                add(proposals, made, chance * share / len(found))
    return proposals


def block_chances(pull: NDArray[np.float64], sizes: Sequence[int]) -> dict[frozenset[int], float]:
    """Blocks of sizes that are all alike: a node, then others by their pull to those before."""
    num_nodes = len(pull)
    chances: dict[frozenset[int], float] = {}
    for size in sizes:
        for order in permutations(range(num_nodes), min(size, num_nodes)):
            chance = 1 / num_nodes / len(sizes)
            for i in range(1, len(order)):
                pulls = pull[list(order[:i])].sum(axis=0)
                left = [x for x in range(num_nodes) if x not in order[:i]]
                chance *= pulls[order[i]] / pulls[left].sum()
            block = frozenset(order)
            chances[block] = chances.get(block, 0.0) + chance
    return chances


def redraw_block(setting: Setting, families: Families) -> Proposals:
    """Any DAG that differs within the block only, by the product of its listed weights."""
    proposals: Proposals = {}
    for block, chance in setting.blocks.items():
        weights = {
            graph: prod(setting.lists[b].get(graph[b], 0.0) for b in block)
            for graph in all_families(len(families))
            if all(graph[v] == families[v] for v in setting.nodes if v not in block)
        }
        total = sum(weights.values())
        for graph, weight in weights.items():
            if weight > 0:
                add(proposals, graph, chance * weight / total)
    return proposals


def bridge(setting: Setting) -> NDArray[np.float64]:
    """Draw the ends of a belief, in either order; each choice by itself keeps the posterior."""
    ends = [*setting.pairs, *((y, x) for x, y in setting.pairs)]
    parts = [transitions(setting, partial(bridge_between, x, y)) for x, y in ends]
    mean: NDArray[np.float64] = np.stack(parts).mean(axis=0)
    return mean


def bridge_between(x: int, y: int, setting: Setting, families: Families) -> Proposals:
    """Lay an edge from x or below to y or above, remove one, or remove one and lay another."""
    proposals: Proposals = {}
    for made, chance in laid(x, y, setting, families).items():
        add(proposals, made, chance / 3)
    tails, heads = below(families, x), above(families, y)
    way = [(u, v) for u, v in edges(families) if tails >> u & 1 and heads >> v & 1]
    for u, v in way:
        less = replaced(families, (v, families[v] ^ 1 << u))
        if not setting.required[v] >> u & 1:
            add(proposals, less, 1 / 3 / len(way))
            for made, chance in laid(x, y, setting, less).items():
                add(proposals, made, chance / 3 / len(way))
    return proposals


def laid(x: int, y: int, setting: Setting, families: Families) -> Proposals:
    """The graphs with one edge more from x or below to y or above."""
    tails, heads = members(below(families, x)), members(above(families, y))
    return {
        replaced(families, (q, families[q] | 1 << p)): 1 / len(tails) / len(heads)
        for p in tails
        for q in heads
        if p != q and not families[q] >> p & 1 and setting.keeps_rules(q, families[q] | 1 << p)
    }


PROPOSE = {
    "walk": walk,
    "reverse": reverse,
    "redraw": redraw,
    "reverse_redraw": reverse_redraw,
    "turn": turn,
    "redraw_block": redraw_block,
}


def transitions_of(move: str, setting: Setting) -> NDArray[np.float64]:
    """T of a move by its name."""
    return bridge(setting) if move == "bridge" else transitions(setting, PROPOSE[move])
