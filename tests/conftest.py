"""Hypothesis runs derandomised and counts start uncached: a run is a function of the code alone."""

import os
import tempfile

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
