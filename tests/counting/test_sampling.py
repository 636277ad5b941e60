import hashlib
from collections import Counter
from math import comb

import numpy as np
import pytest
from scipy.stats import chisquare

from pathprior.counting import sampling
from pathprior.counting.code import decode
from pathprior.counting.configurations import count_configurations
from pathprior.counting.robinson import count_dags, dags_by_sinks
from pathprior.counting.sampling import (
    MAX_LAYER,
    CodeLayout,
    layer_thresholds,
    sample_dags,
    stream_codes,
)
from pathprior.counting.shape import read_pairs
from pathprior.errors import CountingError
from pathprior.graph.dag import Dag
from tests.oracles.counting import layer_sizes, num_dags_by_edges, num_dags_by_layers
from tests.oracles.graph import all_dags
from tests.oracles.web import is_partial_order


@pytest.mark.parametrize(("num_nodes", "size"), [(3, 50_000), (4, 200_000)])
@pytest.mark.parametrize("seed", [0, 1])
def test_uniform_on_all_dags(num_nodes, size, seed):
    weights = 1 << np.arange(num_nodes * num_nodes)
    known = {int(dag.reshape(-1) @ weights) for dag in all_dags(num_nodes)}
    drawn = Counter((sample_dags(num_nodes, size, seed).reshape(size, -1) @ weights).tolist())
    assert set(drawn) <= known
    assert len(known) == count_dags(num_nodes)
    assert chisquare([drawn[dag] for dag in known]).pvalue > 0.001


def pooled_chisquare(observed, weights, size):
    """Chi-square with rare cells pooled into one."""
    total = sum(weights.values())
    expected = {cell: size * (weight / total) for cell, weight in weights.items()}
    common = [cell for cell in expected if expected[cell] >= 10]
    rare = [cell for cell in expected if cell not in common]
    seen = [observed[cell] for cell in common]
    hoped = [expected[cell] for cell in common]
    if rare:
        seen.append(size - sum(seen))
        hoped.append(size - sum(hoped))
    return chisquare(seen, hoped).pvalue


def test_edges_sources_and_layers_of_twenty_nodes():
    size = 20_000
    dags = sample_dags(20, size, seed=3)
    edges = Counter(dags.sum(axis=(1, 2)).tolist())
    assert pooled_chisquare(edges, dict(enumerate(num_dags_by_edges(20))), size) > 0.001
    layers = [layer_sizes(dag) for dag in dags[:2000]]
    sources = Counter(sizes[0] for sizes in layers)
    assert pooled_chisquare(sources, dict(enumerate(dags_by_sinks(20))), 2000) > 0.001
    by_layers = {
        depth: sum(num_dags_by_layers(20, k, depth) for k in range(1, 21)) for depth in range(1, 21)
    }
    assert pooled_chisquare(Counter(map(len, layers)), by_layers, 2000) > 0.001


@pytest.mark.kernel
@pytest.mark.parametrize("num_nodes", [1, 2, 64, 65, 130])
def test_draws_are_dags(num_nodes):
    names = [f"v{i}" for i in range(num_nodes)]
    for adjacency in sample_dags(num_nodes, 5, seed=2):
        assert Dag(names, adjacency).num_edges == adjacency.sum()  # raises on a cycle


def test_edges_beyond_a_hundred_nodes():
    dags = sample_dags(140, 400, seed=5)
    edges = dags.sum(axis=(1, 2))
    # the limit: half of all pairs are joined, up to a term linear in n
    per_pair = edges.mean() / comb(140, 2)
    assert per_pair == pytest.approx(0.5, abs=0.01)


def test_limit_of_layer_sizes_is_reached():
    thresholds = layer_thresholds(100)
    assert np.array_equal(thresholds[99, 1:5], thresholds[100, 1:5])


def test_larger_layers_are_out_of_reach():
    beyond = sum(dags_by_sinks(100)[MAX_LAYER + 1 :])
    assert count_dags(100) // beyond > 1 << 500


def test_same_seed_same_dags():
    assert np.array_equal(sample_dags(9, 50, seed=4), sample_dags(9, 50, seed=4))
    assert not np.array_equal(sample_dags(9, 50, seed=4), sample_dags(9, 50, seed=5))
    # a longer sample starts with the shorter one, across batches too
    assert np.array_equal(sample_dags(3, 20_000)[:17_000], sample_dags(3, 17_000))
    digest = hashlib.sha256(np.packbits(sample_dags(6, 100, seed=1)).tobytes()).hexdigest()
    assert digest[:16] == "9eb129a76e8a8d06"


def test_stream_shows_the_configurations_of_uniform_dags():
    shape = read_pairs([("a", "b"), ("c", "b"), ("d", "e")], 5)
    layout = CodeLayout.of(shape, ((0, 1), (2,)))
    exact = count_configurations([(0, 1), (2, 1)], 5, method="enumerate")
    observed = Counter()
    for codes in stream_codes(layout, 5, 30_000, 2, seed=8):
        rows = decode(np.ascontiguousarray(codes[:, 0, layout.words[0]]), 2)
        observed.update(map(tuple, rows.tolist()))
    weights = dict(zip(map(tuple, exact.configurations.tolist()), exact.counts, strict=True))
    assert pooled_chisquare(observed, weights, 30_000) > 0.001


@pytest.mark.kernel
def test_stream_of_more_pairs_than_a_word_holds():
    pairs = [(i, j) for i in range(10) for j in range(i)]
    layout = CodeLayout.of(read_pairs(pairs, 10), (tuple(range(45)),))
    (codes,) = stream_codes(layout, 70, 50, 1, seed=0)
    assert codes.shape == (50, 1, 2)
    for row in decode(codes[:, 0], 45):
        reaches = np.eye(10, dtype=bool)
        for (x, y), code in zip(pairs, row, strict=True):
            reaches[x, y], reaches[y, x] = code == 0, code == 1
        assert is_partial_order(reaches)


@pytest.mark.parametrize(("num_nodes", "size"), [(0, 5), (-1, 5), (3.0, 5), (3, -1), (3, 1.5)])
def test_bad_sizes(num_nodes, size):
    with pytest.raises(CountingError, match="give a"):
        sample_dags(num_nodes, size)


def test_no_dags():
    assert sample_dags(3, 0).shape == (0, 3, 3)


def test_large_dags_come_a_few_at_a_time_and_are_the_same(monkeypatch):
    layout = CodeLayout.of(read_pairs([(0, 1), (1, 2)], 300), ((0, 1),))
    few = list(stream_codes(layout, 300, 600, 3, seed=5))
    assert [len(codes) for codes in few] == [256, 256, 88]
    monkeypatch.setattr(sampling, "SMALL_NODES", 300)
    (all_at_once,) = stream_codes(layout, 300, 600, 3, seed=5)
    assert np.array_equal(np.concatenate(few), all_at_once)
