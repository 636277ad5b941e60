"""Reports of signals about a known graph, for ``sources.py``: who tells what, pooled both ways.

Groups of four variables are drawn. Of each pair of a group a signal names one relation, the true
one with probability ρ, else another drawn from the baseline; `give` reports them in every way.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pathprior as pp
from pathprior.beliefs.belief import Belief
from pathprior.beliefs.event import RELATION_EVENTS
from pathprior.counting.expected_parents import AUTO, ExpectedParents

GROUP = 4
RHO = (0.5, 0.95)
WRONG, SAID = 0.3, 0.95
SAYER = "expert"
"""The source of statements."""
NUM_SCALINGS = 2000
GRID = (np.arange(200) + 0.5) / 200
"""Values of ρ over which the prior of statements is summed."""

Vector = NDArray[np.float64]
Key = tuple[str, str]
"""A report, and how it is pooled."""


@dataclass(frozen=True, slots=True)
class Group:
    """Some variables, and all configurations of their pairs with U."""

    nodes: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    configurations: NDArray[np.int8]
    probabilities: Vector
    truth: tuple[int, ...]

    @classmethod
    def draw(cls, dag: pp.Dag, nodes: Sequence[str], edge_odds: float) -> "Group":
        pairs = tuple(combinations(nodes, 2))
        counted = pp.count_configurations(list(pairs), dag.num_nodes, edge_odds=edge_odds)
        truth = tuple(int(dag.relation(x, y)) for x, y in pairs)
        return cls(
            tuple(nodes), pairs, counted.configurations, np.asarray(counted.probabilities), truth
        )

    @property
    def is_true(self) -> NDArray[np.bool_]:
        return np.asarray((self.configurations == np.array(self.truth)).all(axis=1))


def chances(usual: Vector, rho: float) -> Vector:
    """P(signal | relation), relation × signal."""
    others = usual[None, :] * (1 - np.eye(4))
    return rho * np.eye(4) + (1 - rho) * others / others.sum(axis=1, keepdims=True)


def draw_signals(
    group: Group, usual: Vector, rho: Sequence[float], rng: np.random.Generator
) -> list[int]:
    return [
        int(rng.choice(4, p=chances(usual, r)[t])) for t, r in zip(group.truth, rho, strict=True)
    ]


def independent(group: Group, usual: Vector, signals: list[int], rho: list[float]) -> list[Belief]:
    """Each source's probabilities after its one signal."""
    found = []
    for (x, y), signal, r in zip(group.pairs, signals, rho, strict=True):
        after = usual * chances(usual, r)[:, signal]
        found.append(pp.relation(x, y, (after / after.sum()).tolist()))
    return found


def one_mind(group: Group, usual: Vector, signals: list[int], rho: list[float]) -> list[Belief]:
    """The marginals of the posterior over configurations given all signals."""
    joint = group.probabilities.copy()
    for k, (signal, r) in enumerate(zip(signals, rho, strict=True)):
        joint *= chances(usual, r)[group.configurations[:, k], signal]
    joint /= joint.sum()
    return [
        pp.relation(x, y, np.bincount(group.configurations[:, k], joint, 4).tolist())
        for k, (x, y) in enumerate(group.pairs)
    ]


def in_field(group: Group, frequencies: Vector) -> Group:
    """The group as one sees it who expects each relation as often as the field has it.

    Of all such distributions over configurations the one closest to U: each relation has a weight
    of its own, found by iterative scaling.
    """
    weights = np.ones(4)
    num_pairs = len(group.pairs)
    expected = group.probabilities
    for _ in range(NUM_SCALINGS):
        expected = group.probabilities * weights[group.configurations].prod(axis=1)
        expected /= expected.sum()
        found = np.bincount(group.configurations.ravel(), np.repeat(expected, num_pairs), 4)
        weights *= (frequencies / (found / num_pairs)) ** (1 / num_pairs)
        weights /= weights.sum()
    return replace(group, probabilities=expected)


def field_frequencies(truth: pp.Dag, usual: Vector) -> Vector:
    """How often pairs of the network have each relation; the baseline counts as one more group."""
    relations = [int(truth.relation(x, y)) for x, y in combinations(truth.nodes, 2)]
    counts = np.bincount(relations, minlength=4).astype(float)
    counts[:2] = counts[:2].mean()  # the order of two variables says nothing
    prior = GROUP * (GROUP - 1) / 2
    found: Vector = (counts + prior * usual) / (counts.sum() + prior)
    return found


