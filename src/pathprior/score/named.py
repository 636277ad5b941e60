"""Scores by name, and the score of a given graph."""

from collections.abc import Callable

from pathprior.data.coding import Tabular, code_table
from pathprior.errors import SearchError
from pathprior.graph.dag import Dag, require_same_nodes
from pathprior.score.aic import Aic
from pathprior.score.bdeu import Bdeu
from pathprior.score.bic import Bic
from pathprior.score.k2 import K2
from pathprior.score.likelihood import LogLikelihood
from pathprior.score.score import Score

SCORE_NAMES = ("bdeu", "k2", "bic", "aic", "loglik")


def make_score(score: str | Score, *, equivalent_sample_size: float = 1.0) -> Score:
    """Return the score of that name, or the score object itself.

    ``equivalent_sample_size`` belongs to BDeu; a score object brings its own.
    """
    if not isinstance(score, str):
        return score
    if score == "bdeu":
        return Bdeu(equivalent_sample_size)
    makers: dict[str, Callable[[], Score]] = {
        "k2": K2,
        "bic": Bic,
        "aic": Aic,
        "loglik": LogLikelihood,
    }
    if score not in makers:
        raise SearchError(
            f"unknown score {score!r}: choose one of {', '.join(SCORE_NAMES)}, or pass a score "
            "object such as Bde(network)"
        )
    return makers[score]()


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
        Anything `code_table` takes.
    score
        ``"bdeu"``, ``"k2"``, ``"bic"``, ``"aic"``, ``"loglik"`` or a score object.
    equivalent_sample_size
        For BDeu.
    """
    table = code_table(data)
    require_same_nodes(dag.nodes, table.variables, owners=("the graph", "the data"))
    scorer = make_score(score, equivalent_sample_size=equivalent_sample_size).bind(table)
    column = {name: v for v, name in enumerate(table.variables)}
    return sum(
        scorer.local(column[node], [column[parent] for parent in dag.parents(node)])
        for node in dag.nodes
    )
