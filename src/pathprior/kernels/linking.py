"""How numba compiles a kernel that only other kernels call.

numba optimises every kernel and turns it into machine code, together with all that it calls, and
does that again in each of its callers, level by level. Here a kernel is handed to its callers as it
is, and is optimised once, in the kernel that Python enters.
"""

import gc
from collections.abc import Callable
from typing import Any

from llvmlite import binding
from numba import version_info
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags

OLDEST, NEWEST = (0, 60), (0, 68)
"""The versions of numba for which this holds; it rests on parts of numba that are not public."""


class LinkedLibrary(JITCodeLibrary):
    """The code of a kernel that others link, in the state of one that is read from the cache."""

    def _optimize_final_module(self) -> None:
        """Put the code aside for the callers; leave the variables by which numba knows it."""
        module = self._final_module
        for function in module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.external:
                function.linkage = "linkonce_odr"
        self._shared_module = module
        variables = [v for v in module.global_variables if v.linkage == binding.Linkage.common]
        self._final_module = binding.parse_assembly("\n".join(map(str, variables)))
        for name in ("name", "triple", "data_layout"):
            setattr(self._final_module, name, getattr(module, name))


class QuickFlags(Flags):
    """Flags of which those are compared that one of two has set.

    numba compares all forty of them several times for each call in a kernel.
    """

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Flags):
            return NotImplemented
        names = self._values.keys() | other._values.keys()
        return self._values == other._values or all(
            getattr(self, name) == getattr(other, name) for name in names
        )

    def __hash__(self) -> int:
        return _HASH


_HASH = hash(Flags())  # type: ignore[no-untyped-call]
"""That of all flags: it covers their names."""


OBJECTS = 100_000
"""Made between two collections of garbage while a kernel is compiled.

Compiling makes millions of objects and hardly any garbage: at Python's 700, looking for it takes a
fifth of the time.
"""


class QuickCompiler(Compiler):
    """numba's compiler, with quick flags and fewer collections of garbage."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)  # type: ignore[no-untyped-call]
        self.state.flags = QuickFlags(self.state.flags)  # type: ignore[no-untyped-call]

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Compile ``func``."""
        threshold, *others = gc.get_threshold()
        gc.set_threshold(max(threshold, OBJECTS) if threshold else 0, *others)
        try:
            return super().compile_extra(func)  # type: ignore[no-untyped-call]
        finally:
            gc.set_threshold(threshold, *others)


class LinkedCompiler(QuickCompiler):
    """The same, with another library to put the code into."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Compile ``func``."""
        library: Any = LinkedLibrary(self.state.targetctx.codegen(), func.__qualname__)  # type: ignore[no-untyped-call]
        library.enable_object_caching()
        self.state.library = library
        return super().compile_extra(func)


def linking_options() -> dict[str, Any]:
    """Options of ``njit`` for a kernel that only kernels call; none for a numba that is not known.

    There the kernels do the same, and take half as long again to compile.
    """
    return {"pipeline_class": LinkedCompiler} if is_known() else {}


def entry_options() -> dict[str, Any]:
    """The same for a kernel that Python calls."""
    return {"pipeline_class": QuickCompiler} if is_known() else {}


def is_known() -> bool:
    """Whether the version of numba is among those for which this holds."""
    return OLDEST <= version_info.short <= NEWEST
