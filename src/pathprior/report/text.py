"""What a result prints: plain text for a terminal of eighty columns."""

from textwrap import fill
from typing import TYPE_CHECKING

from pathprior.prior.path_prior import PathPrior

if TYPE_CHECKING:
    from pathprior.search.result import Fit

WIDTH = 80
MAX_NAME = 18
"""Letters of a name that leave room for what else is said of a belief."""


def prior_text(prior: PathPrior) -> str:
    """Stated against fitted, then the beliefs that cannot hold together."""
    if not len(prior.table):
        return repr(prior)
    table = prior.table[["x", "event", "y", "stated", "fitted"]].to_string(
        index=False,
        formatters={"x": _cut, "y": _cut, "stated": "{:g}".format, "fitted": "{:.3f}".format},
    )
    sentences = (f"Cannot hold together: {conflict.sentence}." for conflict in prior.conflicts)
    return "\n".join([repr(prior), table, *(fill(sentence, WIDTH) for sentence in sentences)])


def fit_text(fit: "Fit") -> str:
    """The graph in a line, then what became of each belief."""
    dag = fit.dag
    head = (
        f"{dag.num_edges} edges on {dag.num_nodes} variables, score {fit.score:,.2f} = "
        f"data {fit.data_score:,.2f} + prior {fit.prior_score:,.2f}"
    )
    if fit.prior is None or not len(fit.prior.table):
        return head
    held = fit.beliefs_held()
    held["in the network"] = [
        f"{relation} {'holds' if holds else 'does not hold'}{', weakly' if is_weak else ''}"
        for relation, holds, is_weak in zip(
            held["relation"], held["holds"], held["is_weak"], strict=True
        )
    ]
    table = held[["x", "event", "y", "stated", "fitted", "in the network"]].to_string(
        index=False,
        formatters={"x": _cut, "y": _cut, "stated": "{:g}".format, "fitted": "{:.3f}".format},
    )
    return f"{head}\n{table}"


def _cut(name: str) -> str:
    return name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "…"
