"""A part fitted without a list: conflicts, chains and constant put together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.counting.base import log_sum_of_weights
from pathprior.counting.progress import Progress, silent
from pathprior.errors import BeliefError, PriorError
from pathprior.graph.alphabets import Alphabets
from pathprior.graph.edge_rules import EdgeRules
from pathprior.graph.possible_ties import possible_ties
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.listed.conflicts import Conflict
from pathprior.prior.listed.listing import Listing
from pathprior.prior.listed.problem import Constraint
from pathprior.prior.part import FitSettings, PartFit, Repair, fitted_means
from pathprior.prior.promise import Promise
from pathprior.prior.web.cache import load_web, pooled_key, store_web, web_key
from pathprior.prior.web.conflicts import (
    WebConflicts,
    find_web_conflicts,
    require_web_hard_beliefs,
)
from pathprior.prior.web.constant import find_log_sum
from pathprior.prior.web.diagnostics import WebConvergenceWarning
from pathprior.prior.web.fit import MET, WebFit, fit_web
from pathprior.prior.web.fixed import run_fixed_weights
from pathprior.prior.web.settings import WebSettings

CONFLICTS_SHARE = 0.1
"""Share of the time limit after which no further conflicts are sought."""
_EXCUSE = (
    "no conflict among them was found, but chains did not meet them: raise time_limit, or state "
    "less extreme probabilities"
)


@dataclass(frozen=True, slots=True, eq=False)
class WebPart:
    """A part whose configurations are too many, or those that matter too rare, to list."""

    columns: tuple[int, ...]
    """Positions of its pairs among the prior's."""
    pairs: NDArray[np.int64]
    """Its pairs, as rows of nodes."""
    num_nodes: int
    edge_odds: float
    alphabets: Alphabets
    """Which ties of its pairs are told apart."""
    rules: EdgeRules | None = None
    """Rules that the graphs keep; None where there are none."""

    @property
    def possible_ties(self) -> NDArray[np.bool_]:
        """Which ties the rules leave each pair, as far as is told without looking at graphs."""
        if self.rules is None:
            return np.ones((len(self.pairs), NUM_TIES), dtype=bool)
        return possible_ties(self.rules, self.pairs)

    def fit(
        self,
        constraints: Sequence[Constraint],
        beliefs: Sequence[Belief],
        settings: FitSettings,
        *,
        progress: Progress = silent,
    ) -> PartFit:
        """Fit the weights of its pairs, or find them in the cache."""
        repair = settings.repair
        if repair.needs_listing:
            raise PriorError(
                f"repair={str(repair)!r} needs configurations that can be listed, and the "
                f'{len(self.pairs)} pairs of this part have too many; use repair="soft"'
            )
        begin = monotonic()
        found = self._find_conflicts(constraints, beliefs, settings, begin)
        fit = self._fit_web(constraints, settings.web, not found.worst, begin, progress)
        if not fit.is_met and repair is Repair.ERROR:
            raise PriorError(
                "not all beliefs were met, though no short cycle of them conflicts; raise "
                'time_limit if it was short, or use repair="soft"'
            )
        is_coherent = not found.worst and (found.is_proof or fit.is_met)
        near = max(MET, settings.web.tolerance) + 3 * fit.diagnostics.max_standard_error
        promise = None if found.worst else Promise(near, 0.0, _EXCUSE)
        return replace(self._part_fit(fit, is_coherent, settings.web.seed), promise=promise)

    def pool(
        self,
        log_weights: NDArray[np.float64],
        constraints: Sequence[Constraint],
        beliefs: Sequence[Belief],
        settings: FitSettings,
        *,
        progress: Progress = silent,
    ) -> PartFit:
        """What the sum of several sources' weights makes of its pairs, or find it in the cache."""
        deadline = monotonic() + CONFLICTS_SHARE * settings.web.time_limit
        require_web_hard_beliefs(
            self.pairs,
            self.num_nodes,
            constraints,
            beliefs,
            deadline=deadline,
            is_possible=self._ruled_ties,
        )
        key = pooled_key(
            self.pairs,
            self.num_nodes,
            self.edge_odds,
            log_weights,
            self.alphabets,
            settings.web,
            self.rules,
        )
        fit = load_web(key)
        if fit is None:
            fit = run_fixed_weights(
                self.pairs,
                self.num_nodes,
                self.edge_odds,
                log_weights,
                settings.web,
                alphabets=self.alphabets,
                rules=self.rules,
                progress=progress,
            )
            store_web(key, fit)
        return self._part_fit(fit, True, settings.web.seed)  # sources may disagree

    def conflicts(
        self, constraints: Sequence[Constraint], beliefs: Sequence[Belief]
    ) -> tuple[Conflict, ...]:
        """The ten worst of the minimal groups of its beliefs that cannot hold together."""
        return find_web_conflicts(
            self.pairs, self.num_nodes, constraints, beliefs, is_possible=self._ruled_ties
        ).worst

    def require_listing(self, advice: str) -> Listing:
        """There is none: raise an error with ``advice``."""
        raise PriorError(f"the configurations of a web of beliefs are not listed; {advice}")

    @property
    def _ruled_ties(self) -> NDArray[np.bool_] | None:
        """What the rules leave possible, if there are any."""
        return None if self.rules is None else self.possible_ties

    def _part_fit(self, fit: WebFit, is_coherent: bool, seed: int) -> PartFit:
        warning = None
        if not fit.diagnostics.has_converged:
            sentence = f"web of {len(self.pairs)} pairs: {fit.diagnostics.sentence}"
            warning = WebConvergenceWarning(sentence)
        # Σ_G β^edges Π λ = Z(β), as nearly as that sum is known
        means = fitted_means(fit.log_weights, fit.marginals)
        if self.rules is None:
            log_all = log_sum_of_weights(self.num_nodes, self.edge_odds)
        else:
            log_all = find_log_sum(self.rules, self.edge_odds, seed).value
        log_total = fit.log_total.value - float(means.sum()) - log_all
        return PartFit(
            log_weights=fit.log_weights - means - log_total / len(means),
            marginals=fit.marginals,
            is_coherent=is_coherent,
            effective_samples=fit.diagnostics.least_effective,
            warning=warning,
            web=fit.diagnostics,
        )

    def _find_conflicts(
        self,
        constraints: Sequence[Constraint],
        beliefs: Sequence[Belief],
        settings: FitSettings,
        begin: float,
    ) -> WebConflicts:
        """The conflicts found in a share of the time limit; an error if they cannot be repaired."""
        deadline = begin + CONFLICTS_SHARE * settings.web.time_limit
        found = find_web_conflicts(
            self.pairs,
            self.num_nodes,
            constraints,
            beliefs,
            deadline=deadline,
            num_jobs=settings.web.num_jobs,
            is_possible=self._ruled_ties,
        )
        for conflict in found.worst:
            if all(belief.is_hard for belief in conflict.beliefs):
                raise BeliefError(f"certain beliefs contradict each other: {conflict.sentence}")
        if found.worst and settings.repair is Repair.ERROR:
            raise PriorError("; ".join(conflict.sentence for conflict in found.worst))
        return found

    def _fit_web(
        self,
        constraints: Sequence[Constraint],
        settings: WebSettings,
        may_be_coherent: bool,
        begin: float,
        progress: Progress,
    ) -> WebFit:
        """The stored fit, or a new one, which is then stored."""
        key = web_key(
            self.pairs,
            self.num_nodes,
            self.edge_odds,
            constraints,
            settings,
            may_be_coherent,
            self.rules,
        )
        fit = load_web(key)
        if fit is None:
            fit = fit_web(
                self.pairs,
                self.num_nodes,
                self.edge_odds,
                constraints,
                settings,
                may_be_coherent=may_be_coherent,
                alphabets=self.alphabets,
                rules=self.rules,
                begin=begin,
                progress=progress,
            )
            store_web(key, fit)
        return fit
