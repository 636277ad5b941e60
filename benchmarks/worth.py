"""What a probability is worth: Brier score, log loss and sure claims that are wrong, by score.

    python benchmarks/worth.py run --rows FILE [--settings …] [--repeats 20] [--minutes 25]
    python benchmarks/worth.py show --rows FILE [--plot docs/worth.png]

Settings without beliefs (rows): bundled networks, four of pgmpy's, and `dir1`, `dir0.3`: random
DAGs of 20 nodes and 30 edges, two to four states, the rows of whose tables are drawn from Dir(1)
and Dir(0.3). `… calibrated` and `… misled`: 18 beliefs, all pairs of six sets of three variables, p
~ U[0.5, 0.99], true with chance p, or wrong in three of ten. Columns are renamed and shuffled.

Methods: `today` BDeu; `averaged` BDeu averaged over sample sizes; `families`; `mean` of these two;
`…, unseen` the same with `unseen=0.1`; `bootstrap` graphs that `learn` finds in resampled rows. Log
loss clips at 0.002. Settings take turns, so that what is there after a while is a fair part of the
whole; every data set is kept in FILE, one line a method, and not repeated. Limits of time are of
the processor's.
"""

import argparse
import json
import warnings
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
from base import HELD_OUT, read_peers_network
from numpy.typing import NDArray
from reliability import Answer, PosteriorAnswer, timed_by_the_processor
from search import Sample, draw

import pathprior as pp
from pathprior.counting.expected_parents import AUTO, make_base
from pathprior.errors import PathPriorWarning
from pathprior.experiments.experts import Coherence, Experts, draw_beliefs

SETTINGS = (
    "dir1 1000", "child 1000", "insurance 1000", "child 200", "hepar2 1000", "child 500 calibrated",
    "insurance 500 calibrated", "asia 1000", "alarm 500 calibrated", "child 500 misled",
    "insurance 500 misled", "dir0.3 1000", "alarm 1000", "win95pts 1000", "alarm 500 misled",
    "water 1000", "hailfinder 1000", "barley 1000", "mildew 1000",
)  # fmt: skip
"""Those first in which the largest faults were known."""
NUM_NODES, NUM_EDGES = 20, 30
NUM_SETS, SET_SIZE = 6, 3
SHARE = 0.1
CLIP = 0.002
SURE, UNLIKELY = 0.95, 0.05
BOUNDS = np.array([0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99])
NUM_RESAMPLES = 40
SECONDS = 8.0
"""Most processor time of one posterior."""
TARGETS = ("edges", "neighbours", "paths")
SCORES = {"today": "bdeu", "averaged": "averaged-bdeu", "families": "families"}
WITHOUT = ("today", "averaged", "families", "mean")
WITH = (*WITHOUT, "averaged, unseen", "families, unseen", "mean, unseen")

Row = dict[str, Any]


# -- settings --------------------------------------------------------------------------------------


def random_network(concentration: float, repeat: int) -> pp.BayesianNetwork:
    rng = np.random.default_rng([repeat, round(10 * concentration), 41])
    names = [f"v{k:02}" for k in range(NUM_NODES)]
    order = rng.permutation(NUM_NODES)
    pairs = [(i, j) for i in range(NUM_NODES) for j in range(i + 1, NUM_NODES)]
    chosen = [pairs[k] for k in rng.permutation(len(pairs))[:NUM_EDGES]]
    dag = pp.Dag.from_edges(names, [(names[order[i]], names[order[j]]) for i, j in chosen])
    states = {name: int(rng.integers(2, 5)) for name in names}
    tables = [
        rng.dirichlet(np.full(states[name], concentration), [states[u] for u in dag.parents(name)])
        for name in dag.nodes
    ]
    labels = tuple(tuple(f"s{k}" for k in range(states[name])) for name in dag.nodes)
    return pp.BayesianNetwork(dag, labels, tables)


def load(name: str, repeat: int) -> pp.BayesianNetwork:
    if name.startswith("dir"):
        return random_network(float(name.removeprefix("dir")), repeat)
    return read_peers_network(name) if name in HELD_OUT else pp.load_network(name)


