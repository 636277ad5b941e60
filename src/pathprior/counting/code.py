"""Configurations as words: two bits per pair, the first pair highest, 32 pairs to a word."""

import numpy as np
from numpy.typing import NDArray

PAIRS_PER_WORD = 32


def num_code_words(num_pairs: int) -> int:
    """Words needed for a configuration of ``num_pairs`` pairs."""
    return (num_pairs + PAIRS_PER_WORD - 1) // PAIRS_PER_WORD


def code_places(num_pairs: int) -> NDArray[np.int64]:
    """The (word, shift) of each pair; sorting the words sorts configurations by their codes."""
    pair = np.arange(num_pairs)
    shift = 2 * (PAIRS_PER_WORD - 1 - pair % PAIRS_PER_WORD)
    return np.stack([pair // PAIRS_PER_WORD, shift], axis=1).astype(np.int64)


def decode(codes: NDArray[np.uint64], num_pairs: int) -> NDArray[np.int8]:
    """Words, one row (or one word) per configuration, as relation codes."""
    words = codes.reshape(len(codes), -1)
    places = code_places(num_pairs)
    shifted = words[:, places[:, 0]] >> places[:, 1].astype(np.uint64)
    return (shifted & np.uint64(3)).astype(np.int8)


def encode(configurations: NDArray[np.int8]) -> NDArray[np.uint64]:
    """Relation codes as words, one row per configuration; the inverse of `decode`."""
    num_rows, num_pairs = configurations.shape
    words = np.zeros((num_rows, num_code_words(num_pairs)), dtype=np.uint64)
    for column, (word, shift) in enumerate(code_places(num_pairs)):
        words[:, word] |= configurations[:, column].astype(np.uint64) << np.uint64(shift)
    return words
