"""Which kernel a search enters, and whether the compiler has kept it."""

import importlib.util
import os

import pandas as pd
import pytest
from numba import config

from pathprior.score.named import named_score
from pathprior.search import class_search, climber
from pathprior.search.compiled import entry_kernel, is_kept
from pathprior.search.learn import learn


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"score": "bic"},
        {"score": "k2"},
        {"swap_equivalent": False},
        {"search": "equivalence"},
        {"search": "turning"},
        {"search": "greedy"},
    ],
)
def test_entry_kernel_is_the_one_that_the_search_enters(options, monkeypatch):
    entered = []
    for module, name in ((class_search, "run_class_climb"), (climber, "run_climb")):
        kernel = getattr(module, name)

        def enter(*arguments, kernel=kernel):
            entered.append(kernel)
            return kernel(*arguments)

        monkeypatch.setattr(module, name, enter)
    learn(pd.DataFrame({"a": [0, 1, 1, 0], "b": [0, 1, 0, 0]}), **options)
    named = {"search": "auto", "score": "bdeu", "swap_equivalent": None} | options
    named["may_walk_classes"] = named_score(named.pop("score")).may_walk_classes
    assert set(entered) == {entry_kernel(**named)}


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
def test_kernel_is_kept_from_its_first_call_until_its_source_changes(tmp_path):
    source = tmp_path / "twice.py"
    source.write_text(
        "from numba import njit\n\n\n@njit(cache=True)\ndef twice(x):\n    return 2 * x\n", "utf-8"
    )
    spec = importlib.util.spec_from_file_location("twice", source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert not is_kept(module.twice)
    module.twice(2)
    assert is_kept(module.twice)
    later = source.stat().st_mtime + 60
    os.utime(source, (later, later))
    assert not is_kept(module.twice)


def test_nothing_is_kept_of_a_kernel_that_is_not_compiled():
    assert is_kept(lambda: None)
