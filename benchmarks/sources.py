"""One mind or many: what the right and the wrong way to pool beliefs cost.

    python benchmarks/sources.py --repeats 40 --file sources.jsonl

Groups of four variables of a known network; of each pair of a group a signal names one relation,
the true one with probability ρ, else another drawn from the baseline. Four ways to report them:

- *independent*: ρ ~ U[0.5, 0.95], known; every pair has a source of its own, which states its
  probabilities after its one signal;
- *one mind*: one expert sees the same signals, puts them together over all graphs, and states the
  marginals of that;
- *wrong*: ρ = 0.7, and everything named is said to be 0.95 probable;
- *says*: the same, said by one source of unknown reliability, without a number.

All but the last are fitted both ways, each belief its own source or all one mind; data sets of
growing size are prefixes of one sample. What the file has is not run again.
"""

import argparse
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from search import load

import pathprior as pp
from pathprior.beliefs.belief import Belief
from pathprior.beliefs.event import RELATION_EVENTS
from pathprior.experiments.interval import mean_interval
from pathprior.experiments.trial import Trial, first_rows

NETWORKS = {"asia": 2, "child": 3, "insurance": 3, "alarm": 3}
"""Networks, with the number of groups."""
DRAWN = {"drawn8": 2, "drawn20": 3, "drawn37": 3}
"""Graphs of so many variables drawn from the base measure itself, about which there are no data."""
GROUP = 4
SIZES = (100, 500, 2000)
RHO = (0.5, 0.95)
WRONG, SAID = 0.3, 0.95
GRID = (np.arange(200) + 0.5) / 200
"""Values of ρ over which the prior of statements is summed."""

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Group:
    """Some variables, and all configurations of their pairs with U."""

    nodes: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    configurations: NDArray[np.int8]
    probabilities: Vector
    truth: tuple[int, ...]

    @classmethod
    def draw(cls, dag: pp.Dag, nodes: Sequence[str], edge_odds: float) -> "Group":
        pairs = tuple(combinations(nodes, 2))
        counted = pp.count_configurations(list(pairs), dag.num_nodes, edge_odds=edge_odds)
        truth = tuple(int(dag.relation(x, y)) for x, y in pairs)
        return cls(
            tuple(nodes), pairs, counted.configurations, np.asarray(counted.probabilities), truth
        )

    @property
    def is_true(self) -> NDArray[np.bool_]:
        return np.asarray((self.configurations == np.array(self.truth)).all(axis=1))


def chances(usual: Vector, rho: float) -> Vector:
    """P(signal | relation), relation × signal."""
    others = usual[None, :] * (1 - np.eye(4))
    return rho * np.eye(4) + (1 - rho) * others / others.sum(axis=1, keepdims=True)


def draw_signals(
    group: Group, usual: Vector, rho: Sequence[float], rng: np.random.Generator
) -> list[int]:
    return [
        int(rng.choice(4, p=chances(usual, r)[t])) for t, r in zip(group.truth, rho, strict=True)
    ]


def independent(group: Group, usual: Vector, signals: list[int], rho: list[float]) -> list[Belief]:
    """Each source's probabilities after its one signal."""
    found = []
    for (x, y), signal, r in zip(group.pairs, signals, rho, strict=True):
        after = usual * chances(usual, r)[:, signal]
        found.append(pp.relation(x, y, (after / after.sum()).tolist()))
    return found


def one_mind(group: Group, usual: Vector, signals: list[int], rho: list[float]) -> list[Belief]:
    """The marginals of the posterior over configurations given all signals."""
    joint = group.probabilities.copy()
    for k, (signal, r) in enumerate(zip(signals, rho, strict=True)):
        joint *= chances(usual, r)[group.configurations[:, k], signal]
    joint /= joint.sum()
    return [
        pp.relation(x, y, np.bincount(group.configurations[:, k], joint, 4).tolist())
        for k, (x, y) in enumerate(group.pairs)
    ]


def surely(group: Group, signals: list[int]) -> list[Belief]:
    words = [RELATION_EVENTS[signal].value for signal in signals]
    return [Belief(x, word, y, (SAID,)) for (x, y), word in zip(group.pairs, words, strict=True)]


