"""Memory of learning from large data: peak resident memory above what the process had before.

    python benchmarks/memory.py [case …]

Each case runs in a process of its own, after a small run that loads the kernels; Linux only (it
reads and resets the high-water mark in /proc). Files are made in a temporary folder and deleted.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import pathprior as pp
from pathprior.data.door import read_dataset

MEGABYTE = 1e6
BLOCK = 100_000


@dataclass(frozen=True, slots=True)
class Case:
    """Data of one size, given as a frame or a file, and what is done with them."""

    num_rows: int
    num_columns: int
    source: str
    action: Callable[[object], object]


CASES = {
    "learn, frame": Case(10**6, 40, "frame", pp.learn),
    "learn, CSV": Case(10**6, 40, "csv", pp.learn),
    "learn, wide": Case(5_000, 400, "frame", pp.learn),
    "read, CSV": Case(10**7, 10, "csv", read_dataset),
    "learn, long CSV": Case(10**7, 10, "csv", pp.learn),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds, and megabytes: of the codes, and of the peak above the start."""

    seconds: float
    coded: float
    peak: float


def block_of_rows(num_rows: int, num_columns: int, seed: int) -> NDArray[np.uint8]:
    """Rows of three states: a cell copies one of three earlier columns, or is drawn at random."""
    earlier = np.arange(1, num_columns)[:, None]
    parents = np.random.default_rng(0).integers(0, earlier, (num_columns - 1, 3))
    rng = np.random.default_rng([1, seed])
    rows = rng.integers(0, 3, (num_rows, num_columns), dtype=np.uint8)
    for v in range(1, num_columns):
        is_copy = np.flatnonzero(rng.random(num_rows) < 0.7)
        copied = parents[v - 1, rng.integers(0, 3, is_copy.size)]
        rows[is_copy, v] = rows[is_copy, copied]
    return rows


def make_frame(num_rows: int, num_columns: int) -> pd.DataFrame:
    """The rows as a frame of one byte a cell."""
    starts = range(0, num_rows, BLOCK)
    blocks = [block_of_rows(min(BLOCK, num_rows - s), num_columns, s) for s in starts]
    return pd.DataFrame(np.concatenate(blocks), columns=names(num_columns))


def write_csv(path: Path, num_rows: int, num_columns: int) -> None:
    """The same rows as a file, two bytes a cell."""
    with path.open("wb") as file:
        file.write((",".join(names(num_columns)) + "\n").encode())
        for start in range(0, num_rows, BLOCK):
            rows = block_of_rows(min(BLOCK, num_rows - start), num_columns, start)
            text = np.full((len(rows), 2 * num_columns), ord(","), dtype=np.uint8)
            text[:, ::2] = rows + ord("0")
            text[:, -1] = ord("\n")
            file.write(text.tobytes())


def names(num_columns: int) -> list[str]:
    """Column names."""
    return [f"v{v:03}" for v in range(num_columns)]


def resident(field: str) -> float:
    """``VmRSS`` now, or its high-water mark ``VmHWM``, in megabytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(rf"{field}:\s+(\d+) kB", status)
    assert found is not None, field
    return int(found[1]) * 1024 / MEGABYTE


def measure(name: str) -> Measured:
    """Run one case in this process."""
    case = CASES[name]
    in_file = case.source == "csv"
    with tempfile.TemporaryDirectory() if in_file else nullcontext("") as folder:
        data: object
        small = make_frame(100, 5)
        if in_file:
            data = Path(folder) / "data.csv"
            write_csv(data, case.num_rows, case.num_columns)
            small.to_csv(Path(folder) / "small.csv", index=False)
            case.action(Path(folder) / "small.csv")
        else:
            data = make_frame(case.num_rows, case.num_columns)
            case.action(small)
        before = resident("VmRSS")
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # resets VmHWM
        start = time.perf_counter()
        case.action(data)
        seconds = time.perf_counter() - start
        peak = resident("VmHWM") - before
    return Measured(seconds, case.num_rows * case.num_columns / MEGABYTE, peak)


def main() -> None:
    """Print the table of the chosen cases, each measured in a fresh process."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("cases", nargs="*", metavar="case", help=", ".join(map(repr, CASES)))
    parser.add_argument("--here", choices=CASES, metavar="CASE", help="measure in this process")
    options = parser.parse_args()
    if options.here:
        print(json.dumps(asdict(measure(options.here))))
        return
    for name in options.cases:
        if name not in CASES:
            parser.error(f"no case {name!r}: choose from {', '.join(map(repr, CASES))}")
    print("| what | rows × columns | seconds | codes, MB | peak, MB | × codes |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in options.cases or CASES:
        command = [sys.executable, __file__, "--here", name]
        answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        m = Measured(**json.loads(answer))
        size = f"{CASES[name].num_rows:,} × {CASES[name].num_columns}".replace(",", " ")
        print(
            f"| {name} | {size} | {m.seconds:.1f} | {m.coded:.0f} | {m.peak:.0f} "
            f"| {m.peak / m.coded:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
