"""Saved posteriors: the graphs as arrays, everything else as JSON text."""

from dataclasses import asdict
from math import inf
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief_file import belief_from_row, belief_row
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.beliefs.statement import split_statements
from pathprior.beliefs.testimony import Testimony, make_testimony
from pathprior.errors import PathPriorError, PosteriorError
from pathprior.graph.bitset import num_words
from pathprior.graph.dag import Dag, check_nodes, require_same_nodes
from pathprior.kernels.graph.relations import fill_ties
from pathprior.posterior.array_file import load_arrays, save_arrays
from pathprior.posterior.array_records import Arrays
from pathprior.posterior.doubts import Doubts
from pathprior.posterior.draws import Draws
from pathprior.posterior.posterior import Posterior
from pathprior.posterior.settings import PosteriorSettings, named_variables
from pathprior.posterior.settling import PosteriorStop
from pathprior.prior.prior_file import prior_content, read_content
from pathprior.score.table_draws import TABLES

FORMAT = "pathprior.posterior"
VERSION = 4

ROUNDING = 1e-9
"""What the log of a sum of all weights may differ from 0 by."""

PARENTS, SCORES, LOG_WEIGHTS, BEFORE = "parents", "scores", "log_weights", "before"
"""Names of the arrays in the file."""


def save_posterior(posterior: Posterior, path: str | PathLike[str]) -> None:
    """Write ``posterior``: the graphs as arrays, everything else as JSON."""
    draws = posterior.draws
    about = {
        "format": FORMAT,
        "version": VERSION,
        "variables": list(posterior.variables),
        "prior": prior_content(posterior.prior),
        "testimony": _testimony_content(posterior.testimony),
        "best": [list(edge) for edge in posterior.best.edges],
        "best_score": posterior.best_score,
        "stopped_because": posterior.stopped_because.name,
        "settings": asdict(posterior.settings),
        "prior_rows": float(posterior.prior_rows),
        "ruled_out_by": list(posterior.ruled_out_by),
        "fixed": list(posterior.fixed),
        "tables": posterior.tables,
        "unseen": posterior.unseen,
        "doubts": None if posterior.doubts is None else posterior.doubts.content(),
    }
    arrays: Arrays = {PARENTS: draws.parents, SCORES: draws.scores}
    if draws.log_weights is not None:
        arrays[LOG_WEIGHTS] = draws.log_weights
    if posterior.before is not None:
        arrays[BEFORE] = posterior.before
    save_arrays(path, about, arrays, is_compressed=True)


def load_posterior(path: str | PathLike[str]) -> Posterior:
    """Read a posterior written by `Posterior.save`.

    Raises
    ------
    PosteriorError
        If the file is not a whole saved posterior of a version we know; the message says what is
        wrong.
    """
    file = Path(path)
    found = load_arrays(file, FORMAT)
    if found is None:
        raise PosteriorError(
            f"{file}: not a saved posterior, or damaged; make one with posterior.save(path)"
        )
    about, arrays = found
    if about.get("version") != VERSION:
        raise PosteriorError(
            f"{file}: version {about.get('version')!r} is not {VERSION}, the one this release "
            "reads; sample the posterior again"
        )
    try:
        return _read(about, arrays, file)
    except KeyError as error:
        raise PosteriorError(
            f"{file}: damaged: {error} is missing; sample the posterior again"
        ) from None
    except (PathPriorError, AttributeError, TypeError, ValueError, OverflowError) as error:
        raise PosteriorError(f"{file}: damaged: {error}; sample the posterior again") from None


