"""Real columns that are bent, skewed, heavy-tailed or counted: which score finds the graph.

    python benchmarks/curves.py [study] [--datasets N] [--variables P] [--rows N] [--results FILE]
    python benchmarks/curves.py pairs [--datasets N]

``study`` draws data sets of 14 kinds: DAGs with three edges for every two variables, weights or
functions at random, columns standardised and in no order. BGe, ranks, both additive scores and the
one that ``score="auto"`` chooses; distances of classes and of graphs, and processor seconds. What
is in the file of results is not done again. ``pairs`` counts how often two linear normal columns,
as they are and rounded, claim a direction by more than 3 nats.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import pathprior as pp

Floats = NDArray[np.float64]
Draw = np.random.Generator

SCORES = ("bge", "ranks", "additive", "additive-ranks")


def gaussian_process(draw: Draw, x: Floats) -> Floats:
    """A smooth function, of fifty random waves."""
    slopes, shifts, sizes = (
        draw.normal(size=50),
        draw.uniform(0, 2 * np.pi, 50),
        draw.normal(size=50),
    )
    return np.asarray(np.cos(np.outer(x, slopes) + shifts) @ sizes / 5.0)


def linear(draw: Draw, x: Floats) -> Floats:
    """A line."""
    return np.asarray(draw.choice([-1, 1]) * draw.uniform(0.5, 1.5) * x)


def sigmoid(draw: Draw, x: Floats) -> Floats:
    """A step that is not sharp."""
    slope = draw.choice([-1, 1]) * draw.uniform(1.0, 3.0)
    return np.asarray(draw.uniform(1.0, 2.0) * np.tanh(slope * (x - draw.uniform(-1, 1))))


def quadratic(draw: Draw, x: Floats) -> Floats:
    """A parabola about somewhere near the middle."""
    return np.asarray(
        draw.choice([-1, 1]) * draw.uniform(0.4, 1.0) * (x - draw.uniform(-0.5, 0.5)) ** 2
    )


NOISE: dict[str, Callable[[Draw, int], Floats]] = {
    "normal": lambda draw, n: draw.normal(size=n),
    "laplace": lambda draw, n: draw.laplace(size=n) / np.sqrt(2),
    "exponential": lambda draw, n: draw.exponential(size=n) - 1,
    "t3": lambda draw, n: draw.standard_t(3, n) / np.sqrt(3),
}
KINDS: dict[str, tuple[Callable[[Draw, Floats], Floats], str, str]] = {
    "linear, normal": (linear, "normal", ""),
    "linear, Laplace": (linear, "laplace", ""),
    "linear, exponential": (linear, "exponential", ""),
    "linear, t3": (linear, "t3", ""),
    "GP, normal": (gaussian_process, "normal", ""),
    "sigmoids, normal": (sigmoid, "normal", ""),
    "quadratic, normal": (quadratic, "normal", ""),
    "GP, Laplace": (gaussian_process, "laplace", ""),
    "GP, spread GP": (gaussian_process, "normal", "spread GP"),
    "linear, spread": (linear, "normal", "spread"),
    "warped GP": (gaussian_process, "normal", "warp"),
    "warped linear": (linear, "normal", "warp"),
    "counts": (linear, "normal", "counts"),
    "zero-inflated": (linear, "normal", "zeros"),
}
CHOICES = {
    "linear, normal": {"bge"},
    "warped linear": {"ranks"},
    "counts": {"ranks"},
    "zero-inflated": {"ranks"},
}
"""Which choice is right; elsewhere either additive score is."""


def sample(kind: str, p: int, n: int, seed: int) -> tuple[pd.DataFrame, pp.Dag]:
    """Draw a graph and rows of it."""
    draw = np.random.default_rng((seed, list(KINDS).index(kind)))
    function, noise, what = KINDS[kind]
    order, names = draw.permutation(p), [f"v{i:02d}" for i in range(p)]
    is_edge = np.triu(draw.random((p, p)) < 3.0 / (p - 1), 1)
    columns = np.zeros((p, n))
    for j in range(p):
        parents = np.flatnonzero(is_edge[:, j])
        total, logs = np.zeros(n), np.zeros(n)
        for i in parents:
            z = (columns[i] - columns[i].mean()) / columns[i].std()
            total += function(draw, z)
            if what == "spread GP":
                logs += gaussian_process(draw, z) / 2
            elif what == "spread":
                logs += 0.8 * z
        e = NOISE[noise](draw, n) * (
            draw.uniform(0.4, 0.8) if len(parents) and what != "counts" else 1.0
        )
        if what == "counts":
            rate = np.exp(np.clip(0.5 + 0.4 * total, -5, 4))
            columns[j] = draw.poisson(rate if len(parents) else 3.0, n)
        else:
            columns[j] = total + e * np.exp(np.clip(logs, -3, 3))
    columns = np.array([(c - c.mean()) / (c.std() or 1.0) for c in columns])
    if what == "warp":
        bends = (np.exp, np.sinh, lambda x: np.sign(x) * np.abs(x) ** 2.5, lambda x: x + x**3)
        columns = np.array(
            [bends[k](c) for k, c in zip(draw.integers(0, 4, p), columns, strict=True)]
        )
    elif what == "zeros":
        columns = np.array(
            [np.maximum(c - np.quantile(c, draw.uniform(0, 0.5)), 0.0) for c in columns]
        )
    columns = np.array([(c - c.mean()) / (c.std() or 1.0) for c in columns])
    frame = pd.DataFrame({names[v]: columns[order[v]] for v in range(p)})
    place = np.argsort(order)
    edges = [(names[place[i]], names[place[j]]) for i, j in np.argwhere(is_edge)]
    return frame, pp.Dag.from_edges(names, edges)


def study(p: int, n: int, num_datasets: int, first: int, path: Path) -> None:
    """Fill the file, and print the table."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    done = {(row["kind"], row["p"], row["n"], row["seed"]) for row in rows}
    with path.open("a") as file:
        for seed in range(first, first + num_datasets):
            for kind in KINDS:
                if (kind, p, n, seed) not in done:
                    rows.append(measure(kind, p, n, seed))
                    file.write(json.dumps(rows[-1]) + "\n")
                    file.flush()
    frame = pd.DataFrame([row for row in rows if (row["p"], row["n"]) == (p, n)])
    means = (
        frame.groupby("kind", sort=False).mean(numeric_only=True).drop(columns=["p", "n", "seed"])
    )
    print(means.round(2).to_string())


