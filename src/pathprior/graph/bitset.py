"""Boolean rows to rows of 64-bit words and back (the layout of `pathprior.kernels`)."""

import numpy as np
from numpy.typing import NDArray


def num_words(num_nodes: int) -> int:
    """Words needed for a set of nodes; at least one, so that kernels never see an empty row."""
    return max(1, (num_nodes + 63) // 64)


def pack_rows(mask: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Pack each boolean row into words: bit ``i & 63`` of word ``i >> 6`` is column ``i``."""
    padded = np.zeros((mask.shape[0], num_words(mask.shape[1]) * 64), dtype=bool)
    padded[:, : mask.shape[1]] = mask
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def unpack_row(row: NDArray[np.uint64], num_nodes: int) -> NDArray[np.bool_]:
    """Unpack a row of words, or each of several, into a boolean mask over the nodes."""
    bits = np.unpackbits(row.astype("<u8").view(np.uint8), axis=-1, bitorder="little")
    return bits[..., :num_nodes].astype(bool)
