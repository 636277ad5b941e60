"""The score that allows for unseen edges, against its recursion."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from pathprior.data.dataset import Dataset
from pathprior.kernels.data.columns import fill_column
from pathprior.kernels.data.unseen import FEW, WHOLE
from pathprior.score.named import make_score
from pathprior.score.unseen import Unseen, UnseenScorer
from tests.data_tables import make_table, tables
from tests.oracles.score import with_unseen

pytestmark = pytest.mark.kernel
EVERYONE = np.array([(1 << 64) - 1], np.uint64)


@njit
def fill(kernel, child, parents, barred, out):
    return fill_column(kernel, child, parents, barred, out)


def column(kernel, size, child, parents, barred):
    scores = np.empty(size)
    fill(kernel, child, np.array(sorted(parents), np.int64), barred, scores)
    return scores


@given(
    tables(),
    st.sampled_from(("bdeu", "k2", "averaged-bdeu", "families")),
    st.sampled_from((0.02, 0.1, 0.5, 0.9)),
    st.data(),
)
def test_columns_follow_the_definition(table, score, share, data):
    size = table.num_variables
    scorer = Unseen(make_score(score), share).bind(Dataset.of_codes(table))
    kernel, seen = scorer.kernel(), cache(scorer.seen.local)
    for _ in range(2):  # the second time the columns of other subsets are known
        child = data.draw(st.integers(0, size - 1))
        others = [v for v in range(size) if v != child]
        parents = data.draw(st.lists(st.sampled_from(others), unique=True, max_size=4))
        barred = data.draw(st.sets(st.sampled_from(others)))
        words = np.array([sum(1 << v for v in {*barred, child})], np.uint64)
        scores = column(kernel, size, child, parents, words)
        for u in range(size):
            if u in barred and u not in parents:
                assert scores[u] == -np.inf
                continue
            changed = set(parents) if u == child else set(parents) ^ {u}
            expected = with_unseen(lambda s, v=child: seen(v, tuple(s)), sorted(changed), share)
            assert scores[u] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def bound(score="bdeu", share=0.1, seed=1, num_variables=12):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (num_variables, 60)).astype(np.uint8)
    codes[1] = codes[0] ^ (rng.random(60) < 0.2)
    table = make_table(codes, [2] * num_variables)
    return Unseen(make_score(score), share).bind(Dataset.of_codes(table))


def test_a_family_scores_the_same_whatever_was_scored_before():
    scorer = bound()
    parents, some = [1, 2, 3], np.array([1], np.uint64)
    fresh = column(scorer.kernel(), 12, 0, parents, EVERYONE)[0]
    kernel = scorer.kernel()
    for others in ([1], [1, 2], [4, 5, 6]):
        column(kernel, 12, 0, others, some)
        column(kernel, 12, 0, others, EVERYONE)
    assert column(kernel, 12, 0, parents, EVERYONE)[0] == fresh
    assert column(kernel, 12, 0, parents, some)[0] == fresh
    assert scorer.local(0, parents) == pytest.approx(fresh, abs=1e-9)


@pytest.mark.parametrize("size", [WHOLE - 1, WHOLE, WHOLE + 1, WHOLE + 2])
def test_of_many_parents_few_are_unseen(size):
    scorer = bound()
    parents, some = list(range(1, size + 1)), np.array([1], np.uint64)
    scores = column(scorer.kernel(), 12, 0, parents, some)
    for u in range(12):
        changed = parents if u == 0 else sorted({*parents} ^ {u})
        assert scores[u] == pytest.approx(scorer.local(0, changed), abs=1e-9)
    # what is left out are sets from which more are missing, of the order of their weight
    whole = with_unseen(lambda s: scorer.seen.local(0, list(s)), parents, scorer.share)
    assert scores[0] == pytest.approx(whole, abs=1e-9 if size <= WHOLE else 20)
    assert scores[0] <= whole + 1e-9
    assert FEW >= 2


def test_forgetting_columns_and_other_bars_change_nothing():
    scorer = bound()
    kernel = scorer.kernel()
    small = kernel._replace(
        columns=replace_capacity(kernel.columns, 3), alone=replace_capacity(kernel.alone, 2)
    )
    for parents in ([1, 2, 3], [2, 3], [1, 2, 3, 4]):
        for bars in (1, 1 | 1 << 7, 1):
            barred = np.array([bars], np.uint64)
            expected = column(scorer.kernel(), 12, 0, parents, barred)
            assert column(small, 12, 0, parents, barred).tolist() == expected.tolist()


def replace_capacity(cache, capacity):
    return cache._replace(children=cache.children[:capacity])


def test_absence_refutes_by_a_bounded_factor():
    scorer = bound(share=0.1)
    for parents in ([], [1], [1, 2]):
        lost = scorer.local(0, parents) - scorer.local(0, [*parents, 9])
        assert lost <= -np.log(0.1) + 1e-12
        assert lost <= scorer.seen.local(0, parents) - scorer.seen.local(0, [*parents, 9])


def test_it_passes_on_what_it_does_not_change():
    scorer = bound("families")
    assert isinstance(scorer, UnseenScorer)
    assert (scorer.tables, scorer.prior_rows) == ("families", 2.0)
    assert not scorer.is_score_equivalent
    assert all(guide.is_score_equivalent for guide in scorer.guides())
    assert replace(scorer, seen=bound("bdeu").seen).has_guides
