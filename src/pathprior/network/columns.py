"""The columns of data that a network speaks of, in the order and with the states of its nodes."""

from collections.abc import Collection, Sequence
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


def read_columns(data: Tabular, dag: Dag, states: Sequence[tuple[str, ...]]) -> list[NDArray[Any]]:
    """Return each node's column: floats, or codes of the states that the network gives it.

    A frame is read leniently: a network can be asked about one row, which nothing can be learned
    from.
    """
    import pandas as pd

    if isinstance(data, pd.DataFrame):
        require_columns(dag, set(data.columns))
        return [
            _codes(node, data[node], names) if names else _numbers(node, data[node])
            for node, names in zip(dag.nodes, states, strict=True)
        ]
    kinds = {
        node: DISCRETE if names else REAL for node, names in zip(dag.nodes, states, strict=True)
    }
    dataset = read_dataset(data, kinds=None if isinstance(data, Dataset | DataTable) else kinds)
    require_columns(dag, set(dataset.variables))
    return of_dataset(dataset.select(dag.nodes), states)


def of_dataset(dataset: Dataset, states: Sequence[tuple[str, ...]]) -> list[NDArray[Any]]:
    """Return the columns of complete data, the codes those of ``states``."""
    coded = dataset.select(dataset.coded.variables).discrete(may_be_set=True)
    reals = dataset.select(dataset.reals.variables).real(may_be_set=True)
    column_of = {name: v for v, name in enumerate(coded.variables)}
    values_of = dict(zip(reals.variables, reals.values, strict=True))
    columns: list[NDArray[Any]] = []
    for node, names in zip(dataset.variables, states, strict=True):
        if (node in column_of) != bool(names):
            kinds = ["states", "real numbers"]
            here, there = kinds if node in column_of else kinds[::-1]
            raise NetworkError(f"column {node!r} holds {here}, and the network has {there} for it")
        if names:
            v = column_of[node]
            columns.append(_recode(node, coded.codes[v], coded.states[v], names))
        else:
            columns.append(values_of[node])
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
