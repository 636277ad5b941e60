"""Kernels that are compiled apart from their callers, and which those of the search are."""

import gc
import subprocess
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from numba import config, float64, njit, typeof
from numpy.typing import NDArray

import pathprior as pp
from pathprior.data.door import read_dataset
from pathprior.kernels.apart import UNBOUND, Bound, bind, call_bound, load
from pathprior.kernels.classes.climb import run_class_climb
from pathprior.kernels.classes.member import comply
from pathprior.kernels.data.columns import Asked, make_columns
from pathprior.kernels.data.gram_column import fill_gram
from pathprior.kernels.data.score_column import fill_stratum
from pathprior.kernels.graph.swap import swap_equivalent
from pathprior.score.named import make_score
from pathprior.search.class_search import ClassRun
from pathprior.search.driver import SearchOptions
from tests.problems import make_problem

pytestmark = pytest.mark.kernel


class Weights(NamedTuple):
    """What the kernel below is bound to."""

    weights: NDArray[np.float64]
    is_signed: bool


def weigh(bound: Any, arguments: Any) -> float:
    own = load(bound)
    x, values = load(arguments)
    total = x
    for i in range(values.shape[0]):
        total += own.weights[i] * values[i]
    return -total if own.is_signed else total


@njit
def call(bound, x, values):
    return call_bound(bound, (x, values))


@pytest.mark.parametrize("is_signed", [False, True])
def test_a_bound_kernel_sees_what_it_is_bound_to_and_its_arguments(is_signed: bool) -> None:
    bound = bind(weigh, Weights(np.array([1.0, 10.0]), is_signed), float64, float64[::1])
    gc.collect()  # nobody else holds the weights
    assert call(bound, 0.5, np.array([3.0, 2.0])) == (-23.5 if is_signed else 23.5)
    assert call(bound, 1.0, np.array([0.0, 1.0])) == (-11.0 if is_signed else 11.0)


SOURCE = """
from typing import NamedTuple
from numba import float64
from pathprior.kernels.apart import bind, call_bound, load
from pathprior.kernels.inner import entry


class Factor(NamedTuple):
    factor: float


def times(bound, arguments):
    return load(bound).factor * load(arguments)[0]


def plus(bound, arguments):
    return load(bound).factor + load(arguments)[0]


@entry
def call(bound, x):
    return call_bound(bound, (x,))
"""


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
def test_no_address_is_kept_in_the_cache(tmp_path) -> None:
    (tmp_path / "bound.py").write_text(SOURCE, "utf-8")
    shown = []
    for kernel in ("times", "plus"):
        script = (
            f"import bound; b = bound.bind(bound.{kernel}, bound.Factor(3.0), bound.float64);"
            "print(bound.call(b, 5.0), sum(bound.call.stats.cache_hits.values()))"
        )
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        shown.append(done.stdout.split())
    assert shown == [["15.0", "0"], ["8.0", "1"]]


def reached(kernel: Callable[..., Any]) -> set[Callable[..., Any]]:
    """The kernels that are compiled with this one, because it calls them by their names."""
    found: set[Callable[..., Any]] = set()
    left = [kernel]
    while left:
        function = left.pop()
        if function in found:
            continue
        found.add(function)
        plain = getattr(function, "py_func", function)
        for name in plain.__code__.co_names:
            other = plain.__globals__.get(name)
            is_kernel = isinstance(getattr(other, "py_func", other), FunctionType)
            if is_kernel and other.__module__.startswith("pathprior.kernels"):
                left.append(other)
    return found


def test_the_search_is_compiled_without_what_it_may_not_need() -> None:
    with_it = reached(run_class_climb)
    assert len(with_it) > 50
    assert with_it.isdisjoint({swap_equivalent, comply, fill_gram, fill_stratum})


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame({"a": [0, 1, 1, 0], "b": [0, 1, 0, 0], "c": [1, 1, 0, 0]})


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
def test_all_scores_are_of_one_type_to_a_search(frame: pd.DataFrame) -> None:
    real = frame + np.random.default_rng(0).normal(size=frame.shape)
    kernels = [
        make_score("bdeu").bind(read_dataset(frame)).kernel(),
        make_score("bge").bind(read_dataset(real)).kernel(),
        Asked(3),
    ]
    barred = np.zeros((3, 1), np.uint64)
    assert len({typeof(kernel) for kernel in kernels}) == 3
    assert len({typeof(make_columns(kernel, barred, 2, 0.0)) for kernel in kernels}) == 1


@pytest.mark.parametrize(
    ("options", "needed"),
    [
        ({}, set()),
        ({"beliefs": True}, {"arrive", "swap", "read", "bound_all", "bound_one"}),
        ({"max_parents": 1}, {"comply"}),
        ({"targets": True}, {"draw"}),
    ],
)
def test_rare_parts_are_bound_where_they_are_needed(
    frame: pd.DataFrame, options: dict[str, Any], needed: set[str]
) -> None:
    data = read_dataset(frame, interventions=["a", "", "", ""] if "targets" in options else None)
    beliefs = [pp.causes("a", "b", 0.9)] if "beliefs" in options else []
    limits = {name: value for name, value in options.items() if name == "max_parents"}
    problem = make_problem(data, beliefs, make_score("bdeu"), **limits)
    run = ClassRun(problem, SearchOptions(tabu=0, swap_budget=100, is_turning=False))
    rare = run.fixed.rare
    assert all(isinstance(kernel, Bound) for kernel in rare)
    assert {name for name in rare._fields if getattr(rare, name) is not UNBOUND} == needed
