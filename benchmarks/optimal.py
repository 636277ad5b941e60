"""Does the default search find the best graph of all, and what does the proof cost?

    python benchmarks/optimal.py reached --rows FILE [--repeats N]
    python benchmarks/optimal.py exact [--sizes 10 12 14 16 18 20 22 25] [--num-rows 1000]
    python benchmarks/optimal.py larger --rows FILE [--repeats N]
    python benchmarks/optimal.py planes --rows FILE [--repeats N] [--num-rows 1000]
    python benchmarks/optimal.py others

``reached``: ASIA, CHILD and random networks of 8 to 20 nodes (``14x3b`` has 14 with 3 parents on
average; those of 11 nodes are as dense as Sachs' proteins), 100 to 10000 rows, without beliefs and
with ten, a third of them wrong: how far the default, the search without disturbances and 20
restarts of that stay below ``search="exact"``. With beliefs exact is the best graph that was found
where it proves nothing. ``exact``: processor seconds and memory by the number of variables.
``larger``: networks too large for a table of all sets: score, SHD and seconds with and without
disturbances. ``planes``: what ``search="exact"`` proves of networks of 27 to 56 variables within
ten minutes, with the defaults, without edge odds at sample size 1, and with ten beliefs.
``others``: optima that other programmes found. Sachs' proteins in tertiles, of which a dynamic
programme in plain Python knows the best BDeu (``cdt`` has the table, see `sachs.py`), and tables of
scikit-learn, of which the exact search of causal-learn finds the best Gaussian BIC; who is not
installed is left out.
Runs are kept in FILE, one line each, and not repeated. Times are processor seconds of warm runs.
"""

import argparse
import json
import resource
import warnings
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
from base import distance, load
from sachs import read_table
from search import Sample, draw

import pathprior as pp
from pathprior.beliefs.belief import Belief
from pathprior.errors import PathPriorWarning

SMALL = ("asia", "child", *(f"{n}x{k}b" for n in (8, 11, 14, 17, 20) for k in (1, 2, 3)))
PROVED = ("insurance", "water", "mildew", "alarm", "barley", "hailfinder")
PRIORS: dict[str, dict[str, Any]] = {
    "default": {},
    "size 1, uniform": {"equivalent_sample_size": 1, "expected_parents": None},
    "ten beliefs": {},
}
LARGE = ("insurance", "alarm", "hepar2", "win95pts", "50x2b", "100x2b")
NUM_ROWS = (100, 1000, 10000)
NUM_BELIEFS = 10
WAYS: dict[str, dict[str, Any]] = {
    "default": {},
    "no shakes": {"search": "equivalence", "shakes": 0},
    "20 restarts": {"search": "equivalence", "shakes": 0, "restarts": 20},
}
CLOSE = 0.5
SAME = 1e-6
"""Sums of the same scores in another order differ by less."""

Row = dict[str, Any]


def some_beliefs(truth: pp.Dag, seed: int) -> list[Belief]:
    """Beliefs about random pairs of variables, two of three of them right."""
    rng = np.random.default_rng(seed)
    beliefs = []
    for _ in range(NUM_BELIEFS):
        x, y = (str(name) for name in rng.choice(truth.nodes, 2, replace=False))
        is_right, probability = rng.random() < 2 / 3, float(rng.choice([0.7, 0.8, 0.9, 0.95]))
        state = pp.causes if (truth.relation(x, y).symbol == "⇒") == is_right else pp.not_causes
        beliefs.append(state(x, y, probability))
    return beliefs


def timed(sample: Sample, prior: Any, **options: Any) -> tuple[pp.Fit, float]:
    begin = process_time()
    fit = pp.learn(sample.table, prior, **options)
    return fit, process_time() - begin


def reached_runs(network: str, num_rows: int, repeat: int) -> Iterator[Row]:
    sample = draw(load(network, repeat), num_rows, repeat)
    stated = some_beliefs(sample.truth, repeat)
    for number in (0, NUM_BELIEFS):
        prior = pp.fit_prior(stated, sample.truth.nodes) if number else None
        fits = {way: timed(sample, prior, **options) for way, options in WAYS.items()}
        exact, seconds = timed(sample, prior, search="exact")
        highest = max(exact.score, *(fit.score for fit, _ in fits.values()))
        for way, (fit, took) in fits.items():
            yield {
                "beliefs": number,
                "option": way,
                "gap": highest - fit.score,
                "seconds": took,
                "exact": exact.optimality,
                "exact_seconds": seconds,
                "said": fit.optimality,
            }


