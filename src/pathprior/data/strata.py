"""Rows by what was set in them: which count for which variable, and which pairs they tell apart."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset

Rows = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class RowStrata:
    """Sets of rows on which families are scored, each by itself.

    Attributes
    ----------
    rows
        ``rows[s]``: which rows belong to stratum s.
    of_variable
        ``of_variable[v]``: the strata whose scores are summed for the family of v.
    """

    rows: Rows
    of_variable: tuple[tuple[int, ...], ...]


def one_stratum(num_rows: int, num_variables: int) -> RowStrata:
    """All rows count for all variables."""
    return RowStrata(np.ones((1, num_rows), dtype=bool), ((0,),) * num_variables)


def find_strata(dataset: Dataset) -> RowStrata:
    """Find the rows that say something about each variable's mechanism.

    Where values were set, these are the rows in which the variable's was not. Where mechanisms were
    changed, also the rows of each set of targets with the variable: every such set its own stratum.
    """
    if dataset.intervened is None:
        return one_stratum(dataset.num_rows, dataset.num_variables)
    number: dict[bytes, int] = {}
    found: list[Rows] = []

    def enter(rows: Rows) -> int:
        key = np.packbits(rows).tobytes()
        if key not in number:
            number[key] = len(found)
            found.append(rows)
        return number[key]

    of_variable = [[enter(~is_set)] for is_set in dataset.intervened]
    if dataset.are_soft:
        for targets, rows in target_sets(dataset):
            for v in targets:
                of_variable[v].append(enter(rows))
    return RowStrata(np.stack(found), tuple(map(tuple, of_variable)))


def strata_by_rows(
    dataset: Dataset, strata: RowStrata
) -> list[tuple[Rows, tuple[int | None, ...]]]:
    """Each set of rows with the same targets, and for each variable the stratum that they are in.

    None where its value was set.
    """
    found = []
    num_met = [0] * dataset.num_variables
    for targets, rows in target_sets(dataset):
        here: list[int | None] = [numbers[0] for numbers in strata.of_variable]
        for v in targets:
            num_met[v] += 1
            here[v] = strata.of_variable[v][num_met[v]] if dataset.are_soft else None
        found.append((rows, tuple(here)))
    return found


def target_sets(dataset: Dataset) -> list[tuple[tuple[int, ...], Rows]]:
    """Each set of variables that were set together, in order of appearance, and its rows."""
    if dataset.intervened is None:
        return [((), np.ones(dataset.num_rows, dtype=bool))]
    packed = np.packbits(dataset.intervened, axis=0)
    _, first, inverse = np.unique(packed, axis=1, return_index=True, return_inverse=True)
    inverse = inverse.reshape(-1)
    return [
        (tuple(np.flatnonzero(dataset.intervened[:, first[k]]).tolist()), inverse == k)
        for k in np.argsort(first).tolist()
    ]


def target_names(dataset: Dataset) -> list[list[str]]:
    """Each set of variables that were set together, by their names."""
    return [[dataset.variables[v] for v in targets] for targets, _ in target_sets(dataset)]


def cut_pairs(dataset: Dataset) -> NDArray[np.bool_]:
    """``[u, v]``: whether in some row exactly one of u and v was set.

    Only then do u → v and v → u differ where all else is alike.
    """
    if dataset.intervened is None:
        return np.zeros((dataset.num_variables,) * 2, dtype=bool)
    patterns = np.unique(np.packbits(dataset.intervened, axis=1), axis=0, return_inverse=True)[1]
    patterns = patterns.reshape(-1)
    return np.asarray(patterns[:, None] != patterns[None, :])