def prepare(setting: str, repeat: int) -> tuple[Sample, "pp.PathPrior | None"]:
    name, num_rows, *experts = setting.split()
    # seeds that no earlier study of the scores had
    sample = draw(load(name, repeat), int(num_rows), 4100 + repeat)
    if not experts:
        return sample, None
    beliefs = draw_beliefs(
        sample.truth,
        num_components=NUM_SETS,
        component_size=SET_SIZE,
        coherence=Coherence.ANY,
        experts=Experts(experts[0]),
        rng=np.random.default_rng([repeat, 41, len(name)]),
        edge_odds=make_base(AUTO, sample.truth.num_nodes).edge_odds,
    )
    return sample, pp.fit_prior(beliefs, sample.frame.columns)


# -- runs ------------------------------------------------------------------------------------------


class MeanAnswer(Answer):
    """The mean of two."""

    def __init__(self, first: Answer, second: Answer) -> None:
        self.edges = (first.edges + second.edges) / 2
        self.paths = (first.paths + second.paths) / 2


def weigh(fit: pp.Fit, unseen: float) -> pp.Posterior:
    with timed_by_the_processor():
        return fit.posterior(unseen=unseen, time_limit=SECONDS)


def run(setting: str, repeat: int, methods: tuple[str, ...]) -> Iterator[Row]:
    sample, prior = prepare(setting, repeat)
    asked = methods or (WITHOUT if prior is None else WITH)
    known: dict[tuple[str, float], tuple[Answer, pp.Posterior, float]] = {}

    def answer(name: str, unseen: float) -> tuple[Answer, pp.Posterior, float]:
        if (name, unseen) not in known:
            begin = process_time()
            fit = pp.learn(sample.table, prior, score=SCORES[name], effort="quick")
            posterior = weigh(fit, unseen)
            taken = process_time() - begin
            known[name, unseen] = PosteriorAnswer(posterior), posterior, taken
        return known[name, unseen]

    for method in asked:
        name, _, ending = method.partition(", ")
        unseen = SHARE if ending else 0.0
        if name == "bootstrap":
            begin = process_time()
            found: Answer = Answer(resampled(sample, repeat))
            stopped, taken = "", process_time() - begin
        elif name == "mean":
            (one, first, took), (two, second, more) = (
                answer(score, unseen) for score in ("averaged", "families")
            )
            found, taken = MeanAnswer(one, two), took + more
            stopped = f"{first.stopped_because.name} {second.stopped_because.name}"
        else:
            found, posterior, taken = answer(name, unseen)
            stopped = posterior.stopped_because.name
        yield {
            "method": method,
            "seconds": round(taken, 3),
            "stopped": stopped,
            **judge(found, sample.truth),
            **judge_beliefs(found, sample, prior),
        }


def resampled(sample: Sample, repeat: int) -> Iterator[NDArray[np.bool_]]:
    rng = np.random.default_rng([repeat, 2])
    size = len(sample.frame)
    for _ in range(NUM_RESAMPLES):
        rows = sample.frame.iloc[rng.integers(size, size=size)]
        yield pp.learn(rows, effort="quick").dag.adjacency


# -- judging ---------------------------------------------------------------------------------------


def of(answer: Answer, target: str) -> NDArray[np.float64]:
    ordered = ~np.eye(len(answer.edges), dtype=bool)
    if target == "neighbours":
        return (answer.edges + answer.edges.T)[np.triu(ordered)]
    return np.asarray(getattr(answer, target)[ordered])


def judge(answer: Answer, truth: pp.Dag) -> Row:
    right, found = Answer([truth.adjacency]), {}
    for target in TARGETS:
        predicted, true = np.clip(of(answer, target), 0, 1), of(right, target)
        bins = np.searchsorted(BOUNDS, predicted, side="right")
        sums = [
            np.bincount(bins, values, len(BOUNDS) + 1)
            for values in (np.ones_like(predicted), predicted, true)
        ]
        found[target] = {
            "brier": float(((predicted - true) ** 2).mean()),
            "log": log_loss(predicted, true),
            "bins": np.round(sums, 6).T.tolist(),
        }
    return found


def log_loss(predicted: NDArray[np.float64], true: NDArray[np.float64]) -> float:
    inside = np.clip(predicted, CLIP, 1 - CLIP)
    return float(-(np.log(inside) * true + np.log1p(-inside) * (1 - true)).mean())


