"""Missing values: what each way of treating them costs against complete data.

    python benchmarks/missing.py [--network NAME] [--rows N] [--datasets N] [--seed S]

Rows of a bundled network, or of random linear networks with normal noise (50 variables, 100 edges),
lose cells completely at random, or at random given what is observed: then
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
from pathprior.data.door import read_dataset
from pathprior.errors import DataError, PathPriorWarning

GAUSSIAN = "gaussian"
NETWORKS = ("alarm", "child", GAUSSIAN)
SHARES = (0.05, 0.1, 0.2, 0.3)
STEEPNESS = 1.5
"""Of the chance to be missing in the standardised value of the column that it depends on."""

Values = NDArray[np.generic]


def draw(name: str, num_rows: int, seed: int) -> tuple[Dataset, pp.Dag]:
    """Rows, and the graph that made them."""
    if name != GAUSSIAN:
        network = pp.load_network(name)
        return Dataset.of_codes(network.sample_table(num_rows, seed=seed)), network.dag
    rng = np.random.default_rng([seed, 2])
    order = rng.permutation(50)
    pairs = np.argwhere(np.triu(np.ones((50, 50), dtype=bool), 1))
    adjacency = np.zeros((50, 50), dtype=bool)
    chosen = order[pairs[rng.choice(len(pairs), 100, replace=False)]]
    adjacency[chosen[:, 0], chosen[:, 1]] = True
    dag = pp.Dag(tuple(f"v{v:02}" for v in range(50)), adjacency)
    return read_dataset(pp.GaussianNetwork.random(dag, seed=seed).sample(num_rows, seed=seed)), dag


def at_random(values: Values, share: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Which cells are observed: others are missing by what is observed."""
    num_variables, num_rows = values.shape
    seen, rest = np.split(rng.permutation(num_variables), [num_variables // 3])
    observed = np.ones((num_variables, num_rows), dtype=bool)
    for v in rest:
        given = values[rng.choice(seen)].astype(float)
        given = (given - given.mean()) / (given.std() or 1.0)
        chance = 1.0 / (1.0 + np.exp(-STEEPNESS * given))
        chance *= share * num_variables / len(rest) / chance.mean()
        observed[v] = rng.random(num_rows) >= np.minimum(chance, 0.95)
    return observed


def completely_at_random(
    values: Values, share: float, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Which cells are observed: all with the same probability."""
    return np.asarray(rng.random(values.shape) >= share)


MECHANISMS: dict[str, Callable[[Values, float, np.random.Generator], NDArray[np.bool_]]] = {
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
    found = []
    for number in range(num_datasets):
        whole, truth = draw(name, num_rows, seed + number)
        values = whole.reals.values if name == GAUSSIAN else whole.coded.codes
        # not the numbers that made the rows: cells would be missing by their states
        rng = np.random.default_rng([seed + number, 1])
        observed = MECHANISMS[mechanism](values, share, rng)
        shared = int(num_rows * (1 - share) ** 2)
        gappy = replace(whole, observed=observed)
        found.append(
            [
                learn(whole, "refuse", truth),
                learn(whole.among(np.arange(shared)), "refuse", truth),
                *(learn(gappy, missing, truth) for missing in ("em", "state", "drop")),
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
