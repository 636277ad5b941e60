"""What notebooks show of a result: HTML fragments without scripts."""

from html import escape
from typing import TYPE_CHECKING

from pathprior.prior.path_prior import PathPrior
from pathprior.report.sections import conflict_list
from pathprior.report.support import edge_support, has_open_edges, supports_found
from pathprior.report.svg import dag_svg

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.search.result import Fit


def prior_html(prior: PathPrior) -> str:
    """Conflicts first, then stated against fitted."""
    return f"<p>{escape(repr(prior))}</p>{conflict_list(prior)}{_table(prior.table)}"


def fit_html(fit: "Fit") -> str:
    """The graph with its colours explained, the scores, and what became of the beliefs."""
    supports = edge_support(fit)
    colours = {(edge.parent, edge.child): edge.support.colour for edge in supports}
    legend = " · ".join(
        f'<span style="color: {support.colour}">━</span> {support.phrase}'
        for support in supports_found(supports)
    )
    if has_open_edges(supports):
        legend += " · ╌ direction left open"
    beliefs = "" if fit.prior is None else conflict_list(fit.prior) + _table(fit.beliefs_held())
    return (
        f"<p>{fit.dag.num_edges} edges on {fit.dag.num_nodes} variables; score {fit.score:,.2f} = "
        f"data {fit.data_score:,.2f} + prior {fit.prior_score:,.2f}. "
        f"{escape(str(fit.stopped_because))}</p>"
        f"{dag_svg(fit.dag, cpdag=fit.cpdag, edge_colours=colours)}<p>{legend}</p>{beliefs}"
    )


def _table(frame: "pd.DataFrame") -> str:
    shown = frame[[name for name in frame.columns if name != "strength"]]
    return str(shown.to_html(index=False, border=0, float_format="{:.3f}".format))
