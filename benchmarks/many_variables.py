"""Many variables: how seconds and memory of a search grow with their number.

    python benchmarks/many_variables.py large --rows FILE [--sizes N …] [--num-rows M] [--only …]

Random networks of N binary variables with 2 N edges, M rows; processor seconds of one thread from
the DataFrame to the graph, in a process of its own that has learned from a few columns before, and
the largest memory of that process (`ru_maxrss`), which is stopped after ten minutes. Every graph
is scored by our BDeu, whatever its searcher maximised. The power is that of the number of variables
by which the median has grown since the size before. Runs are kept in FILE, one line each, and not
repeated; the table shows what is there.
"""

import argparse
import json
import os
import resource
import time
import warnings
from collections.abc import Callable
from functools import partial
from itertools import product
from math import isnan, log
from multiprocessing import TimeoutError, get_context
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from tetrad import bdeu, run_boss, run_fges

import pathprior as pp
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE

EDGES_PER_VARIABLE = 2
SECONDS = 600
WARM = 30
"""Columns that are learned from first; of 20 or fewer the default takes another search."""

Runner = Callable[[pd.DataFrame], pp.Dag]


def draw(num_variables: int, num_rows: int, seed: int) -> pd.DataFrame:
    """Rows of a random network whose columns are in no order."""
    rng = np.random.default_rng([num_variables, seed])
    order = rng.permutation(num_variables)
    edges: set[tuple[int, int]] = set()
    while len(edges) < EDGES_PER_VARIABLE * num_variables:
        first, last = sorted(rng.choice(num_variables, 2, replace=False).tolist())
        edges.add((first, last))
    adjacency = np.zeros((num_variables, num_variables), dtype=bool)
    for first, last in edges:
        adjacency[order[first], order[last]] = True
    dag = pp.Dag(tuple(f"x{i:04d}" for i in range(num_variables)), adjacency)
    return pp.BayesianNetwork.random(dag, 2, seed=seed).sample(num_rows, seed=seed)


def run_pathprior(frame: pd.DataFrame, **options: Any) -> pp.Dag:
    return pp.learn(frame, **options).dag


def run_pybnesian(frame: pd.DataFrame) -> pp.Dag:
    import pybnesian as pb

    coded = frame.astype(str).astype("category")
    names = list(coded.columns)
    found = pb.GreedyHillClimbing().estimate(
        pb.ArcOperatorSet(), pb.BDe(coded, iss=DEFAULT_SAMPLE_SIZE), pb.DiscreteBN(names)
    )
    return pp.Dag.from_edges(names, found.arcs())


def run_tetrad(search: Callable[[Any, list[str]], pp.Dag], frame: pd.DataFrame) -> pp.Dag:
    names = list(frame.columns)
    codes = np.array([pd.factorize(frame[name])[0] for name in names])
    num_states = dict(zip(names, (codes.max(axis=1) + 1).tolist(), strict=True))
    score = bdeu(codes, num_states, sample_prior=DEFAULT_SAMPLE_SIZE, structure_prior=1.0)
    return search(score, names)


RUNNERS: dict[str, Runner] = {
    "pathprior": run_pathprior,
    "pathprior, greedy": partial(run_pathprior, search="greedy"),
    "pathprior, no shakes": partial(run_pathprior, shakes=0),
    "pathprior, BDeu alone": partial(run_pathprior, expected_parents=None),
    "pybnesian": run_pybnesian,
    "Tetrad fGES": partial(run_tetrad, run_fges),
    "Tetrad BOSS": partial(run_tetrad, run_boss),
}


def answer(who: str, num_variables: int, num_rows: int, seed: int) -> dict[str, float]:
    warnings.simplefilter("ignore")
    frame = draw(num_variables, num_rows, seed)
    run = RUNNERS[who]
    run(frame.iloc[:, :WARM])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    dag = run(frame)
    seconds = time.process_time() - begin
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    score = pp.score_graph(dag, frame)
    memory = {"before": before / 2**20, "memory": after / 2**20}
    return {"seconds": seconds, **memory, "bdeu": float(score), "edges": dag.num_edges}


def contest(*case: Any) -> dict[str, float] | None:
    """What `answer` measured; None if it was stopped."""
    with get_context("spawn").Pool(1) as pool:
        try:
            return pool.apply_async(answer, case).get(SECONDS)
        except TimeoutError:
            return None


def large(sizes: list[int], num_rows: int, repeats: int, only: list[str], file: Path) -> None:
    lines = file.read_text().splitlines() if file.exists() else []
    runs: list[dict[str, Any]] = [json.loads(line) for line in lines]
    known = {(run["search"], run["variables"], run["rows"], run["seed"]) for run in runs}
    for size, seed, who in product(sizes, range(repeats), only):
        case = (who, size, num_rows, seed)
        if case not in known:
            found = contest(*case) or {"seconds": float("nan")}
            keys = ("search", "variables", "rows", "seed")
            runs.append({**dict(zip(keys, case, strict=True)), **found})
            with file.open("a") as stream:
                stream.write(json.dumps(runs[-1]) + "\n")
    show(pd.DataFrame(runs))


def show(runs: pd.DataFrame) -> None:
    print("| rows | variables | search | data sets | median s | power | GB | edges | mean BDeu |")
    print("|" + "---|" * 9)
    last: dict[Any, tuple[int, float]] = {}
    for (num_rows, size, who), group in runs.groupby(["rows", "variables", "search"]):
        seconds, memory = group["seconds"].median(), group["memory"].max()
        power = ""
        if (num_rows, who) in last:
            smaller, less = last[num_rows, who]
            power = f"{log(seconds / less) / log(size / smaller):.1f}"
        last[num_rows, who] = (size, seconds)
        start = f"| {num_rows} | {size} | {who} | {len(group)} | "
        if isnan(seconds):
            print(f"{start}over {SECONDS} | | | | |")
            continue
        print(
            f"{start}{seconds:.2f} | {power} | {memory:.2f} | {group['edges'].mean():.0f} | "
            f"{group['bdeu'].mean():.1f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("large",))
    parser.add_argument("--rows", type=Path, metavar="FILE", required=True)
    parser.add_argument("--sizes", nargs="*", type=int, default=[200, 500, 1000])
    parser.add_argument("--num-rows", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=list(RUNNERS), choices=list(RUNNERS))
    options = parser.parse_args()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"  # for the processes that it starts
    large(options.sizes, options.num_rows, options.repeats, options.only, options.rows)


if __name__ == "__main__":
    main()
