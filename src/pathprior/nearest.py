"""Names that are not known, and the known ones that they may have been meant for."""

import unicodedata
from collections.abc import Collection, Iterable
from difflib import SequenceMatcher, get_close_matches
from itertools import islice

CUTOFF = 0.6
"""Least likeness of a name that is offered, as difflib measures it: 1 is the same."""
MARGIN = 0.15
"""How much less like than the nearest a name may be that is offered beside it."""
MAX_OFFERED = 5
MAX_NAMED = 10
"""Most unknown names, and most known ones, that one message names."""


def nearest(name: object, known: Iterable[str]) -> tuple[str, ...]:
    """The known names that are most like ``name``, whatever their case, blanks and punctuation."""
    by_key: dict[str, list[str]] = {}
    for one in known:
        by_key.setdefault(_key(one), []).append(one)
    key = _key(str(name))
    found = get_close_matches(key, by_key, n=MAX_OFFERED, cutoff=CUTOFF)
    likeness = {one: SequenceMatcher(None, one, key).ratio() for one in found}
    best = max(likeness.values(), default=0.0)
    near = (one for like in found if likeness[like] >= best - MARGIN for one in by_key[like])
    return tuple(islice(near, MAX_OFFERED))


def unknown_message(kind: str, names: Iterable[object], known: Collection[str]) -> str:
    """Say in one message which names are not known, and what may have been meant.

    Where nothing is near, the known names are listed.
    """
    unknown = list({repr(name): name for name in names}.values())
    shown = unknown[:MAX_NAMED]
    more = f" and {len(unknown) - MAX_NAMED} more" if len(unknown) > MAX_NAMED else ""
    plural = kind if len(unknown) == 1 else f"{kind}s"
    return f"unknown {plural} {_listed(shown)}{more}; {suggestion(kind, shown, known)}"


def suggestion(kind: str, names: Iterable[object], known: Collection[str]) -> str:
    """Ask whether near names were meant, and list the known ones where nothing is near."""
    offered = [(name, nearest(name, known)) for name in names]
    those = f"the {kind}s are {_listed(islice(known, MAX_NAMED))}"
    those += ", …" if len(known) > MAX_NAMED else ""
    if not any(near for _, near in offered):
        return those
    if len(offered) == 1:
        return f"did you mean {_either(offered[0][1])}?"
    meant = ", ".join(f"{_either(near)} for {name!r}" for name, near in offered if near)
    rest = "" if all(near for _, near in offered) else f" T{those[1:]}"
    return f"did you mean {meant}?{rest}"


def _key(name: str) -> str:
    """The letters and digits of a name without case and accents; all of it if it has none."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in plain if letter.isalnum()) or name


def _listed(names: Iterable[object]) -> str:
    return ", ".join(map(repr, names))


def _either(near: tuple[str, ...]) -> str:
    """'a', 'b' or 'c'."""
    *first, last = map(repr, near)
    return f"{', '.join(first)} or {last}" if first else last
