"""Where to cut numbers into bins, and what to call the bins."""

from collections.abc import Sequence
from decimal import ROUND_FLOOR, Decimal
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.kinds import is_whole

Cuts = tuple[float, ...]
"""Increasing numbers; bin k holds what is at least ``cuts[k − 1]`` and less than ``cuts[k]``."""


def quantile_cuts(numbers: NDArray[Any], num_bins: int) -> Cuts:
    """Cut numbers into bins with about as many rows each; fewer bins where few values occur.

    A value at either end that fills a bin of its own, such as the zeros of a count, is set apart
    and the rest is cut without it. Cuts are as round as they can be without moving a row.
    """
    values, counts = np.unique(numbers, return_counts=True)
    places: set[int] = set()
    first, last = 0, len(values)
    while num_bins > 1 and last - first > 1:
        size = counts[first:last].sum() / num_bins
        if counts[first] >= size:
            first += 1
            places.add(first)
        elif counts[last - 1] >= size:
            last -= 1
            places.add(last)
        else:
            cumulated = counts[first : last - 1].cumsum()
            for k in range(1, num_bins):
                places.add(first + 1 + int(np.abs(cumulated - k * size).argmin()))
            break
        num_bins -= 1
    return tuple(_round_between(values[k - 1], values[k]) for k in sorted(places))


def bin_labels(cuts: Cuts, numbers: NDArray[Any] | None = None) -> tuple[str, ...]:
    """Name the bins as intervals; given all numbers, a bin of one whole number is named by it.

    A fraction would not do: in a file, a column of such names would be a measurement again.
    """
    middle = [f"[{show(a)}, {show(b)})" for a, b in pairwise(cuts)]
    labels = [f"<{show(cuts[0])}", *middle, f">={show(cuts[-1])}"]
    if numbers is not None:
        places = np.searchsorted(np.asarray(cuts), numbers, side="right")
        for k in range(len(labels)):
            held = np.unique(numbers[places == k])
            if len(held) == 1 and is_whole(held).all():
                labels[k] = show(held[0])
    return tuple(labels)


def inner_cuts(cuts: Sequence[float], numbers: NDArray[Any]) -> Cuts:
    """Return the cuts that part the numbers; those outside make no bin."""
    if not len(numbers):
        return ()
    return tuple(plain(cut) for cut in cuts if numbers.min() < cut <= numbers.max())


def plain(number: Any) -> float:
    """Return a number as Python writes it, whole ones without a point."""
    return int(number) if number == int(number) else float(number)


def show(number: Any) -> str:
    """Write a number as short as it can be told from others."""
    return repr(plain(number))


def _round_between(below: Any, above: Any) -> float:
    """The roundest number that is more than ``below`` and at most ``above``."""
    low, high = Decimal(repr(plain(below))), Decimal(repr(plain(above)))
    largest = max(abs(low), abs(high))
    for exponent in range(largest.adjusted() + 1, largest.adjusted() - 18, -1):
        unit = Decimal(1).scaleb(exponent)
        candidate = (high / unit).to_integral_value(ROUND_FLOOR) * unit
        if low < candidate <= high and below < float(candidate) <= above:
            return plain(float(candidate))
    return plain(above)
