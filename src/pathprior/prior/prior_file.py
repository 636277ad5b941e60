"""Saved priors: one JSON object with a version, written whole or not at all."""

import json
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.belief_file import belief_from_row, belief_row
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.counting.base import check_edge_odds
from pathprior.errors import PathPriorError, PriorError
from pathprior.files import reason, saving
from pathprior.graph.dag import check_nodes
from pathprior.graph.edge_rules import EdgeRules, make_edge_rules
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.constraints import distinct_pairs, mind_columns
from pathprior.prior.path_prior import PathPrior
from pathprior.prior.reference import CountSettings
from pathprior.prior.sources import Pool, SourceFit, by_source
from pathprior.prior.unmet import Unmet
from pathprior.prior.web.diagnostics import WebDiagnostics

FORMAT = "pathprior.prior"
VERSION = 6


def save_prior(prior: PathPrior, path: str | PathLike[str]) -> None:
    """Write ``prior`` as JSON."""
    content = prior_content(prior)
    with saving(path, PriorError) as temporary:
        text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
        temporary.write_text(text + "\n", encoding="utf-8")


def prior_content(prior: PathPrior) -> dict[str, Any]:
    """What a saved prior holds; −inf becomes None."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "variables": list(prior.variables),
        "beliefs": [belief_row(belief) for belief in prior.beliefs],
        "log_weights": _finite(prior.log_weights),
        "marginals": prior.tie_marginals.tolist(),
        "baselines": prior.tie_baselines.tolist(),
        "rules": None if prior.rules is None else prior.rules.stated,
        "expected_parents": prior.expected_parents,
        "is_coherent": prior.is_coherent,
        "effective_samples": prior.effective_samples,
        "num_parts": prior.num_parts,
        "repair": prior.repair,
        "complete": prior.complete,
        "counting": _without_rules(prior.counting),
        "webs": [asdict(web) for web in prior.webs],
        "rare_pairs": list(prior.rare_pairs),
        "pool": prior.pool,
        "sources": [
            {
                "name": source.name,
                "log_weights": _finite(source.log_weights),
                "marginals": source.marginals.tolist(),
                "is_coherent": source.is_coherent,
                "webs": [asdict(web) for web in source.webs],
                "rare_pairs": list(source.rare_pairs),
                "unmet": [_unmet_row(missed, source) for missed in source.unmet],
            }
            for source in prior.sources
        ],
    }


def _without_rules(counting: CountSettings) -> dict[str, Any]:
    """The settings of counting; the rules are written beside them."""
    return {name: getattr(counting, name) for name in CountSettings.__slots__ if name != "rules"}


def _unmet_row(missed: Unmet, source: SourceFit) -> dict[str, Any]:
    """What a source's fit has missed, its beliefs by their places among all of the source."""
    places = [place for place, belief in enumerate(source.beliefs) if belief in missed.beliefs]
    return {"beliefs": places, "missed": missed.missed, "reason": missed.reason}


def _finite(table: NDArray[np.float64]) -> list[list[float | None]]:
    return [[value if np.isfinite(value) else None for value in row] for row in table.tolist()]


def load_prior(path: str | PathLike[str]) -> PathPrior:
    """Read a prior written by `PathPrior.save`.

    Raises
    ------
    PriorError
        If the file is not a whole saved prior of a version we know; the message says what is wrong.
    """
    file = Path(path)
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise PriorError(f"{file}: cannot be read: {reason(error, file)}") from None
    except (ValueError, RecursionError) as error:
        raise PriorError(f"{file}: not a saved prior, or damaged: {error}") from None
    return read_content(content, file)