def larger_runs(network: str, num_rows: int, repeat: int) -> Iterator[Row]:
    sample = draw(load(network, repeat), num_rows, repeat)
    for way, options in (("default", {"effort": "quick"}), ("no shakes", WAYS["no shakes"])):
        fit, took = timed(sample, None, **options)
        shd = distance(fit.dag, sample.truth)
        yield {"option": way, "score": fit.score, "shd": shd, "seconds": took}


def planes_runs(network: str, num_rows: int, repeat: int) -> Iterator[Row]:
    sample = draw(load(network, repeat), num_rows, repeat)
    for name, options in PRIORS.items():
        prior = None
        if name == "ten beliefs":
            prior = pp.fit_prior(some_beliefs(sample.truth, repeat), sample.truth.nodes)
        usual, _ = timed(sample, prior, **options)
        exact, took = timed(sample, prior, search="exact", **options)
        yield {
            "option": name,
            "below": exact.score - usual.score,
            "gap": exact.bound - exact.score,
            "parents": exact.bound_parents,
            "said": exact.optimality,
            "shd": distance(usual.dag, sample.truth),
            "exact_shd": distance(exact.dag, sample.truth),
            "seconds": took,
        }


def run_all(
    command: str,
    networks: tuple[str, ...],
    sizes: tuple[int, ...],
    repeats: int,
    file: Path,
) -> pd.DataFrame:
    """Run what is not in the file yet."""
    lines = file.read_text().splitlines() if file.exists() else []
    rows = [row for row in map(json.loads, lines) if row["command"] == command]
    done = {(row["network"], row["num_rows"], row["repeat"]) for row in rows}
    runs = {"reached": reached_runs, "larger": larger_runs, "planes": planes_runs}[command]
    with file.open("a") as out:
        for repeat in range(repeats):
            for network in networks:
                for num_rows in sizes:
                    if (network, num_rows, repeat) in done:
                        continue
                    key = {"command": command, "network": network, "num_rows": num_rows}
                    for row in runs(network, num_rows, repeat):
                        rows.append({**key, "repeat": repeat, **row})
                        out.write(json.dumps(rows[-1]) + "\n")
                        out.flush()
    return pd.DataFrame(rows)


