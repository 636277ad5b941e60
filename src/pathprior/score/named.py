"""Scores by name, and the score of a given graph."""

from collections.abc import Callable

from pathprior.data.door import Tabular, read_dataset
from pathprior.errors import SearchError
from pathprior.graph.dag import Dag, require_same_nodes
from pathprior.score.aic import Aic
from pathprior.score.bdeu import Bdeu
from pathprior.score.bic import Bic
from pathprior.score.counted import CountedScore
from pathprior.score.k2 import K2
from pathprior.score.likelihood import LogLikelihood
from pathprior.score.score import Score

NAMED: dict[str, Callable[[float], CountedScore]] = {
    "bdeu": Bdeu,
    "k2": lambda _: K2(),
    "bic": lambda _: Bic(),
    "aic": lambda _: Aic(),
    "loglik": lambda _: LogLikelihood(),
}
"""How to make each score, given the equivalent sample size."""

SCORE_NAMES = tuple(NAMED)


def named_score(name: str, *, equivalent_sample_size: float = 1.0) -> CountedScore:
    """Return the score of that name; ``equivalent_sample_size`` belongs to BDeu."""
    if name not in NAMED:
        raise SearchError(
            f"unknown score {name!r}: choose one of {', '.join(SCORE_NAMES)}, or pass a score "
            "object such as Bde(network)"
        )
    return NAMED[name](equivalent_sample_size)


def make_score(score: str | Score, *, equivalent_sample_size: float = 1.0) -> Score:
    """Return the score of that name, or the score object itself, which brings its own options."""
    if isinstance(score, str):
        return named_score(score, equivalent_sample_size=equivalent_sample_size)
    return score


def data_score(
    dag: Dag,
    data: Tabular,
    *,
    score: str | Score = "bdeu",
    equivalent_sample_size: float = 1.0,
) -> float:
    """Score a given DAG on data: the sum of its families' local scores.

    Parameters
    ----------
    dag
        A graph on the data's columns, in any order.
    data
        Anything `read_dataset` takes.
    score
        ``"bdeu"``, ``"k2"``, ``"bic"``, ``"aic"``, ``"loglik"`` or a score object.
    equivalent_sample_size
        For BDeu.
    """
    dataset = read_dataset(data)
    require_same_nodes(dag.nodes, dataset.variables, owners=("the graph", "the data"))
    scorer = make_score(score, equivalent_sample_size=equivalent_sample_size).bind(dataset)
    column = {name: v for v, name in enumerate(dataset.variables)}
    return sum(
        scorer.local(column[node], [column[parent] for parent in dag.parents(node)])
        for node in dag.nodes
    )
