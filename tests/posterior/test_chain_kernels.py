"""The parts of the moves against their slow twins, across word boundaries too."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.graph.bitset import pack_rows
from pathprior.graph.dag import Dag
from pathprior.kernels.posterior.block import find_below_members, find_kinds, sort_by_type
from pathprior.kernels.posterior.lists import draw_entry, sum_weights
from pathprior.kernels.posterior.reverse import ALL, find_turnable
from pathprior.kernels.posterior.state import count_edges, draw_member, find_below
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.posterior.chain_run import ChainRun
from pathprior.posterior.chains import MIX, make_target
from pathprior.posterior.lists import grow_lists
from pathprior.score.named import make_score
from tests.kernels import entered
from tests.oracles import moves as oracle
from tests.oracles.ties import random_weights, tie
from tests.problems import make_problem

NUM_ROWS = 12
SIZES = st.sampled_from([3, 6, 70])
SEEDS = st.integers(0, 2**32 - 1)


@cache
def problem_on(num_nodes):
    """Random data, weights of a few pairs, and a rule."""
    rng = np.random.default_rng(num_nodes)
    names = [f"v{v:02}" for v in range(num_nodes)]
    data = pd.DataFrame(rng.integers(0, 2, (NUM_ROWS, num_nodes)).astype(str), columns=names)
    data.iloc[:2] = [["0"] * num_nodes, ["1"] * num_nodes]  # none is constant
    score = make_score("bdeu", equivalent_sample_size=1.0)
    problem = make_problem(data, None, score, forbidden=[(names[0], names[1])], max_parents=6)
    pairs = np.array([(0, num_nodes - 1), (1, 2), (num_nodes - 2, num_nodes - 1)])
    return replace(problem, weights=GraphPrior(pairs, random_weights(rng, 3), -0.5))


def random_run(num_nodes, seed):
    """A chain at a random graph, with lists of random sets and weights."""
    problem, rng = problem_on(num_nodes), np.random.default_rng(seed)
    order = rng.permutation(num_nodes)
    adjacency = np.zeros((num_nodes, num_nodes), dtype=bool)
    for k, v in enumerate(order):
        before = [u for u in order[:k] if not problem.rules.forbidden[u, v]]
        adjacency[rng.permutation(before)[: rng.integers(0, 4)].astype(int), v] = True
    start = Dag(problem.rules.variables, adjacency)
    chance = min(1.0, 6 / num_nodes)

    def column(child, parents):
        scores = rng.normal(size=num_nodes) - len(parents)
        scores[rng.random(num_nodes) > chance] = -np.inf
        scores[child] = rng.normal()
        return scores

    target = make_target(problem, grow_lists(problem.rules, start, column, margin=1.0))
    return target, ChainRun(problem.scorer, target, start, rng, MIX), rng


def as_bits(words):
    """A packed set as one number."""
    return sum(int(word) << (64 * k) for k, word in enumerate(words))


def families_of(chain):
    return tuple(as_bits(row) for row in chain.graph.parents)


def random_words(rng, num_nodes, chance):
    return pack_rows(rng.random((1, num_nodes)) < chance)[0]


def entries_of(lists, v):
    """The listed sets of v, as numbers, with their places and weights."""
    return [
        (number, as_bits(lists.sets.parents[number]), lists.weights[number])
        for number in range(lists.first[v], lists.first[v + 1])
    ]


@pytest.mark.kernel
@settings(max_examples=30, deadline=None)
@given(SIZES, SEEDS)
def test_what_is_below(num_nodes, seed):
    _, run, rng = random_run(num_nodes, seed)
    chain, families = run._chain, families_of(run._chain)
    u, v = rng.choice(num_nodes, 2, replace=False).tolist()
    row = chain.scratch.below[0]
    entered(find_below)(chain, u, u, row)
    assert as_bits(row) == oracle.below(families, u, u)
    entered(find_below)(chain, u, v, row)
    assert as_bits(row) == oracle.below(families, u, u, v)


@pytest.mark.kernel
@settings(max_examples=30, deadline=None)
@given(SIZES, SEEDS)
def test_members_and_edges(num_nodes, seed):
    target, run, rng = random_run(num_nodes, seed)
    chain, families = run._chain, families_of(run._chain)
    row = random_words(rng, num_nodes, 0.5)
    found = [entered(draw_member)(row, rank) for rank in range(as_bits(row).bit_count())]
    assert found == oracle.members(as_bits(row))
    assert entered(count_edges)(chain) == len(oracle.edges(families))
    limits = target.limits
    covered = [
        (u, v)
        for u, v in oracle.edges(families)
        if families[v] == families[u] | 1 << u
        and not as_bits(limits.required[v]) >> u & 1
        and not as_bits(limits.forbidden[u]) >> v & 1
        and families[u].bit_count() < limits.max_parents
    ]
    count, _, _ = entered(find_turnable)(limits, chain.graph.parents, ALL)
    assert count == len(covered)
    for rank, edge in enumerate(covered):
        assert entered(find_turnable)(limits, chain.graph.parents, rank)[1:] == edge


@pytest.mark.kernel
@settings(max_examples=30, deadline=None)
@given(SIZES, SEEDS)
def test_draws_from_lists(num_nodes, seed):
    target, _, rng = random_run(num_nodes, seed)
    v = int(rng.integers(num_nodes))
    barred = random_words(rng, num_nodes, 0.1)
    needed = random_words(rng, num_nodes, 0.5 / num_nodes)
    legal = [
        (number, weight)
        for number, parents, weight in entries_of(target.lists, v)
        if not parents & as_bits(barred) and parents & as_bits(needed) == as_bits(needed)
    ]
    total = entered(sum_weights)(target.lists, v, barred, needed)
    assert total == pytest.approx(sum(weight for _, weight in legal))
    before = 0.0
    for number, weight in legal:
        mark = before + 0.5 * weight
        assert entered(draw_entry)(target.lists, v, barred, needed, mark) == number
        before += weight


@pytest.mark.kernel
@settings(max_examples=30, deadline=None)
@given(SIZES, SEEDS)
def test_types_of_listed_sets(num_nodes, seed):
    target, run, rng = random_run(num_nodes, seed)
    chain, families = run._chain, families_of(run._chain)
    size = 3
    block = rng.choice(num_nodes, size, replace=False).tolist()
    chain.proposal.nodes[:size] = block
    entered(find_below_members)(chain, size)
    entered(find_kinds)(chain, size)
    below = [oracle.below(families, c, *block) for c in block]
    assert [as_bits(row) for row in chain.scratch.below[1 : 1 + size]] == below
    assert as_bits(chain.scratch.below[0]) == below[0] | below[1] | below[2]
    for i, v in enumerate(block):
        if not any(parents & below[i] == 0 for _, parents, _ in entries_of(target.lists, v)):
            continue  # the move is made of present sets that are listed, and so legal
        entered(sort_by_type)(target.lists, chain, size, i)
        sums = np.zeros(1 << size)
        for _, parents, weight in entries_of(target.lists, v):
            kind = sum(1 << c for c in range(size) if parents & below[c])
            sums[kind] += weight * (not kind >> i & 1)
        assert chain.block.totals[i] == pytest.approx(sums.sum())
        np.testing.assert_allclose(chain.block.by_type[i, : 1 << size], sums / sums.sum())


@settings(max_examples=15, deadline=None)
@given(SIZES, SEEDS)
def test_what_a_chain_carries_along_stays_true(num_nodes, seed):
    """Whatever was accepted or taken back: ancestors, children, codes of pairs."""
    problem = problem_on(num_nodes)
    _, run, _ = random_run(num_nodes, seed)
    draws, _ = run.run(3)
    chain = run._chain
    np.testing.assert_array_equal(chain.graph.parents, draws[-1])
    families = families_of(chain)
    adjacency = np.array([[bits >> u & 1 for bits in families] for u in range(num_nodes)], bool)
    dag = Dag(problem.rules.variables, adjacency)  # it has no cycle
    problem.rules.require(dag)
    np.testing.assert_array_equal(chain.graph.ancestors, dag.ancestor_words)
    np.testing.assert_array_equal(chain.children[0], pack_rows(adjacency))
    codes = [tie(adjacency, x, y) for x, y in problem.weights.pairs]
    np.testing.assert_array_equal(chain.codes, codes)
