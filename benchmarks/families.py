"""The score of families beside BDeu on networks: distance from the truth, fresh rows, and time.

    python benchmarks/families.py networks --results FILE [--networks …] [--repeats 20]
    python benchmarks/families.py independent [--repeats 20]
    python benchmarks/families.py directions [--networks child] [--num-rows 2000] [--repeats 6]
    python benchmarks/families.py growth

`networks`: SHD of classes, edges that DAGs do not share ("directed"), the gain in log likelihood
per row on 1000 fresh rows, and processor time, on the bundled networks, four of pgmpy's, and random
ones of 20 nodes and 40 edges whose tables are rows from Dir(½), logits, and noisy ORs. Columns are
shuffled. Differences are paired, in brackets their standard errors; then geometric means of ratios
of SHD + 1, and how often the weak edges of ALARM and HEPAR2 are found. Runs are kept in FILE, and
not made again. `independent`: sets of 20 columns without an edge in which one is found.
`directions`: with answers about edges, right in 85 %, asked of what each network proposes, round
after round; BDeu, and families with both rules of directions. `growth`: processor time by rows,
columns and states. Real tables: benchmarks/families_tables.py.
"""

import argparse
import json
import warnings
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from base import load
from statements import MAX_ROUNDS, Asked, Source, case, measures

import pathprior as pp
from pathprior.errors import NetworkError, PathPriorWarning

BUNDLED = ("asia", "child", "insurance", "alarm", "hepar2", "win95pts")
HELD_OUT = ("water", "hailfinder", "barley", "mildew")
RANDOM = ("rows", "logit", "noisy-or")
NUM_NODES = 20
FRESH = 1000
RELIABILITY = 0.85
MEASURED = ("shd", "directed", "paths")
SCORES = ("bdeu", "families")
MEASURES = ["shd", "directed", "fresh", "seconds"]
Row = dict[str, object]


def random_dag(rng: np.random.Generator, num_nodes: int = NUM_NODES) -> pp.Dag:
    """A DAG of twice as many edges, every set of pairs alike, with at most 5 parents."""
    order = rng.permutation(num_nodes)
    names = [f"v{k:02}" for k in range(num_nodes)]
    edges: list[tuple[str, str]] = []
    num_parents = dict.fromkeys(names, 0)
    pairs = [(i, j) for i in range(num_nodes) for j in range(i + 1, num_nodes)]
    for k in rng.permutation(len(pairs)):
        u, v = (names[order[end]] for end in pairs[k])
        if len(edges) < 2 * num_nodes and num_parents[v] < 5:
            edges.append((u, v))
            num_parents[v] += 1
    return pp.Dag.from_edges(names, edges)


