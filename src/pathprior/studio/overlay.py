"""Where experts differ: what each gives the same statement."""

from typing import Any

from pathprior.beliefs.event import Event
from pathprior.beliefs.statement import Statement
from pathprior.studio.document import ME, Document


def overlay(document: Document) -> list[dict[str, Any]]:
    """Statements that several have spoken on, those first on which they differ most.

    Only the user sees it: an expert answers without knowing the others.
    """
    if document.speaker != ME:
        return []
    said: dict[tuple[str, Event, str], list[dict[str, Any]]] = {}
    phrases = {}
    for entry in document.entries:
        belief = entry.belief
        if isinstance(belief, Statement):
            continue
        for event, stated in zip(belief.named_events, belief.stated, strict=True):
            key = _same(belief.x, event, belief.y)
            phrases[key] = key[1].phrase(key[0], key[2])
            who = entry.expert or belief.source or "you"
            said.setdefault(key, []).append({"who": who, "stated": stated})
    rows = []
    for key, voices in said.items():
        if len({voice["who"] for voice in voices}) > 1:
            values = [voice["stated"] for voice in voices]
            spread = max(values) - min(values)
            rows.append({"phrase": phrases[key], "voices": voices, "spread": spread})
    return sorted(rows, key=lambda row: -row["spread"])


def _same(x: str, event: Event, y: str) -> tuple[str, Event, str]:
    """One way to write a statement that can be written in two."""
    if event is Event.CAUSED_BY:
        return y, Event.CAUSES, x
    is_symmetric = event in (Event.ASSOCIATED, Event.NOT_ASSOCIATED, Event.CONFOUNDED)
    return (min(x, y), event, max(x, y)) if is_symmetric else (x, event, y)
