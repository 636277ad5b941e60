"""What the commands print of a posterior."""

from typing import TYPE_CHECKING

from pathprior.cli.console import console

if TYPE_CHECKING:
    from pathprior.cli.tables import Cell, Column
    from pathprior.posterior.posterior import Posterior

MAX_EDGES = 10
"""Most edges that are printed; the file has all."""


def print_posterior(found: "Posterior") -> None:
    """Say how sampling ended, what the data make of each belief, and which edges there are."""
    from pathprior.cli.fit_output import print_sources
    from pathprior.report.text import posterior_ending
    from pathprior.search.missing_cells import gaps_sentence

    draws = found.draws
    graphs = f"{draws.num_draws} graphs on {len(found.variables)} variables"
    chains = "" if found.is_exact else f"{draws.num_chains} chains of "
    console.print(f"{chains}{graphs}. {posterior_ending(found)}", highlight=False)
    if found.data is not None and found.data.gaps is not None:
        console.print(gaps_sentence(found.data.gaps, found.data.num_rows), highlight=False)
    if found.testimony is not None:
        print_sources(found.sources())
        _print_statements(found)
    if len(found.prior.beliefs):
        _print_beliefs(found)
    _print_edges(found)


def _print_beliefs(found: "Posterior") -> None:
    from pathprior.beliefs.evidence import NOT_SETTLED
    from pathprior.cli.evidence_cells import evidence_cells, print_sentences
    from pathprior.cli.tables import Cell, Column, fitted_cell
    from pathprior.report.belief_rows import not_met, phrases
    from pathprior.report.settled import error_cell

    weighed = found.beliefs()
    rows: list[list[Cell]] = [
        [
            phrase,
            f"{row.baseline:.3f}",
            f"{row.stated:g}",
            fitted_cell(row.fitted, is_missed),
            f"{row.after:.3f}",
            *cells,
            # not said twice in a row
            error_cell(row.error, row.is_settled or row.evidence == NOT_SETTLED),
        ]
        for phrase, row, cells, is_missed in zip(
            phrases(weighed),
            weighed.itertuples(index=False),
            evidence_cells(weighed),
            not_met(found.prior, weighed),
            strict=True,
        )
    ]
    columns = [
        Column("belief"),
        Column("baseline", "right", is_spare=True),
        Column("stated", "right"),
        Column("fitted", "right", is_spare=True),
        Column("after the data", "right"),
        Column("log Bayes factor", "right", is_spare=True),
        Column("evidence"),
        Column("error", "right"),
    ]
    _print_with_errors(found, columns, rows, "What the data make of the beliefs")
    print_sentences(weighed)


def _print_statements(found: "Posterior") -> None:
    from pathprior.cli.tables import Cell, Column
    from pathprior.report.belief_rows import phrases
    from pathprior.report.settled import error_cell
    from pathprior.report.testimony import who_says

    table = found.statements()
    rows: list[list[Cell]] = [
        [
            who_says(row),
            phrase,
            f"{row.baseline:.3f}",
            f"{row.after:.3f}",
            error_cell(row.error, row.is_settled),
        ]
        for phrase, row in zip(phrases(table), table.itertuples(index=False), strict=True)
    ]
    columns = [
        Column("source"),
        Column("statement"),
        Column("baseline", "right", is_spare=True),
        Column("after the data", "right"),
        Column("error", "right"),
    ]
    _print_with_errors(found, columns, rows, "What the data make of the statements")


def _print_edges(found: "Posterior") -> None:
    from pathprior.cli.tables import Cell, Column
    from pathprior.report.posterior_tables import edge_table
    from pathprior.report.settled import error_cell

    table = edge_table(found)
    likely = table[table["probability"] > 0].head(MAX_EDGES)
    rows: list[list[Cell]] = [
        [
            f"{row.parent} → {row.child}",
            f"{row.either_way:.3f}",
            f"{row.probability:.3f}",
            error_cell(row.error, row.is_settled),
        ]
        for row in likely.itertuples(index=False)
    ]
    columns = [
        Column("edge"),
        Column("either way", "right", is_spare=True),
        Column("probability", "right"),
        Column("error", "right"),
    ]
    if rows:
        _print_with_errors(found, columns, rows, "The most probable edges")


def _print_with_errors(
    found: "Posterior", columns: "list[Column]", rows: "list[list[Cell]]", title: str
) -> None:
    """Print a table whose last column holds errors, without it where there are none."""
    from pathprior.cli.tables import print_table

    shown = len(columns) - found.is_exact
    print_table(columns[:shown], [row[:shown] for row in rows], title=title)
