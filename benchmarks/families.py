"""The score of families beside BDeu: distance from the truth, what fresh rows say, and time.

    python benchmarks/families.py networks [--networks …] [--num-rows 300 1000 3000] [--repeats 20]
    python benchmarks/families.py tables [--repeats 4]
    python benchmarks/families.py independent [--repeats 20]
    python benchmarks/families.py cases [--repeats 40]

`networks`: SHD of classes, edges that DAGs do not share ("directed"), the gain in log likelihood
per row on 1000 fresh rows, and processor time, on the bundled networks, four of pgmpy's, and random
ones of 20 nodes and 40 edges whose tables are rows from Dir(½), logits, and noisy ORs. Columns are
shuffled. Differences are paired, in brackets their standard errors; the last lines are geometric
means of ratios of SHD + 1. `tables`: held-out log likelihood per row on real tables of the packages
lifelines and causaldata, whose numbers are cut in three (two thirds to learn from, one to test on).
`independent`: sets of 20 columns without an edge in which one is found. `cases`: what an edge gains
in two medical tables, alone and beside others, and with the exposure permuted (docs/families.md).
"""

import argparse
import warnings
from collections.abc import Iterator
from time import process_time

import numpy as np
import pandas as pd
from base import HELD_OUT, load

import pathprior as pp
from pathprior.data.door import read_dataset
from pathprior.errors import PathPriorWarning
from pathprior.score.named import make_score

BUNDLED = ("asia", "child", "insurance", "alarm", "hepar2", "win95pts")
RANDOM = ("rows", "logit", "noisy-or")
NUM_NODES, NUM_EDGES = 20, 40
FRESH = 1000
SCORES = ("bdeu", "families")
Row = dict[str, object]


def random_dag(rng: np.random.Generator) -> pp.Dag:
    """A DAG of `NUM_EDGES` edges, every set of pairs alike, with at most 5 parents."""
    order = rng.permutation(NUM_NODES)
    names = [f"v{k:02}" for k in range(NUM_NODES)]
    edges: list[tuple[str, str]] = []
    num_parents = dict.fromkeys(names, 0)
    pairs = [(i, j) for i in range(NUM_NODES) for j in range(i + 1, NUM_NODES)]
    for k in rng.permutation(len(pairs)):
        u, v = (names[order[end]] for end in pairs[k])
        if len(edges) < NUM_EDGES and num_parents[v] < 5:
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


def random_network(kind: str, seed: int) -> pp.BayesianNetwork:
    """Two to four states each; two for noisy ORs."""
    rng = np.random.default_rng((seed, len(kind)))
    dag = random_dag(rng)
    states = {name: 2 if kind == "noisy-or" else int(rng.integers(2, 5)) for name in dag.nodes}
    tables = []
    for name in dag.nodes:
        shape = tuple(states[v] for v in (*dag.parents(name), name))
        tables.append(random_table(kind, shape, rng))
    labels = tuple(tuple(map(str, range(states[name]))) for name in dag.nodes)
    return pp.BayesianNetwork(dag, labels, tuple(tables))


def study(name: str, num_rows: int, repeat: int) -> Iterator[Row]:
    """One data set, learned with each score."""
    seed = 70_000 + repeat
    truth = random_network(name, seed) if name in RANDOM else load(name, repeat)
    drawn = truth.sample(num_rows + FRESH, seed=seed)
    columns = list(np.random.default_rng(seed).permutation(drawn.columns))
    data, fresh = drawn[columns][:num_rows], drawn[columns][num_rows:]
    states = {node: list(truth.states[node]) for node in truth.dag.nodes}
    data, fresh = (
        frame.astype({c: pd.CategoricalDtype(states[c]) for c in columns})
        for frame in (data, fresh)
    )
    for score in SCORES:
        begin = process_time()
        fit = pp.learn(data, score=score, constant_columns="keep")
        seconds = process_time() - begin
        own, true = ({frozenset(e): e for e in dag.edges} for dag in (fit.dag, truth.dag))
        directed = len(own.keys() ^ true.keys()) + sum(
            own[pair] != true[pair] for pair in own.keys() & true.keys()
        )
        yield {
            "network": name,
            "rows": num_rows,
            "repeat": repeat,
            "score": score,
            "shd": pp.shd(fit.dag, truth.dag),
            "directed": directed,
            "fresh": fit.network().log_likelihood(fresh) / FRESH,
            "seconds": seconds,
        }


def show(frame: pd.DataFrame) -> None:
    """A line for each setting, and geometric means."""
    wide = frame.pivot_table(index=["network", "rows", "repeat"], columns="score")
    for (name, rows), of in wide.groupby(level=[0, 1], sort=False):
        line = f"{name:10} {rows:5}"
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
    for kind, names in (("bundled", BUNDLED), ("pgmpy's", HELD_OUT), ("random", RANDOM)):
        own = ratio[ratio.index.get_level_values(0).isin(names)]
        for rows, of in own.groupby(level=1):
            print(f"{kind} {rows}: SHD + 1, geometric mean of ratios {np.exp(of.mean()):.3f}")


def networks(args: argparse.Namespace) -> None:
    """All settings."""
    rows: list[Row] = []
    for name in args.networks:
        for num_rows in args.num_rows:
            for repeat in range(args.repeats):
                rows += study(name, num_rows, repeat)
            frame = pd.DataFrame(rows)
            show(frame[(frame["network"] == name) & (frame["rows"] == num_rows)])
    print()
    show(pd.DataFrame(rows))


