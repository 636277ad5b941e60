"""What a fresh process pays before its first result: import, and compiling or loading the kernels.

    python benchmarks/startup.py [--kernels N] [CASE ...]

Every case runs in a process of its own with an empty cache of compiled kernels, and once more with
the cache that it left. Seconds are processor time; those of a kernel are its own, and in brackets
with all that was compiled because of it.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from importlib import metadata

SETUP = """
import numpy as np, pandas as pd, pathprior as pp
rng = np.random.default_rng(0)
def states(n):
    columns = rng.integers(0, 3, (500, n)).astype(str)
    return pd.DataFrame(columns, columns=[f"v{i}" for i in range(n)])
"""

CASES = {
    "8 variables": "pp.learn(states(8))",
    "37 variables": "pp.learn(states(37))",
    "37 real columns": "pp.learn(pd.DataFrame(rng.normal(size=(500, 37))).add_prefix('v'))",
    "37 variables, a belief": "pp.learn(states(37), [pp.causes('v0', 'v1', 0.9)])",
    "37 variables, max_parents=3": "pp.learn(states(37), max_parents=3)",
    "demo": """
import sys
from pathprior.cli.app import app
sys.stdout = open(FOLDER + "/shown", "w")
app(["demo", "--out", FOLDER + "/demo"], standalone_mode=False)
sys.stdout = sys.__stdout__
""",
}

PROGRAM = """
import json, time
from types import SimpleNamespace
before = time.process_time()
import pathprior
imported = time.process_time() - before
from numba.core import event
from pathprior.kernels import apart

class Watch(event.Listener):
    def __init__(self):
        self.under_way, self.kernels = [], []
    def on_start(self, event):
        self.under_way.append([time.process_time(), 0.0])
    def on_end(self, event):
        started, within = self.under_way.pop()
        seconds = time.process_time() - started
        if self.under_way:
            self.under_way[-1][1] += seconds
        function = event.data["dispatcher"].py_func
        name = f"{function.__module__}.{function.__qualname__}"
        self.kernels.append((name, seconds - within, seconds))

def compile_apart(kernel, *types, compile_it=apart._compile):
    with event.trigger_event("numba:compile", {"dispatcher": SimpleNamespace(py_func=kernel)}):
        return compile_it(kernel, *types)

apart._compile = compile_apart
watch = Watch()
event.register("numba:compile", watch)
before = time.process_time()
exec(CASE)
print(json.dumps([imported, time.process_time() - before, watch.kernels]))
"""


def run(case: str, folder: str) -> tuple[float, float, list[tuple[str, float, float]]]:
    """Seconds of the import, those of the case, and what was compiled."""
    program = f"FOLDER = {folder!r}\nCASE = {SETUP + CASES[case]!r}\n{PROGRAM}"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        env={**os.environ, "NUMBA_CACHE_DIR": folder},
        stdout=subprocess.PIPE,
        check=True,
    )
    imported, seconds, kernels = json.loads(done.stdout.splitlines()[-1])
    return imported, seconds, kernels


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--kernels", type=int, default=0, help="list so many, the slowest")
    arguments = parser.parse_args()
    versions = [f"{name} {metadata.version(name)}" for name in ("pathprior", "numba", "llvmlite")]
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, {', '.join(versions)}\n")
    slowest = {}
    print("| first call | import | compiling | of it kernels | their number | loading |")
    print("| --- | --- | --- | --- | --- | --- |")
    for case in arguments.cases or CASES:
        with tempfile.TemporaryDirectory() as folder:
            imported, first, kernels = run(case, folder)
            _, again, _ = run(case, folder)
        compiled = sum(own for _, own, _ in kernels)
        print(
            f"| {case} | {imported:.2f} | {first:.1f} | {compiled:.1f} | {len(kernels)} | "
            f"{again:.2f} |",
            flush=True,
        )
        slowest[case] = sorted(kernels, key=lambda kernel: -kernel[1])[: arguments.kernels]
    for case, kernels in slowest.items() if arguments.kernels else ():
        print(f"\n{case}\n")
        for name, own, whole in kernels:
            print(f"    {own:6.2f} ({whole:6.2f})  {name.removeprefix('pathprior.kernels.')}")


if __name__ == "__main__":
    main()
