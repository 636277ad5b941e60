"""How numba compiles a kernel that only other kernels call.

numba optimises every kernel and turns it into machine code, together with all that it calls, and
does that again in each of its callers, level by level. Here a kernel is handed to its callers as it
is, and is optimised once, in the kernel that Python enters.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import binding
from numba import version_info
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

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


class LinkedCompiler(Compiler):
    """numba's compiler, with another library to put the code into."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Compile ``func``."""
        library: Any = LinkedLibrary(self.state.targetctx.codegen(), func.__qualname__)  # type: ignore[no-untyped-call]
        library.enable_object_caching()
        self.state.library = library
        return super().compile_extra(func)  # type: ignore[no-untyped-call]


def linking_options() -> dict[str, Any]:
    """Options of ``njit`` for a kernel that only kernels call; none for a numba that is not known.

    There the kernels do the same, and take half as long again to compile.
    """
    is_known = OLDEST <= version_info.short <= NEWEST
    return {"pipeline_class": LinkedCompiler} if is_known else {}
