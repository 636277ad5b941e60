"""The sampler: its draws against enumeration, its seeds, its starts, and what it is given."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

import pathprior as pp
from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag
from pathprior.graph.edge_rules import make_edge_rules
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.posterior.burn_in import FIRST_ROUND, BurnIn
from pathprior.posterior.chains import sample_chains
from pathprior.posterior.lists import grow_lists
from pathprior.posterior.score_columns import ScoreColumns
from pathprior.posterior.starts import dispersed_start
from pathprior.score.named import make_score
from tests.oracles.ties import random_weights, tie
from tests.posterior.cases import NAMES, all_events, events, exact, random_problem, unpack
from tests.problems import make_problem
from tests.search.test_own_score import PlainBdeu

NUM_BATCHES = 120


@pytest.fixture(scope="module")
def asia():
    beliefs = [pp.causes("smoke", "dysp", 0.9), pp.not_associated("asia", "smoke", 0.8)]
    return pp.learn(pp.load_network("asia").sample(200, seed=1), beliefs)


def test_draws_have_the_probabilities_of_enumeration():
    z = []
    for seed in range(6):
        problem = random_problem(4, 100 + seed, has_rules=seed % 2 == 1, has_experiments=seed > 3)
        sampler = sample_chains(problem, start=problem.start, num_chains=4, seed=seed)
        draws, _ = sampler.advance(3000)
        indicators = events(unpack(draws))
        expected = exact(problem) @ all_events(4)
        assert not indicators[..., expected == 0].any()
        # of rarer events the errors are not known well enough
        is_usual = (expected > 0.1) & (expected < 0.9)
        batches = indicators[..., is_usual].reshape(NUM_BATCHES, -1, is_usual.sum()).mean(axis=1)
        error = batches.std(axis=0, ddof=1) / np.sqrt(NUM_BATCHES)
        z.append((batches.mean(axis=0) - expected[is_usual]) / error)
    largest = np.abs(np.concatenate(z)).max()
    assert largest < student.isf(0.001 / 2 / np.concatenate(z).size, NUM_BATCHES - 1)


def test_scores_are_those_of_the_definition(asia):
    check_scores(asia.problem, asia.dag)


def test_scores_across_word_boundaries():
    rng = np.random.default_rng(2)
    names = [f"v{i:02}" for i in range(70)]
    frame = (rng.random((60, 70)) < 0.5).astype(int)
    frame[:, 1:] ^= frame[:, :-1] & (rng.random((60, 69)) < 0.9)
    data = pd.DataFrame(frame.astype(str), columns=names)
    problem = make_problem(data, None, make_score("bdeu", equivalent_sample_size=1.0))
    pairs = np.array([(1, 69), (63, 64), (0, 66), (5, 30)])
    weights = GraphPrior(pairs, random_weights(rng, 4), -3.0)
    check_scores(replace(problem, weights=weights), problem.start)


def check_scores(problem, start):
    """Draws are DAGs, and their scores the sums of what they consist of."""
    draws, scores = sample_chains(problem, start=start, num_chains=2, seed=3).advance(4)
    adjacencies, weights = unpack(draws), problem.weights
    assert draws.shape[:3] == (2, 4, len(problem.rules.variables))
    for adjacency, score in zip(
        adjacencies.reshape(-1, *adjacencies.shape[2:]), scores.ravel(), strict=True
    ):
        Dag(problem.rules.variables, adjacency)
        families = [np.flatnonzero(column).tolist() for column in adjacency.T]
        total = sum(problem.scorer.local(v, family) for v, family in enumerate(families))
        total += weights.log_edge_odds * adjacency.sum()
        for (x, y), row in zip(weights.pairs, weights.log_weights, strict=True):
            total += row[tie(adjacency, x, y)]
        assert score == pytest.approx(total, abs=1e-7)


def test_a_chain_is_a_function_of_seed_and_number(asia):
    def run(num_chains, seed, num_jobs=1, parts=(30,)):
        sampler = sample_chains(
            asia.problem, start=asia.dag, num_chains=num_chains, seed=seed, num_jobs=num_jobs
        )
        return np.concatenate([sampler.advance(part)[0] for part in parts], axis=1)

    one = run(3, 5)
    np.testing.assert_array_equal(one, run(3, 5, num_jobs=2))
    np.testing.assert_array_equal(one, run(3, 5, parts=(1, 20, 9)))
    np.testing.assert_array_equal(one[:2], run(2, 5))
    assert (one != run(3, 6)).any(axis=(1, 2, 3)).all()


@pytest.mark.parametrize(
    ("heights", "num_restarts"), [([0.0], 0), ([-700.0, -20.0, 0.0], 2), ([-9.0] * 5, 4)]
)
def test_a_chain_that_hangs_below_the_first_begins_again(heights, num_restarts):
    burn_in, num_drawn = BurnIn(), 0
    rng = np.random.default_rng(0)
    while not burn_in.is_over:
        scores = heights[burn_in.num_restarts] + rng.normal(size=FIRST_ROUND)
        burn_in.take(scores, -2.0)
        num_drawn += FIRST_ROUND
    assert burn_in.num_restarts == num_restarts
    # a start that is left costs three rounds
    last = FIRST_ROUND if heights[-1] > -2 else 63 * FIRST_ROUND
    assert num_drawn == num_restarts * 7 * FIRST_ROUND + last
    assert burn_in.was_cut == (heights[-1] < -2)


def test_a_chain_that_rises_until_no_round_is_left_was_cut():
    burn_in = BurnIn()
    for scores in np.arange(63.0 * FIRST_ROUND).reshape(63, FIRST_ROUND):
        assert not burn_in.is_over
        burn_in.take(scores, -np.inf)
    assert burn_in.is_over
    assert burn_in.was_cut
    again = BurnIn()
    again.restore(burn_in.state())
    assert again.was_cut


@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
@pytest.mark.parametrize("precision", [1e-9, 0.5])
def test_chains_that_were_let_go_too_soon_are_told_of_unless_they_agree(monkeypatch, precision):
    take = BurnIn.take

    def too_soon(self, scores, least):
        again = take(self, scores, least)
        self.is_over = self.was_cut = True
        return again

    monkeypatch.setattr(BurnIn, "take", too_soon)
    data = pd.DataFrame(np.random.default_rng(0).integers(0, 2, (50, 3)), columns=list("abc"))
    found = pp.sample_posterior(data, method="chains", precision=precision, time_limit=3)
    told = "4 of 4 chains still rose, or stayed below the first, after 6 rounds of burning in"
    assert any(told in sentence for sentence in found.left_out) == (precision < 0.1)
    assert (told in " ".join(str(found).split())) == (precision < 0.1)


def test_a_new_start_is_a_function_of_the_seed():
    problem = random_problem(5, 8, has_rules=True)

    def begun_again(num_jobs):
        sampler = sample_chains(
            problem, start=problem.start, num_chains=3, seed=3, num_jobs=num_jobs
        )
        sampler._burn_ins[0].is_over, sampler._burn_ins[0].level = True, np.inf
        found = sampler.advance(5)  # which no chain can reach
        assert [one.num_restarts for one in sampler._burn_ins] == [0, 4, 4]
        return found

    for one, other in zip(begun_again(1), begun_again(2), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_score_in_python_is_sampled_like_a_compiled_one():
    # no two families of such data score alike: ties would be broken by the last digit
    data = pd.DataFrame(np.random.default_rng(7).integers(0, 3, (61, 5)).astype(str), columns=NAMES)
    runs = []
    for score in (PlainBdeu(), make_score("bdeu", equivalent_sample_size=1.0)):
        problem = make_problem(data, None, score)
        runs.append(sample_chains(problem, start=problem.start, num_chains=2, seed=1).advance(20))
    np.testing.assert_array_equal(runs[0][0], runs[1][0])
    np.testing.assert_allclose(runs[0][1], runs[1][1], atol=1e-8)


def test_starts_keep_rules_and_hard_beliefs_and_differ():
    problem = random_problem(5, 8, has_rules=True)
    lists = grow_lists(problem.rules, problem.start, ScoreColumns(problem).column)
    starts = [
        dispersed_start(problem, problem.start, lists, np.random.default_rng(seed))
        for seed in range(20)
    ]
    assert len(set(starts)) >= 3
    for start in starts:
        problem.rules.require(start)
        for (x, y), weights in zip(problem.weights.pairs, problem.weights.log_weights, strict=True):
            assert np.isfinite(weights[tie(start.adjacency, x, y)])


def test_lists_grow_from_the_best_of_many_sets_that_improve():
    """All 171 pairs improve on their members; the good triple grows from the best of them."""
    names = tuple(f"v{k:02d}" for k in range(20))
    good = {17, 18, 19}

    def score(parents):
        return len(parents) + 10.0 * len(good & parents) if len(parents) < 4 else -100.0

    def column(child, parents):
        toggled = [score({*parents} ^ {u}) for u in range(20)]
        toggled[child] = score({*parents})
        return np.array(toggled)

    rules = make_edge_rules(names)
    lists = grow_lists(rules, Dag.from_edges(names), column)
    first = lists.sets.parents[lists.first[0]]
    assert set(np.flatnonzero(unpack_row(first, 20)).tolist()) == good


@pytest.mark.parametrize("together", [-5.0, -9.0])
def test_two_parents_that_are_good_only_together_are_listed(together):
    """Each alone falls by more than the margin, so no listed set leads to both."""
    names = tuple(f"v{k:02d}" for k in range(20))

    def score(parents):
        return together if parents == {3, 7} else -7.0 * len(parents)

    def column(child, parents):
        toggled = [score({*parents} ^ {u}) for u in range(20)]
        toggled[child] = score({*parents})
        return np.array(toggled)

    lists = grow_lists(make_edge_rules(names), Dag.from_edges(names), column)
    found = lists.sets.parents[lists.first[0] : lists.first[1]]
    assert [set(np.flatnonzero(unpack_row(row, 20)).tolist()) for row in found] == [set(), {3, 7}]


def test_lists_hold_the_required_parents_and_the_start_and_score_right(asia):
    problem = make_problem(
        asia.problem.data, None, make_score("bdeu", equivalent_sample_size=1.0),
        required=[("smoke", "lung")], max_parents=2,
    )  # fmt: skip
    start = Dag.from_edges(problem.rules.variables, [("smoke", "lung"), ("asia", "lung")])
    lists = grow_lists(problem.rules, start, ScoreColumns(problem).column, margin=1.0)
    lung = start.index("lung")
    for v in range(8):
        rows = slice(lists.first[v], lists.first[v + 1])
        sets = [np.flatnonzero(unpack_row(row, 8)).tolist() for row in lists.sets.parents[rows]]
        scores = lists.sets.scores[rows, 0]
        assert (np.diff(scores) <= 0).all()
        for members, score in zip(sets, scores, strict=True):
            odds = problem.weights.log_edge_odds * len(members)
            assert score == pytest.approx(problem.scorer.local(v, members) + odds, abs=1e-8)
            assert len(members) <= 2
            assert v not in members
        base = [start.index("smoke")] if v == lung else []
        assert base in sets
        assert np.flatnonzero(start.adjacency[:, v]).tolist() in sets
        assert all(set(base) <= set(members) for members in sets)