def show_reached(table: pd.DataFrame) -> None:
    print("| beliefs | rows | way | data sets | optimum | within 0.5 | worst | median s | most s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    groups = [(*key, part) for key, part in table.groupby(["beliefs", "num_rows", "option"])]
    groups += [(n, "all", way, part) for (n, way), part in table.groupby(["beliefs", "option"])]
    for number, num_rows, way, part in groups:
        is_found = part.gap < SAME
        print(
            f"| {number} | {num_rows} | {way} | {len(part)} | {is_found.mean():.1%} "
            f"| {(part.gap <= CLOSE).mean():.1%} | {part.gap.max():.1f} "
            f"| {part.seconds.median():.3f} | {part.seconds.max():.2f} |"
        )
    exact = table[table.option == "default"].groupby("beliefs")
    print(exact.apply(lambda part: (part.exact == "proven").mean()).rename("proven").to_string())


def show_larger(table: pd.DataFrame) -> None:
    print("| network | rows | gain | SHD | without | seconds | without |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for (network, num_rows), part in table.groupby(["network", "num_rows"], sort=False):
        by = {way: one.sort_values("repeat") for way, one in part.groupby("option")}
        new, old = by["default"], by["no shakes"]
        gain = np.mean(new.score.to_numpy() - old.score.to_numpy())
        print(
            f"| {network} | {num_rows} | {gain:.2f} | {new.shd.mean():.1f} | {old.shd.mean():.1f} "
            f"| {new.seconds.median():.3f} | {old.seconds.median():.3f} |"
        )


def show_planes(table: pd.DataFrame) -> None:
    print("| network | rows | prior | proven | gap | parents | below | most | SHD | s |")
    print("|" + " --- |" * 10)
    for key, part in table.groupby(["network", "num_rows", "option"], sort=False):
        is_proven = part.said.str.startswith("proven")
        print(
            f"| {' | '.join(map(str, key))} | {is_proven.sum()} of {len(part)} "
            f"| {part.gap.max():.2f} | {part.parents.min()} | {part.below.mean():.1f} "
            f"| {part.below.max():.1f} | {part.shd.mean():.1f} → {part.exact_shd.mean():.1f} "
            f"| {part.seconds.median():.0f} |"
        )


def show_exact(sizes: list[int], num_rows: int) -> None:
    data = pp.load_network("alarm").sample(num_rows, seed=1)
    pp.learn(data.iloc[:, :8], search="exact")
    print("| variables | processor s | largest memory of the process so far, GB |")
    print("| --- | --- | --- |")
    for size in sizes:
        begin = process_time()
        fit = pp.learn(data.iloc[:, :size], search="exact")
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        assert fit.optimality == "proven"
        print(f"| {size} | {process_time() - begin:.2f} | {memory:.2f} |", flush=True)


SACHS_BEST = -77367.2
"""BDeu with sample size 1 and all graphs alike, tertiles of all 7466 rows."""


def show_others() -> None:
    print("| data | variables | rows | score | other programme | pathprior | says | s, other | s |")
    print("|" + " --- |" * 9)
    try:
        proteins = read_table()
    except PackageNotFoundError:
        print("(cdt is not installed)")
    else:
        tertiles = proteins.apply(lambda column: pd.qcut(column, 3, labels=False).astype(str))
        fit, seconds = timed_exact(tertiles, score="bdeu", equivalent_sample_size=1)
        show_other("Sachs", tertiles, "BDeu", SACHS_BEST, fit, (float("nan"), seconds))
    try:
        from causallearn.search.ScoreBased.ExactSearch import bic_exact_search
    except ImportError:
        print("(causal-learn is not installed)")
        return
    from sklearn import datasets

    for name, num_columns in (("breast_cancer", 10), ("diabetes", 11), ("wine", 13)):
        table = getattr(datasets, f"load_{name}")(as_frame=True).frame.iloc[:, :num_columns]
        table -= table.mean()  # causal-learn expects it
        begin = process_time()
        found, _ = bic_exact_search(table.to_numpy())
        taken = process_time() - begin
        dag = pp.Dag(tuple(table.columns), found.astype(bool))
        theirs = pp.score_graph(dag, table, score="gaussian-bic")
        fit, seconds = timed_exact(table, score="gaussian-bic")
        show_other(name, table, "Gaussian BIC", theirs, fit, (taken, seconds))


def timed_exact(table: pd.DataFrame, **options: Any) -> tuple[pp.Fit, float]:
    for _ in range(2):  # the first compiles
        begin = process_time()
        fit = pp.learn(table, search="exact", expected_parents=None, **options)
    return fit, process_time() - begin


def show_other(
    name: str, table: pd.DataFrame, score: str, theirs: float, fit: pp.Fit, seconds: Any
) -> None:
    print(
        f"| {name} | {table.shape[1]} | {len(table)} | {score} | {theirs:.4f} | {fit.score:.4f} "
        f"| {fit.optimality} | {seconds[0]:.2f} | {seconds[1]:.2f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=["reached", "exact", "larger", "planes", "others"])
    parser.add_argument("--rows", type=Path, help="file of the runs")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--networks", nargs="+")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 12, 14, 16, 18, 20, 22, 25])
    parser.add_argument("--num-rows", type=int, default=1000)
    options = parser.parse_args()
    warnings.simplefilter("ignore", PathPriorWarning)
    if options.command == "others":
        show_others()
        return
    if options.command == "exact":
        show_exact(options.sizes, options.num_rows)
        return
    if options.rows is None:
        parser.error("--rows FILE says where the runs are kept")
    list(reached_runs("asia", 50, 0))  # compiles, or loads, everything
    usual = {"reached": SMALL, "larger": LARGE, "planes": PROVED}[options.command]
    networks = tuple(options.networks or usual)
    sizes = (options.num_rows,) if options.command == "planes" else NUM_ROWS
    table = run_all(options.command, networks, sizes, options.repeats, options.rows)
    shows = {"reached": show_reached, "larger": show_larger, "planes": show_planes}
    shows[options.command](table)


if __name__ == "__main__":
    main()
