"""The score of families beside BDeu on real tables.

    python benchmarks/families_tables.py tables [--repeats 4]
    python benchmarks/families_tables.py cases [--repeats 40]

The packages lifelines and causaldata must be installed; numbers are cut in three. `tables`:
held-out log likelihood per row, two thirds to learn from, one to test on, and by which part
families with several parents are carried. `cases`: what an edge gains in two medical tables, alone
and beside others, and with the exposure permuted (docs/families.md).
"""

import argparse
import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd

import pathprior as pp
from pathprior.data.door import read_dataset
from pathprior.errors import PathPriorWarning
from pathprior.score.named import make_score

SCORES = ("bdeu", "families")


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
            of_scores = []
            for score in SCORES:
                fit = pp.learn(data, score=score, constant_columns="keep")
                of_scores.append(fit.network().log_likelihood(fresh) / len(fresh))
            found.append(of_scores[1] - of_scores[0])
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
    parser.add_argument("what", choices=("tables", "cases"))
    parser.add_argument("--repeats", type=int, default=4)
    args = parser.parse_args()
    {"tables": tables, "cases": cases}[args.what](args)


if __name__ == "__main__":
    main()
