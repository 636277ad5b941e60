"""Rows from experiments: what knowing the targets is worth, and GIES beside it.

    python benchmarks/experiments.py states [--repeats N]
    python benchmarks/experiments.py gaussian [--repeats N]

Random graphs on 20 nodes, 500 observed rows, and 50 rows for each of 1 to 10 variables set at
random. Right: share of the true edges that the learned class directs as they are; wrong: its
directed edges that are none or point the other way, as a share of the true ones; SHD against the
class of the true graph under the experiments. ``gaussian`` has GIES (package ``gies``) where it is
installed. Means and their standard errors.
"""

import argparse
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import pathprior as pp
from pathprior.errors import PathPriorWarning

NUM_NODES, NUM_EDGES, NUM_OBSERVED, NUM_SET = 20, 30, 500, 50
NUMBERS = (1, 2, 5, 10)
FIRST_SEED = 2000
NAMES = tuple(f"v{i:02d}" for i in range(NUM_NODES))


@dataclass(frozen=True)
class Trial:
    """Rows of a true graph, the column ``target`` among them."""

    data: pd.DataFrame
    truth: pp.Dag
    targets: list[str]

    @property
    def true_class(self) -> pp.Cpdag:
        """What the experiments can tell."""
        return pp.Cpdag.from_dag(self.truth, targets=[[name] for name in self.targets])


Method = Callable[[Trial], "pp.Cpdag | Found"]


def random_dag(rng: np.random.Generator) -> pp.Dag:
    """A uniform DAG with so many edges along a random order."""
    later = [(a, b) for b in range(NUM_NODES) for a in range(b)]
    order = rng.permutation(NUM_NODES)
    adjacency = np.zeros((NUM_NODES, NUM_NODES), dtype=bool)
    for k in rng.choice(len(later), NUM_EDGES, replace=False):
        adjacency[order[later[k][0]], order[later[k][1]]] = True
    return pp.Dag(NAMES, adjacency)


def draw_states(number: int, seed: int) -> Trial:
    """Two or three states each, tables of any shape."""
    rng = np.random.default_rng(seed)
    dag = random_dag(rng)
    sizes = dict(zip(NAMES, rng.integers(2, 4, NUM_NODES).tolist(), strict=True))
    network = pp.BayesianNetwork.random(dag, sizes, shape=0.7, seed=seed)
    targets = rng.choice(NAMES, number, replace=False).tolist()
    parts = [network.sample(NUM_OBSERVED, seed=seed)]
    parts += [
        network.sample(NUM_SET, seed=seed + 10_000 * (k + 1), do={name: None})
        for k, name in enumerate(targets)
    ]
    return Trial(pd.concat(parts, ignore_index=True), dag, targets)


def draw_gaussian(number: int, seed: int) -> Trial:
    """Linear, weights of 0.3 to 1 either way, normal noise; what is set is standard normal."""
    rng = np.random.default_rng(seed)
    dag = random_dag(rng)
    weights = dag.adjacency * rng.uniform(0.3, 1.0, dag.adjacency.shape)
    weights *= rng.choice([-1.0, 1.0], weights.shape)
    targets = rng.choice(NAMES, number, replace=False).tolist()
    column = np.repeat(["", *targets], [NUM_OBSERVED] + [NUM_SET] * number)
    values = np.zeros((len(column), NUM_NODES))
    for v in dag.order:
        noise = rng.normal(size=len(column))
        values[:, v] = np.where(column == NAMES[v], noise, values @ weights[:, v] + noise)
    frame = pd.DataFrame(values, columns=list(NAMES))
    return Trial(frame.assign(target=column), dag, targets)


def ours(**options: object) -> Method:
    return lambda trial: pp.learn(trial.data, interventions="target", **options).cpdag


def ignoring(trial: Trial) -> pp.Cpdag:
    """Take all rows for observed ones."""
    return pp.learn(trial.data.drop(columns="target")).cpdag


def observed_only(trial: Trial) -> pp.Cpdag:
    return pp.learn(trial.data[:NUM_OBSERVED].drop(columns="target")).cpdag


def gies(trial: Trial) -> "Found":
    """GIES with its BIC."""
    from gies import fit_bic

    column = trial.data["target"].to_numpy()
    parts = ["", *trial.targets]
    values = trial.data[list(NAMES)].to_numpy()
    matrix, _ = fit_bic(
        [values[column == name] for name in parts],
        [[NAMES.index(name)] if name else [] for name in parts],
    )
    return Found(np.asarray(matrix) != 0)


@dataclass(frozen=True)
class Found:
    """A graph of directed and undirected edges by its matrix, whatever class it is."""

    adjacency: NDArray[np.bool_]


def judge(found: NDArray[np.bool_], truth: pp.Dag, true_class: pp.Cpdag) -> dict[str, float]:
    directed = found & ~found.T
    differs = found != true_class.adjacency
    return {
        "right": float((directed & truth.adjacency).sum()) / truth.num_edges,
        "wrong": float((directed & ~truth.adjacency).sum()) / truth.num_edges,
        "SHD": float(np.triu(differs | differs.T).sum()),
    }


def study(draw: Callable[[int, int], Trial], methods: dict[str, Method], repeats: int) -> None:
    print("| set | method | right | wrong | SHD | s |")
    print("| --- | --- | --- | --- | --- | --- |")
    for number in NUMBERS:
        values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for repeat in range(repeats):
            trial = draw(number, FIRST_SEED + repeat)
            for name, method in methods.items():
                if repeat == 0:
                    method(trial)  # compiles
                start = time.process_time()
                found = method(trial)
                values[name]["s"].append(time.process_time() - start)
                for what, value in judge(found.adjacency, trial.truth, trial.true_class).items():
                    values[name][what].append(value)
        for name, found_values in values.items():
            cells = [_mean(found_values[what], 2) for what in ("right", "wrong")]
            cells.append(_mean(found_values["SHD"], 1))
            print(f"| {number} | {name} | {' | '.join(cells)} | {np.mean(found_values['s']):.3f} |")


def _mean(values: Sequence[float], digits: int) -> str:
    error = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{np.mean(values):.{digits}f} ± {error:.{digits}f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("study", choices=["states", "gaussian"])
    parser.add_argument("--repeats", type=int, default=20)
    options = parser.parse_args()
    warnings.simplefilter("ignore", PathPriorWarning)
    others = {"targets ignored": ignoring, "observed rows only": observed_only}
    if options.study == "states":
        methods = {"hard": ours(), "soft": ours(interventions_kind="soft")}
        study(draw_states, methods | others, options.repeats)
    else:
        methods = {"BGe": ours(), "BIC": ours(score="gaussian-bic"), **others}
        if find_spec("gies") is not None:
            methods["GIES"] = gies
        study(draw_gaussian, methods, options.repeats)


if __name__ == "__main__":
    main()
