"""Decorators of kernels.

Arguments that are tuples of many arrays make entry points from Python and calls slow to compile.

Kernels borrow the arrays that they are given. To count references to them, as numba does by itself,
takes up to two fifths of a search; a kernel that does not count them cannot allocate arrays, and
those that do have decorators of their own.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numba import config, njit

from pathprior.kernels.linking import entry_options, linking_options

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

_compiled: Any = partial(njit, cache=True, nogil=True, no_cfunc_wrapper=True)
_entered: Any = partial(_compiled, **entry_options())
_linked: Any = partial(_compiled, no_cpython_wrapper=True, **linking_options())

inner = _linked(_nrt=False)
"""Compile for other kernels alone; not callable from Python while the JIT is on."""

arithmetic = _linked(_nrt=False, error_model="numpy")
"""The same as `inner` for one that divides much: no division looks for zero first."""

allocating = _linked(_nrt=True)
"""The same for a kernel that allocates arrays."""

pasted = njit(cache=True, nogil=True, inline="always")
"""Paste the kernel into its callers, for one that has a single caller."""


def entry(kernel: Kernel) -> Kernel:
    """Compile with an entry point from Python, and without the one from C that nobody uses."""
    return _entered(_nrt=False)(kernel)


def allocating_entry(kernel: Kernel) -> Kernel:
    """The same for a kernel that allocates arrays."""
    return _entered(_nrt=True)(kernel)


def wrapping(kernel: Kernel) -> Kernel:
    """Say that words of a kernel are meant to wrap round, of which numpy warns where no JIT is."""
    return np.errstate(over="ignore")(kernel) if config.DISABLE_JIT else kernel  # type: ignore[attr-defined]
