"""Hypothesis runs derandomised and counts start uncached: a run is a function of the code alone.

What a run leaves out, and how to have it, stands in its last lines.
"""

import os
import re
import tempfile
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "deterministic",
    derandomize=True,
    deadline=None,  # the first call of a kernel compiles it
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("deterministic")

os.environ.pop("COLUMNS", None)  # rich takes it for good when it is imported; tests set their own


@pytest.fixture(scope="session", autouse=True)
def fresh_cache():
    """Keep the tests out of the user's cache of counts."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATHPRIOR_CACHE", os.path.join(folder, "counts"))
        yield


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter):
    """Say after all else what was not tested, one line for each reason."""
    result = yield
    reasons = Counter(
        reason(report.longrepr[2]) for report in terminalreporter.getreports("skipped")
    )
    for why, number in reasons.most_common():
        tests = "1 test" if number == 1 else f"{number} tests"
        terminalreporter.write_line(f"NOT TESTED: {tests}: {why}", yellow=True, bold=True)
    return result


def reason(skipped):
    """Why a test was skipped; with how to have a module that is not there."""
    text = skipped.removeprefix("Skipped: ")
    module = re.match(r"could not import '(\w+)", text)
    return f"needs {module[1]} (pip install {module[1]})" if module else text
