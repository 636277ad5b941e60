"""Experiments from their definitions: mutilated graphs, and families on the rows left alone."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from decimal import localcontext
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE
from tests.oracles import gaussian
from tests.oracles.equivalence import Signature, class_members, signature
from tests.oracles.graph import BoolMatrix, Edges, all_dags, edge_set
from tests.oracles.score import local_score

Family = tuple[frozenset[int], ...]
"""The sets of targets, the empty one for rows that were only observed."""


def mutilated(edges: Edges, targets: Collection[int]) -> Edges:
    """The graph of an experiment: nothing leads into what was set."""
    return frozenset((u, v) for u, v in edges if v not in targets)


def signatures(edges: Edges, family: Family) -> tuple[Signature, ...]:
    """Skeletons and v-structures of all mutilated graphs (Hauser and Bühlmann, 2012)."""
    return tuple(signature(mutilated(edges, targets)) for targets in family)


def interventional_classes(num_nodes: int, family: Family) -> list[tuple[Edges, ...]]:
    """All DAGs on so many nodes, those together that the experiments cannot tell apart."""
    groups: dict[tuple[Signature, ...], list[Edges]] = defaultdict(list)
    for dag in all_dags(num_nodes):
        groups[signatures(edge_set(dag), family)].append(edge_set(dag))
    return [tuple(members) for members in groups.values()]


def members_under(edges: Edges, family: Family) -> tuple[Edges, ...]:
    """All DAGs that the experiments cannot tell from ``edges``."""
    own = signatures(edges, family)
    return tuple(m for m in class_members(edges) if signatures(m, family) == own)


def cut_by(family: Iterable[Collection[int]], num_nodes: int) -> BoolMatrix:
    """Pairs of which some set of targets holds exactly one."""
    return np.array(
        [
            [any((u in targets) != (v in targets) for targets in family) for v in range(num_nodes)]
            for u in range(num_nodes)
        ]
    )


def random_families(num_nodes: int, number: int) -> list[Family]:
    """Sets of targets of any size, such that each node is left alone in one of them."""
    rng = np.random.default_rng(12)
    found: list[Family] = []
    while len(found) < number:
        masks = rng.random((int(rng.integers(1, 4)), num_nodes)) < 0.5
        if not masks.all(axis=0).any():
            found.append(tuple(frozenset(np.flatnonzero(mask).tolist()) for mask in masks))
    return found


def score_left_alone(
    codes: NDArray[np.integer],
    num_states: Sequence[int],
    is_set: NDArray[np.bool_],
    child: int,
    parents: Sequence[int],
    *,
    score: str,
    equivalent_sample_size: float = DEFAULT_SAMPLE_SIZE,
) -> float:
    """Score of one family on the rows in which its child was not set; BIC weighs all rows.

    Where no row is left there is no family: 0.
    """
    if is_set[child].all():
        return 0.0
    return local_score(
        codes[:, ~is_set[child]],
        num_states,
        child,
        parents,
        score=score,
        equivalent_sample_size=equivalent_sample_size,
        num_rows=codes.shape[1],
    )


def bge_left_alone(
    columns: NDArray[np.float64], is_set: NDArray[np.bool_], child: int, parents: Sequence[int]
) -> float:
    """BGe of one family; prior means and variances are those of each column left alone."""
    p = len(columns)
    alone = [[Fraction(x) for x in columns[v][~is_set[v]].tolist()] for v in range(p)]
    nu = [sum(column, Fraction(0)) / len(column) for column in alone]
    prior = [
        [gaussian.scatter([alone[i]])[1][0][0] / len(alone[i]) / 2 if i == j else Fraction(0)
         for j in range(p)]
        for i in range(p)
    ]  # fmt: skip
    kept = [[Fraction(x) for x in column.tolist()] for column in columns[:, ~is_set[child]]]
    with localcontext(prec=gaussian.DIGITS):
        whole, part = (
            gaussian.set_score(kept, members, prior, alpha_mu=Fraction(1), alpha_w=p + 2, nu=nu)
            for members in ([*parents, child], list(parents))
        )
        return float(whole - part)
