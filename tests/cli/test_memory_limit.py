"""Too little memory for the command: one line, no traceback."""

import resource
import subprocess
import sys

import pytest

PROGRAM = """
import builtins, pathprior_command
plain = builtins.__import__
def fail(name, *rest):
    if name == "pathprior.cli":
        try:
            raise {cause}
        except Exception:
            raise {error}
    return plain(name, *rest)
builtins.__import__ = fail
pathprior_command.main()
"""
MAPPED = "ImportError('x.so: failed to map segment from shared object')"
LINE = "error: not enough memory to load a library or to start a thread\n"


def run(program, limit=None):
    def bound():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    return subprocess.run(
        [sys.executable, *program],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        preexec_fn=None if limit is None else bound,
    )


@pytest.mark.parametrize(
    ("error", "cause", "said"),
    [
        (MAPPED, "KeyError()", LINE),
        ("OSError('Could not find it')", MAPPED, LINE),
        ('RuntimeError("can\'t start new thread")', "KeyError()", LINE),
        ("MemoryError()", "KeyError()", "error: not enough memory\n"),
    ],
)
def test_a_lack_of_memory_while_it_loads_is_one_line(error, cause, said):
    ended = run(["-c", PROGRAM.format(error=error, cause=cause)])
    assert (ended.returncode, ended.stderr) == (2, said)


def test_what_else_is_wrong_with_a_library_is_shown():
    ended = run(["-c", PROGRAM.format(error="ImportError('no such symbol')", cause="KeyError()")])
    assert "Traceback" in ended.stderr
    assert "no such symbol" in ended.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the limit is not kept")
@pytest.mark.parametrize("megabytes", [200, 400, 600])
def test_under_a_limit_there_is_no_traceback(megabytes):
    ended = run(["-m", "pathprior_command", "--help"], megabytes << 20)
    assert "Traceback" not in ended.stderr
