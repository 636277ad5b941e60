"""Would it pay to learn how many pairs are associated, beside how reliable a source is?

    python benchmarks/sources_share.py --repeats 24 --file sources_share.jsonl

What is told is that of ``sources_posterior.py``, about networks that have more, or fewer,
associated pairs than the base expects. Here the base is tilted by e^(θ · associated pairs among
those spoken of), θ ~ N(0, s²), so that what is said and what the data show move their share. Draws
of the posterior without the tilt are weighed anew; the constant of each θ is an average over graphs
drawn from the base. What the file has is not run again.
"""

import argparse
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import logsumexp
from search import load
from sources import NETWORKS, SIZES, interval, paired
from sources_posterior import run_all, sample
from sources_reports import give

import pathprior as pp
from pathprior.counting.expected_parents import AUTO, make_base
from pathprior.experiments.trial import Trial, first_rows
from pathprior.graph.relation import Relation
from pathprior.kernels.graph.relations import fill_ties
from pathprior.kernels.prior.ties import RELATION

TOLD = (("none", "none"), ("wrong", "sources"), ("wrong", "joint"), ("says", "says"))
SPREADS = (0.25, 0.5, 1.0)
"""Standard deviations s of θ."""
TILTS = np.linspace(-3, 3, 61)
NUM_GRAPHS = 20_000


def relations(parents: NDArray[np.uint64], pairs: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Relations by graph and pair."""
    codes = np.empty((len(parents), len(pairs)), np.uint8)
    fill_ties(parents, pairs, codes)
    return RELATION.astype(np.uint8)[codes]


def base_graphs(num_nodes: int) -> NDArray[np.uint64]:
    """Parent sets, as bits, of graphs drawn from the base."""
    odds = make_base(AUTO, num_nodes).edge_odds
    children = pp.sample_dags(num_nodes, NUM_GRAPHS, edge_odds=odds).swapaxes(1, 2)
    padded = np.zeros((NUM_GRAPHS, num_nodes, -(-num_nodes // 64) * 64), dtype=bool)
    padded[:, :, :num_nodes] = children
    return np.packbits(padded, axis=2, bitorder="little").view(np.uint64)


def runs(network: str, seed: int, base: NDArray[np.uint64]) -> Iterator[dict[str, Any]]:
    trial = Trial.draw(load(network), max(SIZES), seed=seed)
    given, _ = give(trial.truth, NETWORKS[network], seed, AUTO)
    spoken_of = [(statement.x, statement.y) for statement in given["says", "says"]]
    is_true = np.array([int(trial.truth.relation(x, y)) for x, y in spoken_of])
    for num_rows in SIZES:
        table = first_rows(trial.table, num_rows)
        for report, pool in TOLD:
            draws = sample(table, given[report, pool]).draws
            place = {name: i for i, name in enumerate(draws.variables)}
            pairs = np.array([[place[x], place[y]] for x, y in spoken_of])
            codes, weights = relations(draws.graphs, pairs), {pool: draws.weights}
            if report == "says":
                associated = (codes != Relation.UNRELATED).sum(axis=1)
                before = (relations(base, pairs) != Relation.UNRELATED).sum(axis=1)
                constants = [logsumexp(tilt * before) - np.log(NUM_GRAPHS) for tilt in TILTS]
                for spread in SPREADS:
                    among = -0.5 * (TILTS / spread) ** 2
                    factors = logsumexp(
                        among - logsumexp(among) + np.outer(associated, TILTS) - constants, axis=1
                    )
                    tilted = draws.weights * np.exp(factors - factors.max())
                    weights[f"s = {spread:g}"] = tilted / tilted.sum()
            number = draws.scores.size
            for name, shares in weights.items():
                probabilities = shares @ (codes == is_true)
                found = np.log((probabilities * number + 1) / (number + len(Relation)))
                yield {
                    "network": network,
                    "seed": seed,
                    "num_rows": num_rows,
                    "report": report,
                    "pool": name,
                    "log_after": float(found.sum()),
                    "effective": float(1 / (shares**2).sum()),
                }


def print_table(done: pd.DataFrame) -> None:
    chosen = done.set_index(["report", "pool"]).sort_index()
    ways = [*TOLD[1:], *(("says", f"s = {spread:g}") for spread in SPREADS)]
    heads = ["wrong, sources", "wrong, joint", "says", *(way for _, way in ways[3:])]
    print(f"| data | rows | {' | '.join(heads)} | effective draws |")
    print("|" + " --- |" * (3 + len(heads)))
    for name in NETWORKS:
        for size in SIZES if name in set(done["network"]) else ():
            cells = [interval(paired(chosen, way, name, size, "log_after")) for way in ways]
            there = chosen[(chosen["network"] == name) & (chosen["num_rows"] == size)]
            left = there[there.index.isin(ways[-1:])]["effective"].median()
            print(f"| {name.upper()} | {size} | {' | '.join(cells)} | {left:.0f} |")
    print(f"\nRepeats: {done.groupby('network')['seed'].nunique().to_dict()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="+", choices=NETWORKS, default=list(NETWORKS))
    parser.add_argument("--repeats", type=int, default=24)
    parser.add_argument("--file", type=Path, required=True)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of chains that have not settled; there are many repeats
    bases = {name: base_graphs(load(name).dag.num_nodes) for name in options.networks}
    done = run_all(
        options.file,
        options.repeats,
        options.networks,
        lambda name, seed: runs(name, seed, bases[name]),
    )
    print_table(done)


if __name__ == "__main__":
    main()
