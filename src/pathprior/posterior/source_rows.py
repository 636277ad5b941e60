"""What the draws of a posterior say of statements, and of how reliable their sources are."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.reliability import source_table
from pathprior.beliefs.repeated import others_who_say
from pathprior.beliefs.testimony import Testimony
from pathprior.posterior.judge import Judge
from pathprior.posterior.questions import ask_event, holds

if TYPE_CHECKING:
    import pandas as pd


def source_rows(testimony: Testimony, judge: Judge) -> "pd.DataFrame":
    """One row per source: the reliability given each graph, averaged over the graphs."""
    place = {name: k for k, name in enumerate(testimony.sources)}
    a, b = np.array(testimony.reliability).T
    held = np.zeros((*judge.draws.scores.shape, len(place)))
    total = np.zeros(len(place))
    for statement in testimony.statements:
        k = place[statement.source]
        here = holds(judge, statement.x, statement.relation, statement.y)[..., 0]
        held[..., k] += statement.strength * here
        total[k] += statement.strength
    shapes = np.stack([a + held, b + (total - held)], axis=-1)
    means = judge.numbers(shapes[..., 0] / (a + b + total))
    flat = shapes.reshape(-1, len(place), 2)
    table = source_table(testimony, flat, judge.draws.weights, means.error.tolist())
    return table.assign(is_settled=means.is_settled)


def statement_rows(
    testimony: Testimony, judge: Judge, baseline: NDArray[np.float64]
) -> "pd.DataFrame":
    """One row per statement, those first that are least probable after the data.

    ``baseline`` is the probability of each tie of a pair without beliefs and data.
    """
    import pandas as pd

    rows = []
    statements = testimony.statements
    for statement, others in zip(statements, others_who_say(statements), strict=True):
        x, y, event = statement.x, statement.y, statement.event
        found = ask_event(judge, x, event, y)
        after, error = float(found.mean[0]), float(found.error[0])
        before = float(baseline[sorted(event.ties)].sum())
        said = (statement.source, x, y, event.value, statement.strength, others, before)
        rows.append((*said, after, error, bool(found.is_settled[0])))
    said_columns = ["source", "x", "y", "event", "strength", "others"]
    columns = [*said_columns, "baseline", "after", "error", "is_settled"]
    frame = pd.DataFrame(rows, columns=columns)
    order = np.argsort(frame["after"].round(9).to_numpy(float), kind="stable")
    return frame.iloc[order].reset_index(drop=True)
