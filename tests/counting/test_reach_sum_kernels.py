"""How the exact sum in floats groups its states."""

from decimal import Decimal, localcontext
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathprior.counting.floatsum import _choose, _raise
from pathprior.kernels.counting.reach_sum import group, number

VALUES = st.lists(st.integers(0, 2**62), min_size=1, max_size=30)


@pytest.mark.kernel
@settings(max_examples=30)
@given(VALUES, st.integers(0, 100), st.randoms(use_true_random=False))
def test_equal_values_have_one_number_and_follow_each_other(values, repeats, random):
    values = np.array(values + random.choices(values, k=repeats), dtype=np.int64)
    numbers, distinct = number(values)
    assert np.array_equal(distinct[numbers], values)
    assert len(set(distinct.tolist())) == len(distinct)
    order = group(numbers, len(distinct))
    assert order.tolist() == np.argsort(numbers, kind="stable").tolist()


@pytest.mark.kernel
def test_more_values_than_slots_to_begin_with():
    values = np.arange(3000, dtype=np.int64)[::-1] ** 2
    numbers, distinct = number(np.concatenate([values, values]))
    assert np.array_equal(distinct, values)
    assert numbers.tolist() == [*range(3000), *range(3000)]


@pytest.mark.parametrize("base", [1 + 1e-9, 1.03, 1.7, 1e9])
def test_powers_to_all_bits(base):
    with localcontext() as context:
        context.prec = 40
        raised, exponents = _raise(Decimal(base).ln() / Decimal(2).ln(), 100_000)
        for i in (0, 1, 2, 999, 98_765):
            exact = Decimal(base) ** i / Decimal(2) ** int(exponents[i])
            assert raised[i] == pytest.approx(float(exact), rel=4e-16)


def test_binomials_to_all_bits():
    choose = _choose(300)
    assert choose[300].tolist() == [float(comb(300, k)) for k in range(301)]
    assert choose[7].tolist() == [*map(float, (1, 7, 21, 35, 35, 21, 7, 1)), *[0.0] * 293]
