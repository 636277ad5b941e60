"""Random posteriors on a few nodes, and how far draws are from them."""

from dataclasses import replace

import numpy as np
import pandas as pd

from pathprior.data.door import read_dataset
from pathprior.errors import SearchError
from pathprior.kernels.graph.pairs import GraphPrior
from pathprior.score.named import make_score
from pathprior.task.start import find_start
from pathprior.task.task import make_task
from tests.oracles import all_graphs as oracle
from tests.oracles.interventional import score_left_alone

NUM_ROWS = 40
NAMES = tuple("abcde")


def random_task(num_nodes, seed, *, has_rules, score="bdeu", has_experiments=False):
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
        task = make_task(data, None, make_score(score, equivalent_sample_size=3.0), **rules)
        every = [(x, y) for x in range(num_nodes) for y in range(x)]
        pairs = np.array([every[k] for k in rng.permutation(len(every))[:3]], dtype=np.int64)
        log_weights = rng.normal(scale=1.5, size=(3, 4))
        log_weights[0, rng.integers(4)] = -np.inf
        log_weights[1, rng.integers(4)] = -np.inf
        try:
            start = find_start(task.rules, pairs, log_weights)
        except SearchError:
            continue
        weights = GraphPrior(pairs, log_weights, float(rng.normal(scale=0.7)))
        return replace(task, weights=weights, start=start)


def exact(task):
    """Probability of every DAG."""
    rows, weights, rules = task.scorer.rows, task.weights, task.rules
    is_set = task.data.intervened
    if is_set is None:
        is_set = np.zeros(rows.codes.shape, dtype=bool)
    score = "bdeu" if task.scorer.is_score_equivalent else "k2"
    return oracle.probabilities(
        len(rules.variables),
        lambda v, parents: score_left_alone(
            rows.codes, rows.num_states, is_set, v, parents, score=score
        ),
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


def unpack(draws):
    """Adjacency matrices of packed parent sets."""
    parents = np.unpackbits(draws.astype("<u8").view(np.uint8), axis=-1, bitorder="little")
    return parents[..., : draws.shape[-2]].swapaxes(-1, -2).astype(bool)


def z_scores(means, expected):
    """How far independent means are from what is expected, in standard errors.

    Rare events, which few of the means meet, are held to the error of one as rare as 10 %.
    What cannot happen must not, nor what is certain fail to.
    """
    average = means.mean(axis=0)
    error = means.std(axis=0, ddof=1) / np.sqrt(len(means))
    is_fixed = (expected == 0.0) | (expected > 1 - 1e-12)
    np.testing.assert_allclose(average[is_fixed], expected[is_fixed], atol=1e-12)
    is_usual = (expected > 0.1) & (expected < 0.9)
    rare = 4 * np.sqrt(0.1 / len(means))
    assert (np.abs(average - expected)[~is_usual] < rare).all()
    return (average - expected)[is_usual] / error[is_usual]
