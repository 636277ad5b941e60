"""The arrays of the kernels' named tuples as a flat dict, and back in their places."""

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]


def arrays_of(record: Any, *, without: Collection[str] = ()) -> Arrays:
    """Copies of what a named tuple holds, and of what those in it do, under dotted names."""
    found: Arrays = {}
    for name, value in record._asdict().items():
        if name in without:
            continue
        if hasattr(value, "_asdict"):
            found |= prefixed(name, arrays_of(value))
        else:
            found[name] = np.array(value)
    return found


def put_back(record: Any, arrays: Arrays) -> None:
    """Undo `arrays_of`, in place: what ``arrays`` does not name stays as it is."""
    for name, value in record._asdict().items():
        if hasattr(value, "_asdict"):
            put_back(value, under(name, arrays))
        elif name not in arrays:
            continue
        elif isinstance(value, np.ndarray):
            value[...] = arrays[name]
        else:
            for field in arrays[name].dtype.names or ():
                value[field] = arrays[name][field]


def prefixed(prefix: str, arrays: Arrays) -> Arrays:
    """The arrays as part of something larger."""
    return {f"{prefix}.{name}": array for name, array in arrays.items()}


def under(prefix: str, arrays: Arrays) -> Arrays:
    """Undo `prefixed`."""
    start = f"{prefix}."
    return {name.removeprefix(start): a for name, a in arrays.items() if name.startswith(start)}
