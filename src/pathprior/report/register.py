"""How each class of results shows itself.

Imported with the package: what draws is imported when asked for.
"""

from os import PathLike
from typing import TYPE_CHECKING

from pathprior import showing
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.graph.cpdag import Cpdag
from pathprior.graph.dag import Dag
from pathprior.network.effect import Effect
from pathprior.network.model import Network
from pathprior.network.response import Response
from pathprior.network.slope import Slope
from pathprior.posterior.posterior import Posterior
from pathprior.prior.path_prior import PathPrior
from pathprior.search.result import Fit

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# -- graphs --------------------------------------------------------------------------------------


@showing.html.register(Dag)
def _(dag: Dag) -> str:
    from pathprior.report.svg import dag_svg

    return dag_svg(dag)


@showing.dot.register(Dag)
def _(dag: Dag) -> str:
    from pathprior.report.dot import to_dot

    return to_dot(dag)


@showing.html.register(Cpdag)
def _(cpdag: Cpdag) -> str:
    from pathprior.report.svg import cpdag_svg

    return cpdag_svg(cpdag)


@showing.html.register(Network)
def _(network: Network) -> str:
    from pathprior.report.notebook import network_html

    return network_html(network)


# -- beliefs and priors --------------------------------------------------------------------------


@showing.html.register(BeliefSet)
def _(beliefs: BeliefSet) -> str:
    from pathprior.report.notebook import beliefs_html

    return beliefs_html(beliefs)


@showing.text.register(PathPrior)
def _(prior: PathPrior) -> str:
    from pathprior.report.text import prior_text

    return prior_text(prior)


@showing.html.register(PathPrior)
def _(prior: PathPrior) -> str:
    from pathprior.report.notebook import prior_html

    return prior_html(prior)


@showing.plot.register(PathPrior)
def _(prior: PathPrior, ax: "Axes | None" = None) -> "Axes":
    from pathprior.report.plots import plot_prior

    return plot_prior(prior, ax)


# -- learned networks ----------------------------------------------------------------------------


@showing.text.register(Fit)
def _(fit: Fit) -> str:
    from pathprior.report.text import fit_text

    return fit_text(fit)


@showing.html.register(Fit)
def _(fit: Fit) -> str:
    from pathprior.report.notebook import fit_html

    return fit_html(fit)


@showing.dot.register(Fit)
def _(fit: Fit) -> str:
    from pathprior.report.dot import fit_dot

    return fit_dot(fit)


@showing.plot.register(Fit)
def _(fit: Fit, ax: "Axes | None" = None) -> "Axes":
    from pathprior.report.plots import plot_fit
    from pathprior.search.support import edge_support

    return plot_fit(fit, edge_support(fit), ax=ax)


@showing.plot_trace.register(Fit)
def _(fit: Fit, ax: "Axes | None" = None) -> "Axes":
    from pathprior.report.plots import plot_trace

    return plot_trace(fit, ax)


@showing.report.register(Fit)
def _(
    fit: Fit,
    path: str | PathLike[str],
    *,
    title: str | None = None,
    posterior: Posterior | None = None,
) -> None:
    from pathprior.report.page import write_report

    write_report(fit, path, title=title, posterior=posterior)


# -- posteriors ----------------------------------------------------------------------------------


@showing.text.register(Effect)
def _(effect: Effect) -> str:
    from pathprior.report.text import effect_text

    return effect_text(effect)


@showing.html.register(Effect)
def _(effect: Effect) -> str:
    from pathprior.report.notebook import effect_html

    return effect_html(effect)


@showing.text.register(Response)
def _(response: Response) -> str:
    from pathprior.report.text import response_text

    return response_text(response)


@showing.html.register(Response)
def _(response: Response) -> str:
    from pathprior.report.notebook import response_html

    return response_html(response)


@showing.text.register(Slope)
def _(slope: Slope) -> str:
    from pathprior.report.text import slope_text

    return slope_text(slope)


@showing.html.register(Slope)
def _(slope: Slope) -> str:
    from pathprior.report.notebook import slope_html

    return slope_html(slope)


@showing.text.register(Posterior)
def _(posterior: Posterior) -> str:
    from pathprior.report.text import posterior_text

    return posterior_text(posterior)


@showing.html.register(Posterior)
def _(posterior: Posterior) -> str:
    from pathprior.report.notebook import posterior_html

    return posterior_html(posterior)


@showing.plot.register(Posterior)
def _(posterior: Posterior, ax: "Axes | None" = None) -> "Axes":
    from pathprior.report.posterior_plots import plot_paths

    return plot_paths(posterior, ax)


@showing.plot_beliefs.register(Posterior)
def _(posterior: Posterior, ax: "Axes | None" = None) -> "Axes":
    from pathprior.report.posterior_plots import plot_beliefs

    return plot_beliefs(posterior, ax)


@showing.report.register(Posterior)
def _(posterior: Posterior, path: str | PathLike[str], *, title: str | None = None) -> None:
    from pathprior.report.posterior_page import write_posterior_report

    write_posterior_report(posterior, path, title=title)
