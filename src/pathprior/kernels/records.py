"""Named scalars that kernels change in place: one pointer to pass, whatever their number."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike

Record: TypeAlias = Any
"""A numpy record; the fields that a dtype names are beyond the type checker."""
Records: TypeAlias = Any
"""An array of records."""


def make_record(dtype: DTypeLike) -> Record:
    """Return one record of zeros."""
    return make_records(1, dtype)[0]


def make_records(num_records: int, dtype: DTypeLike) -> Records:
    """Return an array of records of zeros; its items have named fields, compiled or not."""
    return np.zeros(num_records, dtype).view(np.recarray)
