"""What a learned graph says of statements, and of how reliable their sources are."""

from typing import TYPE_CHECKING

import numpy as np

from pathprior.beliefs.reliability import source_table
from pathprior.errors import SearchError
from pathprior.search.reliability import graph_codes
from pathprior.search.support import without_weak_edges
from pathprior.task.statement_weights import StatementWeights

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.search.result import Fit


def source_rows(fit: "Fit") -> "pd.DataFrame":
    """One row per source: its reliability given the learned graph."""
    heard = _heard(fit)
    shapes = heard.shapes_given(graph_codes(fit.task, fit.dag))
    nothing = [0.0] * len(shapes)
    return source_table(heard.testimony, shapes[None], np.ones(1), nothing)


def statement_rows(fit: "Fit") -> "pd.DataFrame":
    """One row per statement, in the order of the sources."""
    import pandas as pd

    baseline = fit.prior.uninformative_ties
    strong = without_weak_edges(fit.dag.reorder(fit.task.rules.variables), fit.task.scorer)
    rows = []
    for statement in _heard(fit).testimony.statements:
        x, y, event = statement.x, statement.y, statement.event
        here, there = fit.dag.tie(x, y), strong.tie(x, y)
        rows.append(
            {
                "source": statement.source,
                "x": x,
                "y": y,
                "event": event.value,
                "strength": statement.strength,
                "baseline": float(baseline[sorted(event.ties)].sum()),
                "relation": here.relation.symbol,
                "holds": here in event.ties,
                "is_weak": (here in event.ties) != (there in event.ties),
            }
        )
    return pd.DataFrame(rows)


def _heard(fit: "Fit") -> StatementWeights:
    if fit.task.statements is None:
        raise SearchError("there were no statements: pass some to learn")
    return fit.task.statements
