"""The relations of all pairs in a few bytes each, for the report's script."""

import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.event import RELATION_EVENTS
from pathprior.posterior.errors_table import PATH

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior

MAX_PAIRS = 120_000
"""Most pairs that a page holds: ten bytes each."""
TOO_MANY = "There are too many pairs for one page: posterior.paths has them all."


def relation_data(posterior: "Posterior", nodes: Sequence[str]) -> dict[str, Any]:
    """Probabilities of ⇒, ⇐ and ⇔ for all pairs i < j of ``nodes``, and the errors of all four.

    Probabilities are whole 65535ths. Errors are at most one half: of each the square root of twice
    it in 255ths, so that small ones keep their digits; null where there are none. Which of the four
    have not settled are the bits of one byte a pair; null where all have.
    """
    num_pairs = len(nodes) * (len(nodes) - 1) // 2
    if num_pairs > MAX_PAIRS:
        return {"relations": None, "relationsMissing": TOO_MANY}
    unsettled, is_open = None, ~posterior.relations_settled
    if is_open.any():
        found = _ordered(posterior, nodes, is_open.astype(float))
        unsettled = _packed((found @ [1, 2, 4, 8]).astype(np.uint8))
    values = posterior.paths[[event.value for event in RELATION_EVENTS]].to_numpy(float)
    errors = None
    if not posterior.is_exact:
        table = posterior.errors
        found = table.loc[table["kind"] == PATH, "error"].to_numpy(float).reshape(-1, 4)
        roots = np.sqrt(
            2 * np.clip(np.nan_to_num(_ordered(posterior, nodes, found), nan=0.5), 0, 0.5)
        )
        errors = _packed(np.rint(255 * roots).astype(np.uint8))
    shares = np.rint(65535 * _ordered(posterior, nodes, values)[:, :3]).astype("<u2")
    packed = {"probabilities": _packed(shares), "errors": errors, "unsettled": unsettled}
    return {"relations": packed}


def _ordered(
    posterior: "Posterior", nodes: Sequence[str], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Rows for the pairs of ``posterior.variables`` as rows for those of ``nodes``."""
    size = len(nodes)
    place = {name: k for k, name in enumerate(posterior.variables)}
    at = np.array([place[name] for name in nodes], dtype=np.int64)
    first, second = np.triu_indices(size, k=1)
    x, y = at[first], at[second]
    low, high = np.minimum(x, y), np.maximum(x, y)
    rows: NDArray[np.float64] = values[low * (2 * size - low - 1) // 2 + high - low - 1]
    is_turned = x > y
    rows[is_turned, :2] = rows[is_turned, 1::-1]
    return rows


def _packed(array: NDArray[Any]) -> str:
    return base64.b64encode(array.tobytes()).decode()
