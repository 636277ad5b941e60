"""Very many rows of states: processor seconds, peak memory and how both grow.

    python -m benchmarks.rows [--num-rows N …] [--columns alarm noise] [--suffix .csv .parquet]

Writes N rows to a file in a temporary folder (10⁷ rows of ALARM as quoted text are 2.8 GB), some at
a time, and learns from it in a process of its own, which has learned from a few rows before.
``alarm``: 37 columns, many rows are equal. ``noise``: 40 columns of three states, of which each
cell copies one of three earlier columns or is drawn at random, so that hardly any two rows are
equal. The growth is the exponent e of N^e from one row of the table to the next.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import log
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

import pathprior as pp
from benchmarks.memory import block_of_rows, names
from pathprior.data.door import read_dataset

BLOCK = 100_000
GIGABYTE = 1e9


@dataclass(frozen=True, slots=True)
class Measured:
    """Processor seconds to read and to learn; gigabytes of the file and at the peak."""

    read: float
    learn: float
    file: float
    peak: float
    num_held: int
    score: float

    @property
    def seconds(self) -> float:
        """All of the time."""
        return self.read + self.learn


def blocks(columns: str, num_rows: int) -> Iterator[pa.Table]:
    """The rows, some at a time."""
    alarm = pp.load_network("alarm")
    for start in range(0, num_rows, BLOCK):
        size = min(BLOCK, num_rows - start)
        if columns == "alarm":
            yield pa.Table.from_pandas(alarm.sample(size, seed=start).astype(str))
        else:
            rows = block_of_rows(size, 40, start)
            yield pa.table(dict(zip(names(40), rows.T.copy(), strict=True)))


def write(path: Path, columns: str, num_rows: int) -> None:
    """Write the rows as text or as Parquet."""
    writer = None
    for table in blocks(columns, num_rows):
        table = table.replace_schema_metadata()
        if writer is None and path.suffix == ".csv":
            writer = pa.csv.CSVWriter(path, table.schema)
        elif writer is None:
            writer = pa.parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


def peak() -> float:
    """Largest resident memory so far, in gigabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / GIGABYTE


def measure(path: Path) -> Measured:
    """Learn from a file in this process."""
    pp.learn(pp.load_network("asia").sample(200, seed=0))
    times = [time.process_time()]
    dataset = read_dataset(path)
    times.append(time.process_time())
    fit = pp.learn(dataset)
    times.append(time.process_time())
    num_held = dataset.coded.held.shape[1]
    size = path.stat().st_size / GIGABYTE
    return Measured(times[1] - times[0], times[2] - times[1], size, peak(), num_held, fit.score)


def run(columns: str, suffix: str, num_rows: int) -> Measured:
    """Write a file and learn from it in another process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"rows{suffix}"
        # in a process of its own: what a process starts inherits its largest memory
        order = [sys.executable, "-m", "benchmarks.rows", "--file", str(path)]
        write_it = ["--write", "--columns", columns, "--num-rows", str(num_rows)]
        subprocess.run([*order, *write_it], check=True)
        answer = subprocess.run(order, check=True, capture_output=True, text=True).stdout
    return Measured(**json.loads(answer))


def main() -> None:
    """Print the tables, or measure one file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--num-rows", nargs="+", type=int, default=[10**4, 10**5, 10**6, 10**7])
    parser.add_argument("--columns", nargs="+", default=["alarm", "noise"])
    parser.add_argument("--suffix", nargs="+", default=[".csv", ".parquet"])
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        write(options.file, options.columns[0], options.num_rows[0])
        return
    if options.file:
        print(json.dumps(asdict(measure(options.file))))
        return
    print(
        "| columns | file | rows | file, GB | read, s | learn, s | growth | peak, GB | held rows |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for columns in options.columns:
        for suffix in options.suffix:
            before: tuple[int, Measured] | None = None
            for num_rows in sorted(options.num_rows):
                m = run(columns, suffix, num_rows)
                growth = ""
                if before is not None:
                    growth = f"{log(m.seconds / before[1].seconds) / log(num_rows / before[0]):.2f}"
                before = (num_rows, m)
                print(
                    f"| {columns} | {suffix[1:]} | {num_rows:,} | {m.file:.2f} | {m.read:.2f} "
                    f"| {m.learn:.2f} | {growth} | {m.peak:.2f} | {m.num_held:,} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
