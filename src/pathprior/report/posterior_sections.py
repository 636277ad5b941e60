"""What the report says of a posterior, as HTML; every text from the user is escaped here."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from pathprior.beliefs.evidence import NOT_SETTLED
from pathprior.posterior.settling import PosteriorStop
from pathprior.report.belief_rows import agreements, evidence_numbers, not_met, phrases
from pathprior.report.frame import card
from pathprior.report.legend import EVIDENCE_CLASS
from pathprior.report.path_matrix import MAX_NAMED
from pathprior.report.paths_svg import paths_picture, paths_svg, paths_width
from pathprior.report.posterior_links import links_of
from pathprior.report.posterior_tables import edge_table
from pathprior.report.scores_svg import scores_svg
from pathprior.report.sections import PROBABLE_KEYS, conflict_list, fitted_note
from pathprior.report.settled import UNSETTLED_PATHS, error_note
from pathprior.report.text import posterior_ending

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.posterior.posterior import Posterior

MAX_EDGES = 25
"""Most edges that are listed: the surest."""
COLUMN = 480
"""Pixels of a map for which there is room beside the graph."""
MAX_UNSURE = 10
"""Most probabilities that are listed among the least settled."""


def warn_of(posterior: "Posterior", left_out: Sequence[str] = ()) -> str:
    """Say that chains were stopped before their probabilities settled, and what is left out."""
    if posterior.stopped_because in (PosteriorStop.EXACT, PosteriorStop.SETTLED):
        said = [*posterior.left_out, *left_out]
        return " ".join(["There was no time for all of it.", *said]) if said else ""
    ending = f"Not settled yet, so read with care: {posterior_ending(posterior)}"
    return " ".join([ending, *left_out])


def posterior_legend(posterior: "Posterior") -> str:
    """What a line of the graph means."""
    entries = '<li><i class="key data"></i>an edge, whichever way</li>'
    if not all(link.is_settled for link in links_of(posterior, posterior.variables)):
        entries += f'<li><i class="key other"></i>{NOT_SETTLED}</li>'
    return entries + PROBABLE_KEYS


def courses_section(posterior: "Posterior") -> str:
    """Each belief from its baseline to what the data make of it."""
    if not len(posterior.prior.beliefs):
        return '<p class="quiet">From the data alone: no beliefs were given.</p>'
    table = posterior.beliefs()
    courses = table[["baseline", "stated", "fitted", "after", "error"]].to_numpy(float).tolist()
    told = zip(
        phrases(table),
        table["sentence"],
        table["evidence"],
        evidence_numbers(table),
        agreements(table),
        table["is_settled"],
        not_met(posterior.prior, table),
        strict=True,
    )
    rows = []
    for k, ((phrase, sentence, words, number, agrees, is_settled, is_missed), course) in enumerate(
        zip(told, courses, strict=True)
    ):
        baseline, stated, fitted, after, error = course
        note = error_note(error, is_settled, is_exact=posterior.is_exact)
        rows.append(
            f'<tr data-belief="{k}"><td><button type="button" aria-pressed="false">{escape(phrase)}'
            f"</button><small>{escape(sentence)}</small></td>"
            f'<td class="number">{stated:g}{fitted_note(fitted, is_missed)}'
            f"<small>baseline {baseline:.3f}</small></td>"
            f'<td class="number">{after:.3f}{note}'
            f"{_course(baseline, stated, after, error, is_settled=is_settled)}</td>"
            f'<td class="{EVIDENCE_CLASS[agrees]}">{words}{_nats(number)}</td></tr>'
        )
    return (
        conflict_list(posterior.prior)
        + '<p class="quiet">How probable each event is without beliefs and data (bar), as stated '
        "(ring), as fitted to the other beliefs, and after the data (dot). The evidence is how far "
        "the data move its log odds; beliefs that they contradict come first.</p>"
        '<table class="courses"><thead><tr><th>belief</th><th class="number">stated</th>'
        '<th class="number">after the data</th><th>evidence</th></tr>'
        f"</thead><tbody>{''.join(rows)}</tbody></table>"
    )


@dataclass(frozen=True, slots=True)
class PathsCard:
    """The card with the heat map, in the one of two places where there is room for it.

    Attributes
    ----------
    beside, below
        The card as HTML for the column beside the graph, and for the page's width below; one of
        them is empty.
    """

    beside: str
    below: str

    @classmethod
    def of(cls, posterior: "Posterior") -> "PathsCard":
        """Draw the map: with names, or, of many variables, so that pointing at it gives them."""
        names = posterior.variables
        says = "How probably each row causes each column, along whichever path. "
        is_named = len(names) <= MAX_NAMED
        if not is_named:
            says += "Variables that paths link are beside each other, causes before effects. "
        says += "Point at a cell for the two and the number; click on it for more."
        if not posterior.relations_settled.all():
            says += f" {UNSETTLED_PATHS}"
        drawn = paths_svg(posterior) if is_named else paths_picture(posterior)
        whole = card("Paths", f'<p class="quiet">{says}</p><div class="map">{drawn}</div>', "paths")
        is_narrow = is_named and paths_width(names) <= COLUMN
        return cls(whole, "") if is_narrow else cls("", whole)


def surest_section(posterior: "Posterior") -> str:
    """The most probable edges."""
    table = edge_table(posterior)
    listed = table[table["probability"] > 0].head(MAX_EDGES)
    rows = [
        f"<tr><td>{escape(str(row.parent))} → {escape(str(row.child))}</td>"
        f'<td class="number">{row.either_way:.3f}</td>'
        f'<td class="number">{row.probability:.3f}'
        f"{error_note(row.error, row.is_settled, is_exact=posterior.is_exact)}</td></tr>"
        for row in listed.itertuples(index=False)
    ]
    return (
        '<table><thead><tr><th>edge</th><th class="number">either way</th>'
        f'<th class="number">probability</th></tr></thead><tbody>{"".join(rows)}</tbody></table>'
    )


def settling_section(posterior: "Posterior") -> str:
    """Why there are no more graphs, the course of the scores, and what has settled least."""
    ending = f'<p class="quiet">{escape(posterior_ending(posterior))}</p>'
    if posterior.is_exact:
        return ending
    worst = posterior.errors.sort_values(
        ["error", "r_hat"], ascending=False, na_position="first", kind="stable"
    )
    if posterior.judged is not None:  # what was not computed is counted, not listed
        worst = worst[worst["error"].notna()]
    return (
        f"{ending}{scores_svg(posterior.draws.scores)}"
        "<details><summary>What has settled least</summary>"
        f"{_unsure(worst.head(MAX_UNSURE))}</details>"
    )


def _unsure(errors: "pd.DataFrame") -> str:
    rows = [
        f"<tr><td>{escape(f'{row.x} {row.event} {row.y}')}</td>"
        f'<td class="number">{row.probability:.3f}</td><td class="number">{row.error:.3f}</td>'
        f'<td class="number">{row.r_hat:.3f}</td>'
        f'<td class="number">{row.effective_samples:.0f}</td></tr>'
        for row in errors.itertuples(index=False)
    ]
    return (
        '<table><thead><tr><th>event</th><th class="number">probability</th>'
        '<th class="number">error</th><th class="number">R-hat</th>'
        '<th class="number">effective samples</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _nats(number: str) -> str:
    """How far the data move the log odds, where that is known."""
    return "" if number == "–" else f"<small>{number} nats</small>"


def _course(baseline: float, stated: float, after: float, error: float, *, is_settled: bool) -> str:
    """Baseline (bar), stated (ring) and after the data (dot, with its error) from 0 to 1.

    What has not settled is grey.
    """
    kind = "" if is_settled else " unsettled"
    at_baseline, at_stated, at_after = (6 + 64 * share for share in (baseline, stated, after))
    low, high = (6 + 64 * min(1.0, max(0.0, after + sign * error)) for sign in (-1, 1))
    return (
        '<svg class="dots" viewBox="0 0 76 14" width="76" height="14" aria-hidden="true">'
        '<path class="axis" d="M6 7H70"/>'
        f'<path class="baseline" d="M{at_baseline:.1f} 2V12"/>'
        f'<circle class="stated" cx="{at_stated:.1f}" cy="7" r="4.5"/>'
        f'<path class="error{kind}" d="M{low:.1f} 7H{high:.1f}"/>'
        f'<circle class="after{kind}" cx="{at_after:.1f}" cy="7" r="2.6"/></svg>'
    )
