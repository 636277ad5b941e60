"""A score of one's own: one small file in Python, taken by every search."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.special import gammaln

import pathprior as pp
from pathprior.data.dataset import Dataset
from pathprior.data.table import DataTable
from pathprior.kernels.data.families import Rule
from pathprior.kernels.data.special import LIKELIHOOD
from pathprior.score.counted import CountedScore
from pathprior.score.named import OF_STATES
from pathprior.score.score import Scorer


class PlainBdeu:
    """BDeu with sample size 1, written from its formula."""

    def bind(self, dataset: Dataset) -> "PlainBdeuScorer":
        return PlainBdeuScorer(dataset.discrete())


@dataclass(frozen=True)
class PlainBdeuScorer(Scorer):
    table: DataTable
    is_score_equivalent = True

    def local(self, child: int, parents: Sequence[int]) -> float:
        shape = [int(self.table.num_states[v]) for v in (*parents, child)]
        family = [self.table.codes[v] for v in (*parents, child)]
        counts = np.zeros(shape)
        np.add.at(counts, tuple(family), 1)
        cell, row = 1 / counts.size, shape[-1] / counts.size
        cells = gammaln(counts + cell) - gammaln(cell)
        rows = gammaln(counts.sum(axis=-1) + row) - gammaln(row)
        return float(cells.sum() - rows.sum())

    def estimate(self, dag: pp.Dag, *, equivalent_sample_size: float) -> pp.BayesianNetwork:
        return pp.BayesianNetwork.estimate(dag, self.table, equivalent_sample_size=1.0)


class Strict(CountedScore):
    """Twice the penalty of BIC."""

    is_score_equivalent = True

    def rule(self, table: DataTable) -> Rule:
        return Rule(LIKELIHOOD, 0.0, False, np.log(table.num_rows))


def test_a_counted_score_is_a_rule_and_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OF_STATES, "strict", lambda _: Strict())
    data = pp.load_network("asia").sample(300, seed=4)
    fit = pp.learn(data, score="strict")
    assert fit.resolved.search == "exact"
    assert fit.dag.num_edges < pp.learn(data, score="bic").dag.num_edges
    penalty = 0.5 * np.log(len(data)) * fit.network().num_parameters
    bic = pp.score_graph(fit.dag, data, score="bic")
    assert fit.data_score == pytest.approx(bic - penalty, abs=1e-7)


@pytest.mark.parametrize("search", ["equivalence", "turning", "greedy"])
def test_a_score_in_python_is_searched_like_a_compiled_one(search: str) -> None:
    data = pp.load_network("asia").sample(400, seed=4)
    beliefs = [pp.causes("smoke", "dysp", 0.9), pp.not_associated("asia", "smoke", 0.8)]
    for given in (None, beliefs):
        own = pp.learn(data, given, score=PlainBdeu(), search=search)
        compiled = pp.learn(data, given, score="bdeu", equivalent_sample_size=1, search=search)
        assert own.cpdag == compiled.cpdag
        assert own.data_score == pytest.approx(compiled.data_score, abs=1e-8)
        assert own.prior_score == pytest.approx(compiled.prior_score, abs=1e-8)
    assert pp.learn(data, score=PlainBdeu()).resolved.search == "equivalence"
