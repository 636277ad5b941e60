"""Kernels that are handed to their callers without being compiled for themselves."""

import subprocess
import sys

import pytest
from numba import config, njit

from pathprior.kernels.linking import linking_options

SOURCE = """
from pathprior.kernels.inner import entry, inner


@inner
def twice(x):
    return 2 * x


@entry
def four_times(x):
    return twice(twice(x))


@entry
def six_times(x):
    return 3 * twice(x)
"""


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
def test_code_is_left_to_the_callers():
    twice = njit(**linking_options(), no_cpython_wrapper=True)(lambda x: 2 * x)
    four_times = njit(lambda x: twice(twice(x)))
    assert four_times(3) == 12
    (linked,), (entered,) = twice.overloads.values(), four_times.overloads.values()
    assert len(list(linked.library.get_defined_functions())) == 0
    assert len(list(entered.library.get_defined_functions())) > 0


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
def test_code_in_the_cache_can_be_linked_into_a_new_caller(tmp_path):
    (tmp_path / "times.py").write_text(SOURCE, "utf-8")
    shown = []
    for call in ("four_times", "six_times"):
        script = f"import times; print(times.{call}(1), sum(times.twice.stats.cache_hits.values()))"
        run = subprocess.run(
            [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        shown.append(run.stdout.split())
    assert shown == [["4", "0"], ["6", "1"]]
