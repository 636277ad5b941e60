"""Statements of unknown reliability: whether they ever hurt, and whether reliability is recovered.

    python benchmarks/statements.py pairs       # sources asked about random pairs
    python benchmarks/statements.py many        # the same about three quarters of all pairs
    python benchmarks/statements.py asking      # sources asked about what a fit proposes
    python benchmarks/statements.py doubting    # sources asked about what a posterior doubts
    python benchmarks/statements.py recovered   # intervals of the reliability

Data sets are sampled from the networks; a source names the true relation of a pair with a known
probability, otherwise another one, drawn from the baseline or mostly a path ("causal"), as those
are wont who see causes everywhere. Runs are kept in a file as they finish, and those that are in
it are not made again.
"""

import argparse
import json
import warnings
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from base import load

import pathprior as pp
from pathprior.experiments.interval import mean_interval

WORDS = ("causes", "caused-by", "confounded", "not-associated")
NETWORKS = ("asia", "child", "insurance", "alarm", "win95pts")
ROWS = (250, 1000, 4000)
RELIABILITIES = (0.5, 0.7, 0.85, 0.95)
ERRORS = ("baseline", "causal")
CAUSAL = np.array([0.45, 0.35, 0.1, 0.1])
NUM_PAIRS = 40
MAX_ROUNDS = 8
PRECISION, TIME_LIMIT, MAX_SAMPLED = 0.05, 12.0, 3
"""Of each posterior that is asked what it doubts, and how often it is."""
NUM_SOURCES = 200
MEASURES = {"shd": 2, "dag shd": 2, "paths": 3}
"""What graphs are measured by, with the digits that are printed."""


class Source:
    """Someone who is right with a known probability; asked again, the answer is the same."""

    def __init__(self, truth: pp.Dag, reliability: float, errors: str, seed: int) -> None:
        usual = pp.baseline(truth.num_nodes)
        self.truth, self.reliability = truth, reliability
        self.wrong = CAUSAL
        if errors == "baseline":
            self.wrong = np.array(
                [usual.causes, usual.caused_by, usual.confounded, usual.unrelated]
            )
        self.rng = np.random.default_rng(seed)

    def says(self, x: str, y: str) -> pp.Statement:
        said = int(self.truth.relation(x, y))
        if self.rng.random() >= self.reliability:
            chances = np.delete(self.wrong, said)
            others = np.delete(np.arange(4), said)
            said = int(self.rng.choice(others, p=chances / chances.sum()))
        return pp.says("source", x, WORDS[said], y)


def all_pairs(truth: pp.Dag) -> list[tuple[str, str]]:
    return [(x, y) for k, x in enumerate(truth.nodes) for y in truth.nodes[k + 1 :]]


def path_accuracy(found: pp.Dag, truth: pp.Dag) -> float:
    pairs = all_pairs(truth)
    return sum(found.relation(x, y) is truth.relation(x, y) for x, y in pairs) / len(pairs)


def measures(found: pp.Dag, truth: pp.Dag) -> dict[str, float]:
    return {
        "shd": pp.shd(found, truth),
        "dag shd": pp.compare(found, truth).dag_shd,
        "paths": path_accuracy(found, truth),
    }


def case(network: str, num_rows: int, seed: int) -> tuple[pd.DataFrame, pp.Dag]:
    """Rows in a random order of the columns."""
    model = load(network, 0)
    order = np.random.default_rng(seed).permutation(model.dag.nodes)
    return model.sample(num_rows, seed=seed)[order.tolist()], model.dag


def run_pairs(
    network: str,
    num_rows: int,
    seed: int,
    reliabilities: list[float],
    *,
    are_many: bool = False,
) -> Iterator[dict[str, object]]:
    data, truth = case(network, num_rows, seed)
    yield {"method": "without"} | measures(pp.learn(data).dag, truth)
    rng = np.random.default_rng(1000 + seed)
    every = all_pairs(truth)
    number = 3 * len(every) // 4 if are_many else min(NUM_PAIRS, len(every) // 2)
    pairs = [every[k] for k in rng.choice(len(every), number, replace=False)]
    for reliability, errors in product(reliabilities, ERRORS):
        source = Source(truth, reliability, errors, seed)
        fit = pp.learn(data, [source.says(x, y) for x, y in pairs])
        held = float(fit.sources()["reliability"][0])
        about = {"method": f"{reliability:g} {errors}", "reliability": held}
        yield about | measures(fit.dag, truth)


