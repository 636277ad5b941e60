"""What ``summary.json`` says of a learned network, besides what it takes to repeat the run."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pathprior.problem.run_record import Command, RunInputs, record_run
from pathprior.search.family_parts import has_parts
from pathprior.search.settings import LearnSettings

if TYPE_CHECKING:
    from pathprior.search.missing_cells import MissingCells
    from pathprior.search.result import Fit

LEARN = Command("learn", "pathprior.run", 6, LearnSettings, "network_sha256")


def summarise(
    fit: "Fit", network: Path, *, inputs: RunInputs | None = None, folder: Path
) -> dict[str, Any]:
    """Scores, inputs, settings, seed and versions: what it takes to repeat and to judge a run.

    ``settings`` are the options as they were given, ``resolved`` what the search made of them.

    Parameters
    ----------
    network
        The network file written for ``fit``.
    inputs, folder
        As in `record_run`.
    """
    return {
        **record_run(LEARN, fit.settings, network, inputs=inputs, folder=folder),
        "score": fit.score,
        "data_score": fit.data_score,
        "prior_score": fit.prior_score,
        "num_rows": fit.problem.data.num_rows,
        "num_variables": fit.problem.data.num_variables,
        "num_edges": fit.dag.num_edges,
        "num_steps": len(fit.steps),
        "stopped_because": str(fit.stopped_because),
        "optimality": fit.optimality,
        "num_truncated_swaps": fit.num_truncated_swaps,
        "weighed": {one.name: one.evidence for one in fit.weighed} or None,
        "missing": _missing(fit.missing),
        "sources": fit.sources().to_dict("records") if fit.has_statements else None,
        "families": fit.families().to_dict("records") if has_parts(fit) else None,
        "unmet": [unmet.sentence for unmet in fit.prior.unmet],
        "resolved": asdict(fit.resolved),
    }


def _missing(missing: "MissingCells | None") -> dict[str, Any] | None:
    """What was missing, what was done, and how far rounds agreed."""
    if missing is None:
        return None
    return {
        "treatment": missing.treatment,
        "num_rows": missing.num_rows,
        "num_cells": missing.num_cells,
        "by_column": missing.by_column,
        "num_rounds_compared": len(missing.rounds),
        "mean_distance": missing.mean_distance if missing.rounds else None,
    }
