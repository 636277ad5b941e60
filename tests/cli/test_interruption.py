"""Ctrl-C on the command line, at any moment: one line, status 130, no traceback."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pathprior as pp
from benchmarks.interrupts import interrupt
from pathprior.cli.interruption import interruptible
from pathprior.search.interrupt import ending_by, stop_on_interrupt

WORD = "interrupted: what was under way was not written"
PROGRAM = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
import pathprior_command
from pathprior.cli import app
def press():
    os.kill(os.getpid(), signal.SIGINT)
{body}
app.app = lambda obj: work()
pathprior_command.main()
"""


def run(body):
    command = [sys.executable, "-c", PROGRAM.format(body=body)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120)


@pytest.mark.parametrize(
    "body",
    [
        "def work():\n    press()",
        # an import may make of it what it likes
        "def work():\n    try:\n        press()\n    except BaseException:\n"
        "        raise ImportError('half of it')",
        # what a callback of the compiler raises is printed and dropped
        "class Dropped:\n    def __del__(self):\n        press()\n"
        "def work():\n    Dropped()\n    print('went on')",
    ],
)
def test_whatever_becomes_of_it_one_line_says_so(body):
    ended = run(body)
    assert ended.returncode == 130
    assert ended.stderr == WORD + "\n"


def test_what_does_not_hear_of_it_is_ended():
    # it stays in C for minutes, as the compiler may, and lets other threads run
    ended = run(
        "import hashlib, threading\n"
        "def work():\n    threading.Timer(0.5, press).start()\n"
        "    hashlib.pbkdf2_hmac('sha256', b'', b'', 2**31 - 1)"
    )
    assert ended.returncode == 130
    assert ended.stderr == WORD + "\n"


def test_while_it_loads_one_line_says_so():
    program = (
        PROGRAM.replace("import pathprior_command\nfrom pathprior.cli import app", "")
        .format(
            body="import builtins, pathprior_command\nplain = builtins.__import__\n"
            "def slow(name, *rest):\n    if name == 'pathprior.cli':\n        press()\n"
            "    return plain(name, *rest)\nbuiltins.__import__ = slow"
        )
        .replace("app.app = lambda obj: work()\n", "")
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    assert ended.returncode == 130
    assert ended.stderr == "interrupted: nothing was written\n"


def test_where_the_shell_has_it_ignored_it_stays_so():
    ended = run("signal.signal(signal.SIGINT, signal.SIG_IGN)\ndef work():\n    press()")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_afterwards_all_is_as_before():
    before = signal.getsignal(signal.SIGINT), sys.unraisablehook, signal.set_wakeup_fd(-1)
    num_open = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    with interruptible(print):
        pass
    assert (signal.getsignal(signal.SIGINT), sys.unraisablehook, signal.set_wakeup_fd(-1)) == before
    for _ in range(100):  # the watching thread closes its end a moment later
        if not num_open or len(os.listdir("/proc/self/fd")) == num_open:
            break
        time.sleep(0.05)
    else:
        pytest.fail("a descriptor stays open")


def test_while_kernels_compile_ctrl_c_is_no_request():
    from numba import njit
    from numba.core import event

    class Press(event.Listener):
        def on_start(self, event):
            signal.raise_signal(signal.SIGINT)

        def on_end(self, event):
            pass

    with (
        event.install_listener("numba:compile", Press()),
        stop_on_interrupt() as stop,
        pytest.raises(KeyboardInterrupt),
    ):
        njit(lambda x: x + 1)(1)
    assert not stop.is_set


def test_a_second_one_interrupts():
    with pytest.raises(KeyboardInterrupt), stop_on_interrupt() as stop:
        signal.raise_signal(signal.SIGINT)
        assert stop.is_set
        assert time.monotonic() < stop.end < time.monotonic() + 10
        signal.raise_signal(signal.SIGINT)


def test_the_end_of_the_time_is_a_request():
    now = time.monotonic()
    with ending_by(now - 1), ending_by(now + 1000), stop_on_interrupt() as stop:
        assert stop.is_set
        assert not stop.is_interrupted
    with stop_on_interrupt() as stop:
        assert not stop.is_set


def data_file(folder):
    data = folder / "asia.csv"
    pp.load_network("asia").sample(300, seed=1).to_csv(data, index=False)
    return data


@pytest.mark.parametrize("after", [0.1, 0.4, 1.0])
def test_in_the_first_seconds(tmp_path, after):
    out = tmp_path / "out"
    ending = interrupt(
        ["learn", str(data_file(tmp_path)), "--out", str(out)], after, environment={}
    )
    assert ending.is_plain, ending.error
    assert ending.status == 130 or (out / "summary.json").exists()


@pytest.mark.slow
def test_at_many_moments(tmp_path):
    data, out = data_file(tmp_path), tmp_path / "out"
    for k in range(60):
        arguments = ["learn", str(data), "--out", str(out / str(k))]
        ending = interrupt(arguments, 0.05 * k, environment={})
        assert ending.is_plain, (ending.after, ending.error)


@pytest.mark.slow
def test_while_kernels_are_compiled_anew(tmp_path):
    data = data_file(tmp_path)
    for k in range(6):
        arguments = ["learn", str(data), "--out", str(tmp_path / "out")]
        cold = {"NUMBA_CACHE_DIR": str(tmp_path / "kernels" / str(k))}
        ending = interrupt(arguments, 3.0 + k, environment=cold)
        assert ending.is_plain, (ending.after, ending.error)
        assert ending.status == 130
        assert ending.seconds < 10
