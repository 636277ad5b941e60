"""What was read, what was asked and what was done, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape
from typing import TYPE_CHECKING, Any

from pathprior.graph.edge_rules import MAX_PARENTS, TIERS
from pathprior.versions import versions

if TYPE_CHECKING:
    from pathprior.search.result import Fit


def run_section(fit: "Fit", inputs: Mapping[str, str]) -> str:
    """Of a learned network: what was chosen where nothing was asked for, too."""
    prior = {}
    if fit.has_beliefs:
        prior = {
            "repair": fit.prior.repair,
            "pool": fit.prior.pool,
            "fitted under": fit.prior.reference,
            "beliefs' seed": str(fit.prior.counting.seed),
        }
    missing = {}
    if fit.missing is not None:
        missing = {"all columns": str(fit.missing)}
        missing |= {name: str(count) for name, count in fit.missing.by_column.items()}
    resolved = asdict(fit.resolved)
    settings = {
        name.replace("_", " "): _setting(name, asked, resolved[name])
        for name, asked in asdict(fit.settings).items()
    }
    search = settings | {
        "stopped because": str(fit.stopped_because),
        "optimality": fit.optimality,
    }
    return _sections(
        {
            "Input": inputs,
            "Search": search,
            "Missing values": missing,
            "Prior": prior,
            "Versions": versions(),
        }
    )


def posterior_run_section(inputs: Mapping[str, str], settings: Mapping[str, Any]) -> str:
    """Of a posterior: what was asked for."""
    asked = {
        name.replace("_", " "): _words(name, value)
        for name, value in settings.items()
        if value is not None
    }
    return _sections({"Input": inputs, "Settings": asked, "Versions": versions()})


FIXED = "fixed"
"""The option that names variables themselves, not edges."""


def tier_words(tiers: Sequence[Sequence[str]]) -> str:
    """Say which variables come before which."""
    named = [tier for tier in tiers if tier]
    if len(named) < 2:
        return "none"
    first, second, *rest = (", ".join(tier) for tier in named)
    comes = "come" if len(named[0]) > 1 else "comes"
    return f"{first} {comes} before {second}" + "".join(f", then {tier}" for tier in rest)


def _sections(named: Mapping[str, Mapping[str, str]]) -> str:
    return "".join(
        f"<section><h3>{title}</h3>{_definitions(entries)}</section>"
        for title, entries in named.items()
        if entries
    )


def _definitions(entries: Mapping[str, str]) -> str:
    """Names and what they stand for."""
    listed = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in entries.items()
    )
    return f"<dl>{listed}</dl>"


def _setting(name: str, asked: object, done: object) -> str:
    """A setting in words: what was done, and whether it was asked for."""
    if done is None:
        return "no limit" if name == MAX_PARENTS else "none"
    words = _words(name, done)
    return words if asked == done else f"{words} (by default)"


def _words(name: str, value: Any) -> str:
    """A value as a reader would write it."""
    if name == TIERS:
        return tier_words(value)
    if name == FIXED:
        return ", ".join(value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "; ".join(" → ".join(map(str, v)) for v in value) or "none"
    return str(value)