def log_statements(groups: list[Group], usual: Vector, signals: list[list[int]]) -> float:
    """log probability of the true configurations given statements, ρ ~ Beta(4, 2) summed out."""
    log_beta = 3 * np.log(GRID) + np.log(1 - GRID)
    right, total = log_beta.copy(), log_beta.copy()
    for group, said in zip(groups, signals, strict=True):
        for i, r in enumerate(GRID):
            weights = group.probabilities.copy()
            for k, signal in enumerate(said):
                weights *= chances(usual, r)[group.configurations[:, k], signal]
            right[i] += np.log(weights[group.is_true].sum())
            total[i] += np.log(weights.sum())
    return float(np.logaddexp.reduce(right) - np.logaddexp.reduce(total))


def fit_both(beliefs: list[Belief], variables: tuple[str, ...]) -> dict[str, pp.PathPrior]:
    apart = [replace(belief, source=str(k)) for k, belief in enumerate(beliefs)]
    return {
        "sources": pp.fit_prior(apart, variables),
        "joint": pp.fit_prior(beliefs, variables),
    }


def draw_groups(
    truth: pp.Dag, num_groups: int, edge_odds: float, rng: np.random.Generator
) -> list[Group]:
    order = [truth.nodes[v] for v in rng.permutation(truth.num_nodes)]
    places = range(0, GROUP * num_groups, GROUP)
    return [Group.draw(truth, order[k : k + GROUP], edge_odds) for k in places]


def runs_of_graph(num_nodes: int, num_groups: int, seed: int) -> Iterator[dict[str, Any]]:
    """What priors say of a graph that was drawn from the base measure."""
    names = tuple(f"V{k:03d}" for k in range(num_nodes))
    edge_odds = pp.fit_prior((), names).edge_odds
    truth = pp.Dag(names, pp.sample_dags(num_nodes, 1, seed=seed, edge_odds=edge_odds)[0])
    _, log_prob = give(truth, num_groups, seed)
    for (report, pool), value in log_prob.items():
        yield {
            "network": f"drawn{num_nodes}",
            "seed": seed,
            "num_rows": 0,
            "report": report,
            "pool": pool,
            "log_prob": value,
        }


def runs(network: str, seed: int) -> Iterator[dict[str, Any]]:
    """What priors say of a known network, and what is learned with them from samples of it."""
    trial = Trial.draw(load(network), max(SIZES), seed=seed)
    given, log_prob = give(trial.truth, NETWORKS[network], seed)
    for num_rows in SIZES:
        table = first_rows(trial.table, num_rows)
        for (report, pool), prior in given.items():
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


def give(
    truth: pp.Dag, num_groups: int, seed: int
) -> tuple[dict[tuple[str, str], Any], dict[tuple[str, str], float]]:
    """Priors and statements by report and pool, and the log probability of the true relations."""
    variables = truth.nodes
    rng = np.random.default_rng(seed)
    baseline = pp.fit_prior((), variables)
    usual = np.asarray(baseline.uninformative[:4])
    groups = draw_groups(truth, num_groups, baseline.edge_odds, rng)
    rho = [rng.uniform(*RHO, len(group.pairs)).tolist() for group in groups]
    heard = [draw_signals(g, usual, r, rng) for g, r in zip(groups, rho, strict=True)]
    flat = [[1 - WRONG] * len(group.pairs) for group in groups]
    said = [draw_signals(g, usual, r, rng) for g, r in zip(groups, flat, strict=True)]
    told = list(zip(groups, heard, rho, strict=True))
    reports = {
        "independent": [b for g, s, r in told for b in independent(g, usual, s, r)],
        "one mind": [b for g, s, r in told for b in one_mind(g, usual, s, r)],
        "wrong": [b for g, s in zip(groups, said, strict=True) for b in surely(g, s)],
    }
    statements = [
        pp.says("expert", x, RELATION_EVENTS[signal].value, y)
        for group, signals in zip(groups, said, strict=True)
        for (x, y), signal in zip(group.pairs, signals, strict=True)
    ]
    given: dict[tuple[str, str], Any] = {("none", "none"): None, ("says", "says"): statements}
    none = sum(float(np.log(g.probabilities[g.is_true].sum())) for g in groups)
    log_prob = {
        ("none", "none"): none,
        ("says", "says"): log_statements(groups, usual, said),
    }
    for report, beliefs in reports.items():
        for pool, prior in fit_both(beliefs, variables).items():
            given[report, pool] = prior
            log_prob[report, pool] = prior.log_prob(truth, per_graph=False)
    return given, log_prob


