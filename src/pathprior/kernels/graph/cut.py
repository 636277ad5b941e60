"""What experiments add to a Markov equivalence class: the direction of the edges that they cut.

A pair is cut if some set of targets holds exactly one of the two. Two DAGs are equivalent under the
experiments iff they are Markov equivalent and direct every cut edge alike (Hauser and Bühlmann,
2012). What they all share is the CPDAG with its cut edges directed, closed under Meek's rules. As
in a CPDAG all nodes of a chain component have the same parents by directed edges, and components
are chordal, so that whatever works on CPDAGs works on these graphs. Without experiments no pair is
cut, and they are CPDAGs.
"""

from typing import Any

import numpy as np

from pathprior.kernels.bits import lowest_bit
from pathprior.kernels.graph.ancestors import ONE, Words, set_bit
from pathprior.kernels.graph.cpdag import ADJACENT, CHILDREN, NEIGHBOURS, PARENTS
from pathprior.kernels.graph.meek import Trail, apply_meek_rules, direct_edge
from pathprior.kernels.inner import entry, inner


@inner
def is_cut(neighbours: Words, cut: Words) -> bool:
    """Whether an undirected edge is cut."""
    for v in range(cut.shape[0]):
        for w in range(cut.shape[1]):
            if neighbours[v, w] & cut[v, w]:
                return True
    return False


@inner
def complete_sets(pdag: Words) -> None:
    """Fill the children and the adjacent nodes from the parents and the neighbours."""
    _, num_nodes, num_words = pdag.shape
    for v in range(num_nodes):
        for w in range(num_words):
            pdag[CHILDREN, v, w] = np.uint64(0)
    for v in range(num_nodes):
        for block in range(num_words):
            word = pdag[PARENTS, v, block]
            while word != 0:
                set_bit(pdag[CHILDREN, (block << 6) + lowest_bit(word)], v)
                word &= word - ONE
    for v in range(num_nodes):
        for w in range(num_words):
            pdag[ADJACENT, v, w] = (
                pdag[PARENTS, v, w] | pdag[CHILDREN, v, w] | pdag[NEIGHBOURS, v, w]
            )


@entry
def direct_cut(parents: Words, cut: Words, trail: Trail, pdag: Words) -> None:
    """Direct the cut edges of a CPDAG as in its member ``parents``, and draw the consequences."""
    head: Any = np.int64(0)  # not a literal, for which numba would compile the callees again
    length = head
    for v in range(parents.shape[0]):
        for block in range(parents.shape[1]):
            word = pdag[NEIGHBOURS, v, block] & cut[v, block] & parents[v, block]
            while word != 0:
                length = direct_edge(pdag, trail, length, (block << 6) + lowest_bit(word), v)
                word &= word - ONE
    apply_meek_rules(pdag, trail, head, length)
