"""What notebooks show of a result: HTML fragments without scripts."""

from html import escape
from typing import TYPE_CHECKING

from pathprior.beliefs.belief import DEFAULT_STRENGTH
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.prior.path_prior import PathPrior
from pathprior.report.legend import EDGE_COLOURS, EDGE_PHRASES, open_edges, supports_found
from pathprior.report.path_matrix import MAX_NAMED
from pathprior.report.paths_svg import paths_svg
from pathprior.report.sections import conflict_list
from pathprior.report.settled import UNSETTLED_PATHS, error_cell, no_effect
from pathprior.report.svg import dag_svg
from pathprior.report.text import posterior_head, setting
from pathprior.search.support import edge_support

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.network.effect import Effect
    from pathprior.network.model import Network
    from pathprior.network.response import Response
    from pathprior.network.slope import Slope
    from pathprior.posterior.posterior import Posterior
    from pathprior.search.result import Fit

MAX_PARAMETERS = 100
"""Most parameters of a network that are shown."""


def network_html(network: "Network") -> str:
    """The graph and its parameters, of very many the first."""
    frame = network.to_frame()
    more = ""
    if len(frame) > MAX_PARAMETERS:
        more = f"<p>The first {MAX_PARAMETERS} of {len(frame)} parameters; to_frame gives all.</p>"
    table = _html(frame.head(MAX_PARAMETERS))
    return f"<p>{escape(repr(network))}</p>{dag_svg(network.dag)}{more}{table}"


def beliefs_html(beliefs: BeliefSet) -> str:
    """One row per belief; strengths and sources only where there are some to tell apart."""
    import pandas as pd

    frame = pd.DataFrame(
        {
            "x": [belief.x for belief in beliefs],
            "relation": [belief.relation for belief in beliefs],
            "y": [belief.y for belief in beliefs],
            "probability": [" ".join(f"{p:g}" for p in belief.stated) for belief in beliefs],
        }
    )
    if any(belief.strength != DEFAULT_STRENGTH for belief in beliefs):
        frame["strength"] = [f"{belief.strength:g}" for belief in beliefs]
    if any(belief.source for belief in beliefs):
        frame["source"] = [belief.source for belief in beliefs]
    return f"<p>{len(beliefs)} beliefs on {len(beliefs.variables)} variables</p>{_html(frame)}"


def prior_html(prior: PathPrior) -> str:
    """Conflicts first, then stated against fitted."""
    return f"<p>{escape(repr(prior))}</p>{conflict_list(prior)}{_table(prior.table)}"


def fit_html(fit: "Fit") -> str:
    """The graph with its colours explained, the scores, and what became of the beliefs."""
    supports = edge_support(fit)
    colours = {(edge.parent, edge.child): EDGE_COLOURS[edge.support] for edge in supports}
    legend = " · ".join(
        f'<span style="color: {EDGE_COLOURS[support]}">━</span> {EDGE_PHRASES[support]}'
        for support in supports_found(supports)
    )
    turnable = open_edges(supports)
    if turnable:
        legend += " · ╌ direction left open"
    beliefs = ""
    if fit.has_beliefs:
        beliefs = conflict_list(fit.prior) + _table(fit.beliefs_held())
    if fit.has_statements:
        beliefs += _html(fit.sources()) + _table(fit.statements_held())
    return (
        f"<p>{fit.dag.num_edges} edges on {fit.dag.num_nodes} variables; score {fit.score:,.2f} = "
        f"data {fit.data_score:,.2f} + prior {fit.prior_score:,.2f}. "
        f"{escape(str(fit.stopped_because))}</p>"
        f"{dag_svg(fit.dag, open_edges=turnable, edge_colours=colours)}<p>{legend}</p>{beliefs}"
    )


def posterior_html(posterior: "Posterior") -> str:
    """What the data make of each belief, the edges and the paths that are probable."""
    head = " · ".join(escape(line) for line in posterior_head(posterior))
    beliefs = ""
    if len(posterior.prior.beliefs):
        shown = posterior.beliefs().drop(columns=["before", "is_bound", "is_contradicted"])
        beliefs = _table(_with_errors(shown))
    if posterior.testimony is not None:
        beliefs += _html(_with_errors(posterior.sources()))
        beliefs += _table(_with_errors(posterior.statements()))
    paths = ""
    if len(posterior.variables) <= MAX_NAMED:  # a notebook keeps every cell
        grey = "" if posterior.relations_settled.all() else f" {UNSETTLED_PATHS}"
        paths = f"<p>How probably each row causes each column.{grey}</p>{paths_svg(posterior)}"
    return (
        f"<p>{head}</p>{beliefs}<p>Edges with a probability above one half.</p>"
        f"{dag_svg(posterior.median_graph())}{paths}"
    )


def effect_html(effect: "Effect") -> str:
    """What y does where x is set, then how far that is from the first state of x."""
    head = f"What setting {effect.x} does to {effect.y}: probabilities with 90 % intervals."
    gained = f"Against {effect.x} = {effect.x_states[0]}:"
    return (
        f"<p>{escape(head)}</p>{_html(effect.table())}<p>{escape(gained)}</p>"
        f"{_html(effect.differences())}<p>{escape(no_effect(effect))}</p>"
    )


def response_html(response: "Response") -> str:
    """What y is where x is set, then how far that is from the first setting."""
    what = "probabilities" if response.y_states else "means"
    head = f"What setting {response.x} does to {response.y}: {what} with 90 % intervals."
    gained = f"Against {response.x} = {setting(response.settings[0])}:"
    return (
        f"<p>{escape(head)}</p>{_html(response.table())}<p>{escape(gained)}</p>"
        f"{_html(response.differences())}<p>{escape(no_effect(response))}</p>"
    )


def slope_html(slope: "Slope") -> str:
    """What y does where x is set one higher."""
    head = f"What {slope.y} gains where {slope.x} is set one higher, with a 90 % interval."
    return f"<p>{escape(head)}</p>{_html(slope.table())}<p>{escape(no_effect(slope))}</p>"


def _with_errors(table: "pd.DataFrame") -> "pd.DataFrame":
    """Say beside each error where it is one of what has not settled."""
    told = zip(table["error"], table["is_settled"], strict=True)
    return table.assign(error=[error_cell(*one) for one in told]).drop(columns="is_settled")


def _table(frame: "pd.DataFrame") -> str:
    """Stated against fitted and what follows, each row to be read from left to right."""
    first = ["x", "event", "y"]
    rest = [name for name in frame.columns if name not in (*first, "strength")]
    return _html(frame[[*first, *rest]])


def _html(frame: "pd.DataFrame") -> str:
    return str(frame.to_html(index=False, border=0, float_format="{:.3f}".format))
