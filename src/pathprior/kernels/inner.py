"""The decorators of kernels that only other kernels call.

Arguments that are tuples of many arrays make entry points from Python and calls slow to compile;
a kernel is also compiled anew inside each of its callers.
"""

from numba import njit

inner = njit(  # type: ignore[call-overload]
    cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True
)
"""Compile without entry points; not callable from Python while the JIT is on."""

pasted = njit(cache=True, nogil=True, inline="always")
"""Paste the kernel into its callers, for one that has a single caller."""
