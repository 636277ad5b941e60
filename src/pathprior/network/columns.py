"""The columns of data that a network speaks of, in the order and with the states of its nodes."""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.column import arrange
from pathprior.data.dataset import Dataset
from pathprior.data.door import Tabular, read_dataset
from pathprior.data.kinds import DISCRETE, REAL, Look, distinct_values
from pathprior.data.table import DataTable
from pathprior.errors import NetworkError
from pathprior.graph.dag import Dag

if TYPE_CHECKING:
    import pandas as pd


def require_columns(dag: Dag, names: Collection[str]) -> None:
    """Refuse data that lack a column for some node."""
    missing = [name for name in dag.nodes if name not in names]
    if missing:
        raise NetworkError(f"the data have no column for the nodes {missing}")


def read_columns(
    data: Tabular, dag: Dag, states: Sequence[tuple[str, ...]]
) -> Iterator[list[NDArray[Any]]]:
    """Each node's column, some rows at a time: floats, or codes of the states the network gives it.

    A frame is read leniently, and at once: a network can be asked about one row, which nothing can
    be learned from.
    """
    import pandas as pd

    if isinstance(data, pd.DataFrame):
        require_columns(dag, set(data.columns))
        yield [
            _codes(node, data[node], names) if names else _numbers(node, data[node])
            for node, names in zip(dag.nodes, states, strict=True)
        ]
        return
    kinds = {
        node: DISCRETE if names else REAL for node, names in zip(dag.nodes, states, strict=True)
    }
    dataset = read_dataset(data, kinds=None if isinstance(data, Dataset | DataTable) else kinds)
    require_columns(dag, set(dataset.variables))
    dataset = dataset.select(dag.nodes)
    start, codes = 0, dataset.coded.codes
    for numbers in dataset.reals.blocks():
        stop = start + numbers.shape[1]
        yield _lined_up(dataset, states, numbers, codes[:, start:stop])
        start = stop


def of_dataset(dataset: Dataset, states: Sequence[tuple[str, ...]]) -> list[NDArray[Any]]:
    """Return the columns of complete data, the codes those of ``states``."""
    return _lined_up(dataset, states, dataset.reals.values, dataset.coded.codes)


def _lined_up(
    dataset: Dataset,
    states: Sequence[tuple[str, ...]],
    numbers: NDArray[np.float64],
    codes: NDArray[Any],
) -> list[NDArray[Any]]:
    """The columns in order, given some rows of the real ones and of the others."""
    dataset.require_plain(may_be_set=True)
    coded = dataset.coded
    column_of = {name: v for v, name in enumerate(coded.variables)}
    numbers_of = dict(zip(dataset.reals.variables, numbers, strict=True))
    columns: list[NDArray[Any]] = []
    for node, names in zip(dataset.variables, states, strict=True):
        if (node in column_of) != bool(names):
            kinds = ["states", "real numbers"]
            here, there = kinds if node in column_of else kinds[::-1]
            raise NetworkError(f"column {node!r} holds {here}, and the network has {there} for it")
        if names:
            v = column_of[node]
            columns.append(_recode(node, codes[v], coded.states[v], names))
        else:
            columns.append(numbers_of[node])
    return columns


def _numbers(node: str, series: "pd.Series[Any]") -> NDArray[np.float64]:
    try:
        numbers = series.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        raise NetworkError(
            f"column {node!r} holds other things than numbers, and the network has it as real"
        ) from None
    wrong = int((~np.isfinite(numbers)).sum())
    if wrong:
        raise NetworkError(
            f"column {node!r} has {wrong} missing or infinite values of {len(numbers)}: "
            "drop those rows"
        )
    return numbers


def _codes(node: str, series: "pd.Series[Any]", states: tuple[str, ...]) -> NDArray[np.int64]:
    missing = int(series.isna().sum())
    if missing:
        raise NetworkError(f"column {node!r} misses {missing} of {len(series)} values: drop them")
    if not len(series):
        return np.empty(0, np.int64)
    found = distinct_values(series)
    if isinstance(found, Look):
        raise NetworkError(f"column {node!r} {found.problem}: {found.remedy}")
    arrangement = arrange(found.values)
    return _recode(node, arrangement.codes[found.raw], arrangement.states, states)


def _recode(
    node: str, codes: NDArray[Any], found: tuple[str, ...], states: tuple[str, ...]
) -> NDArray[np.int64]:
    """Codes of the network's states; those of the data that never occur may be unknown to it."""
    position = {state: k for k, state in enumerate(states)}
    places = np.array([position.get(state, -1) for state in found], dtype=np.int64)
    recoded: NDArray[np.int64] = places[codes]
    if recoded.size and recoded.min() < 0:
        unknown = found[int(codes[np.argmin(recoded)])]
        raise NetworkError(
            f"column {node!r} has the state {unknown!r}, which the network lacks; "
            f"it has {list(states)}"
        )
    return recoded
