"""Searches on rows that are held once, against every row by itself."""

import numpy as np
import pytest

from pathprior import learn, load_network
from pathprior.data.dataset import Dataset
from pathprior.data.merged import merged
from pathprior.data.table import DataTable
from pathprior.score import rows as layout
from pathprior.search.nearly_constant import num_differing


@pytest.fixture(scope="module")
def many() -> DataTable:
    """Rows of which most occur many times."""
    return load_network("asia").sample_table(70_000, seed=4)


@pytest.mark.parametrize(
    ("search", "score"),
    [("auto", "bdeu"), ("greedy", "bdeu"), ("exact", "bdeu"), ("auto", "families")],
)
def test_the_same_graph_is_learned(
    many: DataTable, search: str, score: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = learn(Dataset.of_codes(merged(many)), search=search, score=score)
    monkeypatch.setattr(layout, "MERGED_FROM", many.num_rows + 1)
    plain = learn(many, search=search, score=score)
    assert few.dag == plain.dag
    assert few.score == pytest.approx(plain.score, rel=1e-12)
    for one, other in zip(few.network().tables, plain.network().tables, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_rare_states_are_counted_alike(many: DataTable) -> None:
    few, plain = Dataset.of_codes(merged(many)), Dataset.of_codes(many)
    assert num_differing(few) == num_differing(plain)
