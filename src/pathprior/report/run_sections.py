"""What was read, what was asked and what was done, in words."""

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

from pathprior.problem.options import Option
from pathprior.search.weighed import weighed_line
from pathprior.versions import versions

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior
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
    resolved, settings = fit.resolved, {}
    for each in fit.settings.declared():
        asked, done = getattr(fit.settings, each.name), getattr(resolved, each.name)
        words = each.form.say(done)
        settings[_title(each)] = words if asked == done else f"{words} (by default)"
    if len(fit.weighed) > 1:
        settings["Scores weighed"] = weighed_line(fit.weighed)
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


def posterior_run_section(posterior: "Posterior", inputs: Mapping[str, str]) -> str:
    """Of a posterior: what was asked for."""
    asked = {
        _title(each): each.form.say(getattr(posterior.settings, each.name))
        for each in posterior.settings.declared()
    }
    return _sections({"Input": inputs, "Settings": asked, "Versions": versions()})


def _title(option: Option) -> str:
    return option.name.replace("_", " ")


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
