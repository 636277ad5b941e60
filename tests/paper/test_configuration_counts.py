"""Numbers of DAGs the paper prints or claims: Table 1(b), §5.1 and §5.2."""

from itertools import combinations

import pytest

from pathprior.counting.configurations import count_configurations
from pathprior.counting.validity import valid_configurations

UNRELATED = 3


def num_dags(counted):
    return dict(zip(map(tuple, counted.configurations.tolist()), counted.counts, strict=True))


def test_table_1b():
    counted = count_configurations([("X", "Y"), ("Y", "Z"), ("X", "Z")], 5)
    counts = num_dags(counted)
    assert counts[0, 0, 0] == 2800
    assert (0, 0, 1) not in counts
    assert counts[3, 0, 0] == 1045
    assert counts[3, 3, 3] == 309
    assert sum(counts.values()) == 29281


def test_dependent_pairs_of_three_nodes():
    counts = num_dags(count_configurations([("X", "Y"), ("Y", "Z")], 3))
    assert counts[0, 0] == 2
    assert counts[0, 1] == 5  # the paper prints 4; there are five such DAGs


@pytest.mark.parametrize("num_nodes", range(4, 14))
def test_disjoint_pairs_are_nearly_independent(num_nodes):
    counted = count_configurations([("X", "Y"), ("W", "Z")], num_nodes)
    both = (counted.configurations == UNRELATED).all(axis=1)
    alone = counted.components[0]
    unrelated = alone.probabilities[alone.configurations[:, 0] == UNRELATED].sum()
    conditional = counted.probabilities[both].sum() / unrelated
    # §5.1 says that X ⇎ Y becomes more likely given W ⇎ Z; from ten nodes on it becomes less so
    assert (conditional > unrelated) == (num_nodes < 10)


def test_numbers_of_valid_configurations():
    chains = [(1, 2), (2, 3), (4, 5), (5, 6)]
    triangles = [*combinations((1, 2, 3), 2), *combinations((4, 5, 6), 2)]
    assert len(valid_configurations([(1, 2), (3, 4)], 10)) == 16  # R1
    assert len(valid_configurations(chains, 10)) == 256  # R2
    # R3 is printed as two chains of three pairs, which have 4096; 1681 are two triangles
    assert len(valid_configurations(triangles, 12)) == 1681
    assert len(valid_configurations([(1, 2), (2, 3), (3, 4), (5, 6), (6, 7), (7, 8)], 35)) == 4096
