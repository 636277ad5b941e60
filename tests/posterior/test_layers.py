"""Sums over the acyclic choices of a block, against all choices one by one."""

from itertools import product
from math import prod

import numpy as np
import pytest

from pathprior.kernels.posterior.layers import make_block_room, sum_layers, sum_meeting
from tests.kernels import entered
from tests.oracles.graph import is_acyclic


@pytest.mark.kernel
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_layers_sum_every_acyclic_choice_once(size):
    rng = np.random.default_rng(size)
    room = make_block_room(size)
    for i in range(size):
        for kind in range(1 << size):
            room.by_type[i, kind] = 0.0 if (kind >> i) & 1 else rng.exponential()
        entered(sum_meeting)(room, size, i)
    entered(sum_layers)(room, size)
    total = 0.0
    own = [[kind for kind in range(1 << size) if not (kind >> i) & 1] for i in range(size)]
    for kinds in product(*own):
        above = np.array([[(kinds[b] >> c) & 1 for b in range(size)] for c in range(size)])
        if is_acyclic(above.astype(bool)):
            total += prod(room.by_type[i, kind] for i, kind in enumerate(kinds))
    assert room.rest[0, 0] == pytest.approx(total, rel=1e-12)