def judge_beliefs(answer: Answer, sample: Sample, prior: "pp.PathPrior | None") -> Row:
    """Of the believed pairs: log loss of the relation, and what is sure of the favoured one.

    An answer has the probabilities of x ⇒ y and x ⇐ y; what is left of one is shared by the other
    two relations as the prior shares it.
    """
    if prior is None:
        return {}
    names = list(sample.frame.columns)
    losses, after, true = [], [], []
    for belief in prior.beliefs:
        x, y = names.index(belief.x), names.index(belief.y)
        vector = np.array(belief.stated)
        there, back = answer.paths[x, y], answer.paths[y, x]
        rest = max(1 - there - back, 0.0)
        shares = vector[2:] / vector[2:].sum()
        relations = np.array([there, back, *(rest * shares)])
        real = int(sample.truth.relation(belief.x, belief.y))
        losses.append(-np.log(max(relations[real], CLIP)))
        if (favoured := int(vector.argmax())) < 2:
            after.append(relations[favoured])
            true.append(float(favoured == real))
    sums = [
        [number, float(held)]
        for chosen in (np.array(after) < UNLIKELY, np.array(after) > SURE)
        for number, held in [(int(chosen.sum()), np.array(true)[chosen].sum())]
    ]
    return {"relations": float(np.mean(losses)), "unlikely": sums[0], "sure": sums[1]}


# -- the file --------------------------------------------------------------------------------------


