"""The HTML report of a posterior: one file that holds all it needs, without any script."""

from collections.abc import Mapping
from html import escape
from importlib.resources import files
from os import PathLike
from string import Template
from typing import TYPE_CHECKING, Any

from pathprior.errors import ReportError
from pathprior.files import saving
from pathprior.report import style
from pathprior.report.posterior_sections import (
    courses_section,
    paths_section,
    posterior_tiles,
    settling_section,
    surest_section,
)
from pathprior.report.sections import definitions, setting_words
from pathprior.versions import versions

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
    settings: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> str:
    """Return the report as HTML text.

    Parameters
    ----------
    inputs, settings
        What was read and what was asked, for the section on the run.
    title
        What stands at the top.
    """
    own = files("pathprior.report") / "template"
    asked = {
        name.replace("_", " "): setting_words(value)
        for name, value in (settings or {}).items()
        if value is not None
    }
    run = "".join(
        f"<section><h3>{name}</h3>{definitions(entries)}</section>"
        for name, entries in (("Input", inputs), ("Settings", asked), ("Versions", versions()))
        if entries
    )
    return Template((own / "posterior.html").read_text(encoding="utf-8")).substitute(
        title=escape(title or "Posterior"),
        css=style.css_variables() + (own / "report.css").read_text(encoding="utf-8"),
        tiles=posterior_tiles(posterior),
        beliefs=courses_section(posterior),
        paths=paths_section(posterior),
        edges=surest_section(posterior),
        settling=settling_section(posterior),
        run=run,
    )
