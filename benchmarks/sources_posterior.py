"""One mind or many, after the data: log posterior probabilities of the true relations.

    python benchmarks/sources_posterior.py --repeats 40 --file sources_posterior.jsonl

The reports are those of ``sources.py``. Of each pair that is spoken of the posterior has a
probability of its true relation; their logs are summed. Chains run for a second at most, and a
relation that no graph of theirs has counts as seen once. What the file has is not run again; with
``--leave-out expert`` some reports are not run at all. With ``--own-base`` everybody, the simulated
sources too, expects as many parents as the network has. *known* is *says* by a source whose
reliability is told too: what learning it can come to at the best.
"""

import argparse
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from search import load
from sources import COLUMNS as LEARNED
from sources import NETWORKS, SIZES, heads, interval, paired
from sources import PAIRINGS as LEARNED_PAIRINGS
from sources_reports import SAYER, WRONG, give

import pathprior as pp
from pathprior.beliefs.event import RELATION_EVENTS
from pathprior.counting.expected_parents import AUTO, ExpectedParents
from pathprior.data.table import DataTable
from pathprior.experiments.trial import Trial, first_rows

NUM_CHAINS, PRECISION, TIME_LIMIT = 2, 0.07, 1.0
KNOWN = ("known", "known")
SURE = 10_000
"""Of so many statements it is known how many were right, where reliability is known."""
COLUMNS = (*LEARNED, KNOWN)
PAIRINGS = (
    *LEARNED_PAIRINGS,
    ("known against wrong, sources", KNOWN, ("wrong", "sources")),
    ("known against wrong, joint", KNOWN, ("wrong", "joint")),
)


def sample(table: DataTable, told: Any, **options: Any) -> pp.Posterior:
    """The posterior by short chains."""
    return pp.sample_posterior(
        table,
        told,
        constant_columns="keep",
        num_chains=NUM_CHAINS,
        precision=PRECISION,
        time_limit=TIME_LIMIT,
        **options,
    )


def log_after(posterior: pp.Posterior, truth: pp.Dag, pairs: list[tuple[str, str]]) -> float:
    """Sum of log P(true relation of a pair | data, what was told)."""
    table = posterior.paths.set_index(["x", "y"])[[event.value for event in RELATION_EVENTS]]
    number = posterior.draws.scores.size
    found = 0.0
    for x, y in pairs:
        one, two = (x, y) if (x, y) in table.index else (y, x)
        probability = float(table.loc[(one, two)].iloc[int(truth.relation(one, two))])
        found += float(np.log((probability * number + 1) / (number + len(RELATION_EVENTS))))
    return found


def runs(network: str, seed: int, reports: set[str], is_own_base: bool) -> Iterator[dict[str, Any]]:
    trial = Trial.draw(load(network), max(SIZES), seed=seed)
    truth = trial.truth
    expected: ExpectedParents = truth.num_edges / truth.num_nodes if is_own_base else AUTO
    given, _ = give(truth, NETWORKS[network], seed, expected)
    pairs = [(statement.x, statement.y) for statement in given["says", "says"]]
    for num_rows in SIZES:
        table = first_rows(trial.table, num_rows)
        for report, pool in COLUMNS:
            if report not in reports:
                continue
            is_known = (report, pool) == KNOWN
            told = given["says", "says"] if is_known else given[report, pool]
            posterior = sample(
                table,
                told,
                # a prior brings its base
                expected_parents=AUTO if isinstance(told, pp.PathPrior) else expected,
                reliability={SAYER: (SURE * (1 - WRONG), SURE * WRONG)} if is_known else None,
            )
            yield {
                "network": network,
                "seed": seed,
                "num_rows": num_rows,
                "report": report,
                "pool": pool,
                "log_after": log_after(posterior, truth, pairs),
            }


def run_all(
    file: Path, repeats: int, networks: list[str], run: Callable[[str, int], Iterator[Any]]
) -> pd.DataFrame:
    """What the file has, and what it had not, which is run and kept in it."""
    done = pd.read_json(file, lines=True) if file.exists() else pd.DataFrame()
    known = set(zip(done["network"], done["seed"], strict=True)) if len(done) else set()
    for seed in range(repeats):
        for name in networks:
            if (name, seed) not in known:
                new = pd.DataFrame(run(name, seed))
                done = pd.concat([done, new])
                new.to_json(file, orient="records", lines=True, mode="a")
    return done


def print_tables(done: pd.DataFrame) -> None:
    chosen = done.set_index(["report", "pool"]).sort_index()
    cases = [(name, size) for name in NETWORKS for size in SIZES if name in set(done["network"])]
    columns = heads(COLUMNS)
    print(f"| data | rows | {' | '.join(columns)} |\n|" + " --- |" * (2 + len(columns)))
    for name, size in cases:
        alone = chosen[chosen.index.isin(COLUMNS[:1])]
        alone = alone[(alone["network"] == name) & (alone["num_rows"] == size)]["log_after"]
        cells = [interval(paired(chosen, key, name, size, "log_after")) for key in COLUMNS[1:]]
        first = f"{alone.mean():.1f}" if len(alone) else "–"
        print(f"| {name.upper()} | {size} | {first} | {' | '.join(cells)} |")
    print(f"\n| data | rows | {' | '.join(what for what, _, _ in PAIRINGS)} |")
    print("|" + " --- |" * (2 + len(PAIRINGS)))
    for name, size in cases:
        cells = [
            interval(paired(chosen, one, name, size, "log_after", other))
            for _, one, other in PAIRINGS
        ]
        print(f"| {name.upper()} | {size} | {' | '.join(cells)} |")
    print(f"\nRepeats: {done.groupby('network')['seed'].nunique().to_dict()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reports = dict.fromkeys(report for report, _ in COLUMNS)
    parser.add_argument("--networks", nargs="+", choices=NETWORKS, default=list(NETWORKS))
    parser.add_argument("--leave-out", nargs="+", choices=reports, default=[])
    parser.add_argument("--own-base", action="store_true", help="as many parents as there are")
    parser.add_argument("--repeats", type=int, default=40)
    parser.add_argument("--file", type=Path, required=True)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of chains that have not settled; there are many repeats
    chosen = set(reports) - set(options.leave_out)
    done = run_all(
        options.file,
        options.repeats,
        options.networks,
        lambda name, seed: runs(name, seed, chosen, options.own_base),
    )
    print_tables(done)


if __name__ == "__main__":
    main()
