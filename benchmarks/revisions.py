"""How long the default search takes beside that of an earlier revision, on the same data in turn.

    python benchmarks/revisions.py REVISION [--repeats N] [--turns N] [--networks NAME …]

The sources of REVISION are taken from git into a temporary folder. It and this one run in processes
of their own, which take turns on each data set; a data set's time is the least of its turns, in
processor seconds of warm runs. Networks are those of `optimal.py larger`, all beyond 20 variables,
and ``200 binary`` and the like those of `many_variables.py`. Both take the sample size that is the
default now; the gain is in log posterior, of both
graphs by this revision's score and base.
"""

import argparse
import os
import pickle
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from math import log
from pathlib import Path
from typing import Any, BinaryIO, Self, cast

import many_variables
import numpy as np
import pandas as pd
from base import distance, load
from optimal import LARGE, NUM_ROWS
from search import draw

import pathprior as pp
from pathprior.counting.expected_parents import make_base
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE

ROOT = Path(__file__).parents[1]
BINARY = ("200 binary", "500 binary")
BINARY_ROWS = 2000

WORKER = f"""
import pickle, sys, time, warnings
import pathprior as pp
warnings.simplefilter("ignore")
while True:
    try:
        frame = pickle.load(sys.stdin.buffer)
    except EOFError:
        break
    begin = time.process_time()
    fit = pp.learn(frame, equivalent_sample_size={DEFAULT_SAMPLE_SIZE})
    seconds = time.process_time() - begin
    pickle.dump((seconds, fit.dag.nodes, fit.dag.edges), sys.stdout.buffer)
    sys.stdout.buffer.flush()
"""


class Learner:
    """A process that learns by the sources in a folder."""

    def __init__(self, sources: Path, cache: Path) -> None:
        environment = {"PYTHONPATH": str(sources), "NUMBA_CACHE_DIR": str(cache)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **environment, "OPENBLAS_NUM_THREADS": "1"},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def learn(self, frame: pd.DataFrame) -> tuple[float, pp.Dag]:
        """Processor seconds, and the graph."""
        stdin, stdout = cast(BinaryIO, self.process.stdin), cast(BinaryIO, self.process.stdout)
        pickle.dump(frame, stdin)
        stdin.flush()
        seconds, nodes, edges = pickle.load(stdout)
        return seconds, pp.Dag.from_edges(nodes, edges)


def take_sources(revision: str, folder: Path) -> Path:
    """The package as it was."""
    archive = ["git", "-C", str(ROOT), "archive", "--format=tar", revision, "src"]
    packed = subprocess.run(archive, stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed, check=True)
    return folder / "src"


def data_set(network: str, num_rows: int, repeat: int) -> tuple[pd.DataFrame, pp.Dag | None]:
    """Rows, and the graph that they were drawn from where it is known."""
    if network in BINARY:
        return many_variables.draw(int(network.split()[0]), num_rows, repeat), None
    sample = draw(load(network, repeat), num_rows, repeat)
    return sample.frame, sample.truth


def total_score(dag: pp.Dag, frame: pd.DataFrame) -> float:
    """What the default maximises, up to a constant."""
    edge_odds = make_base("auto", len(dag.nodes)).edge_odds
    return pp.score_graph(dag, frame) + dag.num_edges * log(edge_odds)


def compare(
    now: Learner, then: Learner, network: str, num_rows: int, repeat: int, turns: int
) -> dict[str, Any]:
    """One data set, by both in turn."""
    frame, truth = data_set(network, num_rows, repeat)
    times = {"now": [0.0] * turns, "then": [0.0] * turns}
    graphs = {}
    for turn in range(turns):
        for name, learner in (("now", now), ("then", then)):
            times[name][turn], graphs[name] = learner.learn(frame)
    row: dict[str, Any] = {name: min(seconds) for name, seconds in times.items()}
    for name, dag in graphs.items():
        row[f"{name} score"] = total_score(dag, frame)
        row[f"{name} shd"] = np.nan if truth is None else distance(dag, truth)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("revision", metavar="REVISION")
    parser.add_argument("--repeats", type=int, default=6, help="data sets of each kind")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--networks", nargs="+", default=[*LARGE, *BINARY])
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        then = stack.enter_context(Learner(take_sources(options.revision, folder), folder / "then"))
        now = stack.enter_context(Learner(ROOT / "src", folder / "now"))
        compare(now, then, "alarm", 100, 0, turns=1)  # compiles
        print("| network | rows | gain | SHD | then | ms | then | times as long |")
        print("|" + " --- |" * 8)
        for network in options.networks:
            for num_rows in (BINARY_ROWS,) if network in BINARY else NUM_ROWS:
                rows = pd.DataFrame(
                    compare(now, then, network, num_rows, repeat, options.turns)
                    for repeat in range(options.repeats)
                )
                gain = (rows["now score"] - rows["then score"]).mean()
                print(
                    f"| {network} | {num_rows} | {gain:.2f} | {rows['now shd'].mean():.1f} "
                    f"| {rows['then shd'].mean():.1f} | {1000 * rows['now'].mean():.1f} "
                    f"| {1000 * rows['then'].mean():.1f} "
                    f"| {rows['now'].sum() / rows['then'].sum():.2f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
