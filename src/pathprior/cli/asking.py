"""`pathprior questions` and `pathprior answers`: files to be asked with, and what comes back."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathprior.cli.console import console

if TYPE_CHECKING:
    from pathprior.graph.proposals import ProposedEdge

EDGES = "edges.csv"
"""What 'pathprior learn' writes of the edges."""
POSTERIOR = "posterior.npz"
"""What 'pathprior posterior' writes of the graphs."""


def questions(
    variables: Annotated[
        Path, typer.Argument(help="CSV with columns name and maybe description, unit.")
    ],
    fit: Annotated[
        Path | None, typer.Option(help="Ask about the edges and paths of what learn wrote here.")
    ] = None,
    posterior: Annotated[
        Path | None, typer.Option(help="Ask about what is in doubt by what posterior wrote here.")
    ] = None,
    out: Annotated[Path, typer.Option(help="File for the questions.")] = Path("questions.jsonl"),
    edges_only: Annotated[
        bool, typer.Option("--edges-only", help="Leave out pairs joined by longer paths alone.")
    ] = False,
    top: Annotated[
        int | None, typer.Option(help="Most questions; the least sure pairs come first.")
    ] = None,
    answered: Annotated[
        Path | None, typer.Option(help="File of answers; leave out the pairs that it is about.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the order of variables and answers.")] = 0,
) -> None:
    """Write one neutral question per pair of variables, for people or a language model.

    Example: pathprior questions variables.csv --fit results --out questions.jsonl
    """
    from itertools import combinations

    from pathprior.beliefs.answers import answered_pairs
    from pathprior.beliefs.questions import make_questions, write_questions
    from pathprior.beliefs.variables import read_variables
    from pathprior.errors import ReportError

    described = read_variables(variables)
    if fit is not None and posterior is not None:
        raise ReportError("--fit and --posterior both say what to ask about: name one of them")
    if seed < 0 or (top is not None and top < 1):
        raise ReportError("--seed must be 0 or more, and --top 1 or more")
    if fit is not None:
        pairs = _of_fit(fit, edges_only=edges_only)
    elif posterior is not None:
        pairs = _of_posterior(posterior, edges_only=edges_only)
    else:
        pairs = list(combinations((variable.name for variable in described), 2))
    known = set() if answered is None else answered_pairs(answered)
    pairs = [pair for pair in pairs if frozenset(pair) not in known][:top]
    asked = make_questions(described, pairs, seed=seed)
    write_questions(asked, out)
    _say(f"{len(asked)} questions about {len(described)} variables in {out}.")


def answers(
    answers: Annotated[Path, typer.Argument(help="The questions, each with an answer added.")],
    source: Annotated[str, typer.Option(help="Who answered.")],
    out: Annotated[Path, typer.Option(help="Belief file for the statements.")] = Path(
        "beliefs.csv"
    ),
) -> None:
    """Make answers statements of their source, in a belief file for learn and posterior.

    Example: pathprior answers answers.jsonl --source doctor --out doctor.csv
    """
    from pathprior.beliefs.answers import answered_pairs, read_answers

    statements = read_answers(answers, source=source)
    (statements.to_json if out.suffix.lower() == ".json" else statements.to_csv)(out)
    pairs = len(answered_pairs(answers))
    _say(f"{len(statements)} statements about {pairs} pairs in {out}.")


def _of_fit(folder: Path, *, edges_only: bool) -> list[tuple[str, str]]:
    from pathprior.graph.proposals import pairs_by_sureness

    return pairs_by_sureness(_read_edges(folder / EDGES), edges_only=edges_only)


def _read_edges(file: Path) -> "list[ProposedEdge]":
    """The edges that 'pathprior learn' wrote."""
    import pandas as pd

    from pathprior.errors import ReportError
    from pathprior.files import reason
    from pathprior.graph.proposals import ProposedEdge

    columns = ["parent", "child", "is_direction_fixed", "data_loss"]
    try:
        table = pd.read_csv(file, dtype={"parent": str, "child": str}, keep_default_na=False)
        rows = table[columns].itertuples(index=False, name=None)
        return [ProposedEdge(u, v, (bool(fixed), float(loss))) for u, v, fixed, loss in rows]
    except OSError as error:
        raise ReportError(
            f"cannot read {file}: {reason(error, file)}; --fit takes a folder of learn"
        ) from None
    except (KeyError, ValueError) as error:
        raise ReportError(f"{file} was not written by 'pathprior learn': {error}") from None


def _of_posterior(folder: Path, *, edges_only: bool) -> list[tuple[str, str]]:
    from pathprior.posterior.posterior_file import load_posterior

    return load_posterior(folder / POSTERIOR).proposed_pairs(edges_only=edges_only)


def _say(sentence: str) -> None:
    console.print(sentence, highlight=False, markup=False, soft_wrap=True)
