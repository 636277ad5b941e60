"""The report's tables as HTML; every text that comes from the user is escaped here."""

from collections.abc import Sequence
from html import escape
from math import isnan
from typing import TYPE_CHECKING, Any

from pathprior.prior.belief_table import WITHIN
from pathprior.report.belief_rows import (
    NOT_MET,
    WITHOUT_SUPPORT,
    agreements,
    evidence_numbers,
    in_conflict,
    not_met,
    phrases,
)
from pathprior.report.legend import EDGE_PHRASES, EVIDENCE_CLASS, open_edges, supports_found
from pathprior.report.settled import TAG, error_note
from pathprior.report.trace_svg import trace_svg
from pathprior.search.family_parts import families_line, together
from pathprior.search.support import EdgeSupport

PROBABLE_KEYS = (
    '<li><i class="key thin"></i><i class="key thick"></i>the wider, the more probable</li>'
    '<li><i class="key open"></i>linked, but less than 0.9 sure which way, or not settled</li>'
)
"""What width and dashes of a line mean where there is a posterior."""

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.posterior.posterior import Posterior
    from pathprior.prior.path_prior import PathPrior
    from pathprior.search.result import Fit


def legend(supports: Sequence[EdgeSupport], *, has_posterior: bool) -> str:
    """The edge colours that occur, in a fixed order, the dashes, with a posterior the widths."""
    entries = [
        f'<li><i class="key {support}"></i>{EDGE_PHRASES[support]}</li>'
        for support in supports_found(supports)
    ]
    if has_posterior:
        entries += ['<li><i class="key other"></i>not in the learned network</li>', PROBABLE_KEYS]
    elif open_edges(supports):
        entries.append('<li><i class="key open"></i>direction left open</li>')
    return "".join(entries)


def conflict_list(prior: "PathPrior") -> str:
    """Conflicts, what is not met and disagreements between sources in sentences, or nothing."""
    conflicts = [conflict.sentence for conflict in prior.conflicts]
    unmet = [f"{one.missed}; {one.reason}" for one in prior.unmet]
    disagreements = [told.sentence for told in prior.disagreements]
    told = (
        ("conflicts", "These beliefs cannot hold together", conflicts),
        ("unmet", "Not met as stated", unmet),
        ("disagreements", "Sources that disagree, weighed together", disagreements),
    )
    blocks = []
    for name, head, found in told:
        listed = "".join(f"<li>{escape(sentence)}</li>" for sentence in found)
        if found:
            blocks.append(f'<div class="{name}"><h3>{head}</h3><ul>{listed}</ul></div>')
    return "".join(blocks)