def surely(group: Group, signals: list[int]) -> list[Belief]:
    words = [RELATION_EVENTS[signal].value for signal in signals]
    return [Belief(x, word, y, (SAID,)) for (x, y), word in zip(group.pairs, words, strict=True)]


def log_statements(groups: list[Group], usual: Vector, signals: list[list[int]]) -> float:
    """log probability of the true configurations given statements, ρ ~ Beta(4, 2) summed out."""
    log_beta = 3 * np.log(GRID) + np.log(1 - GRID)
    right, total = log_beta.copy(), log_beta.copy()
    for group, said in zip(groups, signals, strict=True):
        for i, r in enumerate(GRID):
            weights = group.probabilities.copy()
            for k, signal in enumerate(said):
                weights *= chances(usual, r)[group.configurations[:, k], signal]
            right[i] += np.log(weights[group.is_true].sum())
            total[i] += np.log(weights.sum())
    return float(np.logaddexp.reduce(right) - np.logaddexp.reduce(total))


def fit_both(
    beliefs: list[Belief], variables: tuple[str, ...], expected_parents: ExpectedParents
) -> dict[str, pp.PathPrior]:
    apart = [replace(belief, source=str(k)) for k, belief in enumerate(beliefs)]
    return {
        "sources": pp.fit_prior(apart, variables, expected_parents=expected_parents),
        "joint": pp.fit_prior(beliefs, variables, expected_parents=expected_parents),
    }


def draw_groups(
    truth: pp.Dag, num_groups: int, edge_odds: float, rng: np.random.Generator
) -> list[Group]:
    order = [truth.nodes[v] for v in rng.permutation(truth.num_nodes)]
    places = range(0, GROUP * num_groups, GROUP)
    return [Group.draw(truth, order[k : k + GROUP], edge_odds) for k in places]


def give(
    truth: pp.Dag, num_groups: int, seed: int, expected_parents: ExpectedParents = AUTO
) -> tuple[dict[Key, Any], dict[Key, float]]:
    """Priors and statements by report and pool, and the log probability of the true relations."""
    variables = truth.nodes
    rng = np.random.default_rng(seed)
    baseline = pp.fit_prior((), variables, expected_parents=expected_parents)
    usual = np.asarray(baseline.uninformative[:4])
    groups = draw_groups(truth, num_groups, baseline.edge_odds, rng)
    rho = [rng.uniform(*RHO, len(group.pairs)).tolist() for group in groups]
    heard = [draw_signals(g, usual, r, rng) for g, r in zip(groups, rho, strict=True)]
    flat = [[1 - WRONG] * len(group.pairs) for group in groups]
    said = [draw_signals(g, usual, r, rng) for g, r in zip(groups, flat, strict=True)]
    field = field_frequencies(truth, usual)
    told = list(zip(groups, heard, rho, strict=True))
    reports = {
        "independent": [b for g, s, r in told for b in independent(g, usual, s, r)],
        "one mind": [b for g, s, r in told for b in one_mind(g, usual, s, r)],
        "expert": [b for g, s, r in told for b in one_mind(in_field(g, field), usual, s, r)],
        "wrong": [b for g, s in zip(groups, said, strict=True) for b in surely(g, s)],
    }
    statements = [
        pp.says(SAYER, x, RELATION_EVENTS[signal].value, y)
        for group, signals in zip(groups, said, strict=True)
        for (x, y), signal in zip(group.pairs, signals, strict=True)
    ]
    given: dict[Key, Any] = {("none", "none"): None, ("says", "says"): statements}
    none = sum(float(np.log(g.probabilities[g.is_true].sum())) for g in groups)
    log_prob = {
        ("none", "none"): none,
        ("says", "says"): log_statements(groups, usual, said),
    }
    for report, beliefs in reports.items():
        for pool, prior in fit_both(beliefs, variables, expected_parents).items():
            given[report, pool] = prior
            log_prob[report, pool] = prior.log_prob(truth, per_graph=False)
    return given, log_prob
