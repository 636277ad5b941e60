"""Memory stays within a few times the size of the coded data; benchmarks/README.md has more."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "memory.py"


@pytest.mark.slow
@pytest.mark.skipif(
    not os.access("/proc/self/clear_refs", os.W_OK), reason="needs Linux's /proc to measure memory"
)
def test_a_million_rows_of_forty_columns():
    command = [sys.executable, SCRIPT, "--here", "learn, frame"]
    answer = subprocess.run(command, check=True, capture_output=True, timeout=300).stdout
    measured = json.loads(answer)
    assert measured["coded"] == 40
    assert measured["peak"] < 5 * measured["coded"]
