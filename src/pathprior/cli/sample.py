"""`pathprior sample`: random DAGs into a file."""

from pathlib import Path
from typing import Annotated

import typer

from pathprior.cli.console import console


def sample(
    nodes: Annotated[int, typer.Option(help="Number of nodes.")],
    size: Annotated[int, typer.Option(help="Number of DAGs.")],
    out: Annotated[Path, typer.Option(help="File to write, NumPy's .npz.")],
    seed: Annotated[int, typer.Option(help="Seed.")] = 0,
    edge_odds: Annotated[
        float, typer.Option(help="What an edge multiplies the weight of a DAG by; 1: all alike.")
    ] = 1.0,
) -> None:
    """Draw labelled DAGs independently, all alike or, with edge odds below 1, sparse ones.

    The file holds one array, dags: its axes are the DAG, the parent and the child.

    Example: pathprior sample --nodes 37 --size 1000 --out dags.npz
    """
    import numpy as np

    from pathprior.cli.progress import reporting
    from pathprior.counting.sampling import sample_dags
    from pathprior.errors import CountingError
    from pathprior.files import saving

    with reporting("sampling") as progress:
        dags = sample_dags(nodes, size, seed, edge_odds=edge_odds, progress=progress)
    with saving(out, CountingError) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, dags=dags)
    console.print(f"{size} DAGs on {nodes} nodes in {out}", highlight=False, markup=False)
