from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathprior.counting.shape import read_pairs
from pathprior.errors import CountingError
from tests.oracles.counting import same_shape


@st.composite
def pair_sets(draw, max_nodes=5):
    num_nodes = draw(st.integers(2, max_nodes))
    possible = list(combinations(range(num_nodes), 2))
    chosen = draw(st.lists(st.sampled_from(possible), min_size=1, unique=True))
    return [(y, x) if draw(st.booleans()) else (x, y) for x, y in chosen]


@given(pair_sets(), pair_sets())
def test_canonical_form_decides_sameness(first, second):
    one, two = read_pairs(first, 9), read_pairs(second, 9)
    num_nodes = max(one.num_belief_nodes, two.num_belief_nodes)
    same = same_shape(one.edges, two.edges, num_nodes)
    assert (one.canonical().shape == two.canonical().shape) == same


@given(pair_sets(), st.randoms(use_true_random=False))
def test_canonical_form_ignores_names_order_and_direction(pairs, random):
    names = list("abcdefgh")
    random.shuffle(names)
    renamed = [
        (names[y], names[x]) if random.random() < 0.5 else (names[x], names[y]) for x, y in pairs
    ]
    random.shuffle(renamed)
    assert read_pairs(renamed, 9).canonical().shape == read_pairs(pairs, 9).canonical().shape


@given(pair_sets())
def test_canonical_form_points_back(pairs):
    shape = read_pairs(pairs, 9)
    canonical = shape.canonical()
    back = [canonical.shape.edges[column] for column in canonical.columns]
    turned = [
        (y, x) if r else (x, y) for (x, y), r in zip(back, canonical.is_reversed, strict=True)
    ]
    renaming = {}
    for original, image in zip(shape.edges, turned, strict=True):
        for node, name in zip(original, image, strict=True):
            assert renaming.setdefault(node, name) == name
    assert len(set(renaming.values())) == len(renaming)


def test_large_regular_shapes_keep_their_order():
    pairs = list(combinations(range(9), 2))
    assert read_pairs(pairs, 20).canonical().columns == tuple(range(len(pairs)))


def test_components_are_numbered_one_by_one():
    pairs = [(10 * c + x, 10 * c + y) for c in range(3) for x, y in combinations(range(4), 2)]
    shuffled = [pairs[i] for i in np.random.default_rng(0).permutation(len(pairs))]
    assert read_pairs(shuffled, 12).canonical().shape == read_pairs(pairs, 12).canonical().shape


def test_components_in_order_of_their_first_pair():
    shape = read_pairs([("d", "e"), ("a", "b"), ("e", "f"), ("c", "b")], 10)
    assert shape.components() == ((0, 2), (1, 3))
    assert shape.restrict((1, 3)).edges == ((0, 1), (2, 1))


@pytest.mark.parametrize(
    ("pairs", "num_nodes", "message"),
    [
        ([("x", "y")], 0, "num_nodes is 0"),
        ([("x", "y")], -1, "num_nodes is -1"),
        ([("x", "y")], 2.5, "num_nodes is 2.5"),
        ([("x", "y"), ("y", "z")], 2, "name 3 nodes but num_nodes is 2"),
        ([("x", "x")], 3, "joins a node with itself"),
        ([("x", "y"), ("x", "y")], 3, "given twice"),
        ([("x", "y"), ("y", "x")], 3, "given twice"),
        ([], 3, "no pairs"),
        ([("x", "y", "z")], 3, "not a pair"),
        (["xy"], 3, "not a pair"),
    ],
)
def test_bad_pairs(pairs, num_nodes, message):
    with pytest.raises(CountingError, match=message):
        read_pairs(pairs, num_nodes)


def test_labels_may_be_numpy_integers():
    assert read_pairs(np.array([[3, 7], [7, 9]]), np.int64(4)).edges == ((0, 1), (1, 2))
