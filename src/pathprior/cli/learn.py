"""`pathprior learn`: a network from a data file and a belief file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathprior.cli.console import console, error_console

if TYPE_CHECKING:
    from pathprior.report.write import WrittenFiles
    from pathprior.search.result import Fit


def learn(
    data: Annotated[Path, typer.Argument(help="Data file: .csv, .csv.gz or .parquet.")],
    beliefs: Annotated[Path | None, typer.Option(help="Belief file, CSV or JSON.")] = None,
    out: Annotated[Path, typer.Option(help="Folder for the results.")] = Path("pathprior-results"),
    score: Annotated[str, typer.Option(help="bdeu, k2, bic, aic or loglik.")] = "bdeu",
    equivalent_sample_size: Annotated[
        float, typer.Option(help="Weight of the BDeu prior, in rows.")
    ] = 1.0,
    search: Annotated[str, typer.Option(help="How to search; see the docs.")] = "greedy",
    swap: Annotated[
        bool, typer.Option(help="Move to the equivalent graph that fits the beliefs best.")
    ] = True,
    repair: Annotated[
        str, typer.Option(help="For beliefs that cannot hold together: soft, gema or error.")
    ] = "soft",
    max_parents: Annotated[int | None, typer.Option(help="Most parents of a variable.")] = None,
    required: Annotated[
        list[str] | None, typer.Option(help="Edge that must be there, as 'A->B'; repeatable.")
    ] = None,
    forbidden: Annotated[
        list[str] | None, typer.Option(help="Edge that may not be there, as 'A->B'; repeatable.")
    ] = None,
    tier: Annotated[
        list[str] | None,
        typer.Option(help="Variables 'A,B,…' of one tier; repeat, earliest tier first."),
    ] = None,
    tabu: Annotated[int, typer.Option(help="Length of the tabu list; 0 for none.")] = 0,
    restarts: Annotated[int, typer.Option(help="Further climbs from disturbed optima.")] = 0,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 0,
    jobs: Annotated[int, typer.Option(help="Restarts at a time.")] = 1,
    progress: Annotated[bool, typer.Option(help="Show a live progress line.")] = True,
) -> None:
    """Learn the network that fits data and beliefs best, and write it to a folder.

    Example: pathprior learn patients.csv --beliefs beliefs.csv --out results
    """
    from pathprior.beliefs.belief_file import read_beliefs
    from pathprior.prior.fit import fit_prior
    from pathprior.report.write import write_fit
    from pathprior.score.coding import code_table
    from pathprior.search.learn import learn as learn_network

    table = code_table(data)
    prior = None
    if beliefs is not None:
        prior = fit_prior(read_beliefs(beliefs), table.variables, repair=repair, seed=seed)
    fit = learn_network(
        table,
        prior,
        score=score,
        equivalent_sample_size=equivalent_sample_size,
        search=search,
        swap_equivalent=None if swap else False,
        max_parents=max_parents,
        required=[_parse_edge(text) for text in required or []],
        forbidden=[_parse_edge(text) for text in forbidden or []],
        tiers=[text.split(",") for text in tier] if tier else None,
        tabu=tabu,
        restarts=restarts,
        seed=seed,
        num_jobs=jobs,
        progress=progress and error_console.is_terminal,
    )
    settings = {
        "data": str(data),
        "beliefs": None if beliefs is None else str(beliefs),
        "num_rows": table.num_rows,
        "num_variables": table.num_variables,
        "score": score,
        "equivalent_sample_size": equivalent_sample_size,
        "search": search,
        "swap": swap,
        "repair": repair,
        "max_parents": max_parents,
        "required": required or [],
        "forbidden": forbidden or [],
        "tier": tier or [],
        "tabu": tabu,
        "restarts": restarts,
        "seed": seed,
    }
    files = write_fit(fit, out, settings)
    print_fit(fit)
    print_files(files)


def print_fit(fit: "Fit") -> None:
    """Say in a few lines what was found, and what became of each belief."""
    console.print(
        f"{fit.dag.num_edges} edges on {fit.dag.num_nodes} variables after {len(fit.steps)} steps. "
        f"{fit.stopped_because}",
        highlight=False,
    )
    console.print(
        f"Score {fit.score:.2f} = data {fit.data_score:.2f} + prior {fit.prior_score:.2f}.",
        highlight=False,
    )
    if fit.num_truncated_swaps:
        console.print(
            f"The swap-equivalent operator ran out of its budget {fit.num_truncated_swaps} times; "
            "an equivalent network with a higher prior may exist.",
            style="yellow",
            highlight=False,
        )
    if fit.prior is not None:
        _print_beliefs(fit)


def print_files(files: "WrittenFiles") -> None:
    """Say where the results lie."""
    console.print(f"Results in {files.summary.parent}:", highlight=False, markup=False)
    for path in (
        files.picture,
        files.network,
        files.dot,
        files.edges,
        files.beliefs,
        files.summary,
    ):
        if path is not None:
            console.print(f"  {path.name}", highlight=False)


def _print_beliefs(fit: "Fit") -> None:
    from rich.markup import escape
    from rich.table import Table

    held = fit.beliefs_held()
    table = Table(title="What became of the beliefs", title_justify="left")
    for heading in ("x", "event", "y"):
        table.add_column(heading, overflow="fold")
    table.add_column("stated", justify="right")
    table.add_column("fitted", justify="right")
    table.add_column("in the network")
    for row in held.itertuples(index=False):
        mark = "[green]holds[/]" if row.holds else "[red]does not hold[/]"
        table.add_row(
            escape(str(row.x)),
            str(row.event),
            escape(str(row.y)),
            f"{row.stated:g}",
            f"{row.fitted:.3f}",
            f"{row.relation} {mark}",
        )
    console.print(table)


def _parse_edge(text: str) -> tuple[str, str]:
    from pathprior.errors import SearchError

    parent, arrow, child = text.partition("->")
    if not arrow or not parent.strip() or not child.strip():
        raise SearchError(f"an edge is written 'parent->child', not {text!r}")
    return parent.strip(), child.strip()
