"""What results say of statements and of their sources, in words and as HTML."""

from html import escape
from typing import TYPE_CHECKING

from pathprior.report.belief_rows import WITHOUT_SUPPORT, phrases
from pathprior.report.settled import TAG, error_note

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.posterior.posterior import Posterior
    from pathprior.search.result import Fit


def source_lines(sources: "pd.DataFrame") -> list[str]:
    """A line for each row of `Fit.sources` or `Posterior.sources`."""
    return [
        f"{row.source}: {counted(row)}. Reliability {row.reliability:.2f}, with 90 % probability "
        f"{row.low:.2f} to {row.high:.2f}; {row.before:.2f} beforehand."
        f"{'' if getattr(row, 'is_settled', True) else ' Not settled.'}"
        for row in sources.itertuples(index=False)
    ]


def counted(row: object) -> str:
    """How many statements a source makes, and how many hold, for a row of `Fit.sources`."""
    number, strength, hold = (getattr(row, name) for name in ("statements", "strength", "hold"))
    weighed = "" if number == strength else f", worth {_short(strength)}"
    held = f"{_short(hold)} hold{'s' if hold == 1 else ''}"
    return f"{number} statement{'' if number == 1 else 's'}{weighed}, {held}"


def who_says(row: object) -> str:
    """The source of a statement and the others who say the same, for a row of statements."""
    source, others = str(getattr(row, "source")), str(getattr(row, "others"))  # noqa: B009
    return f"{source}; so {'says' if ',' not in others else 'say'} {others}" if others else source


def statements_section(fit: "Fit", posterior: "Posterior | None" = None) -> str:
    """Sources and statements of a learned network; with a posterior, how probable these are."""
    held = fit.statements_held()
    after = None if posterior is None else _probabilities(posterior, held)
    rows = [
        f"<tr><td>{escape(phrase)}<small>{escape(who_says(row))}</small>"
        f"{'' if after is None else after[k]}</td>"
        f'<td class="number">{row.baseline:.3f}</td>'
        f'<td><span aria-hidden="true">{row.relation}</span> '
        f"{'holds' if row.holds else 'does not hold'}"
        f"{f'<small class=tag>{WITHOUT_SUPPORT}</small>' if row.is_weak else ''}</td></tr>"
        for k, (phrase, row) in enumerate(
            zip(phrases(held), held.itertuples(index=False), strict=True)
        )
    ]
    sources = fit.sources() if posterior is None else posterior.sources()
    return (
        sources_table(sources)
        + '<table><thead><tr><th>statement</th><th class="number">baseline</th>'
        f"<th>in the network</th></tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def heard_section(posterior: "Posterior") -> str:
    """Sources and statements of a posterior."""
    table = posterior.statements()
    rows = [
        f"<tr><td>{escape(phrase)}<small>{escape(who_says(row))}</small></td>"
        f'<td class="number">{row.baseline:.3f}</td><td class="number">{row.after:.3f}'
        f"{error_note(row.error, row.is_settled, is_exact=posterior.is_exact)}</td></tr>"
        for phrase, row in zip(phrases(table), table.itertuples(index=False), strict=True)
    ]
    return (
        sources_table(posterior.sources())
        + '<table><thead><tr><th>statement</th><th class="number">baseline</th>'
        f'<th class="number">after the data</th></tr></thead><tbody>{"".join(rows)}</tbody></table>'
    )


def sources_table(sources: "pd.DataFrame") -> str:
    """How reliable each source is."""
    rows = [
        f"<tr><td>{escape(str(row.source))}<small>{counted(row)}</small></td>"
        f'<td class="number">{row.before:.2f}</td>'
        f'<td class="number">{row.reliability:.2f}<small>{row.low:.2f} to {row.high:.2f}</small>'
        f"{'' if getattr(row, 'is_settled', True) else TAG}</td></tr>"
        for row in sources.itertuples(index=False)
    ]
    return (
        '<p class="quiet">How often each source is right, before and after the data, the latter '
        "with the interval in which it lies with a probability of 90 %.</p>"
        '<table><thead><tr><th>source</th><th class="number">beforehand</th>'
        f'<th class="number">reliability</th></tr></thead><tbody>{"".join(rows)}</tbody></table>'
    )


def _probabilities(posterior: "Posterior", held: "pd.DataFrame") -> list[str]:
    found = []
    for event in zip(held["x"], held["event"], held["y"], strict=True):
        asked = posterior.estimate(*event)
        error = error_note(asked.error, True, is_exact=posterior.is_exact)
        tag = "" if asked.is_settled else TAG
        found.append(f"<small>{asked.value:.3f}{error} after the data</small>{tag}")
    return found


def _short(number: float) -> str:
    """A count, whole where it is."""
    return f"{number:.0f}" if abs(number - round(number)) < 0.05 else f"{number:.1f}"
