"""The HTML report: one file that holds all it needs and asks for nothing from any network."""

import base64
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any

from pathprior.errors import ReportError
from pathprior.files import saving
from pathprior.report import style
from pathprior.report.graph_data import graph_data
from pathprior.report.posterior_sections import posterior_card
from pathprior.report.sections import (
    beliefs_section,
    edges_section,
    legend,
    parameters_section,
    run_section,
    steps_section,
    tiles,
)
from pathprior.report.trace_svg import trace_svg
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
        What the data make of edges, paths and beliefs, for a section of its own.

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
    folder = files("pathprior.report")
    own = folder / "template"
    library = (folder / "vendor" / "cytoscape.min.js").read_text(encoding="utf-8")
    script = (own / "report.js").read_text(encoding="utf-8")
    name = fit.task.data.name
    if title is None:
        title = f"Network learned from {name}" if name else "Learned network"
    return Template((own / "report.html").read_text(encoding="utf-8")).substitute(
        # only these two scripts may run, whatever a variable is called
        script_hashes=f"'{_hash(library)}' '{_hash(script)}'",
        title=escape(title),
        css=style.css_variables() + (own / "report.css").read_text(encoding="utf-8"),
        library=library,
        script=script,
        data=_embed(graph_data(fit, supports)),
        tiles=tiles(fit),
        legend=legend(supports),
        beliefs=beliefs_section(fit, posterior),
        posterior="" if posterior is None else posterior_card(posterior),
        trace=trace_svg(fit),
        edges=edges_section(supports),
        parameters=parameters_section(fit),
        steps=steps_section(fit),
        run=run_section(fit, inputs or {}),
    )


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _embed(data: Any) -> str:
    """JSON that no parser takes for markup: within a script element only ``<`` can end it."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
