"""One mind or many: what the right and the wrong way to pool beliefs cost.

    python benchmarks/sources.py --repeats 40 --file sources.jsonl

Groups of four variables of a known network; of each pair of a group a signal names one relation,
the true one with probability ρ, else another drawn from the baseline. Five ways to report them:

- *independent*: ρ ~ U[0.5, 0.95], known; every pair has a source of its own, which states its
  probabilities after its one signal;
- *one mind*: one person sees the same signals, puts them together over all graphs, and states the
  marginals of that;
- *expert*: the same by one who knows the field: how often its variables have each relation;
- *wrong*: ρ = 0.7, and everything named is said to be 0.95 probable;
- *says*: the same, said by one source of unknown reliability, without a number.

All but the last are fitted both ways, each belief its own source or all one mind; data sets of
growing size are prefixes of one sample. What the file has is not run again. For probabilities after
the data see ``sources_posterior.py``.
"""

import argparse
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from search import load
from sources_reports import Key, Vector, give

import pathprior as pp
from pathprior.experiments.interval import mean_interval
from pathprior.experiments.trial import Trial, first_rows

NETWORKS = {"asia": 2, "child": 3, "insurance": 3, "alarm": 3}
"""Networks, with the number of groups."""
DRAWN = {"drawn8": 2, "drawn20": 3, "drawn37": 3}
"""Graphs of so many variables drawn from the base measure itself, about which there are no data."""
SIZES = (100, 500, 2000)
EXPERT = "expert"
"""Who knows the field; of graphs drawn from the base there is nothing to know beside the base."""


def runs_of_graph(
    num_nodes: int, num_groups: int, seed: int, known: set[Key]
) -> Iterator[dict[str, Any]]:
    """What priors say of a graph that was drawn from the base measure."""
    names = tuple(f"V{k:03d}" for k in range(num_nodes))
    edge_odds = pp.fit_prior((), names).edge_odds
    truth = pp.Dag(names, pp.sample_dags(num_nodes, 1, seed=seed, edge_odds=edge_odds)[0])
    _, log_prob = give(truth, num_groups, seed)
    for (report, pool), value in log_prob.items():
        if report == EXPERT or (report, pool) in known:
            continue
        yield {
            "network": f"drawn{num_nodes}",
            "seed": seed,
            "num_rows": 0,
            "report": report,
            "pool": pool,
            "log_prob": value,
        }


def runs(network: str, seed: int, known: set[Key]) -> Iterator[dict[str, Any]]:
    """What priors say of a known network, and what is learned with them from samples of it."""
    trial = Trial.draw(load(network), max(SIZES), seed=seed)
    given, log_prob = give(trial.truth, NETWORKS[network], seed)
    for num_rows in SIZES:
        table = first_rows(trial.table, num_rows)
        for (report, pool), prior in given.items():
            if (report, pool) in known:
                continue
            dag = pp.learn(table, prior, constant_columns="keep").dag
            yield {
                "network": network,
                "seed": seed,
                "num_rows": num_rows,
                "report": report,
                "pool": pool,
                "shd": pp.shd(dag, trial.truth),
                "log_prob": log_prob[report, pool],
            }


COLUMNS = (
    ("none", "none"),
    ("independent", "sources"),
    ("independent", "joint"),
    ("one mind", "sources"),
    ("one mind", "joint"),
    ("expert", "sources"),
    ("expert", "joint"),
    ("wrong", "sources"),
    ("wrong", "joint"),
    ("says", "says"),
)


WHERE, KEY = ["network", "seed"], ["report", "pool"]
PAIRINGS = (
    ("independent: sources against joint", ("independent", "sources"), ("independent", "joint")),
    ("one mind: joint against sources", ("one mind", "joint"), ("one mind", "sources")),
    ("expert: joint against sources", ("expert", "joint"), ("expert", "sources")),
    ("says against wrong, sources", ("says", "says"), ("wrong", "sources")),
    ("says against wrong, joint", ("says", "says"), ("wrong", "joint")),
)


def heads(columns: tuple[Key, ...]) -> list[str]:
    """Of the columns of a table."""
    return ["no beliefs", *(f"{r}, {p}" if r != p else r for r, p in columns[1:])]