def read_content(content: Any, file: Path) -> PathPrior:
    """The prior that `prior_content` came from; ``file`` is where it was found."""
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise PriorError(f"{file}: not a saved prior; make one with prior.save(path)")
    if content.get("version") != VERSION:
        raise PriorError(
            f"{file}: version {content.get('version')!r} is not {VERSION}, the one this release "
            "reads; fit the prior again"
        )
    try:
        return _read(content, file)
    except KeyError as error:
        raise PriorError(f"{file}: damaged: {error} is missing; fit the prior again") from None
    except (PathPriorError, TypeError, ValueError, OverflowError) as error:
        raise PriorError(f"{file}: damaged: {error}; fit the prior again") from None


def _read(content: dict[str, Any], file: Path) -> PathPrior:
    variables = check_nodes(content["variables"])
    rows = enumerate(content["beliefs"], start=1)
    beliefs = BeliefSet(belief_from_row(row, f"{file}, belief {number}") for number, row in rows)
    beliefs.require_variables(variables)
    index = {name: i for i, name in enumerate(variables)}
    pairs = distinct_pairs(beliefs, index)
    counting = CountSettings(**content["counting"], rules=_read_rules(content, variables))
    check_edge_odds(counting.edge_odds)
    samples, parents = content["effective_samples"], content["expected_parents"]
    return PathPrior(
        variables=variables,
        beliefs=beliefs,
        pairs=pairs,
        log_weights=_table(content, len(pairs), "log_weights"),
        tie_marginals=_table(content, len(pairs), "marginals"),
        tie_baselines=_table(content, len(pairs), "baselines"),
        expected_parents=None if parents is None else float(parents),
        is_coherent=bool(content["is_coherent"]),
        effective_samples=None if samples is None else float(samples),
        num_parts=int(content["num_parts"]),
        repair=str(content["repair"]),
        complete=bool(content["complete"]),
        counting=counting,
        webs=tuple(WebDiagnostics(**web) for web in content["webs"]),
        rare_pairs=tuple(int(row) for row in content["rare_pairs"]),
        pool=str(Pool(content["pool"])),
        sources=_read_sources(content, beliefs, index, pairs),
    )


def _read_rules(content: dict[str, Any], variables: tuple[str, ...]) -> EdgeRules | None:
    rules = content["rules"]
    return None if rules is None else make_edge_rules(variables, **rules).or_none


def _read_sources(
    content: dict[str, Any],
    beliefs: BeliefSet,
    index: dict[str, int],
    pairs: NDArray[np.int64],
) -> tuple[SourceFit, ...]:
    minds = by_source(beliefs, Pool(content["pool"]))
    saved = content["sources"]
    if [source["name"] for source in saved] != list(minds):
        raise PriorError("its sources are not those of the beliefs")
    found = []
    for source, mind in zip(saved, minds.values(), strict=True):
        columns = tuple(mind_columns(mind, index, pairs))
        found.append(
            SourceFit(
                name=source["name"],
                beliefs=mind,
                columns=columns,
                log_weights=_table(source, len(columns), "log_weights"),
                marginals=_table(source, len(columns), "marginals"),
                is_coherent=bool(source["is_coherent"]),
                webs=tuple(WebDiagnostics(**web) for web in source["webs"]),
                rare_pairs=tuple(int(row) for row in source["rare_pairs"]),
                unmet=tuple(_read_unmet(row, mind) for row in source["unmet"]),
            )
        )
    return tuple(found)


def _read_unmet(row: dict[str, Any], mind: tuple[Belief, ...]) -> Unmet:
    if any(place not in range(len(mind)) for place in row["beliefs"]):
        raise PriorError("what is not met is not among the beliefs of its source")
    return Unmet(
        tuple(mind[place] for place in row["beliefs"]), str(row["missed"]), str(row["reason"])
    )


def _table(content: dict[str, Any], num_pairs: int, name: str) -> NDArray[np.float64]:
    rows = [[-np.inf if value is None else value for value in row] for row in content[name]]
    table = np.array(rows, dtype=np.float64).reshape(-1, NUM_TIES)
    if len(table) != num_pairs or np.isnan(table).any():
        raise PriorError(f"{name} has {len(table)} rows for {num_pairs} pairs of the beliefs")
    return table
