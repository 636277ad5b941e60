"""Odds ratios of the parents whose effects add up, each adjusted for the others."""

from collections.abc import Iterator, Mapping
from itertools import product
from math import exp
from typing import TYPE_CHECKING

import numpy as np

from pathprior.data.merged import Coded
from pathprior.errors import SearchError
from pathprior.score.family_tables import count_family
from pathprior.search.family_parts import scorer_of_parts

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.search.learned_graph import LearnedGraph

COLUMNS = (
    "child",
    "outcome",
    "otherwise",
    "parent",
    "state",
    "against",
    "odds_ratio",
    "low",
    "high",
)
References = Mapping[str, object]
"""Of some variables the state that the others are compared with."""
Row = tuple[str, str, str, str, str, str, float, float, float]


def odds_ratios_table(
    graph: "LearnedGraph", references: References | None, level: float
) -> "pd.DataFrame":
    """One row for each outcome and each state of a parent, but those that are compared with."""
    import pandas as pd

    if not 0 < level < 1:
        raise SearchError(f"level must be between 0 and 1, not {level!r}")
    rows = list(_rows(graph, references or {}, level))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _rows(graph: "LearnedGraph", references: References, level: float) -> Iterator[Row]:
    from scipy.special import ndtri

    scorer, width = scorer_of_parts(graph), float(ndtri((1 + level) / 2))
    table, strata, kernel = scorer.dataset.states(may_be_set=True), scorer.strata, scorer.kernel()
    place, states = scorer.dataset.variables.index, table.states
    compared = _compared_with(table, references)
    for child in graph.dag.nodes:
        v, parents = place(child), graph.dag.parents(child)
        members = [place(name) for name in parents]
        if scorer.parts(v, members).part != "additive":
            continue
        family = count_family(kernel, v, members, int(strata.which[strata.first[v]]))
        for c, u in product(range(len(states[v])), members):
            for s in range(len(states[u])):
                if c == compared[v] or s == compared[u]:
                    continue
                mean, deviation = family.log_odds_ratio(u, (s, compared[u]), (c, compared[v]))
                yield (
                    child,
                    states[v][c],
                    states[v][compared[v]],
                    table.variables[u],
                    states[u][s],
                    states[u][compared[u]],
                    exp(mean),
                    exp(mean - width * deviation),
                    exp(mean + width * deviation),
                )


def _compared_with(table: Coded, references: References) -> list[int]:
    """Of each variable the state that was named, or else the most frequent, of equals the first."""
    found = [
        int(np.bincount(codes, table.times, minlength=len(states)).argmax())
        for codes, states in zip(table.held, table.states, strict=True)
    ]
    for name, state in references.items():
        if name not in table.variables:
            raise SearchError(f"references name {name!r}, which is no variable of the network")
        v = table.variables.index(name)
        if str(state) not in table.states[v]:
            raise SearchError(
                f"references name {state!r}, which is no state of {name!r}: choose one of "
                f"{', '.join(table.states[v])}"
            )
        found[v] = table.states[v].index(str(state))
    return found
