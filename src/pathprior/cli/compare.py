"""`pathprior compare`: how far one network's structure is from another's."""

from pathlib import Path
from typing import Annotated

import typer

from pathprior.cli.console import console


def compare(
    estimate: Annotated[Path, typer.Argument(help="File of the estimated network, BIF or JSON.")],
    truth: Annotated[Path, typer.Argument(help="File of the true network, on the same nodes.")],
) -> None:
    """Compare the structures of two networks: distances, precision and recall of the edges.

    Example: pathprior compare results/network.bif cohort.bif
    """
    from rich.table import Table

    from pathprior.graph import distance
    from pathprior.network.network_file import read_network

    estimated, true = read_network(estimate).dag, read_network(truth).dag
    result = distance.compare(estimated, true)
    rows = [
        ("nodes", f"{true.num_nodes}"),
        ("edges, estimate", f"{estimated.num_edges}"),
        ("edges, truth", f"{true.num_edges}"),
        ("structural Hamming distance (CPDAGs)", f"{result.shd}"),
        ("structural Hamming distance (DAGs)", f"{result.dag_shd}"),
        ("skeleton precision", _share(result.skeleton_precision)),
        ("skeleton recall", _share(result.skeleton_recall)),
        ("orientation precision", _share(result.orientation_precision)),
        ("orientation recall", _share(result.orientation_recall)),
    ]
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(justify="right")
    for label, value in rows:
        table.add_row(label, value)
    console.print(table)


def _share(value: float) -> str:
    """Two digits, or a dash where there was no edge to take a share of."""
    return "–" if value != value else f"{value:.2f}"