def _read(about: dict[str, Any], arrays: Arrays, file: Path) -> Posterior:
    variables = check_nodes(about["variables"])
    prior = read_content(about["prior"], file)
    require_same_nodes(prior.variables, variables, owners=("the prior", "the posterior"))
    edges = [(parent, child) for parent, child in about["best"]]
    return Posterior(
        variables=variables,
        draws=_read_draws(tuple(sorted(variables)), arrays),
        prior=prior,
        best=Dag.from_edges(variables, edges),
        best_score=float(about["best_score"]),
        stopped_because=PosteriorStop[about["stopped_because"]],
        settings=PosteriorSettings.restore(about["settings"]),
        prior_rows=_read_prior_rows(about["prior_rows"]),
        before=_read_before(len(prior.table), arrays),
        ruled_out_by=_read_texts(about["ruled_out_by"], len(prior.table)),
        testimony=_read_testimony(about["testimony"], variables, file),
        fixed=named_variables(variables, about["fixed"]),
        tables=_read_tables(about["tables"]),
        unseen=_read_share(about["unseen"]),
        doubts=_read_doubts(about["doubts"], len(prior.table)),
    )


def _testimony_content(testimony: Testimony | None) -> dict[str, Any] | None:
    if testimony is None:
        return None
    return {
        "statements": [belief_row(statement) for statement in testimony.statements],
        "reliability": dict(zip(testimony.sources, testimony.reliability, strict=True)),
    }


def _read_testimony(content: Any, variables: tuple[str, ...], file: Path) -> Testimony | None:
    if content is None:
        return None
    rows = enumerate(content["statements"], start=1)
    stated = BeliefSet(belief_from_row(row, f"{file}, statement {k}") for k, row in rows)
    stated.require_variables(variables)
    beliefs, statements = split_statements(stated)
    if beliefs or not statements:
        raise PosteriorError("its statements are not statements")
    return make_testimony(statements, content["reliability"])


def _read_prior_rows(content: Any) -> float:
    rows = float(content)
    if not 0 < rows < inf:
        raise PosteriorError("the rows that the prior is worth are no positive number")
    return rows


def _read_doubts(content: Any, num_rows: int) -> Doubts | None:
    return None if content is None else Doubts.read(content, num_rows)


def _read_share(content: Any) -> float:
    share = float(content)
    if not 0 <= share < 1:
        raise PosteriorError("the share of unseen edges is no share")
    return share


def _read_tables(content: Any) -> str:
    if content not in TABLES:
        raise PosteriorError(f"tables are drawn by no score {content!r}")
    return str(content)


def _read_texts(content: Any, num_rows: int) -> tuple[str, ...]:
    texts = tuple(content)
    if len(texts) not in (0, num_rows) or not all(isinstance(text, str) for text in texts):
        raise PosteriorError("the rules are not named for each belief")
    return texts


def _read_before(num_rows: int, arrays: Arrays) -> NDArray[np.float64] | None:
    before = arrays.get(BEFORE)
    if before is None:
        return None
    is_list = before.shape == (num_rows,) and before.dtype == np.float64
    if not is_list or ((before < 0) | (before > 1)).any():
        raise PosteriorError("the probabilities before the data are not one for each belief")
    return before


def _read_draws(variables: tuple[str, ...], arrays: Arrays) -> Draws:
    parents, scores = arrays[PARENTS], arrays[SCORES]
    log_weights = arrays.get(LOG_WEIGHTS)
    size = len(variables)
    is_table = scores.ndim == 2 and scores.size > 0 and scores.dtype == np.float64
    if not is_table or not np.isfinite(scores).all():
        raise PosteriorError("the scores are no table of numbers")
    if parents.shape != (*scores.shape, size, num_words(size)) or parents.dtype != np.uint64:
        raise PosteriorError("there are other graphs than scores")
    if log_weights is not None:
        is_table = log_weights.shape == scores.shape and log_weights.dtype == np.float64
        if not is_table or not abs(np.logaddexp.reduce(log_weights, axis=None)) <= ROUNDING:
            raise PosteriorError("the weights do not sum to one")
    draws = Draws(variables, parents, scores, log_weights)
    no_pairs = np.empty((0, 2), np.int64)
    codes = np.empty((scores.size, 0), np.uint8)
    if fill_ties(draws.graphs, no_pairs, codes) < scores.size:
        raise PosteriorError("a graph has a cycle")
    return draws
