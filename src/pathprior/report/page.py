"""The HTML report of a learned network."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pathprior.errors import ReportError
from pathprior.files import saving
from pathprior.report.answers import fit_answers, posterior_answers
from pathprior.report.frame import PAIR, Page, card, fill, lead
from pathprior.report.graph_data import graph_data
from pathprior.report.posterior_page import pair_data
from pathprior.report.posterior_sections import (
    PathsCard,
    settling_section,
    surest_section,
    warn_of,
)
from pathprior.report.run_sections import run_section
from pathprior.report.sections import (
    beliefs_section,
    edges_section,
    families_section,
    legend,
    parameters_section,
    search_section,
)
from pathprior.report.testimony import statements_section
from pathprior.search.support import EdgeSupport, edge_support

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior
    from pathprior.search.result import Fit


def write_report(
    fit: "Fit",
    path: str | os.PathLike[str],
    *,
    inputs: Mapping[str, str] | None = None,
    title: str | None = None,
    posterior: "Posterior | None" = None,
) -> None:
    """Write the report on ``fit``; the file appears whole or not at all.

    Parameters
    ----------
    inputs
        Further lines for the section on the run, such as the names of the files read.
    title
        What stands at the top; says where the data came from unless given, if that is known.
    posterior
        What the data make of edges, paths and beliefs: then the page begins with that.

    Raises
    ------
    ReportError
        If the file cannot be written, or the posterior is of other variables.
    """
    if posterior is not None and set(posterior.variables) != set(fit.dag.nodes):
        raise ReportError("the posterior is of other variables than the fit: use fit.posterior()")
    page = format_report(fit, edge_support(fit), inputs=inputs, title=title, posterior=posterior)
    with saving(path, ReportError) as temporary:
        temporary.write_text(page, encoding="utf-8")


def format_report(
    fit: "Fit",
    supports: Sequence[EdgeSupport],
    *,
    inputs: Mapping[str, str] | None = None,
    title: str | None = None,
    posterior: "Posterior | None" = None,
) -> str:
    """Return the report as HTML text; ``supports`` is what `edge_support` says of ``fit``."""
    name, data = fit.problem.data.name, graph_data(fit, supports, posterior)
    if title is None:
        title = f"Network learned from {name}" if name else "Learned network"
    edges = _edges(fit, supports)
    beliefs = card("Beliefs", beliefs_section(fit, posterior))
    if fit.has_statements:
        beliefs += card("Statements", statements_section(fit, posterior))
    cards = [beliefs, card("Edges", edges)]
    below = ""
    course = [card("Search", search_section(fit))]
    if posterior is None:
        answers = fit_answers(fit, supports)
    else:
        answers, paths = posterior_answers(posterior, fit.dag.nodes), PathsCard.of(posterior)
        below = paths.below
        data |= pair_data(posterior, fit.dag.nodes)
        surest = surest_section(posterior)
        surest = f"<details open><summary>The most probable</summary>{surest}</details>"
        cards = [
            PAIR,
            cards[0],
            paths.beside,
            card("Edges", surest + edges),
        ]
        course.insert(0, card("Posterior", settling_section(posterior)))
    counted = [
        (fit.dag.num_nodes, "variable"),
        (fit.dag.num_edges, "edge"),
        (fit.problem.data.num_rows, "row"),
        (len(fit.prior.beliefs), "belief"),
    ]
    if fit.has_statements:
        counted.append((len(fit.problem.statements.testimony.statements), "statement"))
    return fill(
        Page(
            title=title,
            lead=lead(counted),
            warning="" if posterior is None else warn_of(posterior),
            answers=answers,
            legend=legend(supports, has_posterior=posterior is not None),
            cards="".join(cards),
            below=below,
            course="".join(course),
            run=card("Run", run_section(fit, inputs or {}), "run"),
            data=data,
            has_posterior=posterior is not None,
        )
    )


def _edges(fit: "Fit", supports: Sequence[EdgeSupport]) -> str:
    """What each edge is worth, and the families and parameters behind it."""
    return (
        "<details><summary>What each edge is worth</summary>"
        '<p class="quiet">How far each score falls when the edge is removed and all others '
        "stay. Alone: how far that of the data rises by the edge where its child has no other "
        "parent.</p>"
        f"{edges_section(supports)}</details>{families_section(fit)}{parameters_section(fit)}"
    )
