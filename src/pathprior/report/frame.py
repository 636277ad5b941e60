"""The frame of every HTML report: one file that holds all it needs and asks for nothing."""

import base64
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from pathprior.report import style

SCRIPTS = ("graph.js", "focus.js", "overview.js", "pair.js", "map.js", "report.js")
"""In the order in which they need each other."""

PAIR = """<section class="card" id="pair" hidden><h2>Two variables</h2>
<div class="names">
<input id="pair-x" list="names" aria-label="First variable">
<button type="button" id="swap" aria-label="Swap the two variables">⇄</button>
<input id="pair-y" list="names" aria-label="Second variable">
</div>
<div id="pair-answer" role="status"></div></section>
"""
"""How any two variables are related, and what setting one does to the other."""

SLIDER = """<label class="slider">Edges at least this probable
<input id="threshold" type="range" min="0.05" max="1" step="0.05" value="0.5">
<output id="threshold-value" for="threshold"></output></label>
"""


@dataclass(frozen=True, slots=True)
class Page:
    """What differs from page to page, as HTML apart from title and data.

    Attributes
    ----------
    title
        What stands at the top, as plain text.
    lead
        What it is about: how many variables, rows and so on.
    warning
        What to know before believing any of it, as plain text; empty if nothing.
    answers
        Sentences, before anything else.
    legend
        What the graph's lines mean.
    cards
        Beside the graph.
    below
        Below these, as wide as the page.
    course, run
        Last: how all this was found, and by what settings.
    data
        For the scripts.
    has_posterior
        Whether edges have probabilities.
    """

    title: str
    lead: str
    warning: str
    answers: str
    legend: str
    cards: str
    below: str
    course: str
    run: str
    data: dict[str, Any]
    has_posterior: bool


def fill(page: Page) -> str:
    """Return the page as HTML text."""
    folder = files("pathprior.report")
    own = folder / "template"
    library = (folder / "vendor" / "cytoscape.min.js").read_text(encoding="utf-8")
    script = "\n".join((own / name).read_text(encoding="utf-8") for name in SCRIPTS)
    return Template((own / "report.html").read_text(encoding="utf-8")).substitute(
        # only these two scripts may run, whatever a variable is called
        script_hashes=f"'{_hash(library)}' '{_hash(script)}'",
        title=escape(page.title),
        lead=page.lead,
        warning=f'<p class="warning">{escape(page.warning)}</p>' if page.warning else "",
        css=style.css_variables() + (own / "report.css").read_text(encoding="utf-8"),
        answers=page.answers,
        slider=SLIDER if page.has_posterior else "",
        legend=page.legend,
        cards=page.cards,
        below=page.below,
        course=page.course,
        run=page.run,
        data=_embed(page.data),
        library=library,
        script=script,
    )


def card(head: str, content: str, kind: str = "") -> str:
    """A section with its heading."""
    return f'<section class="{f"card {kind}".strip()}"><h2>{head}</h2>{content}</section>\n'


def lead(parts: Iterable[tuple[int, str]], *more: str) -> str:
    """Numbers of things, and what else there is to say, in a line."""
    counted = [f"{number:,} {_plural(number, name)}" for number, name in parts]
    return escape(" · ".join([*counted, *more]))


def _plural(number: int, name: str) -> str:
    return name if number == 1 else f"{name}s"


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _embed(data: Any) -> str:
    """JSON that no parser takes for markup: within a script element only ``<`` can end it."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
