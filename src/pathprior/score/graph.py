"""`score_graph`: the score of a given graph."""

from typing import TYPE_CHECKING, Literal, overload

from pathprior.data.door import Tabular, read_dataset
from pathprior.data.interventions import HARD, Interventions
from pathprior.data.kinds import Kinds
from pathprior.graph.dag import Dag, require_same_nodes
from pathprior.score.named import AUTO, make_score, pick_score
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE
from pathprior.score.score import Score

if TYPE_CHECKING:
    import pandas as pd


@overload
def score_graph(
    dag: Dag,
    data: Tabular,
    *,
    kinds: Kinds | None = ...,
    interventions: "Interventions | None" = ...,
    interventions_kind: str = ...,
    score: str | Score = ...,
    equivalent_sample_size: float = ...,
    per_family: Literal[False] = ...,
) -> float: ...


@overload
def score_graph(
    dag: Dag,
    data: Tabular,
    *,
    kinds: Kinds | None = ...,
    interventions: "Interventions | None" = ...,
    interventions_kind: str = ...,
    score: str | Score = ...,
    equivalent_sample_size: float = ...,
    per_family: Literal[True],
) -> "pd.Series[float]": ...


def score_graph(
    dag: Dag,
    data: Tabular,
    *,
    kinds: Kinds | None = None,
    interventions: "Interventions | None" = None,
    interventions_kind: str = HARD,
    score: str | Score = AUTO,
    equivalent_sample_size: float = DEFAULT_SAMPLE_SIZE,
    per_family: bool = False,
) -> "float | pd.Series[float]":
    """Score a given DAG on data: the sum of its families' local scores, without any prior.

    Parameters
    ----------
    dag
        A graph on the data's columns, in any order.
    data
        Anything `pathprior.learn` takes, complete.
    kinds, interventions, interventions_kind, score
        As in `pathprior.learn`.
    equivalent_sample_size
        For BDeu.
    per_family
        Return the score of each child with its parents, instead of their sum.

    Returns
    -------
    float or Series
        With ``per_family`` one number per child, in the order of the graph's nodes.

    Examples
    --------
    >>> import pathprior as pp
    >>> network = pp.load_network("asia")
    >>> round(pp.score_graph(network.dag, network.sample(100, seed=0)), 2)
    -242.24
    """
    import pandas as pd

    dataset = read_dataset(
        data, kinds=kinds, interventions=interventions, interventions_kind=interventions_kind
    )
    require_same_nodes(dag.nodes, dataset.variables, owners=("the graph", "the data"))
    picked = pick_score(score, dataset)
    scorer = make_score(picked, equivalent_sample_size=equivalent_sample_size).bind(dataset)
    column = {name: v for v, name in enumerate(dataset.variables)}
    local = [
        scorer.local(column[node], [column[parent] for parent in dag.parents(node)])
        for node in dag.nodes
    ]
    if per_family:
        return pd.Series(local, index=pd.Index(dag.nodes, name="child"), name="score")
    return sum(local)
