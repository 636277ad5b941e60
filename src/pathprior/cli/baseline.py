"""`pathprior baseline`: the relations of two variables before anything is believed."""

from typing import Annotated

import typer

from pathprior.cli.console import console


def baseline(
    variables: Annotated[int, typer.Option(help="Number of variables.")],
    expected_parents: Annotated[
        str, typer.Option(help="Parents of a variable on average; none: all DAGs are alike.")
    ] = "none",
    edge_odds: Annotated[
        str, typer.Option(help="Instead, what an edge multiplies the weight of a DAG by.")
    ] = "none",
) -> None:
    """Show how probable each relation of two variables is before anything is believed.

    A belief that is less probable than here counts against what it says.

    Example: pathprior baseline --variables 37 --expected-parents 1.5
    """
    from pathprior.counting import baseline as base

    found = base.baseline(
        variables,
        expected_parents=_number(expected_parents, "--expected-parents"),
        edge_odds=_number(edge_odds, "--edge-odds"),
    )
    console.print(str(found), highlight=False, markup=False)


def _number(text: str, option: str) -> float | None:
    from pathprior.errors import CountingError

    if text.lower() == "none":
        return None
    try:
        return float(text)
    except ValueError:
        raise CountingError(f"{option} is {text!r}; give a number, or none") from None
