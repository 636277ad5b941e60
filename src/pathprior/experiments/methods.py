"""The ways of learning that are compared on the same data and beliefs."""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.experiments.experiment import Row
from pathprior.experiments.trial import Trial, first_rows
from pathprior.graph.bitset import unpack_row
from pathprior.graph.dag import Dag
from pathprior.graph.distance import compare
from pathprior.prior.fit import fit_prior
from pathprior.prior.listed.part import SparseSampleWarning
from pathprior.prior.path_prior import PathPrior
from pathprior.search.learn import learn
from pathprior.search.stop_reason import StopReason

NUM_SAMPLES = 10**6
EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True)
class Fitting:
    """How beliefs become a prior.

    Attributes
    ----------
    repair
        As in `fit_prior`.
    strength
        Strength of every belief; only the soft fit reads it.
    is_sampled
        Whether U is estimated as in the paper (FACT from 10⁶ DAGs, l = machine epsilon) instead of
        counted. The sample is the same for all repeats.
    """

    repair: str
    strength: float = 1.0
    is_sampled: bool = False

    def fit(self, beliefs: Sequence[Belief], variables: Sequence[str]) -> PathPrior:
        """Fit the prior of ``beliefs``."""
        weighted = [replace(belief, strength=self.strength) for belief in beliefs]
        how: dict[str, Any] = {"expected_parents": None, "repair": self.repair}
        how |= {"counts": "listed", "pool": "joint"}
        if self.is_sampled:
            how |= {"counts": "fact", "laplace": EPSILON, "placements": 1}
        with warnings.catch_warnings():
            # that a sample shows few of the favoured configurations is what is being compared
            warnings.simplefilter("ignore", SparseSampleWarning)
            return fit_prior(weighted, variables, num_samples=NUM_SAMPLES, **how)


@dataclass(frozen=True, slots=True)
class Method:
    """One line of a figure: a search, with or without beliefs and the swap-equivalent operator.

    ``search``: "greedy" is the paper's search, "turning" ours, which crosses plateaus.
    """

    name: str
    search: str
    fitting: Fitting | None = None
    has_operator: bool = False


def run_methods(
    trial: Trial, beliefs: Sequence[Belief], methods: Iterable[Method], sizes: Iterable[int]
) -> list[Row]:
    """Learn with every method from every number of rows; each prior is fitted once."""
    methods = list(methods)
    fittings = {method.fitting for method in methods if method.fitting is not None}
    priors = {fitting: fitting.fit(beliefs, trial.truth.nodes) for fitting in fittings}
    rows = []
    for size in sizes:
        table = first_rows(trial.table, size)
        for method in methods:
            prior = None if method.fitting is None else priors[method.fitting]
            start = perf_counter()
            fit = learn(
                table,
                prior,
                score="bdeu",
                equivalent_sample_size=1.0,
                expected_parents=None,
                search=method.search,
                swap_equivalent=method.has_operator,
                # as in the paper; in few rows of a large network some columns are constant
                constant_columns="keep",
            )
            seconds = perf_counter() - start
            if fit.stopped_because is StopReason.INTERRUPTED:
                # learn hands over its best graph so far, which is not this task's result
                raise KeyboardInterrupt
            rows.append(
                {
                    "num_rows": size,
                    "method": method.name,
                    **measure(fit.dag, trial.truth),
                    "truncated_swaps": fit.num_truncated_swaps,
                    "seconds": seconds,
                }
            )
    return rows


def measure(estimate: Dag, truth: Dag) -> Row:
    """Distances, precision and recall, and the share of true causal relations recovered."""
    result = compare(estimate, truth)
    found, true = _causes(estimate), _causes(truth)
    return {
        "shd": result.shd,
        "dag_shd": -1 if result.dag_shd is None else result.dag_shd,
        "skeleton_precision": result.skeleton_precision,
        "skeleton_recall": result.skeleton_recall,
        "orientation_precision": result.orientation_precision,
        "orientation_recall": result.orientation_recall,
        "causes_precision": float((found & true).sum() / max(1, found.sum())),
        "causes_recall": float((found & true).sum() / max(1, true.sum())),
    }


def _causes(dag: Dag) -> NDArray[np.bool_]:
    """Row y: the nodes x ≠ y with x ⇒ y."""
    ancestors = np.array([unpack_row(words, dag.num_nodes) for words in dag.ancestor_words])
    np.fill_diagonal(ancestors, False)
    return ancestors
