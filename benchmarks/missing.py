"""Missing values: what each way of treating them costs against complete data.

    python benchmarks/missing.py [--network NAME] [--rows N] [--datasets N] [--seed S]

Rows of a bundled network lose cells completely at random, or at random given what is observed: then
a third of the columns are never missing, and a cell of the others is missing with a probability
that depends on the state of one of them. For each share of missing cells the mean distance of the
CPDAGs to the truth, with its standard error, and processor seconds: complete data, complete data
of as many rows as two columns share, structural EM, missing as a state, complete rows alone.
"""

import argparse
import time
import warnings
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

import pathprior as pp
from pathprior.data.dataset import Dataset
from pathprior.data.table import DataTable
from pathprior.errors import DataError, PathPriorWarning

NETWORKS = ("alarm", "child")
SHARES = (0.05, 0.1, 0.2, 0.3)
STEEPNESS = 1.5
"""Of the chance to be missing in the standardised state of the column that it depends on."""


def at_random(table: DataTable, share: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Which cells are observed: others are missing by what is observed."""
    num_variables, num_rows = table.codes.shape
    order = rng.permutation(num_variables)
    seen, rest = np.split(order, [num_variables // 3])
    observed = np.ones((num_variables, num_rows), dtype=bool)
    for v in rest:
        states = table.codes[rng.choice(seen)].astype(float)
        states = (states - states.mean()) / (states.std() or 1.0)
        chance = 1.0 / (1.0 + np.exp(-STEEPNESS * states))
        chance *= share * num_variables / len(rest) / chance.mean()
        observed[v] = rng.random(num_rows) >= np.minimum(chance, 0.95)
    return observed


def completely_at_random(
    table: DataTable, share: float, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Which cells are observed: all with the same probability."""
    return np.asarray(rng.random(table.codes.shape) >= share)


MECHANISMS: dict[str, Callable[[DataTable, float, np.random.Generator], NDArray[np.bool_]]] = {
    "completely at random": completely_at_random,
    "at random": at_random,
}


def learn(data: Dataset, missing: str, truth: pp.Dag) -> tuple[float, float]:
    """Distance and seconds; NaN where the data are refused."""
    begin = time.process_time()
    try:
        fit = pp.learn(data, missing=missing)
    except DataError:
        return np.nan, np.nan
    return float(pp.shd(fit.dag, truth)), time.process_time() - begin


def compare(
    name: str, mechanism: str, share: float, num_rows: int, num_datasets: int, seed: int
) -> None:
    """Print one row of a table."""
    network = pp.load_network(name)
    found = []
    for number in range(num_datasets):
        table = network.sample_table(num_rows, seed=seed + number)
        whole = Dataset.of_codes(table)
        # not the numbers that made the rows: cells would be missing by their states
        rng = np.random.default_rng([seed + number, 1])
        observed = MECHANISMS[mechanism](table, share, rng)
        shared = int(num_rows * (1 - share) ** 2)
        gappy = replace(whole, observed=observed)
        found.append(
            [
                learn(whole, "refuse", network.dag),
                learn(whole.among(np.arange(shared)), "refuse", network.dag),
                *(learn(gappy, missing, network.dag) for missing in ("em", "state", "drop")),
            ]
        )
    results = np.array(found)
    cells = [_words(results[:, k, 0]) for k in range(results.shape[1])]
    seconds = ", ".join(f"{np.mean(results[:, k, 1]):.2f}" for k in (0, 2))
    print(f"| {name} | {mechanism} | {share:.0%} | {' | '.join(cells)} | {seconds} |", flush=True)


def _words(distances: NDArray[np.float64]) -> str:
    done = distances[~np.isnan(distances)]
    if len(done) < len(distances):
        return f"refused in {len(distances) - len(done)}"
    return f"{done.mean():.1f} ± {done.std(ddof=1) / np.sqrt(len(done)):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", choices=NETWORKS)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--datasets", type=int, default=20)
    parser.add_argument("--seed", type=int, default=5000)
    options = parser.parse_args()
    warnings.simplefilter("ignore", PathPriorWarning)
    pp.learn(pp.load_network("asia").sample(100))  # compiled before anything is timed
    print(
        "| network | missing | share | complete | fewer rows | em | state | drop | s: plain, em |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in [options.network] if options.network else NETWORKS:
        for mechanism in MECHANISMS:
            for share in SHARES:
                compare(name, mechanism, share, options.rows, options.datasets, options.seed)


if __name__ == "__main__":
    main()
