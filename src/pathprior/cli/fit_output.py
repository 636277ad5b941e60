"""What the commands print of a learned network."""

from typing import TYPE_CHECKING

from pathprior.cli.console import console, print_paths
from pathprior.search.weighed import weighed_line

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.data.dataset import Dataset
    from pathprior.report.write import WrittenFiles
    from pathprior.search.result import Fit


def print_fit(fit: "Fit") -> None:
    """Say in a few lines what was found, and what became of each belief."""
    from pathprior.search.family_parts import families_line, has_parts

    after = f" after {len(fit.steps)} steps" if fit.steps else ""
    known = f" The best was {fit.optimality} searches from elsewhere." if fit.num_searches else ""
    console.print(
        f"{fit.dag.num_edges} edges on {fit.dag.num_nodes} variables{after}. "
        f"{fit.stopped_because}{known}",
        highlight=False,
    )
    if fit.problem.data.reals.variables:
        print_kinds(fit.problem.data, fit.resolved.score)
    if len(fit.weighed) > 1:
        console.print(weighed_line(fit.weighed), markup=False, highlight=False)
    if fit.missing is not None:
        console.print(str(fit.missing), highlight=False)
    console.print(
        f"Score {fit.score:.2f} = data {fit.data_score:.2f} + prior {fit.prior_score:.2f}.",
        highlight=False,
    )
    if has_parts(fit):
        console.print(families_line(fit), markup=False, highlight=False)
    if fit.num_truncated_swaps:
        console.print(
            f"The swap-equivalent operator ran out of its budget {fit.num_truncated_swaps} times; "
            "an equivalent network with a higher prior may exist.",
            style="yellow",
            highlight=False,
        )
    if fit.has_statements:
        print_sources(fit.sources())
        _print_statements(fit)
    if fit.has_beliefs:
        _print_beliefs(fit)


def print_kinds(data: "Dataset", score: str) -> None:
    """Say which columns were taken as real, and what the score is."""
    num_real, num_columns = data.reals.num_variables, data.num_variables
    console.print(
        f"{num_real} of {num_columns} columns are real; the score is {score}.",
        markup=False,
        highlight=False,
    )


def print_files(files: "WrittenFiles") -> None:
    """Say where the results lie."""
    print_paths(
        files.report,
        files.picture,
        files.network,
        files.dot,
        files.edges,
        files.beliefs,
        files.sources,
        files.statements,
        files.summary,
    )


def _print_beliefs(fit: "Fit") -> None:
    from rich.text import Text

    from pathprior.beliefs.event import Event
    from pathprior.cli.tables import Cell, Column, fitted_cell, print_table
    from pathprior.report.belief_rows import WITHOUT_SUPPORT, not_met

    rows: list[list[Cell]] = []
    held = fit.beliefs_held()
    missed = not_met(fit.prior, held)
    for row, is_missed in zip(held.itertuples(index=False), missed, strict=True):
        # no colour: that it holds in one network is no evidence
        mark = "holds" if row.holds else "does not hold"
        if row.is_weak:
            mark = f"[yellow]{mark}, {WITHOUT_SUPPORT}[/]"
        rows.append(
            [
                Event.parse(str(row.event)).phrase(str(row.x), str(row.y)),
                f"{row.baseline:.3f}",
                f"{row.stated:g}",
                fitted_cell(row.fitted, is_missed),
                Text.from_markup(f"{row.relation} {mark}"),
            ]
        )
    print_table(
        [
            Column("belief"),
            Column("baseline", "right", is_spare=True),
            Column("stated", "right"),
            Column("fitted", "right"),
            Column("in the network"),
        ],
        rows,
        title="What became of the beliefs",
    )


def print_sources(sources: "pd.DataFrame") -> None:
    """Print how reliable each source of statements is."""
    from pathprior.beliefs.evidence import NOT_SETTLED
    from pathprior.cli.tables import Cell, Column, print_table
    from pathprior.report.testimony import counted

    rows: list[list[Cell]] = [
        [
            str(row.source),
            counted(row),
            f"{row.before:.2f}",
            f"{row.reliability:.2f}",
            f"{row.low:.2f} to {row.high:.2f}"
            f"{'' if getattr(row, 'is_settled', True) else f', {NOT_SETTLED}'}",
        ]
        for row in sources.itertuples(index=False)
    ]
    columns = [
        Column("source"),
        Column("says"),
        Column("beforehand", "right", is_spare=True),
        Column("reliability", "right"),
        Column("90 %", "right"),
    ]
    print_table(columns, rows, title="How reliable the sources are")


def _print_statements(fit: "Fit") -> None:
    from pathprior.cli.tables import Cell, Column, print_table
    from pathprior.report.belief_rows import phrases
    from pathprior.report.testimony import who_says

    held = fit.statements_held()
    rows: list[list[Cell]] = [
        [
            who_says(row),
            phrase,
            f"{row.baseline:.3f}",
            f"{row.relation} {'holds' if row.holds else 'does not hold'}",
        ]
        for phrase, row in zip(phrases(held), held.itertuples(index=False), strict=True)
    ]
    columns = [
        Column("source"),
        Column("statement"),
        Column("baseline", "right", is_spare=True),
        Column("in the network"),
    ]
    print_table(columns, rows, title="What became of the statements")


def print_evidence(weighed: "pd.DataFrame") -> None:
    """Print the rows of `Fit.evidence`, then their sentences."""
    from pathprior.cli.evidence_cells import evidence_cells, print_sentences
    from pathprior.cli.tables import Cell, Column, print_table
    from pathprior.report.belief_rows import phrases

    numbers = weighed[["stated", "with_event", "without_event"]].itertuples(index=False, name=None)
    rows: list[list[Cell]] = [
        [phrase, f"{stated:g}", f"{best:.2f}", f"{other:.2f}", *cells]
        for phrase, (stated, best, other), cells in zip(
            phrases(weighed), numbers, evidence_cells(weighed), strict=True
        )
    ]
    columns = [
        Column("belief"),
        Column("stated", "right"),
        Column("best with it", "right", is_spare=True),
        Column("best without", "right", is_spare=True),
        Column("log ratio", "right"),
        Column("evidence"),
    ]
    print_table(columns, rows, title="What the data say of the beliefs")
    print_sentences(weighed)
