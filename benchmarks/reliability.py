"""How good probabilities of edges and paths are: Brier score, calibration, reliability plot."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import pathprior as pp

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TARGETS = {
    "edges": "directed edges",
    "adjacencies": "edges either way",
    "paths": "directed paths",
}
BOUNDS = np.array([0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98])
"""Between the bins in which predicted and observed frequencies are compared."""
FEWEST_PAIRS = 20
"""In a bin that the picture shows."""

Matrix = NDArray[np.float64]


@contextmanager
def timed_by_the_processor() -> Iterator[None]:
    """Make limits of time those of processor time: the machine is shared."""
    with ExitStack() as stack:
        for module in ("posterior.sampling", "search.interrupt"):
            stack.enter_context(patch(f"pathprior.{module}.monotonic", process_time))
        yield


class Answer:
    """Edges and paths averaged over graphs."""

    def __init__(self, graphs: Iterable[NDArray[np.bool_]]) -> None:
        edges = np.stack(list(graphs)).astype(np.float32)
        leads = np.minimum(edges + np.eye(edges.shape[1], dtype=np.float32), 1)
        for _ in range(int(np.ceil(np.log2(edges.shape[1])))):
            leads = np.minimum(leads @ leads, 1)
        self.edges: Matrix = edges.mean(axis=0, dtype=np.float64)
        self.paths: Matrix = leads.mean(axis=0, dtype=np.float64)
        np.fill_diagonal(self.paths, 0.0)


class PosteriorAnswer(Answer):
    """Those of a posterior."""

    def __init__(self, posterior: pp.Posterior) -> None:
        self.edges = posterior.edges.to_numpy()
        rows, columns = np.triu_indices(len(self.edges), 1)
        self.paths = np.zeros_like(self.edges)
        self.paths[rows, columns] = posterior.paths["causes"]
        self.paths[columns, rows] = posterior.paths["caused-by"]


def judge(answer: Answer, truth: pp.Dag) -> dict[str, Any]:
    """Of each target the Brier score, and in each bin the pairs, their predictions, their truth."""
    right = Answer([truth.adjacency])
    ordered = ~np.eye(truth.num_nodes, dtype=bool)
    upper = np.triu(ordered)
    found: dict[str, Any] = {}
    for target, mask in (("edges", ordered), ("adjacencies", upper), ("paths", ordered)):
        predicted, true = (_of(given, target)[mask] for given in (answer, right))
        bins = np.searchsorted(BOUNDS, predicted, side="right")
        sums = [
            np.bincount(bins, values, len(BOUNDS) + 1)
            for values in (np.ones_like(predicted), predicted, true)
        ]
        found[target] = float(((predicted - true) ** 2).mean())
        found[f"{target} bins"] = np.round(sums, 6).T.tolist()
    return found


def _of(answer: Answer, target: str) -> Matrix:
    if target == "adjacencies":
        return answer.edges + answer.edges.T
    return np.asarray(getattr(answer, target))


def pool(runs: pd.DataFrame, target: str) -> Matrix:
    """Number, sum of predictions and sum of truths by bin, over all runs."""
    return np.asarray(np.array(runs[f"{target} bins"].tolist()).sum(axis=0))


def calibration_error(runs: pd.DataFrame, target: str) -> float:
    """Mean over all pairs of |predicted − observed frequency| of the pair's bin."""
    count, predicted, true = pool(runs, target).T
    return float(np.abs(predicted - true).sum() / count.sum())


def plot(groups: dict[str, pd.DataFrame], methods: dict[str, str], picture: Path) -> None:
    """Observed against predicted frequency: a row a group, a colour a method.

    Bars are 95 % intervals as if pairs were independent.
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        len(groups), len(TARGETS), figsize=(9.2, 3.1 * len(groups)),
        sharex=True, sharey=True, squeeze=False, layout="constrained",
    )  # fmt: skip
    for (i, (group, frame)), (j, target) in product(enumerate(groups.items()), enumerate(TARGETS)):
        ax = axes[i, j]
        ax.plot([0, 1], [0, 1], color="0.6", lw=1, ls="--")
        for name, colour in methods.items():
            runs = frame[frame["method"] == name]
            _draw_curve(ax, pool(runs, target), color=colour, label=name)
        ax.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), aspect="equal")
        if i == 0:
            ax.set_title(TARGETS[target], fontsize=11)
        if i == len(groups) - 1:
            ax.set_xlabel("predicted probability")
        if j == 0:
            ax.set_ylabel(f"{group}\nshare that is true")
    axes[0, 0].legend(frameon=False, loc="upper left")
    figure.savefig(picture, dpi=150)


def _draw_curve(ax: "Axes", bins: Matrix, **style: str) -> None:
    """One curve, of the bins with enough pairs."""
    count, predicted, true = bins[bins[:, 0] >= FEWEST_PAIRS].T
    observed = true / count
    # Wilson's interval, which does not vanish where all or none are true
    centre = (true + 1.92) / (count + 3.84)
    half = 1.96 * np.sqrt(observed * (1 - observed) * count + 0.96) / (count + 3.84)
    beyond = np.abs(np.stack([observed - (centre - half), centre + half - observed]))
    ax.errorbar(
        predicted / count, observed, beyond, marker="o", ms=4, lw=1.3, elinewidth=0.8, **style
    )
