"""What the parts of a document may be: checked before they are kept, and when they are read."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from pathprior.counting.expected_parents import AUTO, ExpectedParents
from pathprior.errors import StudioError
from pathprior.studio.document import Remedy
from pathprior.studio.file_names import same_file

LONGEST_NAME = 60
"""Most letters of an expert's name, which is part of a file's name."""
MOST_PARTS = 1000
"""Most bins or states that a column is cut into."""

OPTIONS = ("keep", "real", "drop", "bins", "top", "missing")
GAPS = ("drop", "state", "em")


def tiers_from(value: Any) -> tuple[tuple[str, ...], ...]:
    """Lists of names, none in two of them."""
    if not (_is_list(value) and all(_is_list(tier) for tier in value)):
        raise StudioError(f"tiers are lists of names, not {value!r}")
    named = [name for tier in value for name in tier]
    for name in named:
        if not isinstance(name, str):
            raise StudioError(f"a tier holds names, not {name!r}")
    for name in set(named):
        if named.count(name) > 1:
            raise StudioError(f"{name!r} is in two tiers; keep one")
    return tuple(tuple(tier) for tier in value if tier)


def remedy_from(option: Any, value: Any) -> Remedy:
    """What becomes of a column."""
    if option not in OPTIONS:
        raise StudioError(f"unknown remedy {option!r}; use one of {', '.join(OPTIONS)}")
    if option in ("bins", "top"):
        is_right = type(value) is int and 1 <= value <= MOST_PARTS
        wanted = f"a whole number from 1 to {MOST_PARTS}"
    elif option == "missing":
        is_right, wanted = value in GAPS, f"one of {', '.join(GAPS)}"
    else:
        is_right, wanted = value is True, "true"
    if not is_right:
        raise StudioError(f"the value of the remedy {option!r} is {wanted}, not {value!r}")
    return option, value


def expected_parents_from(value: Any) -> ExpectedParents:
    """The base that beliefs are measured against."""
    if value is None or value == AUTO:
        return None if value is None else AUTO
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            parents = float(value)
        except OverflowError:  # a whole number of hundreds of digits
            parents = 0.0
        if parents > 0 and isfinite(parents):
            return parents
    raise StudioError(f"expected parents are a positive number, 'auto' or none, not {value!r}")


def expert_name_from(value: Any, others: Sequence[str]) -> str:
    """The name of an expert, which none of the others has."""
    name = value.strip() if isinstance(value, str) else ""
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise StudioError(f"an expert's name has 1 to {LONGEST_NAME} letters, not {name!r}")
    if same_file(name) in map(same_file, others):
        raise StudioError(f"there is an expert {name!r} already; choose another name")
    return name


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)