def read(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def run_all(options: argparse.Namespace) -> None:
    rows = read(options.rows)
    known = {(row["setting"], row["repeat"], row["method"]) for row in rows}
    methods, begin = tuple(options.methods), process_time()
    with options.rows.open("a") as stream:
        for repeat, setting in product(range(options.repeats), options.settings):
            wanted = methods or (WITHOUT if len(setting.split()) == 2 else WITH)
            if all((setting, repeat, method) in known for method in wanted):
                continue
            if process_time() - begin > 60 * options.minutes:
                print(f"stopped after {options.minutes:g} processor minutes; run it again to go on")
                return
            for found in run(setting, repeat, wanted):
                if (setting, repeat, found["method"]) not in known:
                    row = {"setting": setting, "repeat": repeat, **found}
                    stream.write(json.dumps(row) + "\n")
            stream.flush()


# -- tables and picture ----------------------------------------------------------------------------


def show(frame: pd.DataFrame) -> None:
    methods = list(dict.fromkeys(frame["method"]))
    for what, words in (("brier", "Brier score"), ("log", "log loss")):
        print(f"\n1000 × {words}: edges / neighbours / paths\n")
        print(f"| data | n | {' | '.join(methods)} |\n|" + " --- |" * (2 + len(methods)))
        for setting, chosen in frame.groupby("setting", sort=False):
            cells = [mean_of(chosen[chosen["method"] == name], what) for name in methods]
            print(f"| {setting} | {chosen['repeat'].nunique()} | {' | '.join(cells)} |")
        print(f"\npaired, less today, ± standard error: {words}\n")
        print(f"| data | {' | '.join(methods[1:])} |\n|" + " --- |" * len(methods))
        for setting, chosen in frame.groupby("setting", sort=False):
            cells = [less(chosen, name, what) for name in methods[1:]]
            print(f"| {setting} | {' | '.join(cells)} |")
        ratios(frame, methods, what)
    sure_claims(frame, methods)
    believed(frame[frame["relations"].notna()], methods) if "relations" in frame else None
    seconds = frame.pivot_table("seconds", "setting", "method", "mean", sort=False)
    print(f"\nprocessor seconds\n{seconds[methods].round(1).to_string()}")


def values_of(rows: pd.DataFrame, target: str, what: str) -> pd.Series:
    return 1000 * rows[target].map(lambda found: found[what])


def mean_of(rows: pd.DataFrame, what: str) -> str:
    if rows.empty:
        return ""
    return "/".join(f"{values_of(rows, target, what).mean():.1f}" for target in TARGETS)


def less(chosen: pd.DataFrame, name: str, what: str) -> str:
    cells = []
    for target in TARGETS:
        table = chosen.assign(value=values_of(chosen, target, what))
        wide = table.pivot(index="repeat", columns="method", values="value")
        if name not in wide or "today" not in wide:
            return ""
        gap = (wide[name] - wide["today"]).dropna()
        cells.append(f"{gap.mean():+.1f}±{gap.sem():.1f}")
    return " / ".join(cells)


def ratios(frame: pd.DataFrame, methods: list[str], what: str) -> None:
    """Geometric means over settings without beliefs of the ratio to today, paired data sets."""
    print(f"\ngeometric mean of the ratio to today, {what}: without beliefs; with")
    has_beliefs = frame["setting"].str.split().str.len() > 2
    for name in methods[1:]:
        cells = []
        for part in (frame[~has_beliefs], frame[has_beliefs]):
            logs = {target: [] for target in TARGETS}
            for (_, chosen), target in product(part.groupby("setting"), TARGETS):
                table = chosen.assign(value=values_of(chosen, target, what))
                wide = table.pivot(index="repeat", columns="method", values="value")
                if name in wide and "today" in wide:
                    both = wide[[name, "today"]].dropna()
                    logs[target].append(np.log(both[name].mean() / both["today"].mean()))
            cells.append("/".join(f"{np.exp(np.mean(x)):.3f}" if x else "–" for x in logs.values()))
        print(f"  {name}: {'; '.join(cells)}")


def sure_claims(frame: pd.DataFrame, methods: list[str]) -> None:
    """Wrong of those above 0.95, true of those below 0.05, by setting and in all."""
    low, high = np.searchsorted(BOUNDS, [UNLIKELY, SURE], side="right")
    print("\nedges; paths above 0.95 that are wrong | paths below 0.05 that are true\n")
    for setting in [*dict.fromkeys(frame["setting"]), "all"]:
        part = frame if setting == "all" else frame[frame["setting"] == setting]
        cells = []
        for name in methods:
            chosen = part[part["method"] == name]
            if chosen.empty:
                continue
            told = []
            for target in ("edges", "paths"):
                bins = np.array([row["bins"] for row in chosen[target]]).sum(axis=0)
                count, _, true = bins[high:].sum(axis=0)
                told.append(f"{count - true:.0f}/{count:.0f}={100 * (1 - true / count):.1f}%")
            count, _, true = bins[:low].sum(axis=0)
            cells.append(f"{name}: {'; '.join(told)} | {100 * true / count:.1f}%")
        print(f"{setting}\n  " + "\n  ".join(cells))


def believed(frame: pd.DataFrame, methods: list[str]) -> None:
    print("\nbelieved pairs: log loss of the relation; after < 0.05 true; > 0.95 true\n")
    for experts in ("calibrated", "misled"):
        part = frame[frame["setting"].str.endswith(experts)]
        for name in methods:
            chosen = part[part["method"] == name]
            if not chosen.empty:
                low, high = (
                    np.array(chosen[key].tolist()).sum(axis=0) for key in ("unlikely", "sure")
                )
                print(
                    f"{experts}, {name} (n={len(chosen)}): {chosen['relations'].mean():.3f}; "
                    f"{low[1]:.0f}/{low[0]:.0f}; {high[1]:.0f}/{high[0]:.0f}"
                )


def draw_curve(frame: pd.DataFrame, picture: Path, methods: dict[str, str]) -> None:
    """Predicted against observed frequency of edges, neighbours and paths, settings together."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(9.2, 3.3), sharey=True, layout="constrained")
    for ax, target in zip(axes, TARGETS, strict=True):
        ax.plot([0, 1], [0, 1], color="0.6", lw=1, ls="--")
        for name, colour in methods.items():
            rows = frame[frame["method"] == name][target]
            bins = np.array([row["bins"] for row in rows]).sum(axis=0)
            count, predicted, true = bins[bins[:, 0] >= 20].T
            share = true / count
            error = 1.96 * np.sqrt(np.maximum(share * (1 - share), 1 / count) / count)
            ax.errorbar(
                predicted / count, share, error, marker="o", ms=3.5, lw=1.2, elinewidth=0.8,
                color=colour, label=name,
            )  # fmt: skip
        ax.set(title=target, xlabel="probability", xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
    axes[0].set_ylabel("share that is true")
    axes[0].legend(frameon=False, loc="upper left")
    figure.savefig(picture, dpi=150)


COLOURS = {"today": "#D55E00", "averaged": "#0072B2"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["run", "show"])
    parser.add_argument("--rows", type=Path, required=True, help="file in which runs are kept")
    parser.add_argument("--settings", nargs="*", default=SETTINGS)
    parser.add_argument("--methods", nargs="*", default=[])
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=np.inf, help="of the processor")
    parser.add_argument("--plot", type=Path, help="file for the calibration curve")
    options = parser.parse_args()
    warnings.simplefilter("ignore", PathPriorWarning)
    if options.what == "run":
        run_all(options)
        return
    frame = pd.DataFrame(read(options.rows))
    frame = frame[frame["setting"].isin(options.settings)]
    show(frame)
    if options.plot:
        draw_curve(frame, options.plot, COLOURS)


if __name__ == "__main__":
    main()
