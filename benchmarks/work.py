"""Is the work that kernels tell of a measure of time? Picoseconds for each unit of it.

    python benchmarks/work.py [--networks …] [--num-rows …]

Searches are rationed by work (`pathprior.kernels.data.columns`), not by time, so that they end at
the same graph on every machine. Columns of random families with no to five parents are filled;
processor time of warm runs, the least of three.
"""

import argparse
from time import process_time
from typing import Any

import numpy as np
from base import load
from numba import njit
from numpy.typing import NDArray
from search import draw

from pathprior.data.dataset import Dataset
from pathprior.kernels.data.columns import fill_column
from pathprior.score.named import make_score

NETWORKS = ("insurance", "alarm", "hepar2", "win95pts", "50x2b", "100x2b")
NUM_ROWS = (200, 1000, 5000, 10000)
NUM_PARENTS = range(6)
NUM_FAMILIES = 6
NUM_TIMES = 20


@njit
def fill_all(
    kernel: Any, families: NDArray[np.int64], barred: Any, out: NDArray[np.float64], times: int
) -> int:
    work = 0
    for _ in range(times):
        for i in range(families.shape[0]):
            work += fill_column(kernel, families[i, 0], families[i, 1:].copy(), barred, out)
    return work


def picoseconds(kernel: Any, num_nodes: int, num_parents: int) -> float:
    """Time for a unit of work, over random families."""
    rng = np.random.default_rng(num_parents)
    families = np.array([rng.permutation(num_nodes) for _ in range(NUM_FAMILIES)])
    families = np.ascontiguousarray(families[:, : num_parents + 1])
    barred, out = np.zeros((num_nodes + 63) // 64, np.uint64), np.empty(num_nodes)
    fill_all(kernel, families, barred, out, 1)
    found = []
    for _ in range(3):
        begin = process_time()
        work = fill_all(kernel, families, barred, out, NUM_TIMES)
        found.append(1e12 * (process_time() - begin) / work)
    return min(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS))
    parser.add_argument("--num-rows", nargs="+", type=int, default=list(NUM_ROWS))
    options = parser.parse_args()
    heads = [f"{k} parents" if k != 1 else "1 parent" for k in NUM_PARENTS]
    print(f"| network | rows | {' | '.join(heads)} |\n| --- | --- |" + " --- |" * len(heads))
    for network in options.networks:
        for num_rows in options.num_rows:
            table = draw(load(network, 1), num_rows, 1).table
            kernel = make_score("bdeu").bind(Dataset.of_codes(table)).kernel()
            cells = [f"{picoseconds(kernel, table.num_variables, k):.0f}" for k in NUM_PARENTS]
            print(f"| {network} | {num_rows} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
