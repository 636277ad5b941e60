"""Decorators of kernels.

Arguments that are tuples of many arrays make entry points from Python and calls slow to compile;
a kernel is also compiled anew inside each of its callers.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import config, njit

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

inner = njit(  # type: ignore[call-overload]
    cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True
)
"""Compile without entry points; not callable from Python while the JIT is on."""

pasted = njit(cache=True, nogil=True, inline="always")
"""Paste the kernel into its callers, for one that has a single caller."""


def entry(kernel: Kernel) -> Kernel:
    """Compile with an entry point from Python, and without the one from C that nobody uses."""
    return njit(cache=True, nogil=True, no_cfunc_wrapper=True)(kernel)  # type: ignore[call-overload]


def wrapping(kernel: Kernel) -> Kernel:
    """Say that words of a kernel are meant to wrap round, of which numpy warns where no JIT is."""
    return np.errstate(over="ignore")(kernel) if config.DISABLE_JIT else kernel  # type: ignore[attr-defined]
