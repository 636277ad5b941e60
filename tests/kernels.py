"""The way into kernels that only other kernels call."""

from collections.abc import Callable
from functools import cache
from typing import Any

from numba import njit


@cache
def entered(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Give ``kernel`` an entry point from Python."""
    return njit(lambda *arguments: kernel(*arguments))
