"""`pathprior demo`: the main job on a bundled example, without and with beliefs."""

from dataclasses import replace
from enum import StrEnum
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathprior.cli.console import console
from pathprior.cli.fit_output import print_files, print_fit

if TYPE_CHECKING:
    from pathprior.data.dataset import Dataset
    from pathprior.graph.distance import GraphComparison
    from pathprior.network.model import Network


class Example(StrEnum):
    """Bundled networks that there are beliefs on."""

    ALARM = "alarm"
    CHECKUP = "checkup"


def demo(
    context: typer.Context,
    network: Annotated[
        Example, typer.Option(help="checkup has real columns beside those of states.")
    ] = Example.ALARM,
    rows: Annotated[int, typer.Option(min=1, help="Number of rows to sample.")] = 500,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
    out: Annotated[Path, typer.Option(help="Folder for the results.")] = Path("pathprior-demo"),
) -> None:
    """Learn a bundled network from a sample of it, without and with bundled beliefs.

    Example: pathprior demo --network checkup --rows 1000
    """
    from pathprior.beliefs.belief_file import read_beliefs
    from pathprior.cli.progress import announce_compiling
    from pathprior.graph.distance import compare
    from pathprior.network.bundled import load_network
    from pathprior.prior.fit import fit_prior
    from pathprior.report.write import write_fit
    from pathprior.search.learn import learn

    truth = load_network(network)
    with as_file(files("pathprior.beliefs") / "data" / f"{network}.csv") as path:
        beliefs = read_beliefs(path)
    console.print(
        f"{rows} rows sampled from {network.upper()} ({truth.dag.num_nodes} variables, "
        f"{truth.dag.num_edges} edges), {len(beliefs)} beliefs.",
        highlight=False,
    )
    announce_compiling(context)
    data = replace(_sample(truth, rows, seed), name=f"{rows} rows of {network.upper()}")
    prior = fit_prior(beliefs, data.variables, seed=seed)
    for conflict in prior.conflicts:
        console.print(f"Conflict: {conflict.sentence}", style="yellow", markup=False)
    for disagreement in prior.disagreements:
        console.print(disagreement.sentence, style="yellow", markup=False)
    without = learn(data)
    with_beliefs = learn(data, prior)
    written = write_fit(with_beliefs, out, report=True)
    print_fit(with_beliefs)
    _print_comparison(compare(without.dag, truth.dag), compare(with_beliefs.dag, truth.dag))
    print_files(written)


def _sample(network: "Network", rows: int, seed: int) -> "Dataset":
    from pathprior.data.dataset import Dataset
    from pathprior.data.door import read_dataset
    from pathprior.network.network import BayesianNetwork

    if isinstance(network, BayesianNetwork):
        return Dataset.of_codes(network.sample_table(rows, seed=seed))
    return read_dataset(network.sample(rows, seed=seed))


def _print_comparison(without: "GraphComparison", with_beliefs: "GraphComparison") -> None:
    from pathprior.cli.tables import Column, print_table

    rows = (
        ("structural Hamming distance", "shd", "d"),
        ("skeleton precision", "skeleton_precision", ".2f"),
        ("skeleton recall", "skeleton_recall", ".2f"),
        ("orientation precision", "orientation_precision", ".2f"),
        ("orientation recall", "orientation_recall", ".2f"),
    )
    print_table(
        [Column(""), Column("without beliefs", "right"), Column("with beliefs", "right")],
        [
            (label, *(f"{getattr(result, name):{form}}" for result in (without, with_beliefs)))
            for label, name, form in rows
        ],
        title="Against the true network",
    )
