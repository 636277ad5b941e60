"""Columns of states and real numbers together: the forms of a mixed score against each other.

    python benchmarks/mixed.py [--datasets N] [--seed S]

Half of the columns are states, links are logistic and linear. Four scores, one search: BGe on
real columns and blocks of indicators (what ``score="mixed"`` is), BIC on the same matrix (Andrews,
Ramsey and Cooper, 2019), the conditional Gaussian by sets (a normal distribution in every cell of
the states), and BDeu after cutting real columns into three bins. Mean distance of the CPDAGs, with
its standard error, beside processor seconds.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import pathprior as pp
from pathprior.data.dataset import Dataset
from pathprior.data.door import read_dataset
from pathprior.score.gram import GramScore, GramScorer, bind_form
from pathprior.score.score import Scorer

SETTINGS = [(12, 300), (12, 1000), (12, 5000), (30, 1000)]


def draw(num_nodes: int, num_rows: int, seed: int) -> tuple[pd.DataFrame, pp.Dag]:
    """A random DAG with as many edges as nodes and a half, and rows of it."""
    rng = np.random.default_rng(seed)
    names = tuple(f"v{i:02d}" for i in range(num_nodes))
    order = rng.permutation(num_nodes)
    place = np.argsort(order)
    is_edge = rng.random((num_nodes, num_nodes)) < 3.0 / (num_nodes - 1)
    adjacency = is_edge & (place[:, None] < place[None, :])
    states = np.where(np.arange(num_nodes) % 2 == 0, 0, rng.integers(2, 5, num_nodes))
    columns: dict[int, NDArray[np.float64]] = {}
    values: dict[str, NDArray[np.float64]] = {}
    for v in order:
        size = max(1, int(states[v]))
        total = np.zeros((size, num_rows))
        for u in np.flatnonzero(adjacency[:, v]):
            effects = _away(rng, (size, max(1, int(states[u]))))
            total += effects @ columns[u]
        if states[v]:
            noisy = total + rng.gumbel(size=total.shape)
            codes = noisy.argmax(axis=0)
            columns[v] = np.eye(size)[codes].T
            values[names[v]] = codes
        else:
            columns[v] = total + rng.normal(size=total.shape)
            values[names[v]] = columns[v][0]
    return pd.DataFrame({name: values[name] for name in names}), pp.Dag(names, adjacency)


def _away(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float64]:
    """Effects that are not near zero."""
    return rng.choice([-1.0, 1.0], shape) * rng.uniform(0.5, 1.5, shape)


class DegenerateBic(GramScore):
    """BIC of real columns and indicators."""

    def bind(self, dataset: Dataset) -> GramScorer:
        return bind_form(self, dataset, pp.GaussianBic().form)


class ConditionalGaussian:
    """BIC of a normal distribution in each cell of the states, as a function of sets."""

    def bind(self, dataset: Dataset) -> "ConditionalScorer":
        return ConditionalScorer(dataset)


@dataclass(frozen=True)
class ConditionalScorer(Scorer):
    dataset: Dataset
    is_score_equivalent = True

    def local(self, child: int, parents: Sequence[int]) -> float:
        return self._of_set((*parents, child)) - self._of_set(parents)

    def _of_set(self, members: Sequence[int]) -> float:
        data, n = self.dataset, self.dataset.num_rows
        names = [data.variables[v] for v in members]
        coded = [data.coded.variables.index(name) for name in names if name in data.coded.variables]
        real = [data.reals.variables.index(name) for name in names if name in data.reals.variables]
        cells = np.zeros(n, np.int64)
        num_cells = 1
        for v in coded:
            cells = cells * len(data.coded.states[v]) + data.coded.codes[v]
            num_cells *= len(data.coded.states[v])
        k = len(real)
        score = -0.5 * np.log(n) * (num_cells * (k + k * (k + 1) / 2) + num_cells - 1)
        for cell in np.unique(cells):
            rows = cells == cell
            count = int(rows.sum())
            score += count * np.log(count / n)
            if k:
                if count <= k + 1:
                    return -np.inf
                scatter = np.atleast_2d(np.cov(data.reals.values[real][:, rows], bias=True))
                log_det = np.linalg.slogdet(scatter)[1]
                score -= 0.5 * count * (log_det + k * (1 + np.log(2 * np.pi)))
        return float(score)

    def estimate(self, dag: pp.Dag, *, equivalent_sample_size: float) -> pp.BayesianNetwork:
        raise NotImplementedError


def binned(frame: pd.DataFrame) -> pd.DataFrame:
    """Three bins for each real column."""
    return frame.apply(lambda c: pd.qcut(c, 3, labels=False) if c.dtype == float else c)


def compare(num_nodes: int, num_rows: int, num_datasets: int, seed: int) -> None:
    """Print one line per score."""
    distances: dict[str, list[int]] = {}
    seconds: dict[str, float] = {}
    for number in range(num_datasets):
        frame, truth = draw(num_nodes, num_rows, seed + number)
        data = read_dataset(frame)
        tries = {"BGe": (data, "mixed"), "BIC": (data, DegenerateBic())}
        if num_nodes <= 12:
            tries["conditional"] = (data, ConditionalGaussian())
        tries["bins"] = (read_dataset(binned(frame)), "bdeu")
        for name, (given, score) in tries.items():
            begin = time.process_time()
            fit = pp.learn(given, score=score, constant_columns="keep")
            seconds[name] = seconds.get(name, 0.0) + time.process_time() - begin
            distances.setdefault(name, []).append(pp.shd(fit.dag, truth))
    for name, found in distances.items():
        error = np.std(found, ddof=1) / np.sqrt(len(found))
        print(
            f"{num_nodes:3d} variables {num_rows:5d} rows  {name:12s} "
            f"SHD {np.mean(found):5.1f} ± {error:.1f}  {seconds[name] / len(found):.3f} s",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1000)
    options = parser.parse_args()
    for num_nodes, num_rows in SETTINGS:
        compare(num_nodes, num_rows, options.datasets, options.seed)


if __name__ == "__main__":
    main()