def beliefs_section(fit: "Fit", posterior: "Posterior | None" = None) -> str:
    """Conflicts, then one row per stated probability; with a posterior, how probable it is."""
    if not fit.has_beliefs:
        return '<p class="quiet">Learned from the data alone: no beliefs were given.</p>'
    held = fit.beliefs_held()
    rows = []
    sources, conflicting = fit.prior.table["source"], in_conflict(fit.prior)
    after = ["" for _ in sources] if posterior is None else _after(posterior, held)
    missed = not_met(fit.prior, held)
    gains = fit.belief_gains()["sentence"]
    told = zip(phrases(held), sources, conflicting, missed, after, gains, strict=True)
    for k, (row, (phrase, source, is_conflicting, is_missed, said, gain)) in enumerate(
        zip(held.itertuples(index=False), told, strict=True)
    ):
        note = f"<small>{escape(str(source))}</small>" if source else ""
        if is_conflicting:
            note += '<small class="tag">in a conflict</small>'
        stated, fitted = float(str(row.stated)), float(str(row.fitted))
        weak = f'<small class="tag">{WITHOUT_SUPPORT}</small>' if row.is_weak else ""
        rows.append(
            f'<tr data-belief="{k}"><td><button type="button" aria-pressed="false">'
            f"{escape(phrase)}</button>{note}{said}<small>{escape(gain)}</small></td>"
            f'<td class="number">{stated:g}{_within(row)}{fitted_note(fitted, is_missed)}'
            f"<small>baseline {row.baseline:.3f}</small></td>"
            f"<td>{_dots(stated, fitted)}</td>"
            f'<td><span aria-hidden="true">{row.relation}</span> '
            f"{'holds' if row.holds else 'does not hold'}{weak}</td></tr>"
        )
    return (
        conflict_list(fit.prior)
        + '<p class="quiet">Choose a belief to see its paths in the network.</p>'
        '<table class="beliefs"><thead><tr><th>belief</th>'
        '<th class="number">stated</th><th><span class="unseen">stated against fitted</span></th>'
        f"<th>in the network</th></tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def fitted_note(fitted: float, is_missed: bool) -> str:
    """A fitted probability, and whether it is not what was stated."""
    tag = f'<small class="tag">{NOT_MET}</small>' if is_missed else ""
    return f"<small>fitted {fitted:.3f}</small>{tag}"


def _within(row: Any) -> str:
    """What the belief's own source makes of it, if there are several."""
    within = getattr(row, WITHIN, None)
    return "" if within is None else f"<small>within its source {within:.3f}</small>"


def edges_section(supports: Sequence[EdgeSupport]) -> str:
    """One row per edge with what it is worth."""
    rows = [
        f'<tr data-edge="{k}"><td><button type="button" aria-pressed="false">'
        f"{escape(edge.parent)} → {escape(edge.child)}</button></td>"
        f'<td><i class="key {edge.support}"></i>{edge.support}</td>'
        f'<td class="number">{edge.data_loss:.2f}</td>'
        f'<td class="number">{_alone(edge.data_alone)}</td>'
        f'<td class="number">{_loss(edge.prior_loss)}</td>'
        f"<td>{_direction(edge)}</td></tr>"
        for k, edge in enumerate(supports)
    ]
    return (
        '<table><thead><tr><th>edge</th><th>supported by</th><th class="number">data loss</th>'
        '<th class="number">alone</th><th class="number">prior loss</th><th>direction</th></tr>'
        "</thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def parameters_section(fit: "Fit") -> str:
    """Intercepts, weights and deviations of regressions; nothing where all columns are states."""
    if not fit.problem.data.reals.variables:
        return ""
    frame = fit.network().to_frame()
    rows = [
        f"<tr><td>{escape(' = '.join(filter(None, (str(row.child), str(row.state)))))}</td>"
        f"<td>{row.parameter}</td><td>{escape(str(row.given))}</td>"
        f'<td class="number">{_number(float(str(row.value)))}</td></tr>'
        for row in frame[frame["parameter"] != "probability"].itertuples(index=False)
    ]
    return (
        "<details><summary>What the parameters are</summary>"
        '<p class="quiet">Real variables: mean and standard deviation given the parents. States: '
        "logarithms of odds against the first state.</p>"
        "<table><thead><tr><th>variable</th><th>parameter</th><th>given</th>"
        '<th class="number">value</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></details>"
    )


def families_section(fit: "Fit") -> str:
    """How the parents of each variable act together; nothing where the score does not say."""
    several = together(fit)
    if not several:
        return ""
    rows = [
        f'<tr><td>{escape(one.sentence)}</td><td class="number">{one.additive:.2f}</td></tr>'
        for one in several
    ]
    return (
        "<details><summary>How parents act together</summary>"
        f'<p class="quiet">{families_line(fit)}</p>'
        '<table><thead><tr><th>parents</th><th class="number">additive</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></details>{_odds_ratios(fit)}"
    )


def _odds_ratios(fit: "Fit") -> str:
    """Of the parents whose effects add up."""
    found = fit.odds_ratios().to_dict("records")
    rows = [
        f"<tr><td>{escape(row['child'])} = {escape(row['outcome'])}"
        f"<small>instead of {escape(row['otherwise'])}</small></td>"
        f"<td>{escape(row['parent'])} = {escape(row['state'])}"
        f"<small>against {escape(row['against'])}</small></td>"
        f'<td class="number">{row["odds_ratio"]:.2f}'
        f"<small>{row['low']:.2f} to {row['high']:.2f}</small></td></tr>"
        for row in found
    ]
    if not rows:
        return ""
    return (
        "<details><summary>Odds ratios</summary>"
        '<p class="quiet">By what a parent multiplies the odds where effects add up, adjusted for '
        "the other parents in this network, with 90 % intervals. Compared with the most frequent "
        "state; fit.odds_ratios compares with any.</p>"
        '<table><thead><tr><th>odds of</th><th>by</th><th class="number">odds ratio</th></tr>'
        f"</thead><tbody>{''.join(rows)}</tbody></table></details>"
    )


def _direction(edge: EdgeSupport) -> str:
    """Say in a word or two who directs an edge."""
    if edge.is_settled:
        return "by experiment"
    if edge.is_ruled:
        return "by rule"
    return "fixed" if edge.is_direction_fixed else "open"


def search_section(fit: "Fit") -> str:
    """What was maximised, the course of it, and every accepted step."""
    score = f"Score {_signed(fit.score)}"
    if fit.has_beliefs:
        score += (
            f": {_signed(fit.data_score)} from the data, {_signed(fit.prior_score)} from the prior"
        )
    if not fit.steps:
        return f'<p class="quiet">{score}. {escape(str(fit.stopped_because))}</p>'
    rows = [
        f'<tr><td class="number">{k}</td><td>{step.move}</td>'
        f"<td>{escape(', '.join(f'{u} → {v}' for u, v in step.edges))}</td>"
        f'<td class="number">{step.data_gain:+.2f}</td><td class="number">{step.prior_gain:+.2f}'
        f'</td><td class="number">{step.score:,.2f}</td></tr>'
        for k, step in enumerate(fit.steps, start=1)
    ]
    return (
        f'<p class="quiet">{score}. Below the score after each step; the colour of a mark says '
        f"which of the two the step raised.</p>{trace_svg(fit)}"
        "<details><summary>All steps</summary>"
        '<table><thead><tr><th class="number">step</th><th>move</th><th>edges</th>'
        '<th class="number">data gain</th><th class="number">prior gain</th>'
        '<th class="number">score</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></details>"
    )


def _after(posterior: "Posterior", held: "pd.DataFrame") -> list[str]:
    """How probable each belief is after the data, and what evidence that is, if it was asked."""
    names = ["x", "event", "y", "stated"]
    found = {}
    if len(posterior.prior.beliefs):
        weighed = posterior.beliefs()
        told = weighed["evidence"], evidence_numbers(weighed), agreements(weighed)
        rows = weighed[names].itertuples(index=False, name=None)
        for key, words, number, agrees in zip(rows, *told, strict=True):
            nats = "" if number == "–" else f" ({number} nats)"
            kind = EVIDENCE_CLASS[agrees]
            found[key] = f'<small class="{kind}">evidence: {words}{nats}</small>'
    after = []
    for key in held[names].itertuples(index=False, name=None):
        asked = posterior.estimate(*key[:3])
        error = error_note(asked.error, True, is_exact=posterior.is_exact)
        probability = f"<small>{asked.value:.3f}{error} after the data</small>"
        if not asked.is_settled:
            probability += TAG
        after.append(probability + found.get(key, ""))
    return after


def _loss(loss: float) -> str:
    return f"{loss:.2f}" if loss < float("inf") else "∞"


def _alone(gain: float) -> str:
    return "–" if isnan(gain) else f"{gain:.2f}"


def _number(number: float) -> str:
    return f"{number:.4g}".replace("-", "−")


def _signed(number: float) -> str:
    return f"{number:,.1f}".replace("-", "−")


def _dots(stated: float, fitted: float) -> str:
    """Stated (ring) and fitted (dot) on a line from 0 to 1."""
    at_stated, at_fitted = 6 + 64 * stated, 6 + 64 * fitted
    return (
        '<svg class="dots" viewBox="0 0 76 14" width="76" height="14" aria-hidden="true">'
        '<path class="axis" d="M6 7H70"/>'
        f'<path class="change" d="M{at_stated:.1f} 7H{at_fitted:.1f}"/>'
        f'<circle class="stated" cx="{at_stated:.1f}" cy="7" r="4.5"/>'
        f'<circle class="fitted" cx="{at_fitted:.1f}" cy="7" r="2.6"/></svg>'
    )