COLUMNS = (
    ("none", "none"),
    ("independent", "sources"),
    ("independent", "joint"),
    ("one mind", "sources"),
    ("one mind", "joint"),
    ("wrong", "sources"),
    ("wrong", "joint"),
    ("says", "says"),
)


PAIRINGS = (
    ("independent: sources against joint", ("independent", "sources"), ("independent", "joint")),
    ("one mind: joint against sources", ("one mind", "joint"), ("one mind", "sources")),
    ("says against wrong, sources", ("says", "says"), ("wrong", "sources")),
    ("says against wrong, joint", ("says", "says"), ("wrong", "joint")),
)


def print_tables(done: pd.DataFrame) -> None:
    heads = ["no beliefs", *(f"{r}, {p}" if r != p else r for r, p in COLUMNS[1:])]
    chosen = done.set_index(["report", "pool"]).sort_index()
    first = dict.fromkeys(DRAWN, 0) | dict.fromkeys(NETWORKS, SIZES[0])
    first = {name: rows for name, rows in first.items() if name in set(done["network"])}
    print("log probability of the true relations, more than without beliefs\n")
    print(f"| truth | {' | '.join(heads[1:])} |\n|" + " --- |" * len(heads))
    for name, rows in first.items():
        cells = [_interval(_paired(chosen, key, name, rows, "log_prob")) for key in COLUMNS[1:]]
        print(f"| {name.upper()} | {' | '.join(cells)} |")
    print("\nthe same, one against the other\n")
    print(f"| | {' | '.join(name.upper() for name in first)} |\n|" + " --- |" * (len(first) + 1))
    for what, one, other in PAIRINGS:
        cells = [
            _interval(_paired(chosen, one, name, rows, "log_prob", other))
            for name, rows in first.items()
        ]
        print(f"| {what} | {' | '.join(cells)} |")
    print("\nSHD, less than without beliefs\n")
    print(f"| data | rows | {' | '.join(heads)} |\n|" + " --- |" * (len(heads) + 2))
    known = [(name, size) for name in NETWORKS if name in first for size in SIZES]
    for name, size in known:
        alone = chosen.loc[COLUMNS[0]]
        alone = alone[(alone["network"] == name) & (alone["num_rows"] == size)]["shd"]
        cells = [_interval(-_paired(chosen, key, name, size, "shd")) for key in COLUMNS[1:]]
        print(f"| {name.upper()} | {size} | {alone.mean():.1f} | {' | '.join(cells)} |")
    print("\nthe same, one against the other\n")
    print(f"| data | rows | {' | '.join(what for what, _, _ in PAIRINGS)} |\n|" + " --- |" * 6)
    for name, size in known:
        cells = [
            _interval(-_paired(chosen, one, name, size, "shd", other)) for _, one, other in PAIRINGS
        ]
        print(f"| {name.upper()} | {size} | {' | '.join(cells)} |")
    print(f"\nRepeats: {done.groupby('network')['seed'].nunique().to_dict()}")


def _paired(
    chosen: pd.DataFrame,
    key: tuple[str, str],
    network: str,
    size: int,
    what: str,
    against: tuple[str, str] = COLUMNS[0],
) -> Vector:
    """Differences, seed by seed."""
    series = []
    for one in (key, against):
        rows = chosen.loc[one]
        rows = rows[(rows["network"] == network) & (rows["num_rows"] == size)]
        series.append(rows.set_index("seed")[what].sort_index())
    return np.asarray((series[0] - series[1]).dropna().to_numpy(float))


def _interval(values: Vector) -> str:
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
    known = set(zip(done["network"], done["seed"], strict=True)) if len(done) else set()
    tasks = [(name, seed) for seed in range(options.drawn) for name in DRAWN]
    tasks += [(name, seed) for seed in range(options.repeats) for name in NETWORKS]
    for name, seed in tasks:
        if (name, seed) not in known:
            if name in DRAWN:
                size = int(name.removeprefix("drawn"))
                new = pd.DataFrame(runs_of_graph(size, DRAWN[name], seed))
            else:
                new = pd.DataFrame(runs(name, seed))
            done = pd.concat([done, new])
            new.to_json(file, orient="records", lines=True, mode="a")
    print_tables(done)


if __name__ == "__main__":
    main()
