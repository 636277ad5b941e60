"""Fitted webs kept on disk, beside the counts, under the beliefs, n and the settings."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from json import dumps, loads
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pathprior.counting.cache import Entry, directory, files
from pathprior.files import replacing
from pathprior.graph.alphabets import Alphabets
from pathprior.graph.edge_rules import EdgeRules
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.listed.problem import Constraint
from pathprior.prior.web.constant import Estimate
from pathprior.prior.web.diagnostics import WebDiagnostics
from pathprior.prior.web.fit import WebFit
from pathprior.prior.web.settings import WebSettings

FORMAT = 8
"""Raise it when the fit, or the meaning of a seed, changes."""
PAIRS = 4
"""Place of the pairs in a key."""
POOLED = "pooled"
"""Marks the keys of runs with given weights."""


def web_key(
    pairs: NDArray[np.int64],
    num_nodes: int,
    edge_odds: float,
    constraints: Sequence[Constraint],
    settings: WebSettings,
    may_be_coherent: bool,
    rules: EdgeRules | None = None,
) -> str:
    """The question a stored fit answers; the time limit is no part of it."""
    stated = [(c.column, c.event_of, c.targets, c.strength) for c in constraints]
    how = [settings.tolerance, settings.seed, may_be_coherent]
    return dumps(["web", FORMAT, num_nodes, edge_odds, pairs.tolist(), stated, how, *_said(rules)])


def pooled_key(
    pairs: NDArray[np.int64],
    num_nodes: int,
    edge_odds: float,
    log_weights: NDArray[np.float64],
    alphabets: Alphabets,
    settings: WebSettings,
    rules: EdgeRules | None = None,
) -> str:
    """The question that a stored run with given weights answers."""
    how = [settings.tolerance, settings.seed, POOLED]
    given = [log_weights.tolist(), alphabets.as_list()]
    return dumps(["web", FORMAT, num_nodes, edge_odds, pairs.tolist(), given, how, *_said(rules)])


def _said(rules: EdgeRules | None) -> list[list[object]]:
    """The rules by position, if there are any."""
    if rules is None:
        return []
    edges = [np.argwhere(which).tolist() for which in (rules.required, rules.forbidden)]
    return [[*edges, rules.max_parents]]


def load_web(key: str) -> WebFit | None:
    """The stored fit for ``key``; None if there is none that can be read."""
    path = _path(key)
    stored = None if path is None else _read(path)
    return stored.fit if stored is not None and stored.key == key and _fits(stored) else None


def web_entries() -> list[Entry]:
    """The stored fits, by file name, in words; unreadable files are listed with an empty key."""
    found = []
    for path in files("web-*.npz"):
        stored = _read(path)
        key = "" if stored is None else _in_words(stored.key)
        found.append(Entry(path, key, path.stat().st_size))
    return found


def store_web(key: str, fit: WebFit) -> None:
    """Keep ``fit`` if it converged: one cut by the clock is no function of its key."""
    path = _path(key)
    if path is None or not fit.diagnostics.has_converged:
        return
    result = {
        "log_total": asdict(fit.log_total),
        "is_met": fit.is_met,
        "diagnostics": asdict(fit.diagnostics),
    }
    with suppress(OSError), replacing(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(
            file,
            key=np.array(key),
            result=np.array(dumps(result)),
            log_weights=fit.log_weights,
            log_weight_errors=fit.log_weight_errors,
            marginals=fit.marginals,
        )


@dataclass(frozen=True, slots=True)
class _Stored:
    key: str
    fit: WebFit


def _read(path: Path) -> _Stored | None:
    """What a file holds; None where it is missing or damaged."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            content = loads(str(stored["result"]))
            fit = WebFit(
                log_weights=stored["log_weights"],
                log_weight_errors=stored["log_weight_errors"],
                marginals=stored["marginals"],
                log_total=Estimate(**content["log_total"]),
                is_met=content["is_met"],
                diagnostics=WebDiagnostics(**content["diagnostics"]),
            )
            return _Stored(str(stored["key"]), fit)
    except Exception:  # a damaged archive raises anything from zipfile, zlib or the .npy parser
        return None


def _fits(stored: _Stored) -> bool:
    """Whether the arrays are as many numbers as the pairs of the question need."""
    num_pairs = len(loads(stored.key)[PAIRS])
    fit = stored.fit
    arrays = (fit.log_weights, fit.log_weight_errors, fit.marginals)
    return all(
        array.shape == (num_pairs, NUM_TIES)
        and array.dtype == np.float64
        and not np.isnan(array).any()
        for array in arrays
    )


def _in_words(key: str) -> str:
    """What a key asks, without the beliefs themselves: there may be hundreds."""
    try:
        _, version, num_nodes, edge_odds, pairs, stated, how, *rules = loads(key)
        tolerance, seed, kind = how
    except (TypeError, ValueError):  # it asked otherwise
        return "of another release, no longer used: --clear deletes it"
    web = "pooled web" if kind == POOLED else f"web of {len(stated)} beliefs"
    return (
        f"format={version} nodes={num_nodes} edge_odds={edge_odds:.4g} "
        f"{web} on {len(pairs)} pairs tolerance={tolerance} seed={seed}"
        f"{' within rules' if rules else ''}"
    )


def _path(key: str) -> Path | None:
    where = directory()
    if where is None:
        return None
    return where / f"web-{hashlib.sha256(key.encode()).hexdigest()[:32]}.npz"
