"""The HTML report of a posterior."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from pathprior.errors import ReportError
from pathprior.files import saving
from pathprior.report.answers import posterior_answers
from pathprior.report.claims import surest_claims
from pathprior.report.effect_data import effect_data
from pathprior.report.frame import PAIR, Page, card, fill, lead
from pathprior.report.graph_data import posterior_graph_data
from pathprior.report.pace import Pace
from pathprior.report.path_matrix import map_order, path_matrix
from pathprior.report.posterior_sections import (
    PathsCard,
    courses_section,
    posterior_legend,
    settling_section,
    surest_section,
    warn_of,
)
from pathprior.report.relation_data import relation_data
from pathprior.report.run_sections import posterior_run_section
from pathprior.report.testimony import heard_section

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior


def write_posterior_report(
    posterior: "Posterior", path: str | PathLike[str], *, title: str | None = None
) -> None:
    """Write the report on ``posterior``; the file appears whole or not at all."""
    page = format_posterior_report(posterior, title=title)
    with saving(path, ReportError) as temporary:
        temporary.write_text(page, encoding="utf-8")


def format_posterior_report(
    posterior: "Posterior",
    *,
    inputs: Mapping[str, str] | None = None,
    title: str | None = None,
    pace: Pace | None = None,
) -> str:
    """Return the report as HTML text.

    Parameters
    ----------
    inputs
        What was read, for the section on the run.
    title
        What stands at the top; says where the data came from unless given, if that is known.
    pace
        By when it is wanted; what that leaves out is added to it, and said on the page.
    """
    pace = pace or Pace()
    nodes, draws, name = (
        posterior.variables,
        posterior.draws,
        posterior.data and posterior.data.name,
    )
    if title is None:
        title = f"What {name} says" if name else "Posterior"
    counted = [(len(nodes), "variable")]
    if posterior.data is not None:
        counted.append((posterior.data.num_rows, "row"))
    counted.append((len(posterior.prior.beliefs), "belief"))
    heard = []
    if posterior.testimony is not None:
        counted.append((len(posterior.testimony.statements), "statement"))
        heard = [card("Statements", heard_section(posterior))]
    graphs = f"{draws.num_draws:,} graphs"
    graphs = f"all {graphs}" if posterior.is_exact else f"{draws.num_chains} chains of {graphs}"
    answers = posterior_answers(posterior, nodes, pace)
    data = posterior_graph_data(posterior) | pair_data(posterior, nodes, pace)
    paths = PathsCard.of(posterior)
    cards = [
        PAIR,
        card("Beliefs", courses_section(posterior)),
        *heard,
        paths.beside,
        card("Edges", surest_section(posterior)),
    ]
    return fill(
        Page(
            title=title,
            lead=lead(counted, graphs),
            warning=warn_of(posterior, pace.left_out),
            answers=answers,
            legend=posterior_legend(posterior),
            cards="".join(cards),
            below=paths.below,
            course=card("How it settled", settling_section(posterior)),
            run=card("Run", posterior_run_section(posterior, inputs or {}), "run"),
            data=data,
            has_posterior=True,
        )
    )


def pair_data(
    posterior: "Posterior", nodes: Sequence[str], pace: Pace | None = None
) -> dict[str, Any]:
    """What the panel on two variables needs, and which two it shows first."""
    place = {name: k for k, name in enumerate(nodes)}
    pairs: list[tuple[str, str]] = []
    if len(posterior.prior.beliefs):
        table = posterior.beliefs()
        pairs = list(zip(table["x"], table["y"], strict=True))
    first = (pairs or [(claim.x, claim.y) for claim in surest_claims(posterior, 1)])[:1]
    return {
        **relation_data(posterior, nodes),
        "effects": effect_data(posterior, nodes, pairs, pace),
        "order": [place[posterior.variables[v]] for v in map_order(path_matrix(posterior))],
        "first": [place[end] for end in first[0]] if first else None,
    }
