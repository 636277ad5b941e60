"""`pathprior baseline`: the relations of two variables before anything is believed."""

from typing import Annotated, Any

import typer

from pathprior.cli.console import console
from pathprior.cli.parameters import offering, read_options
from pathprior.problem.forms import read_number
from pathprior.problem.settings import ProblemSettings

PARENTS = ProblemSettings.named("expected_parents")


@offering(PARENTS)
def baseline(
    variables: Annotated[int, typer.Option(help="Number of variables.")],
    edge_odds: Annotated[
        str, typer.Option(help="Instead, what an edge multiplies the weight of a DAG by.")
    ] = "none",
    **given: Any,
) -> None:
    """Show how probable relations of two variables and an edge are before anything is believed.

    A belief that is less probable than here counts against what it says.

    Example: pathprior baseline --variables 37 --expected-parents 1.5
    """
    from pathprior.counting import baseline as base

    found = base.baseline(
        variables,
        **read_options(PARENTS, given),
        edge_odds=read_number(edge_odds, "--edge-odds"),
    )
    console.print(str(found), highlight=False, markup=False)
