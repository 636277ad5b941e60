"""Random posteriors on a few nodes, and how far draws are from them."""

from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
import pandas as pd
from scipy.stats import binom

from pathprior.data.door import read_dataset
from pathprior.errors import SearchError
from pathprior.graph.dag import Dag
from pathprior.kernels.prior.graph_prior import GraphPrior
from pathprior.posterior.chain_run import ChainRun
from pathprior.posterior.chains import make_target
from pathprior.posterior.lists import grow_lists
from pathprior.posterior.score_columns import ScoreColumns
from pathprior.problem.start import find_start
from pathprior.problem.unseen_edges import allow_for_unseen
from pathprior.score.bdeu import Bdeu
from pathprior.score.families import Families
from pathprior.score.k2 import K2
from pathprior.score.named import make_score
from pathprior.score.unseen import Unseen
from tests.oracles import posterior as oracle
from tests.oracles.interventional import score_left_alone
from tests.oracles.score import with_unseen
from tests.oracles.ties import random_weights
from tests.problems import make_problem

NUM_ROWS, SAMPLE_SIZE = 40, 3.0
ROUNDING = 1e-12
USUAL = 25
NAMED = {Bdeu: "bdeu", K2: "k2", Families: "families"}
NAMES = tuple("abcde")


def random_problem(num_nodes, seed, *, has_rules, score="bdeu", has_experiments=False, unseen=0.0):
    """Few rows, so that much is uncertain; weights of pairs, some −∞; an edge weight."""
    rng = np.random.default_rng(seed)
    while True:
        names = NAMES[:num_nodes]
        hidden = rng.random((NUM_ROWS, 1)) < 0.5
        frame = pd.DataFrame(
            np.where(rng.random((40, num_nodes)) < 0.4, hidden, rng.random((40, num_nodes)) < 0.5),
            columns=names,
        )
        frame["a"] = frame["a"].astype(int) + rng.integers(0, 2, NUM_ROWS)
        rules = {}
        if has_rules:
            order = rng.permutation(num_nodes)
            i, j, k = (names[v] for v in order[:3])
            rules = {"required": [(i, j)], "forbidden": [(k, i)], "max_parents": 2}
        data = read_dataset(frame.astype(str))
        if has_experiments:
            targets = np.arange(NUM_ROWS) % 4 == np.arange(num_nodes)[:, None] // 2
            data = replace(data, intervened=targets)
        problem = make_problem(
            data, None, make_score(score, equivalent_sample_size=SAMPLE_SIZE), **rules
        )
        every = [(x, y) for x in range(num_nodes) for y in range(x)]
        pairs = np.array([every[k] for k in rng.permutation(len(every))[:3]], dtype=np.int64)
        log_weights = random_weights(rng, 3, 1.5)
        log_weights[0, rng.integers(6)] = -np.inf
        log_weights[1, rng.integers(6)] = -np.inf
        try:
            start = find_start(problem.rules, pairs, log_weights)
        except SearchError:
            continue
        weights = GraphPrior(pairs, log_weights, float(rng.normal(scale=0.7)))
        problem = allow_for_unseen(problem, unseen)
        return replace(problem, weights=weights, start=start)


def exact(problem):
    """Probability of every DAG."""
    weights, rules = problem.weights, problem.rules
    scorer, score, share = problem.scorer, problem.score, 0.0
    if isinstance(score, Unseen):
        scorer, score, share = scorer.seen, score.score, score.share
    rows = scorer.rows
    is_set = problem.data.intervened
    if is_set is None:
        is_set = np.zeros(rows.codes.shape, dtype=bool)

    def seen(v, parents):
        return score_left_alone(
            rows.codes,
            rows.num_states,
            is_set,
            v,
            parents,
            score=NAMED[type(score)],
            equivalent_sample_size=SAMPLE_SIZE,
        )

    return oracle.probabilities(
        len(rules.variables),
        lambda v, parents: with_unseen(partial(seen, v), parents, share),
        weights.pairs,
        weights.log_weights,
        weights.log_edge_odds,
        rules.required,
        rules.forbidden,
        rules.max_parents,
    )


def events(adjacencies):
    """Edges and relations of pairs, as one 0/1 vector for each graph."""
    num_nodes = adjacencies.shape[-1]
    codes = oracle.relations(adjacencies)
    x, y = np.triu_indices(num_nodes, 1)
    paths = codes[..., x, y, None] == np.arange(4)
    edges = adjacencies[..., ~np.eye(num_nodes, dtype=bool)]
    return np.concatenate([edges, paths.reshape(*paths.shape[:-2], -1)], axis=-1)


