"""Greedy search against a bare C hill climber and against peers: seconds beside scores.

    python benchmarks/search.py {speed,quality,beliefs,growth} [--repeats N]

Peers take part if they are installed (benchmarks/requirements.txt). Everyone gets the same rows,
the observed states, BDeu with equivalent sample size 1, the empty graph and one thread. Scores are
computed by `pathprior.score.named.data_score`. gcc is needed for limit.c.
"""

import argparse
import json
import os
import platform
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np
import pandas as pd

import pathprior as pp
from pathprior.data.door import read_dataset
from pathprior.data.table import DataTable
from pathprior.prior.fit import fit_prior
from pathprior.score.graph import score_graph
from pathprior.search.learn import learn

SETTINGS = [
    ("alarm", 1000),
    ("alarm", 10000),
    ("insurance", 10000),
    ("hepar2", 5000),
    ("win95pts", 5000),
    ("random220", 5000),
]


SAME_SCORE: dict[str, Any] = {
    "equivalent_sample_size": 1.0,
    "expected_parents": None,
    "constant_columns": "keep",
}
"""Options of ``learn`` that make its score that of the others."""


def random_network(num_nodes: int, max_states: int, seed: int = 7) -> pp.BayesianNetwork:
    """Up to three parents per node, near-deterministic rows."""
    rng = np.random.default_rng(seed)
    names = [f"v{i:03d}" for i in range(num_nodes)]
    order = rng.permutation(num_nodes)
    edges = []
    for k, v in enumerate(order):
        size = min(k, int(rng.choice(4, p=[0.1, 0.35, 0.35, 0.2])))
        edges += [(names[u], names[v]) for u in rng.choice(order[:k], size, replace=False)]
    num_states = {name: int(rng.integers(2, max_states + 1)) for name in names}
    return pp.BayesianNetwork.random(pp.Dag.from_edges(names, edges), num_states, seed=seed)


def load(name: str) -> pp.BayesianNetwork:
    """A bundled network, or a random one: ``random220``, ``random56x11`` with up to 11 states."""
    if name.startswith("random"):
        num_nodes, _, max_states = name.removeprefix("random").partition("x")
        return random_network(int(num_nodes), int(max_states or 4))
    return pp.load_network(name)


@dataclass(frozen=True)
class Sample:
    """Rows with renamed and shuffled columns, so that neither order nor names help."""

    table: DataTable
    frame: pd.DataFrame
    truth: pp.Dag


def draw(network: pp.BayesianNetwork, num_rows: int, seed: int) -> Sample:
    rng = np.random.default_rng([seed, 1])
    nodes = network.dag.nodes
    fresh = {node: f"x{i:04d}" for node, i in zip(nodes, rng.permutation(len(nodes)), strict=True)}
    frame = network.sample(num_rows, seed=seed).rename(columns=fresh)
    frame = frame[list(rng.permutation(frame.columns))]
    frame = frame.apply(lambda column: column.cat.remove_unused_categories())
    truth = pp.Dag(tuple(fresh[node] for node in nodes), network.dag.adjacency)
    return Sample(read_dataset(frame).discrete(), frame, truth.reorder(tuple(frame.columns)))


# -- contestants -----------------------------------------------------------------------------------


def pybnesian_runner() -> Callable[[Sample], pp.Dag]:
    import pybnesian as pb

    def run(sample: Sample) -> pp.Dag:
        names = list(sample.frame.columns)
        model = pb.GreedyHillClimbing().estimate(
            pb.ArcOperatorSet(), pb.BDe(sample.frame, iss=1), pb.DiscreteBN(names)
        )
        return pp.Dag.from_edges(names, model.arcs())

    return run


