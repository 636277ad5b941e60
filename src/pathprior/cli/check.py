"""`pathprior check`: whether beliefs can hold together, and what the fit makes of them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from pathprior.cli.console import console
from pathprior.cli.parameters import offering, read_options
from pathprior.problem.settings import ProblemSettings

if TYPE_CHECKING:
    from pathprior.beliefs.belief_set import BeliefSet
    from pathprior.prior.path_prior import PathPrior

INCOHERENT, NOT_DECIDED = 3, 4
"""Exit statuses."""


OPTIONS = ProblemSettings.named(
    "columns",
    "expected_parents",
    "pool",
    "required",
    "forbidden",
    "tiers",
    "max_parents",
)


@offering(OPTIONS)
def check(
    beliefs: Annotated[Path, typer.Argument(help="Belief file, CSV or JSON.")],
    data: Annotated[
        Path | None, typer.Option(help="Data file; only its column names are read.")
    ] = None,
    num_nodes: Annotated[
        int | None, typer.Option(help="Number of variables in all, in place of --data.")
    ] = None,
    complete: Annotated[
        bool, typer.Option("--complete", help="Share open probability in proportion to U.")
    ] = False,
    **given: Any,
) -> None:
    """Say whether beliefs can hold together, which cannot, and what the fit makes of them.

    Beliefs of one source must hold together; several sources may disagree, and are weighed. Within
    rules for edges, as of learn, all numbers are about the graphs that keep them.

    Exit status: 0 coherent, 3 incoherent, 4 not decided, 2 bad input.

    Example: pathprior check beliefs.csv --data cohort.csv
    """
    from pathprior.beliefs.belief_file import read_beliefs
    from pathprior.beliefs.statement import split_statements
    from pathprior.cli.progress import reporting
    from pathprior.prior.fit import fit_prior

    how = read_options(OPTIONS, given)
    stated = read_beliefs(beliefs)
    variables = _variables(stated, data, num_nodes, how.pop("columns"))
    stated.require_variables(variables)
    believed, said = split_statements(stated)
    if said:
        count = f"{len(said)} statement{'' if len(said) == 1 else 's'}"
        console.print(
            f"{count} without a probability: learn and posterior weigh them by the data.",
            highlight=False,
        )
    with reporting("counting") as progress:
        prior = fit_prior(
            stated.part(believed),
            variables,
            complete=complete,
            **how,
            progress=progress,
        )
    if believed:
        _print_judgement(prior)


def _print_judgement(prior: "PathPrior") -> None:
    """Show the fit, and what holds together; exit by what was found."""
    _print_table(prior)
    if prior.is_pooled:
        whose = "Within: by its own source alone. Fitted: by all sources together."
        console.print(whose, style="dim", highlight=False)
    console.print(f"Fitted under {prior.reference}.", style="dim", highlight=False)
    if prior.disagreements:
        _print_disagreements(prior)
    if prior.is_coherent:
        whose = "the beliefs of each source" if prior.is_pooled else "the stated beliefs"
        console.print(f"[green]Coherent:[/] {whose} can hold together.")
        for unmet in prior.unmet:
            reason = f"[yellow]Not met:[/] {escape(unmet.reason)}."
            console.print(reason, highlight=False, soft_wrap=True)
        return
    if prior.is_undecided:
        console.print(
            "[yellow]Not decided:[/] no conflict was found, but chains did not meet all beliefs, "
            "so that they may not hold together; state less extreme probabilities.",
            highlight=False,
        )
        raise typer.Exit(NOT_DECIDED)
    _print_conflicts(prior)
    raise typer.Exit(INCOHERENT)


def _variables(
    beliefs: "BeliefSet",
    data: Path | None,
    num_nodes: int | None,
    columns: tuple[str, ...] | None,
) -> tuple[str, ...]:
    from pathprior.counting.shape import MAX_NUM_NODES
    from pathprior.errors import BeliefError

    if (data is None) == (num_nodes is None):
        raise BeliefError("give either --data DATA.csv or --num-nodes N")
    if data is not None:
        from pathprior.data.coding import kept_columns
        from pathprior.data.readers import column_names

        return kept_columns(column_names(data), columns)
    if columns is not None:
        raise BeliefError("--columns names columns of the data: give --data DATA.csv too")
    assert num_nodes is not None  # one of the two is given
    named = beliefs.variables
    if num_nodes < len(named):
        raise BeliefError(
            f"--num-nodes {num_nodes} is less than the {len(named)} variables of the beliefs"
        )
    if num_nodes > MAX_NUM_NODES:
        raise BeliefError(
            f"--num-nodes {num_nodes} is more than {MAX_NUM_NODES}, the most that can be counted"
        )
    # Variables without a belief matter only by their number; a name must not clash.
    fillers = (name for i in range(num_nodes) if (name := f"variable {i + 1}") not in named)
    return (*named, *(next(fillers) for _ in range(num_nodes - len(named))))


def _print_table(prior: "PathPrior") -> None:
    from pathprior.beliefs.event import Event
    from pathprior.cli.tables import Column, fitted_cell, print_table
    from pathprior.report.belief_rows import not_met

    has_rules = "rule" in prior.table and bool(prior.table["rule"].any())
    print_table(
        [
            Column("belief"),
            Column("baseline", "right", is_spare=True),
            Column("stated", "right"),
            *([Column("within", "right")] if prior.is_pooled else []),
            Column("fitted", "right"),
            Column("change", "right", is_spare=True),
            *([Column("rule")] if has_rules else []),
            Column("source", is_spare=True),
        ],
        [
            [
                Event.parse(str(row.event)).phrase(str(row.x), str(row.y)),
                f"{row.baseline:.3f}",
                f"{row.stated:g}",
                *([f"{row.within:.3f}"] if prior.is_pooled else []),
                fitted_cell(row.fitted, is_missed),
                f"{row.change:+.3f}",
                *([str(row.rule)] if has_rules else []),
                str(row.source),
            ]
            for row, is_missed in zip(
                prior.table.itertuples(index=False), not_met(prior, prior.table), strict=True
            )
        ],
        title="Beliefs, largest change first",
    )


def _print_disagreements(prior: "PathPrior") -> None:
    from pathprior.cli.tables import Column, print_table

    print_table(
        [Column("widest gap first")],
        [[disagreement.sentence] for disagreement in prior.disagreements],
        title="Sources that disagree, weighed together",
    )


def _print_conflicts(prior: "PathPrior") -> None:
    from pathprior.cli.tables import Column, print_table

    count = len(prior.conflicts)
    groups = "group" if count == 1 else "groups"
    rows = []
    for number, conflict in enumerate(prior.conflicts, start=1):
        places = ", ".join(belief.origin.rpartition(", ")[2] for belief in conflict.beliefs)
        rows.append([str(number), conflict.sentence, places])
    print_table(
        [Column("group", "right"), Column("why"), Column("where")],
        rows,
        title=f"[red]Incoherent:[/] {count} {groups} of beliefs cannot hold together",
    )
