"""Whether the kernel that a search enters was compiled before, and its machine code kept."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pathprior.kernels.classes.climb import run_class_climb
from pathprior.kernels.climb.climb import run_climb
from pathprior.search.plan import default_search


def entry_kernel(
    search: str, *, may_walk_classes: bool, swap_equivalent: bool | None
) -> Callable[..., Any]:
    """The kernel that `pathprior.learn` enters with these options."""
    if search == "auto":
        search = default_search(may_walk_classes=may_walk_classes, swap_equivalent=swap_equivalent)
    return run_class_climb if search == "equivalence" else run_climb


def is_kept(kernel: Callable[..., Any]) -> bool:
    """Whether the compiler's index of ``kernel`` is on disk, and not older than its source.

    The index may lack the signature that is needed (codes of 16 bits are rare); a kernel that
    the compiler is switched off for has nothing to keep.
    """
    statistics = getattr(kernel, "stats", None)
    if statistics is None:
        return True
    code = kernel.py_func.__code__  # type: ignore[attr-defined]
    source = Path(code.co_filename)
    version = f"py{sys.version_info.major}{sys.version_info.minor}"
    name = f"{source.stem}.{code.co_name}-{code.co_firstlineno}.{version}*.nbi"
    changed = source.stat().st_mtime
    return any(index.stat().st_mtime >= changed for index in Path(statistics.cache_path).glob(name))