def pyagrum_runner() -> Callable[[Sample], pp.Dag]:
    import pyagrum as gum

    def run(sample: Sample) -> pp.Dag:
        names = list(sample.frame.columns)
        learner = gum.BNLearner(sample.frame)
        learner.setNumberOfThreads(1)
        learner.useGreedyHillClimbing()
        learner.useScoreBDeu()
        dag = learner.learnDAG()
        learned = [learner.nameFromId(i) for i in range(len(names))]
        return pp.Dag.from_edges(names, [(learned[u], learned[v]) for u, v in dag.arcs()])

    return run


def pgmpy_runner() -> Callable[[Sample], pp.Dag]:
    from pgmpy.estimators import BDeu, HillClimbSearch

    def run(sample: Sample) -> pp.Dag:
        score = BDeu(sample.frame, equivalent_sample_size=1)
        search = HillClimbSearch(sample.frame)
        model = search.estimate(scoring_method=score, show_progress=False)
        return pp.Dag.from_edges(list(sample.frame.columns), model.edges())

    return run


SLOW = "pgmpy"  # tens of seconds a run at the smallest setting, so timed only there


def contestants() -> dict[str, Callable[[Sample], pp.Dag]]:
    found: dict[str, Callable[[Sample], pp.Dag]] = {
        "pathprior": lambda sample: learn(sample.table, search="turning", **SAME_SCORE).dag,
        "pathprior, from the frame": lambda sample: (
            learn(sample.frame, search="turning", **SAME_SCORE).dag
        ),
        "pathprior, greedy": lambda sample: learn(sample.table, search="greedy", **SAME_SCORE).dag,
    }
    peers = (
        ("pybnesian", pybnesian_runner),
        ("pyAgrum", pyagrum_runner),
        ("pgmpy", pgmpy_runner),
    )
    for name, make in peers:
        try:
            found[name] = make()
        except ImportError:
            print(f"({name} is not installed)")
    return found


def seconds(run: Callable[[], object], repeats: int = 5) -> float:
    run()  # warm
    taken = []
    for _ in range(repeats):
        begin = time.perf_counter()
        run()
        taken.append(time.perf_counter() - begin)
    return median(taken)