def measure(kind: str, p: int, n: int, seed: int) -> dict[str, object]:
    """One data set, by all scores."""
    frame, truth = sample(kind, p, n, seed)
    kinds, target = dict.fromkeys(frame, "real"), pp.Cpdag.from_dag(truth)
    row: dict[str, object] = {"kind": kind, "p": p, "n": n, "seed": seed}
    for score in (*SCORES, "auto"):
        begin = time.process_time()
        fit = pp.learn(frame, score=score, kinds=kinds)
        row |= {
            f"{score} class": pp.shd(fit.cpdag, target),
            f"{score} dag": pp.shd(fit.dag, truth),
            f"{score} s": time.process_time() - begin,
        }
    row["chosen"] = fit.resolved.score
    row["is right"] = float(fit.resolved.score in CHOICES.get(kind, {"additive", "additive-ranks"}))
    return row


def pairs(num_datasets: int, first: int) -> None:
    """Count claims."""
    claims: dict[str, list[float]] = {}
    for seed in range(first, first + num_datasets):
        draw = np.random.default_rng(seed)
        x = draw.normal(size=1000)
        y = draw.uniform(0.3, 1.5) * x + draw.normal(size=1000)
        for name, digits in (("as they are", 9), ("rounded to 0.1", 1), ("rounded to 1", 0)):
            data = pd.DataFrame({"x": x.round(digits), "y": y.round(digits)}) + 0.25
            there, back = (
                pp.score_graph(pp.Dag.from_edges("xy", [edge]), data, score="additive")
                for edge in ("xy", "yx")
            )
            claims.setdefault(name, []).append(abs(there - back))
    for name, sizes in claims.items():
        print(
            f"{name}: {sum(size > 3 for size in sizes)} of {len(sizes)} above 3 nats, "
            f"most {max(sizes):.2f}"
        )


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", nargs="?", choices=("study", "pairs"), default="study")
    parser.add_argument("--datasets", type=int, default=10)
    parser.add_argument("--variables", type=int, default=20)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=9000)
    parser.add_argument("--results", type=Path, default=Path("results/curves.jsonl"))
    options = parser.parse_args()
    if options.what == "pairs":
        pairs(options.datasets, options.seed)
    else:
        study(options.variables, options.rows, options.datasets, options.seed, options.results)


if __name__ == "__main__":
    main()
