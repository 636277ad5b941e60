"""What stands at the top of a report: sentences on beliefs, on what is sure and what is open."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from pathprior.beliefs.evidence import NOT_SETTLED, evidence_of
from pathprior.posterior.belief_sentences import bounded
from pathprior.prior.belief_table import speakers
from pathprior.report.belief_rows import agreements, phrases
from pathprior.report.claims import surest_claims
from pathprior.report.legend import EVIDENCE_CLASS
from pathprior.report.pace import Pace
from pathprior.report.path_matrix import path_matrix
from pathprior.report.posterior_links import Link, links_of
from pathprior.report.settled import settled_matrix
from pathprior.search.support import EdgeSupport

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior
    from pathprior.search.result import Fit

MAX_LISTED = 4
"""Most sentences of a kind."""
SURE, LINKED = 0.95, 0.9
"""Probability from which a claim is called sure, and from which two variables are called linked."""
UNSURE = (0.3, 0.7)
"""Between these it is open whether two variables are linked at all."""
MAX_ASKED = 250
"""Most variables for which questions are weighed: that takes a few seconds."""
ASKING = 2e-4
"""About how many seconds that takes for each two variables."""
NOT_ASKED = "What to ask next was not weighed."


def posterior_answers(
    posterior: "Posterior", nodes: Sequence[str], pace: Pace | None = None
) -> str:
    """Four cards; pairs are named by their numbers in ``nodes``."""
    place = {name: k for k, name in enumerate(nodes)}
    links = links_of(posterior, nodes)
    return "".join(
        (
            _beliefs(posterior, place),
            _claims(posterior, place),
            _open_links(links, nodes),
            _questions(posterior, place, pace or Pace()),
        )
    )


def fit_answers(fit: "Fit", supports: Sequence[EdgeSupport]) -> str:
    """What one network says by itself, and that it is one of many."""
    strong = sorted(supports, key=lambda edge: -edge.data_loss)
    place = {name: k for k, name in enumerate(fit.dag.nodes)}
    turnable = [edge for edge in supports if not edge.is_direction_fixed]
    edges = [
        _item(
            f"{edge.parent} {'→' if edge.is_direction_fixed else '–'} {edge.child}",
            _support_words(edge),
            _pair(place, edge.parent, edge.child),
        )
        for edge in strong[:MAX_LISTED]
    ]
    open_edges = [
        _item(f"{edge.parent} – {edge.child}", "", _pair(place, edge.parent, edge.child))
        for edge in turnable[:MAX_LISTED]
    ]
    said = (
        f"{len(turnable)} of {len(supports)} edges could point either way."
        if turnable
        else ("Data, experiments or rules direct every edge of this network.")
    )
    next_step = (
        "<p>This is one network, the best that was found. Others may be as good, and only they "
        "tell how sure any of it is.</p><p><code>fit.report(…, posterior=fit.posterior())</code> "
        'or <code class="option">--posterior</code> weighs them: then this page says what the data '
        "make of each belief, which claims are sure, and what to ask next.</p>"
    )
    return "".join(
        (
            _held_beliefs(fit, place),
            _card("Best supported edges", "The data speak most clearly for these links.", edges),
            _card("Still open", said, open_edges),
            f'<section class="card"><h2>How sure is this?</h2>{next_step}</section>',
        )
    )


def _support_words(edge: EdgeSupport) -> str:
    words = evidence_of(edge.data_loss).words.removesuffix(" for")
    return f"{words.capitalize()} evidence."


def _held_beliefs(fit: "Fit", place: dict[str, int]) -> str:
    head = "Your beliefs"
    if not fit.has_beliefs:
        return _card(head, "None were given: the network was learned from the data alone.", [])
    held = fit.beliefs_held()
    broken = held[~held["holds"]]
    items = [
        _item(f"{phrase}.", f"{who} said {stated:g}. It does not hold here.", _pair(place, x, y))
        for phrase, who, stated, x, y in zip(
            phrases(broken),
            compress(speakers(fit.prior.table), ~held["holds"]),
            broken["stated"],
            broken["x"],
            broken["y"],
            strict=True,
        )
    ][:MAX_LISTED]
    said = (
        f"{int(held['holds'].sum())} of {len(held)} hold in this network. That is no evidence for "
        "them: beliefs shaped it."
    )
    return _card(head, said, items)


def _beliefs(posterior: "Posterior", place: dict[str, int]) -> str:
    head = "Your beliefs"
    if not len(posterior.prior.beliefs):
        return _card(head, "None were given: all of this is from the data alone.", [])
    table = posterior.beliefs()
    agrees = agreements(table)
    counts = [sum(answer is kind for answer in agrees) for kind in (True, False, None)]
    unsettled = int((table["evidence"] == NOT_SETTLED).sum())
    counts[2] -= unsettled
    what = "beliefs" if len(table) == len(posterior.prior.beliefs) else "stated probabilities"
    ways = zip(("agree with", "contradict", "say little of"), counts, strict=True)
    found = [f"{way} {n}" for way, n in ways if n]
    said = f"Of {len(table)} {what} the data {_joined(found)}." if found else ""
    if unsettled:
        unsaid = f"Of {unsettled} of {len(table)} {what} nothing can be said yet: not settled."
        said = f"{said} {unsaid}".strip()
    rows = zip(phrases(table), table["sentence"], agrees, table["x"], table["y"], strict=True)
    items = [
        _item(f"{phrase}.", sentence, _pair(place, x, y), EVIDENCE_CLASS[agree])
        for phrase, sentence, agree, x, y in rows
    ]
    return _card(head, said, items[:MAX_LISTED])


def _claims(posterior: "Posterior", place: dict[str, int]) -> str:
    settled = settled_matrix(posterior.relations_settled, len(posterior.variables))
    is_sure = np.nan_to_num(path_matrix(posterior)) >= SURE
    number, unsettled = int((is_sure & settled).sum()), int((is_sure & ~settled).sum())
    said = f"{number or 'No'} causal claims are at least {SURE:g} probable."
    if unsettled:
        said += f" {unsettled} more may be: they have not settled."
    items = []
    for x, y, _ in surest_claims(posterior, MAX_LISTED, settled):
        found = posterior.estimate(x, "causes", y)
        # what is next to 1 is said to be above a bound
        spread = f" ± {found.error:.2g}" if 0 < found.error < 1 - found.value else ""
        said_of = f"Probability {bounded(found.value, found.effective_samples)}{spread}."
        items.append(_item(f"{x} causes {y}.", said_of, _pair(place, x, y)))
    return _card("Surest causes", said, items)


def _open_links(links: Iterable[Link], nodes: Sequence[str]) -> str:
    unsettled = sum(not link.is_settled for link in links)
    links = [link for link in links if link.is_settled]
    linked = [link for link in links if link.either >= LINKED]
    turnable = sorted(
        (link for link in linked if link.is_open),
        key=lambda link: abs(link.forward / link.either - 0.5),
    )
    unsure = [link for link in links if UNSURE[0] <= link.either <= UNSURE[1]]
    items = [
        _item(
            f"{nodes[link.parent]} – {nodes[link.child]}",
            f"Linked, but which way is open: → {link.forward:.2f}, "
            f"← {link.either - link.forward:.2f}.",
            f"{link.parent},{link.child}",
        )
        for link in turnable
    ]
    items += [
        _item(
            f"{nodes[link.parent]} – {nodes[link.child]}",
            f"Linked with probability {link.either:.2f}.",
            f"{link.parent},{link.child}",
        )
        for link in sorted(unsure, key=lambda link: abs(link.either - 0.5))
    ]
    said = (
        f"{len(turnable)} of {len(linked)} sure links could point either way"
        if linked
        else "No two variables are surely linked"
    )
    said += f", and {len(unsure)} more may or may not be there." if unsure else "."
    said += f" Not settled: {unsettled} links, dashed in the network." if unsettled else ""
    return _card("Still open", said, items[:MAX_LISTED])


def _questions(posterior: "Posterior", place: dict[str, int], pace: Pace) -> str:
    head = "What to ask next"
    if len(posterior.variables) > MAX_ASKED:
        return (
            f'<section class="card"><h2>{head}</h2><p>With more than {MAX_ASKED} variables this '
            "is not weighed for the page: <code>posterior.ask_next()</code> tells.</p></section>"
        )
    if len(posterior.variables) < 2:
        return ""
    if not pace.allows(ASKING * len(posterior.variables) ** 2, NOT_ASKED):
        return (
            f'<section class="card"><h2>{head}</h2><p>There was no time to weigh this: '
            "<code>posterior.ask_next()</code> tells.</p></section>"
        )
    beliefs = posterior.ask_next("belief", top=MAX_LISTED - 1)
    experiments = posterior.ask_next("experiment", top=1)
    rows = zip(beliefs["sentence"], beliefs["x"], beliefs["y"], strict=True)
    items = [_item(*_halves(sentence), _pair(place, x, y)) for sentence, x, y in rows]
    told = zip(experiments["sentence"], experiments["variable"], strict=True)
    items += [_item(*_halves(sentence), f"{place[name]}") for sentence, name in told]
    said = "These answers should settle most of what is open."
    if posterior.fixed:
        said += f" Taken as what nobody can set: {_named(posterior.fixed)}."
    return _card(head, said, items)


def _halves(sentence: str) -> tuple[str, str]:
    question, _, gain = sentence.partition(": ")
    return f"{question}.", gain[:1].upper() + gain[1:]


def _named(variables: Sequence[str]) -> str:
    """Some variables, the first of many by name."""
    if len(variables) <= MAX_LISTED:
        return _joined(variables)
    first = variables[: MAX_LISTED - 1]
    return _joined([*first, f"{len(variables) - len(first)} other variables"])


def _pair(place: dict[str, int], x: str, y: str) -> str:
    return f"{place[x]},{place[y]}"


def _joined(parts: Sequence[str]) -> str:
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def _item(what: str, said: str, about: str, agrees: str = "") -> str:
    """One sentence, and which variables to show when it is chosen."""
    below = f'<span class="{agrees}">{escape(said)}</span>' if said else ""
    button = f'<button type="button" aria-pressed="false">{escape(what)}</button>'
    return f'<li data-about="{about}">{button}{below}</li>'


def _card(head: str, said: str, items: Sequence[str]) -> str:
    listed = f"<ul>{''.join(items)}</ul>" if items else ""
    return f'<section class="card"><h2>{head}</h2><p>{escape(said)}</p>{listed}</section>'