@cache
def all_events(num_nodes):
    """`events` of every DAG."""
    return events(oracle.everything(num_nodes).adjacencies)


@cache
def _sorted_keys(num_nodes):
    keys = _keys(oracle.everything(num_nodes).adjacencies)
    order = np.argsort(keys)
    return keys[order], order


def _keys(adjacencies):
    num_nodes = adjacencies.shape[-1]
    return adjacencies.reshape(*adjacencies.shape[:-2], -1) @ (1 << np.arange(num_nodes**2))


def places(draws):
    """Where packed draws stand among all DAGs."""
    adjacencies = unpack(draws)
    keys, order = _sorted_keys(adjacencies.shape[-1])
    return order[np.searchsorted(keys, _keys(adjacencies))]


def unpack(draws):
    """Adjacency matrices of packed parent sets."""
    parents = np.unpackbits(draws.astype("<u8").view(np.uint8), axis=-1, bitorder="little")
    return parents[..., : draws.shape[-2]].swapaxes(-1, -2).astype(bool)


def stationary_draws(problem, mix, *, num_chains, num_draws, margin, seed):
    """Graphs, by chain and draw, of chains that start from the posterior itself.

    They must stay there. So a move that does not reach every graph can be tested by itself, no
    start has to be forgotten, and the k-th draws of all chains are independent.
    """
    rng = np.random.default_rng(seed)
    every = oracle.everything(len(problem.rules.variables)).adjacencies
    lists = grow_lists(problem.rules, problem.start, ScoreColumns(problem).column, margin=margin)
    target = make_target(problem, lists)
    drawn = []
    for number in rng.choice(len(every), size=num_chains, p=exact(problem)):
        start = Dag(problem.rules.variables, every[number])
        drawn.append(ChainRun(problem.scorer, target, start, rng, mix).run(num_draws)[0])
    return places(np.array(drawn))


def cases(num_nodes, num_cases, scores=("bdeu", "bdeu", "bdeu", "k2"), unseen=0.0):
    """Problems, with and without rules, some scores, and margins of short and long lists."""
    for seed in range(num_cases):
        score = scores[seed % len(scores)]
        problem = random_problem(
            num_nodes, seed, has_rules=seed % 2 == 1, score=score, unseen=unseen
        )
        yield problem, (1.5, 4.0)[seed // 2 % 2]


@dataclass(frozen=True)
class Comparison:
    """Independent draws beside enumeration, one number for each edge and relation."""

    num_draws: int
    expected: np.ndarray  # probabilities of the events that are neither impossible nor certain
    z: np.ndarray  # of the same
    p_values: np.ndarray  # of all events

    @property
    def rms(self):
        """Root of the mean square of z, which is 1 on average."""
        return float(np.sqrt((self.z**2).mean()))

    @property
    def usual_z(self):
        """z of the events that at least `USUAL` draws should have, and not have: nearly normal."""
        rarer = np.minimum(self.expected, 1 - self.expected)
        return self.z[rarer * self.num_draws >= USUAL]

    @property
    def bonferroni(self):
        """Bound on the chance that any of the p-values is as small as the smallest."""
        return min(1.0, float(self.p_values.min()) * len(self.p_values))


def compare(drawn, probabilities, num_nodes):
    """Hold independent draws, places among all DAGs, against the probabilities of these.

    How often an event is drawn is binomial. Errors are therefore those of the probability from
    enumeration, √(p (1 − p) / N): the draws' own variance is too small where too few show a rare
    event, and z then too large. p-values are the exact two-sided ones, however rare the event.
    """
    table = all_events(num_nodes)
    expected = np.clip(probabilities @ table, 0.0, 1.0)
    # sums of probabilities are sure to some 1e-13 only
    is_open = (expected > ROUNDING) & (expected < 1 - ROUNDING)
    expected = np.where(is_open, expected, expected.round())
    counts, size = table[drawn].sum(axis=0), len(drawn)
    error = np.sqrt(size * expected * (1 - expected))
    tails = binom.cdf(counts, size, expected), binom.sf(counts - 1, size, expected)
    return Comparison(
        size,
        expected[is_open],
        (counts - size * expected)[is_open] / error[is_open],
        np.minimum(1.0, 2 * np.minimum(*tails)),
    )


def pool(comparisons):
    """Many comparisons of equally many draws as one."""
    return Comparison(
        comparisons[0].num_draws,
        *(
            np.concatenate([getattr(one, name) for one in comparisons])
            for name in ("expected", "z", "p_values")
        ),
    )