def random_table(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """A table with one axis per parent and the child's states last."""
    if kind == "rows":
        return rng.dirichlet(np.full(shape[-1], 0.5), shape[:-1])
    if kind == "logit":
        odds = np.zeros(shape) + rng.normal(0, 0.5, shape[-1])
        for axis, k in enumerate(shape[:-1]):
            own = [1] * len(shape)
            own[axis], own[-1] = k, shape[-1]
            odds = odds + rng.normal(0, 1.2, (k, shape[-1])).reshape(own)
        chances = np.exp(odds - odds.max(axis=-1, keepdims=True))
        return chances / chances.sum(axis=-1, keepdims=True)
    absent = np.full(shape[:-1], 1 - rng.uniform(0.01, 0.2))
    for axis in range(len(shape) - 1):
        own = [1] * (len(shape) - 1)
        own[axis] = 2
        absent = absent * np.array([1.0, 1 - rng.uniform(0.3, 0.9)]).reshape(own)
    return np.stack([absent, 1 - absent], axis=-1)


def random_network(
    kind: str, seed: int, num_nodes: int = NUM_NODES, num_states: int | None = None
) -> pp.BayesianNetwork:
    """Two to four states each unless said otherwise; two for noisy ORs."""
    rng = np.random.default_rng((seed, len(kind)))
    dag = random_dag(rng, num_nodes)
    drawn = {name: 2 if kind == "noisy-or" else int(rng.integers(2, 5)) for name in dag.nodes}
    states = {name: num_states or r for name, r in drawn.items()}
    tables = []
    for name in dag.nodes:
        shape = tuple(states[v] for v in (*dag.parents(name), name))
        tables.append(random_table(kind, shape, rng))
    labels = tuple(tuple(map(str, range(states[name]))) for name in dag.nodes)
    return pp.BayesianNetwork(dag, labels, tuple(tables))


def drawn(name: str, num_rows: int, repeat: int) -> tuple[pd.DataFrame, pd.DataFrame, pp.Dag]:
    """Rows to learn from, fresh ones, and the truth."""
    seed = 70_000 + repeat
    truth = random_network(name, seed) if name in RANDOM else load(name, repeat)
    table = truth.sample(num_rows + FRESH, seed=seed)
    columns = list(np.random.default_rng(seed).permutation(table.columns))
    dtypes = {c: pd.CategoricalDtype(list(truth.states[c])) for c in columns}
    table = table[columns].astype(dtypes)
    return table[:num_rows], table[num_rows:], truth.dag


def study(name: str, num_rows: int, repeat: int) -> Iterator[Row]:
    """One data set, learned with each score."""
    data, fresh, truth = drawn(name, num_rows, repeat)
    for score in SCORES:
        begin = process_time()
        fit = pp.learn(data, score=score, constant_columns="keep")
        seconds = process_time() - begin
        own, true = ({frozenset(e): e for e in dag.edges} for dag in (fit.dag, truth))
        directed = len(own.keys() ^ true.keys()) + sum(
            own[pair] != true[pair] for pair in own.keys() & true.keys()
        )
        yield {
            "network": name,
            "rows": num_rows,
            "repeat": repeat,
            "score": score,
            "shd": pp.shd(fit.dag, truth),
            "directed": directed,
            "fresh": told(fit, fresh),
            "seconds": seconds,
            "edges": [list(edge) for edge in fit.dag.edges],
        }


def told(fit: pp.Fit, fresh: pd.DataFrame) -> float | None:
    """Log likelihood of a fresh row; None where some table is too large to hold."""
    try:
        return fit.network().log_likelihood(fresh) / len(fresh)
    except NetworkError:
        return None


def show(frame: pd.DataFrame) -> None:
    """A line for each setting, and geometric means."""
    wide = frame.pivot_table(index=["network", "rows", "repeat"], columns="score", values=MEASURES)
    for (name, rows), of in wide.groupby(level=[0, 1], sort=False):
        line = f"{name:10} {rows:5} × {len(of):2}"
        for what in ("shd", "directed", "fresh"):
            gain = of[what]["families"] - of[what]["bdeu"]
            error = gain.std() / np.sqrt(len(gain)) if len(gain) > 1 else np.nan
            line += (
                f"  {what} {of[what]['bdeu'].mean():.2f} → {of[what]['families'].mean():.2f} "
                f"({error:.2f})"
            )
        print(
            line,
            f" s {of['seconds']['bdeu'].median():.2f} → {of['seconds']['families'].median():.2f}",
            flush=True,
        )
    means = wide["shd"].groupby(level=[0, 1]).mean()
    ratio = np.log((means["families"] + 1) / (means["bdeu"] + 1))
    kinds = (("bundled", BUNDLED), ("pgmpy's", HELD_OUT), ("random", RANDOM))
    for kind, names in (*kinds, ("bundled and pgmpy's", (*BUNDLED, *HELD_OUT))):
        own = ratio[ratio.index.get_level_values(0).isin(names)]
        for rows, of in own.groupby(level=1):
            print(f"{kind} {rows}: SHD + 1, geometric mean of ratios {np.exp(of.mean()):.3f}")


def show_weak(frame: pd.DataFrame) -> None:
    """How often edges are found that say little: those into CATECHOL, and of HEPAR2."""
    for name in ("alarm", "hepar2"):
        truth = load(name, 0)
        weak = [edge for edge in truth.dag.edges if name == "hepar2" or edge[1] == "CATECHOL"]
        for (rows, score), of in frame[frame["network"] == name].groupby(["rows", "score"]):
            found = [{frozenset(edge) for edge in edges} for edges in of["edges"]]
            shares = {e: np.mean([frozenset(e) in pairs for pairs in found]) for e in weak}
            if name == "alarm":
                line = ", ".join(f"{u} {share:.2f}" for (u, _), share in shares.items())
                print(f"CATECHOL {rows} {score}: {line}")
            else:
                floor = [expected_gain(truth, *edge, rows) < 0 for edge in weak]
                by_kind = pd.Series(list(shares.values())).groupby(floor).agg(["sum", "size"])
                line = by_kind.round(1).to_dict("index")
                wrong = np.mean([len(pairs - {frozenset(e) for e in weak}) for pairs in found])
                print(f"HEPAR2 {rows} {score}: found, below its price {line}; wrong {wrong:.1f}")


def expected_gain(truth: pp.BayesianNetwork, parent: str, child: str, num_rows: int) -> float:
    """Nats that the edge is worth, tables known, less half a log of rows for each parameter."""
    axes = truth.dag.parents(child)
    table = truth.tables[child]
    joint = truth.sample(20_000, seed=0)
    chances = joint.groupby(list(axes), observed=True).size() / len(joint)
    weights = np.zeros(table.shape[:-1])
    for states, chance in chances.items():
        key = states if isinstance(states, tuple) else (states,)
        place = tuple(truth.states[v].index(s) for v, s in zip(axes, key, strict=True))
        weights[place] = chance
    axis = axes.index(parent)
    both = weights[..., None] * table
    without = (
        both.sum(axis=axis, keepdims=True)
        / np.maximum(weights.sum(axis=axis, keepdims=True), 1e-300)[..., None]
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        nats = np.where(both > 0, both * np.log(table / without), 0.0).sum()
    spare = np.prod(weights.shape) * (1 - 1 / weights.shape[axis]) * (table.shape[-1] - 1)
    return float(num_rows * nats - spare / 2 * np.log(num_rows))


def networks(args: argparse.Namespace) -> None:
    """All settings, data set after data set; those in the file are not run again."""
    rows: list[Row] = []
    if args.results is not None and args.results.exists():
        rows = [json.loads(line) for line in args.results.read_text().splitlines()]
    done = {(row["network"], row["rows"], row["repeat"]) for row in rows}
    for repeat, name, num_rows in product(range(args.repeats), args.networks, args.num_rows):
        if (name, num_rows, repeat) in done:
            continue
        found = list(study(name, num_rows, repeat))
        rows += found
        if args.results is not None:
            with args.results.open("a") as file:
                file.writelines(json.dumps(row) + "\n" for row in found)
    frame = pd.DataFrame(rows)
    show(frame)
    show_weak(frame)


def independent(args: argparse.Namespace) -> None:
    """Data sets of independent columns in which some edge is found."""
    for score in SCORES:
        found = 0
        for repeat in range(args.repeats):
            rng = np.random.default_rng(90_000 + repeat)
            data = pd.DataFrame(
                {f"v{k}": rng.choice(4, 1000, p=rng.dirichlet(np.ones(4))) for k in range(20)}
            ).astype(str)
            found += bool(pp.learn(data, score=score).dag.edges)
        print(f"{score}: an edge in {found} of {args.repeats}")


def directions(args: argparse.Namespace) -> None:
    """SHD, edges that DAGs do not share and relations of pairs, without answers and with them."""
    ways = {
        "bdeu": {"score": "bdeu"},
        "families, data": {"score": "families", "directions": "data"},
        "families, class": {"score": "families", "directions": "class"},
    }
    for name, num_rows in product(args.networks, args.num_rows):
        for way, options in ways.items():
            found = []
            for seed in range(args.repeats):
                data, truth = case(name, num_rows, seed)
                first = fit = pp.learn(data, **options)
                asked = Asked(Source(truth, RELIABILITY, "baseline", seed))
                for _ in range(MAX_ROUNDS):
                    if not asked.about(fit.proposed_pairs(edges_only=True)):
                        break
                    fit = pp.learn(data, asked.said.values(), **options)
                found.append([[*measures(one.dag, truth).values()] for one in (first, fit)])
            (before, after), errors = np.mean(found, axis=0), standard_error(np.array(found))
            line = [
                f"{what} {u:.2f} → {v:.2f} ({e:.2f})"
                for what, u, v, e in zip(MEASURED, before, after, errors, strict=True)
            ]
            print(f"{name} {num_rows} × {args.repeats} {way:16} {', '.join(line)}", flush=True)


def standard_error(found: np.ndarray) -> np.ndarray:
    """Of the changes by answers."""
    changes = found[:, 1] - found[:, 0]
    return changes.std(axis=0, ddof=1) / np.sqrt(len(changes))


def growth(_: argparse.Namespace) -> None:
    """Processor time of the search by both scores as one size grows."""
    rows = [("alarm", load("alarm", 0), n) for n in (300, 1000, 3000, 10_000, 100_000)]
    columns = [(f"{n} columns", random_network("logit", 1, n), 1000) for n in (10, 20, 40, 80)]
    states = [(f"{r} states", random_network("logit", 1, 20, r), 1000) for r in (2, 3, 4, 6, 8)]
    for name, network, num_rows in (*rows, *columns, *states):
        data = network.sample(num_rows, seed=0)
        taken = []
        for score in SCORES:
            pp.learn(data.iloc[:20, :5], score=score, constant_columns="keep")  # compiles
            begin = process_time()
            pp.learn(data, score=score, constant_columns="keep")
            taken.append(process_time() - begin)
        print(
            f"{name:10} {num_rows:6} rows  {taken[0]:.2f} s  families {taken[1]:.2f} s", flush=True
        )


def main() -> None:
    warnings.simplefilter("ignore", PathPriorWarning)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("networks", "independent", "directions", "growth"))
    parser.add_argument("--networks", nargs="+", default=[*BUNDLED, *HELD_OUT, *RANDOM])
    parser.add_argument("--num-rows", nargs="+", type=int, default=[300, 1000, 3000])
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--results", type=Path, help="runs are kept here, a line each")
    args = parser.parse_args()
    of_name = {
        "networks": networks,
        "independent": independent,
        "directions": directions,
        "growth": growth,
    }
    of_name[args.what](args)


if __name__ == "__main__":
    main()
