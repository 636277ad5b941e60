"""`pathprior baseline`: the relations of two variables before anything is believed."""

from typing import Annotated

import typer

from pathprior.cli.console import console
from pathprior.cli.parents_option import ParentsOption, read_number, read_parents


def baseline(
    variables: Annotated[int, typer.Option(help="Number of variables.")],
    expected_parents: ParentsOption = "auto",
    edge_odds: Annotated[
        str, typer.Option(help="Instead, what an edge multiplies the weight of a DAG by.")
    ] = "none",
) -> None:
    """Show how probable relations of two variables and an edge are before anything is believed.

    A belief that is less probable than here counts against what it says.

    Example: pathprior baseline --variables 37 --expected-parents 1.5
    """
    from pathprior.counting import baseline as base

    found = base.baseline(
        variables,
        expected_parents=read_parents(expected_parents),
        edge_odds=read_number(edge_odds, "--edge-odds"),
    )
    console.print(str(found), highlight=False, markup=False)