class Asked:
    """What one source said, round after round."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.said: dict[frozenset[str], pp.Statement] = {}

    def about(self, pairs: list[tuple[str, str]]) -> bool:
        """Ask about the pairs that are new; whether there are any."""
        new = [pair for pair in pairs if frozenset(pair) not in self.said]
        self.said |= {frozenset(pair): self.source.says(*pair) for pair in new}
        return bool(new)


def run_asking(
    network: str, num_rows: int, seed: int, reliabilities: list[float]
) -> Iterator[dict[str, object]]:
    """Fit, ask about what the fit proposes, fit again; a source that is always right is a bound."""
    data, truth = case(network, num_rows, seed)
    first = pp.learn(data)
    yield {"method": "without", "asked": 0} | measures(first.dag, truth)
    for reliability, edges_only in product([*reliabilities, 1.0], (True, False)):
        asked, fit = Asked(Source(truth, reliability, "baseline", seed)), first
        for _ in range(MAX_ROUNDS):
            if not asked.about(fit.proposed_pairs(edges_only=edges_only)):
                break
            fit = pp.learn(data, asked.said.values())
        kind = "edges" if edges_only else "edges and paths"
        about = {"method": f"{reliability:g}, {kind}", "asked": len(asked.said)}
        yield about | measures(fit.dag, truth)


def run_doubting(
    network: str, num_rows: int, seed: int, reliabilities: list[float]
) -> Iterator[dict[str, object]]:
    """Sample, ask about what is in doubt, sample again; the graph is the median graph."""

    def sample(said: Iterable[pp.Statement] = ()) -> pp.Posterior:
        return pp.sample_posterior(data, said, precision=PRECISION, time_limit=TIME_LIMIT)

    data, truth = case(network, num_rows, seed)
    yield {"method": "without", "asked": 0} | measures(pp.learn(data).dag, truth)
    first = sample()
    yield {"method": "posterior, nothing", "asked": 0} | measures(first.median_graph(), truth)
    for reliability in reliabilities:
        asked, posterior = Asked(Source(truth, reliability, "baseline", seed)), first
        for _ in range(MAX_SAMPLED):
            if not asked.about(posterior.proposed_pairs()):
                break
            posterior = sample(asked.said.values())
        about = {"method": f"{reliability:g}, doubts", "asked": len(asked.said)}
        yield about | measures(posterior.median_graph(), truth)


RUNS = {
    "pairs": run_pairs,
    "many": partial(run_pairs, are_many=True),
    "asking": run_asking,
    "doubting": run_doubting,
}


def run_recovered(seed: int) -> dict[str, object]:
    """One source on one data set: whether its interval covers the truth."""
    rng = np.random.default_rng(seed)
    reliability = float(rng.uniform(0.3, 0.95))
    data, truth = case("asia", 1000, seed)
    source = Source(truth, reliability, "baseline", seed)
    posterior = pp.sample_posterior(
        data, [source.says(x, y) for x, y in all_pairs(truth)], precision=0.05, time_limit=3
    )
    (row,) = posterior.sources().to_dict("records")
    return {"true": reliability} | {name: row[name] for name in ("reliability", "low", "high")}


class Kept:
    """Rows of finished runs in a JSON Lines file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text("utf-8") if path.exists() else ""
        self.rows = [json.loads(line) for line in text.splitlines()]
        self.done = {tuple(row["key"]) for row in self.rows}

    def add(self, key: tuple[object, ...], rows: list[dict[str, object]]) -> None:
        made = [{"key": list(key), **row} for row in rows]
        with self.path.open("a", encoding="utf-8") as file:
            file.write("".join(json.dumps(row) + "\n" for row in made))
        self.rows += made


def run_all(kept: Kept, options: argparse.Namespace) -> None:
    run = RUNS[options.part]
    for seed, network, num_rows in product(range(options.repeats), options.networks, options.rows):
        key = (network, num_rows, seed)
        if key not in kept.done:
            kept.add(key, list(run(network, num_rows, seed, options.reliabilities)))


def differences(kept: Kept) -> pd.DataFrame:
    """Measures of each run less those of the fit without statements on the same data."""
    frame = pd.DataFrame(kept.rows)
    frame[["network", "rows", "seed"]] = frame["key"].tolist()
    where = ["network", "rows", "seed"]
    without = frame[frame["method"] == "without"].set_index(where)[list(MEASURES)]
    told = frame[frame["method"] != "without"].join(without.add_suffix(" without"), on=where)
    for name in MEASURES:
        told[f"{name} change"] = told[name] - told[f"{name} without"]
    return told


def table(kept: Kept, by: list[str]) -> pd.DataFrame:
    """Mean measures with and without statements, and 95 % intervals of the paired changes.

    Runs of one seed share their source, so that each seed counts as one.
    """
    rows = []
    for key, group in differences(kept).groupby(by, sort=False):
        row = dict(zip(by, key, strict=True)) | {"runs": len(group)}
        if "asked" in group:
            row["asked"] = round(group["asked"].mean())
        for name, digits in MEASURES.items():
            before, after = (group[f"{name}{end}"].mean() for end in (" without", ""))
            change = mean_interval(group.groupby("seed")[f"{name} change"].mean())
            row[name] = f"{before:.{digits}f} → {after:.{digits}f}"
            row[f"{name} change"] = f"{change.mean:+.{digits}f} ± {change.half_width:.{digits}f}"
        rows.append(row)
    return pd.DataFrame(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=[*RUNS, "recovered"])
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS))
    parser.add_argument("--rows", nargs="+", type=int, default=list(ROWS))
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--reliabilities", nargs="+", type=float, default=list(RELIABILITIES))
    parser.add_argument("--by", nargs="+", default=["network", "rows", "method"])
    parser.add_argument("--out", type=Path, default=Path("results"))
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of chains that have not settled
    kept = Kept(options.out / f"statements-{options.part}.jsonl")
    if options.part == "recovered":
        for seed in range(NUM_SOURCES):
            if (seed,) not in kept.done:
                kept.add((seed,), [run_recovered(seed)])
        frame = pd.DataFrame(kept.rows)
        covers = (frame["low"] <= frame["true"]) & (frame["true"] <= frame["high"])
        print(f"{covers.mean():.3f} of {len(frame)} intervals cover")
        thirds = pd.cut(frame["true"], [0.3, 0.5, 0.7, 0.95])
        print(covers.groupby(thirds, observed=True).agg(["mean", "size"]).to_string())
        return
    run_all(kept, options)
    print(table(kept, options.by).to_string(index=False))


if __name__ == "__main__":
    main()
