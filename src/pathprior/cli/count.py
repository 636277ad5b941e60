"""`pathprior count`: how many DAGs have each configuration of relations."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathprior.cli.console import console

if TYPE_CHECKING:
    from pathprior.counting.result import ConfigurationCounts


def count(
    pairs: Annotated[str, typer.Option(help='Pairs of nodes, such as "X-Y,Y-Z,X-Z".')],
    nodes: Annotated[int, typer.Option(help="Number of nodes in all, those in pairs included.")],
    method: Annotated[
        str, typer.Option(help="auto, enumerate, exact, full (FULL_l) or fact (FACT_l).")
    ] = "auto",
    edge_odds: Annotated[
        float, typer.Option(help="What an edge multiplies the weight of a DAG by; 1: all alike.")
    ] = 1.0,
    samples: Annotated[int, typer.Option(help="DAGs to sample, where sampling is used.")] = 10**6,
    laplace: Annotated[float, typer.Option(help="The Laplace correction of samples.")] = 1e-3,
    placements: Annotated[
        int, typer.Option(help="Random placements of the pairs on each DAG; the paper has 1.")
    ] = 8,
    seed: Annotated[int, typer.Option(help="Seed of the samples.")] = 0,
    rows: Annotated[int, typer.Option(help="Rows to print of each table; 0 for all.")] = 64,
    out: Annotated[Path | None, typer.Option(help="Also write all rows to this CSV file.")] = None,
    cache: Annotated[bool, typer.Option(help="Keep and reuse counts on disk.")] = True,
) -> None:
    """Count the DAGs with each configuration of relations: N_C and U_C = N_C / N.

    Where the joint of all pairs is not known exactly, one table per connected component.

    Example: pathprior count --pairs "X-Y,Y-Z,X-Z" --nodes 5
    """
    from pathprior.cli.progress import reporting
    from pathprior.counting.configurations import count_configurations

    with reporting("counting") as progress:
        counted = count_configurations(
            read_pair_list(pairs),
            nodes,
            method=method,
            edge_odds=edge_odds,
            num_samples=samples,
            laplace=laplace,
            placements=placements,
            seed=seed,
            cache=cache,
            progress=progress,
        )
    tables = (counted,) if counted.is_exact else counted.components
    for table in tables:
        _print_table(table, rows)
    if out is not None:
        _write(tables, out)


def read_pair_list(text: str) -> list[tuple[str, str]]:
    """Pairs written as ``X-Y,Y-Z``."""
    from pathprior.errors import CountingError

    pairs = []
    for part in text.split(","):
        names = [name.strip() for name in part.split("-")]
        if len(names) != 2 or not all(names):
            raise CountingError(f'{part.strip()!r} is not a pair; write pairs as "X-Y,Y-Z"')
        pairs.append((names[0], names[1]))
    return pairs


def _print_table(counted: "ConfigurationCounts", max_rows: int) -> None:
    from pathprior.cli.tables import Column, print_table
    from pathprior.graph.relation import Relation

    counts, errors = counted.counts, counted.standard_errors
    console.print(_title(counted), highlight=False)
    columns = [Column(f"{x}-{y}", "center") for x, y in counted.pairs]
    if counts is not None:
        columns.append(Column("N_C", "right"))
    columns.append(Column("U", "right"))
    if errors is not None:
        columns.append(Column("± s.e.", "right"))
    num_rows = len(counted.probabilities)
    shown = num_rows if max_rows <= 0 else min(max_rows, num_rows)
    rows = []
    for i in range(shown):
        cells = [Relation(code).symbol for code in counted.configurations[i].tolist()]
        if counts is not None:
            cells.append(_short(counts[i]))
        cells.append(f"{counted.probabilities[i]:.9g}")
        if errors is not None:
            cells.append(f"{errors[i]:.2g}")
        rows.append(cells)
    print_table(columns, rows)
    if shown < num_rows:
        console.print(f"{num_rows - shown} more rows; --rows 0 prints all.", highlight=False)


def _title(counted: "ConfigurationCounts") -> str:
    how = {
        "enumerate": "exact, from all DAGs",
        "exact": "exact, from sums over reach classes",
    }.get(counted.method, f"estimated from {counted.num_samples} DAGs")
    base = "" if counted.edge_odds == 1 else f", edge odds {counted.edge_odds:g}"
    nodes = f"{counted.num_nodes} nodes{base}"
    return f"{len(counted.probabilities)} configurations on {nodes}, {how}"


def _digits(count: int) -> str:
    """All digits; str() refuses integers of more than 4300."""
    from decimal import Decimal

    return str(Decimal(count))


def _short(count: int) -> str:
    """All digits of a small number, seven of a large one (which may not fit a float)."""
    digits = _digits(count)
    if len(digits) <= 15:
        return digits
    return f"{digits[0]}.{digits[1:7]}e+{len(digits) - 1}"


def _write(tables: "tuple[ConfigurationCounts, ...]", path: Path) -> None:
    import csv

    from pathprior.errors import CountingError
    from pathprior.files import saving
    from pathprior.graph.relation import Relation

    with (
        saving(path, CountingError) as temporary,
        temporary.open("w", newline="", encoding="utf-8") as file,
    ):
        writer = csv.writer(file)
        for table in tables:
            names = [f"{x}-{y}" for x, y in table.pairs]
            writer.writerow([*names, "num_dags", "probability", "standard_error"])
            counts, errors = table.counts, table.standard_errors
            for i, row in enumerate(table.configurations.tolist()):
                writer.writerow(
                    [
                        *(Relation(code).symbol for code in row),
                        "" if counts is None else _digits(counts[i]),
                        repr(float(table.probabilities[i])),
                        "" if errors is None else repr(float(errors[i])),
                    ]
                )