class Limit:
    """limit.c: seconds of its fastest repetition, and its score."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        source = Path(__file__).with_name("limit.c")
        build = ["gcc", "-O3", "-march=native", "-o", folder / "limit", source, "-lm"]
        subprocess.run(build, check=True, capture_output=True)

    def run(self, table: DataTable) -> tuple[float, float]:
        path = self.folder / "data.csv"
        header = ",".join(table.variables)
        np.savetxt(path, table.codes.T, fmt="%d", delimiter=",", header=header, comments="")
        command = [self.folder / "limit", path, "3", "5"]
        result = json.loads(subprocess.run(command, capture_output=True, check=False).stdout)
        return result["best_ms"] / 1e3, result["score"]


# -- tables ----------------------------------------------------------------------------------------


def speed(repeats: int) -> None:
    print("| data | who | seconds | × limit | BDeu | SHD |\n| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        limit = Limit(Path(folder))
        for name, num_rows in SETTINGS:
            sample = draw(load(name), num_rows, seed=1)
            check_steps(sample)
            bound, score = limit.run(sample.table)
            print(f"| {name} {num_rows} | limit.c | {bound:.4f} | 1 | {score:.1f} | |")
            for who, run in contestants().items():
                if who == SLOW and (name, num_rows) != SETTINGS[0]:
                    continue
                dag = run(sample)
                taken = seconds(lambda run=run, sample=sample: run(sample), repeats)
                value = score_graph(dag, sample.table, equivalent_sample_size=1.0)
                print(
                    f"| {name} {num_rows} | {who} | {taken:.4f} | {taken / bound:.2f} | "
                    f"{value:.1f} | {pp.shd(dag, sample.truth)} |",
                    flush=True,
                )


def check_steps(sample: Sample) -> None:
    """Replay the accepted steps: each must score what rescoring its graph from scratch says."""
    edges: set[tuple[str, str]] = set()
    for step in learn(sample.table, search="turning", **SAME_SCORE).steps:
        (u, v) = step.edges[0]
        if step.move == "insert":
            edges.add((u, v))
        else:
            edges.remove((u, v))
            if step.move == "reverse":
                edges.add((v, u))
        dag = pp.Dag.from_edges(sample.table.variables, sorted(edges))
        if abs(score_graph(dag, sample.table, equivalent_sample_size=1.0) - step.score) > 1e-6:
            raise SystemExit(f"step {step} does not score {step.score}")


def quality(repeats: int) -> None:
    print("| data | who | mean BDeu | ± | mean SHD |\n| --- | --- | --- | --- | --- |")
    for name, num_rows in SETTINGS:
        network = load(name)
        samples = [draw(network, num_rows, seed=100 + k) for k in range(repeats)]
        for who, run in contestants().items():
            if who == SLOW or who.endswith("frame"):
                continue
            dags = [run(sample) for sample in samples]
            scores = [
                score_graph(d, s.table, equivalent_sample_size=1.0)
                for d, s in zip(dags, samples, strict=True)
            ]
            distances = [pp.shd(d, s.truth) for d, s in zip(dags, samples, strict=True)]
            error = np.std(scores) / np.sqrt(repeats)
            print(
                f"| {name} {num_rows} | {who} | {mean(scores):.1f} | {error:.1f} | "
                f"{mean(distances):.1f} |",
                flush=True,
            )


def random_beliefs(truth: pp.Dag, seed: int) -> pp.BeliefSet:
    """Three components of four nodes: all pairs, p ~ U[0.5, 0.99] on the true relation."""
    rng = np.random.default_rng(seed)
    word = {0: pp.causes, 2: pp.confounded, 3: pp.not_associated}
    beliefs = []
    for group in rng.choice(truth.nodes, (3, 4), replace=False):
        for i in range(4):
            for j in range(i):
                x, y = str(group[i]), str(group[j])
                relation = truth.relation(x, y)
                if relation is pp.Relation.CAUSED_BY:
                    x, y, relation = y, x, relation.reverse
                beliefs.append(word[int(relation)](x, y, float(rng.uniform(0.5, 0.99))))
    return pp.BeliefSet(beliefs)


def beliefs(repeats: int) -> None:
    print("| data | without | 18 beliefs | ratio |\n| --- | --- | --- | --- |")
    for name, num_rows in SETTINGS:
        sample = draw(load(name), num_rows, seed=1)
        prior = fit_prior(random_beliefs(sample.truth, seed=2), sample.truth.nodes)
        without = seconds(
            lambda sample=sample: learn(sample.table, search="turning", **SAME_SCORE),
            repeats,
        )
        held = seconds(
            lambda sample=sample, prior=prior: learn(
                sample.table, prior, search="turning", constant_columns="keep"
            ),
            repeats,
        )
        print(f"| {name} {num_rows} | {without:.4f} | {held:.4f} | {held / without:.2f} |")


def growth(repeats: int) -> None:
    print("| variables | rows | seconds | edges |\n| --- | --- | --- | --- |")
    cases = [(f"random{n}", 5000) for n in (50, 100, 200, 400)]
    cases += [("alarm", 10**k) for k in (3, 4, 5, 6)]
    for name, num_rows in cases:
        table = load(name).sample_table(num_rows, seed=1)
        edges = learn(table, search="turning", **SAME_SCORE).dag.num_edges
        taken = seconds(
            lambda table=table: learn(table, search="turning", **SAME_SCORE),
            repeats,
        )
        print(f"| {name} | {num_rows} | {taken:.4f} | {edges} |", flush=True)


def main() -> None:
    tasks = {
        "speed": speed,
        "quality": quality,
        "beliefs": beliefs,
        "growth": growth,
    }
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("task", choices=tasks)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    versions = [f"{name} {metadata.version(name)}" for name in ("pathprior", "numba", "numpy")]
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, {', '.join(versions)}\n")
    tasks[arguments.task](arguments.repeats)


if __name__ == "__main__":
    main()