def print_tables(done: pd.DataFrame) -> None:
    columns = heads(COLUMNS)
    chosen = done.set_index(["report", "pool"]).sort_index()
    first = dict.fromkeys(DRAWN, 0) | dict.fromkeys(NETWORKS, SIZES[0])
    first = {name: rows for name, rows in first.items() if name in set(done["network"])}
    print("log probability of the true relations, more than without beliefs\n")
    print(f"| truth | {' | '.join(columns[1:])} |\n|" + " --- |" * len(columns))
    for name, rows in first.items():
        cells = [interval(paired(chosen, key, name, rows, "log_prob")) for key in COLUMNS[1:]]
        print(f"| {name.upper()} | {' | '.join(cells)} |")
    print("\nthe same, one against the other\n")
    print(f"| | {' | '.join(name.upper() for name in first)} |\n|" + " --- |" * (len(first) + 1))
    for what, one, other in PAIRINGS:
        cells = [
            interval(paired(chosen, one, name, rows, "log_prob", other))
            for name, rows in first.items()
        ]
        print(f"| {what} | {' | '.join(cells)} |")
    print("\nSHD, less than without beliefs\n")
    print(f"| data | rows | {' | '.join(columns)} |\n|" + " --- |" * (len(columns) + 2))
    known = [(name, size) for name in NETWORKS if name in first for size in SIZES]
    for name, size in known:
        alone = chosen.loc[COLUMNS[0]]
        alone = alone[(alone["network"] == name) & (alone["num_rows"] == size)]["shd"]
        cells = [interval(-paired(chosen, key, name, size, "shd")) for key in COLUMNS[1:]]
        print(f"| {name.upper()} | {size} | {alone.mean():.1f} | {' | '.join(cells)} |")
    print("\nthe same, one against the other\n")
    print(
        f"| data | rows | {' | '.join(what for what, _, _ in PAIRINGS)} |\n|"
        + " --- |" * (2 + len(PAIRINGS))
    )
    for name, size in known:
        cells = [
            interval(-paired(chosen, one, name, size, "shd", other)) for _, one, other in PAIRINGS
        ]
        print(f"| {name.upper()} | {size} | {' | '.join(cells)} |")
    print(f"\nRepeats: {done.groupby('network')['seed'].nunique().to_dict()}")


def paired(
    chosen: pd.DataFrame,
    key: Key,
    network: str,
    size: int,
    what: str,
    against: Key = COLUMNS[0],
) -> Vector:
    """Differences, seed by seed."""
    series = []
    there = chosen[(chosen["network"] == network) & (chosen["num_rows"] == size)]
    for one in (key, against):
        rows = there[there.index.isin([one])]
        series.append(rows.set_index("seed")[what].sort_index())
    return np.asarray((series[0] - series[1]).dropna().to_numpy(float))


def interval(values: Vector) -> str:
    if not len(values):
        return "–"
    found = mean_interval(values)
    return f"{found.mean:+.2f} ± {found.half_width:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=40)
    parser.add_argument("--drawn", type=int, default=200, help="repeats with drawn graphs")
    parser.add_argument("--file", type=Path, required=True)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # beliefs below their baseline are meant
    file = options.file
    done = pd.read_json(file, lines=True) if file.exists() else pd.DataFrame()
    known: dict[tuple[str, int], set[Key]] = {}
    for name, seed, *key in done.reindex(columns=[*WHERE, *KEY]).itertuples(index=False, name=None):
        known.setdefault((name, seed), set()).add((key[0], key[1]))
    tasks = [(name, seed) for seed in range(options.drawn) for name in DRAWN]
    tasks += [(name, seed) for seed in range(options.repeats) for name in NETWORKS]
    for name, seed in tasks:
        had = known.get((name, seed), set())
        wanted = {key for key in COLUMNS if name in NETWORKS or key[0] != EXPERT}
        if had >= wanted:
            continue
        if name in DRAWN:
            size = int(name.removeprefix("drawn"))
            new = pd.DataFrame(runs_of_graph(size, DRAWN[name], seed, had))
        else:
            new = pd.DataFrame(runs(name, seed, had))
        done = pd.concat([done, new])
        new.to_json(file, orient="records", lines=True, mode="a")
    print_tables(done)


if __name__ == "__main__":
    main()
