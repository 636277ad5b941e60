"""`pathprior reproduce`: the paper's tables and figures, run again, with verdicts."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathprior.cli.console import console, error_console

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.experiments.experiment import Cell, Claim, Experiment, Scale

ALL = "all"


def reproduce(
    name: Annotated[
        str,
        typer.Argument(help="table1, misleading, figure1, figure2, networks, grid, or all."),
    ],
    quick: Annotated[
        bool, typer.Option("--quick", help="Few repeats: about two minutes on two cores.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="As many repeats as the paper.")] = False,
    experts: Annotated[
        str | None,
        typer.Option(help="Only these experts of networks: true, calibrated or misled."),
    ] = None,
    jobs: Annotated[int, typer.Option(help="Processes at a time; -1 for all cores.")] = -1,
    out: Annotated[
        Path, typer.Option(help="Folder of results and state; the same one goes on with a run.")
    ] = Path("reproduction"),
    dask: Annotated[
        str | None, typer.Option(help='Address of a Dask scheduler, or "local".')
    ] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same rows.")] = 0,
) -> None:
    """Reproduce a table or figure of the paper and say which of its claims hold.

    Writes runs.csv, times.csv, plot.png, plot.svg, verdict.md and verdict.json to OUT/NAME.
    Interrupted, it goes on where it stopped when started again.

    Example: pathprior reproduce figure2 --quick
    """
    from pathprior.errors import ExperimentError
    from pathprior.experiments.catalogue import EXPERIMENTS
    from pathprior.experiments.experiment import Cell, Scale

    if name != ALL and name not in EXPERIMENTS:
        raise ExperimentError(f"unknown name {name!r}; use one of {', '.join(EXPERIMENTS)}, {ALL}")
    if quick and full:
        raise ExperimentError("give --quick or --full, not both")
    if seed < 0:
        raise ExperimentError(f"--seed {seed} is negative; give a whole number, 0 or more")
    scale = Scale.QUICK if quick else Scale.FULL if full else Scale.DEFAULT
    chosen = list(EXPERIMENTS) if name == ALL else [name]
    for experiment in chosen:
        # with "all", experts concern the one experiment that has them
        has_experts = experts is not None and (name != ALL or experiment == "networks")
        only: dict[str, Cell] = {"experts": str(experts)} if has_experts else {}
        _reproduce(EXPERIMENTS[experiment], scale, only, jobs, out / experiment, dask, seed)


def _reproduce(
    experiment: "Experiment",
    scale: "Scale",
    only: "dict[str, Cell]",
    jobs: int,
    folder: Path,
    dask: str | None,
    seed: int,
) -> None:
    from pathprior.cli.progress import reporting
    from pathprior.experiments.runner import run_experiment
    from pathprior.experiments.verdict import write_verdict

    options = "" if scale.value == "default" else f" --{scale.value}"
    options += "".join(f" --{key} {value}" for key, value in only.items())
    command = f"pathprior reproduce {experiment.name}{options} --seed {seed}"
    try:
        with reporting(experiment.name) as report:
            rows = run_experiment(
                experiment,
                folder,
                scale=scale,
                seed=seed,
                only=only,
                num_jobs=jobs,
                dask=dask,
                on_progress=report,
            )
    except KeyboardInterrupt:
        error_console.print(
            f"Finished tasks are kept in {folder}; to go on, run\n"
            f"  {command} --out {folder.parent}",
            highlight=False,
            soft_wrap=True,
        )
        raise typer.Exit(130) from None
    claims = write_verdict(experiment, rows, folder, command=command)
    if experiment.is_table:
        _print_rows(rows)
    _print_claims(experiment, claims)
    console.print(f"Rows, picture and verdicts are in {folder}.", highlight=False, markup=False)


def _print_rows(rows: "pd.DataFrame") -> None:
    from pathprior.cli.tables import Column, print_table

    shown = [column for column in rows.columns if column not in ("seed", "num_samples")]
    columns = [
        Column(
            column.replace("_", " "),
            "right" if rows[column].dtype.kind in "if" else "left",
            is_spare=column == "spread",  # runs.csv has it
        )
        for column in shown
    ]
    print_table(columns, [list(map(_cell, row)) for row in rows[shown].itertuples(index=False)])


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if value != value else f"{value:.6g}"
    return str(value)


def _print_claims(experiment: "Experiment", claims: "list[Claim]") -> None:
    from rich.text import Text

    from pathprior.cli.tables import Column, print_table

    colours = {"holds": "green", "does not hold": "red", "undecided": "yellow"}
    print_table(
        [Column("claim"), Column("verdict"), Column("numbers")],
        [
            (claim.sentence, Text(claim.verdict, style=colours[claim.verdict]), claim.numbers)
            for claim in claims
        ],
        title=f"{experiment.name}: {experiment.title}",
    )
    for note in experiment.notes:
        console.print(note, style="dim", highlight=False, markup=False)
