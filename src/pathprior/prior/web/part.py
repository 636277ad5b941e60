"""The fit of one part without a listing: conflicts, chains and constant put together."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.counting.progress import Progress, silent
from pathprior.errors import BeliefError, PriorError
from pathprior.prior.listed.part import PartFit, Repair, normalise
from pathprior.prior.listed.problem import Constraint
from pathprior.prior.web.cache import load_web, store_web, web_key
from pathprior.prior.web.conflicts import find_web_conflicts
from pathprior.prior.web.diagnostics import WebConvergenceWarning, WebDiagnostics
from pathprior.prior.web.fit import WebSettings, fit_web

CONFLICTS_SHARE = 0.1
"""Share of the time limit after which no further conflicts are sought."""


@dataclass(frozen=True, slots=True)
class WebPart:
    """The fit of one web and how it went."""

    fit: PartFit
    diagnostics: WebDiagnostics


def fit_web_part(
    pairs: NDArray[np.int64],
    num_nodes: int,
    constraints: Sequence[Constraint],
    beliefs: Sequence[Belief],
    repair: Repair,
    settings: WebSettings,
    *,
    log_num_dags: float,
    progress: Progress = silent,
) -> WebPart:
    """Fit the beliefs of one web; ``constraints`` name their pair by its row in ``pairs``."""
    if repair.needs_listing:
        raise PriorError(
            f"repair={str(repair)!r} needs configurations that can be listed, and the "
            f'{len(pairs)} pairs of this part have too many; use repair="soft"'
        )
    begin = monotonic()
    found = find_web_conflicts(
        pairs,
        num_nodes,
        constraints,
        beliefs,
        deadline=begin + CONFLICTS_SHARE * settings.time_limit,
    )
    for conflict in found.worst:
        if all(belief.is_hard for belief in conflict.beliefs):
            raise BeliefError(f"certain beliefs contradict each other: {conflict.sentence}")
    if found.worst and repair is Repair.ERROR:
        raise PriorError("; ".join(conflict.sentence for conflict in found.worst))
    key = web_key(pairs, num_nodes, constraints, settings, not found.worst)
    fit = load_web(key)
    if fit is None:
        fit = fit_web(
            pairs,
            num_nodes,
            constraints,
            settings,
            may_be_coherent=not found.worst,
            begin=begin,
            progress=progress,
        )
        store_web(key, fit)
    if not fit.is_met and repair is Repair.ERROR:
        raise PriorError(
            "not all beliefs were met, though no short cycle of them conflicts; raise time_limit "
            'if it was short, or use repair="soft"'
        )
    if not fit.diagnostics.has_converged:
        warnings.warn(
            f"web of {len(pairs)} pairs: {fit.diagnostics.sentence}",
            WebConvergenceWarning,
            stacklevel=3,
        )
    part = PartFit(
        # Σ_G Π λ = N, as nearly as that sum is known
        log_weights=normalise(fit.log_weights, fit.marginals, fit.log_total.value - log_num_dags),
        marginals=fit.marginals,
        is_coherent=not found.worst and (found.is_proof or fit.is_met),
        effective_samples=fit.diagnostics.least_effective,
    )
    return WebPart(part, fit.diagnostics)