def real_tables() -> Iterator[tuple[str, pd.DataFrame]]:
    """Tables of lifelines and causaldata, as states; three columns and 150 rows or more."""
    import causaldata
    from lifelines import datasets

    for name in sorted(dir(datasets)):
        if name.startswith("load_"):
            try:
                yield name.removeprefix("load_"), as_states(getattr(datasets, name)())
            except (TypeError, ValueError, FileNotFoundError):
                continue
    for name in sorted(dir(causaldata)):
        module = getattr(causaldata, name)
        if hasattr(module, "load_pandas"):
            yield name, as_states(module.load_pandas().data)


def as_states(table: pd.DataFrame) -> pd.DataFrame:
    """Complete rows; numbers of more than six values cut in three; no names and no dates."""
    table = table.dropna()
    kept = {}
    for name in table.columns:
        column = table[name]
        if column.nunique() > 6:
            if not pd.api.types.is_numeric_dtype(column):
                continue
            column = pd.qcut(column, 3, duplicates="drop")
        if 1 < column.nunique() <= 6:
            kept[str(name)] = column.astype(str)
    return pd.DataFrame(kept).iloc[:, :25]


def tables(args: argparse.Namespace) -> None:
    """Held-out log likelihood per row, and by which part families are carried."""
    gains = []
    for name, table in real_tables():
        if len(table) < 150 or table.shape[1] < 3:
            continue
        table = table.sample(min(len(table), 5000), random_state=0)
        found, shares = [], np.zeros(3)
        for repeat in range(args.repeats):
            shuffled = table.sample(frac=1, random_state=repeat)
            dtypes = {c: pd.CategoricalDtype(sorted(table[c].unique())) for c in table.columns}
            shuffled = shuffled.astype(dtypes)
            cut = 2 * len(table) // 3
            data, fresh = shuffled[:cut], shuffled[cut:]
            told = []
            for score in SCORES:
                fit = pp.learn(data, score=score, constant_columns="keep")
                told.append(fit.network().log_likelihood(fresh) / len(fresh))
            found.append(told[1] - told[0])
            scorer, place = fit.problem.scorer, fit.problem.rules.variables.index
            for node in fit.dag.nodes:
                parents = [place(v) for v in fit.dag.parents(node)]
                if len(parents) > 1:
                    of_parts = scorer.parts(place(node), parents).shares.values()
                    shares[np.argmax(list(of_parts))] += 1
        error = np.std(found, ddof=1) / np.sqrt(len(found))
        gains.append(np.mean(found))
        print(
            f"{name:25} {len(table):5} × {table.shape[1]:2}  gain {np.mean(found):+.4f} "
            f"({error:.4f})  table {shares[0]:.0f}, rows {shares[1]:.0f}, "
            f"additive {shares[2]:.0f}",
            flush=True,
        )
    print(f"{len(gains)} tables, mean gain {np.mean(gains):+.4f}")


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


def gain(table: pd.DataFrame, score: str, edge: tuple[str, str], others: list[str]) -> float:
    """Local score of the child with the others and the parent, less that with the others."""
    scorer = make_score(score).bind(read_dataset(table))
    (parent, child), place = edge, list(table.columns).index
    rest = [place(name) for name in others]
    return scorer.local(place(child), [place(parent), *rest]) - scorer.local(place(child), rest)


def cases(args: argparse.Namespace) -> None:
    """Aid and arrest (rossi), quitting smoking and weight (nhefs): numbers are cut in three."""
    import causaldata
    from lifelines import datasets

    weight = causaldata.nhefs.load_pandas().data.dropna(subset=["wt82_71"])
    for table, edge, others in (
        (datasets.load_rossi(), ("fin", "arrest"), ["age", "wexp", "mar"]),
        (weight, ("qsmk", "wt82_71"), ["age", "sex", "exercise", "active"]),
    ):
        states = as_states(table[[*edge, *others]])
        for k in range(len(others) + 1):
            found = [f"{score} {gain(states, score, edge, others[:k]):.1f}" for score in SCORES]
            print(f"{' → '.join(edge)} beside {others[:k]}: {', '.join(found)}")
        for score in SCORES:
            permuted = []
            for seed in range(args.repeats):
                rng = np.random.default_rng(seed)
                mixed = states.assign(**{edge[0]: rng.permutation(states[edge[0]].to_numpy())})
                permuted.append(gain(mixed, score, edge, others))
            print(f"  permuted, {score}: mean {np.mean(permuted):.1f}, highest {max(permuted):.1f}")


def main() -> None:
    warnings.simplefilter("ignore", PathPriorWarning)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("networks", "tables", "independent", "cases"))
    parser.add_argument("--networks", nargs="+", default=[*BUNDLED, *HELD_OUT, *RANDOM])
    parser.add_argument("--num-rows", nargs="+", type=int, default=[300, 1000, 3000])
    parser.add_argument("--repeats", type=int, default=20)
    args = parser.parse_args()
    of_name = {
        "networks": networks,
        "tables": tables,
        "independent": independent,
        "cases": cases,
    }
    of_name[args.what](args)


if __name__ == "__main__":
    main()
