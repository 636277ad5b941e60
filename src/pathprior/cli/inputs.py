"""What `learn` and `posterior` make of the texts and files that they are given."""

import csv
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathprior.beliefs.statement import Statement
    from pathprior.counting.expected_parents import ExpectedParents
    from pathprior.data.dataset import Dataset
    from pathprior.prior.path_prior import PathPrior

RULES = ("required", "forbidden", "tiers", "max_parents")
"""The options that say what edges there may be."""

WEB_LIMIT = 600.0
"""Seconds for each web of beliefs, as of `fit_prior`."""


def split_list(texts: list[str] | None) -> list[str]:
    """What an option that may be repeated lists: separated by commas, quoted if it holds one."""
    rows = csv.reader(texts or [], skipinitialspace=True)
    return [part.strip() for row in rows for part in row]


def parse_columns(texts: list[str] | None) -> tuple[str, ...] | None:
    """The columns of --columns; None for all."""
    return None if texts is None else tuple(split_list(texts))


def parse_edges(texts: list[str] | None) -> tuple[tuple[str, str], ...]:
    """The edges of --required and --forbidden."""
    return tuple(_parse_edge(text) for text in split_list(texts))


def parse_tiers(texts: list[str] | None) -> tuple[tuple[str, ...], ...]:
    """The tiers of --tier."""
    return tuple(tuple(split_list([text])) for text in texts or [])


def parse_fixed(texts: list[str] | None) -> tuple[str, ...] | None:
    """The variables of --fixed; None where it was not given, nothing where it names none."""
    if texts is None:
        return None
    names = (name.strip() for text in texts for name in text.split(","))
    return tuple(name for name in names if name)


def parse_kinds(real: list[str] | None, discrete: list[str] | None) -> tuple[tuple[str, str], ...]:
    """The columns of --real and --discrete."""
    from pathprior.data.kinds import DISCRETE, REAL

    listed = ((REAL, split_list(real)), (DISCRETE, split_list(discrete)))
    return tuple((name, kind) for kind, names in listed for name in names)


def parse_reliability(texts: list[str] | None) -> tuple[tuple[str, tuple[float, float]], ...]:
    """The sources of --reliability, each with its two numbers."""
    from pathprior.errors import BeliefError

    found = []
    for text in texts or []:
        name, _, numbers = text.rpartition("=")
        try:
            right, wrong = map(float, numbers.split(","))
        except ValueError:
            raise BeliefError(f"a reliability is written 'survey=8,2', not {text!r}") from None
        found.append((name.strip(), (right, wrong)))
    return tuple(found)


def fit_beliefs(
    path: Path,
    dataset: "Dataset",
    *,
    expected_parents: "ExpectedParents",
    repair: str,
    pool: str,
    seed: int,
    num_jobs: int,
    progress: bool,
    time_limit: float = WEB_LIMIT,
    **rules: Any,
) -> "tuple[PathPrior, tuple[Statement, ...]]":
    """Read a belief file: the prior fitted to it among the variables of the data; statements.

    ``rules`` are required, forbidden, tiers and max_parents, as of `fit_prior`.
    """
    from pathprior.beliefs.belief_file import read_beliefs
    from pathprior.beliefs.statement import split_statements
    from pathprior.cli.progress import reporting
    from pathprior.counting.progress import silent
    from pathprior.prior.fit import fit_prior

    stated = read_beliefs(path)
    beliefs, statements = split_statements(stated)
    # among hundreds of variables counting takes longer than the search
    with reporting("counting") if progress else nullcontext(silent) as report:
        prior = fit_prior(
            stated.part(beliefs),
            dataset.variables,
            expected_parents=expected_parents,
            repair=repair,
            pool=pool,
            seed=seed,
            num_jobs=num_jobs,
            progress=report,
            time_limit=time_limit,
            **rules,
        )
    return prior, statements


def _parse_edge(text: str) -> tuple[str, str]:
    from pathprior.errors import SearchError

    parent, arrow, child = text.partition("->")
    if not arrow or not parent.strip() or not child.strip():
        raise SearchError(f"an edge is written 'parent->child', not {text!r}")
    return parent.strip(), child.strip()


def parse_score(score: str, penalty: float | None) -> str:
    """The name of the score, with the factor of its penalty."""
    from pathprior.errors import SearchError
    from pathprior.score.named import PENALISED

    if penalty is None:
        return score
    if score != PENALISED:
        raise SearchError(f"--penalty belongs to --score {PENALISED}, not {score}")
    return f"{score}:{penalty!r}"
