"""How often each configuration occurs in a stream of sampled codes."""

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.code import decode, encode
from pathprior.counting.result import Table

_Batch = tuple[NDArray[np.uint64], NDArray[np.float64], NDArray[np.float64]]
"""Distinct codes, with Σ c and Σ c² of each."""


class Tally:
    """Occurrences of each code, in DAGs, with what standard errors need.

    A DAG placed p times counts 1/p for each placement. Placements on one DAG are dependent, so
    that the variance comes from the totals per DAG: Σ_d c_d and Σ_d c_d² for every code.
    """

    def __init__(self, num_words: int) -> None:
        self.codes = np.empty((0, num_words), dtype=np.uint64)
        self.sums = np.empty(0)
        self.squares = np.empty(0)
        self.num_samples = 0
        self._waiting: list[_Batch] = []

    def add(self, codes: NDArray[np.uint64]) -> None:
        """Add a batch of codes (dag, placement, word)."""
        num_dags, placements, num_words = codes.shape
        distinct, group = _distinct(codes.reshape(-1, num_words))
        if placements == 1:
            sums = squares = _totals(group, np.ones(len(group)))
        else:
            dag = np.repeat(np.arange(num_dags), placements)
            cells, repeats = np.unique(dag * len(distinct) + group, return_counts=True)
            share = repeats / placements
            sums = _totals(cells % len(distinct), share)
            squares = _totals(cells % len(distinct), share**2)
        self.num_samples += num_dags
        self._waiting.append((distinct, sums, squares))
        # merged once there are as many new codes as old ones: each is sorted a few times only
        if sum(len(codes) for codes, _, _ in self._waiting) >= len(self.codes):
            self._merge()

    def _merge(self) -> None:
        codes, sums, squares = zip(
            (self.codes, self.sums, self.squares), *self._waiting, strict=True
        )
        self._waiting.clear()
        self.codes, group = _distinct(np.concatenate(codes))
        self.sums = _totals(group, np.concatenate(sums))
        self.squares = _totals(group, np.concatenate(squares))

    def table(
        self, num_pairs: int, valid: NDArray[np.int8] | None, *, and_seen: bool = False
    ) -> Table:
        """The estimate S_C / S on the ``valid`` configurations, or on those seen if None.

        With ``and_seen`` on both: some valid ones may have been left out.

        The standard error of a mean over DAGs: sqrt((Σ c² / S − (Σ c / S)²) / (S − 1)).
        """
        self._merge()
        codes = self.codes if valid is None else encode(valid)
        if and_seen and valid is not None:
            codes = _distinct(np.concatenate([codes, self.codes]))[0]
        stacked, group = _distinct(np.concatenate([codes, self.codes]))
        rows, seen = group[: len(codes)], group[len(codes) :]
        sums, squares = np.zeros((2, len(stacked)))
        sums[seen] = self.sums
        squares[seen] = self.squares
        mean = sums[rows] / self.num_samples
        variance = np.maximum(squares[rows] / self.num_samples - mean**2, 0.0)
        return Table(
            decode(codes, num_pairs),
            mean,
            standard_errors=np.sqrt(variance / max(self.num_samples - 1, 1)),
            is_complete=valid is not None,
        )


def _totals(group: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.bincount(group, values).astype(np.float64)


def _distinct(codes: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The distinct rows, sorted, and the position of each row among them."""
    if codes.shape[1] == 1:
        values, group = np.unique(codes[:, 0], return_inverse=True)
        return values[:, None], group
    values, group = np.unique(codes, axis=0, return_inverse=True)
    return values, group.reshape(-1)
