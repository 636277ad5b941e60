"""Fitting some pairs part by part: the beliefs of one mind, or the weights of several together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.counting.progress import Progress
from pathprior.errors import PathPriorWarning
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.choice import listed_parts, web_parts
from pathprior.prior.constraints import alphabets_of, make_constraints
from pathprior.prior.part import FitSettings, Part, PartFit
from pathprior.prior.promise import UnmetBeliefWarning, broken_promises
from pathprior.prior.reference import AUTO, CountSettings
from pathprior.prior.ruled import fit_within, sort_by_rules
from pathprior.prior.unmet import Unmet
from pathprior.prior.web.diagnostics import WebDiagnostics


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """The parts of some pairs, with the fit of each."""

    fits: tuple[tuple[Part, PartFit], ...]
    num_pairs: int
    rare_pairs: tuple[int, ...]
    """Pairs that could be listed, but favour configurations too rare in a sample."""
    unmet: tuple[Unmet, ...] = ()
    """What the fits promised of the beliefs and did not keep."""

    @property
    def warnings(self) -> tuple[PathPriorWarning, ...]:
        """Why not to rely on it."""
        missed = (UnmetBeliefWarning(unmet.sentence) for unmet in self.unmet)
        return (*(fit.warning for _, fit in self.fits if fit.warning is not None), *missed)

    @property
    def log_weights(self) -> NDArray[np.float64]:
        """log λ by pair and tie."""
        return self._gather("log_weights")

    @property
    def marginals(self) -> NDArray[np.float64]:
        """Fitted probabilities by pair and tie."""
        return self._gather("marginals")

    @property
    def is_coherent(self) -> bool:
        """Whether the beliefs of every part can hold together."""
        return all(fit.is_coherent for _, fit in self.fits)

    @property
    def effective_samples(self) -> float | None:
        """Sampled DAGs that the fit rests on, the least of its parts; None if U was counted."""
        samples = [fit.effective_samples for _, fit in self.fits]
        return min((number for number in samples if number is not None), default=None)

    @property
    def webs(self) -> tuple[WebDiagnostics, ...]:
        """How the parts without a listing went."""
        return tuple(fit.web for _, fit in self.fits if fit.web is not None)

    def _gather(self, what: Literal["log_weights", "marginals"]) -> NDArray[np.float64]:
        """Put together what the fits of the parts say of their pairs."""
        gathered = np.zeros((self.num_pairs, NUM_TIES))
        for part, fit in self.fits:
            gathered[list(part.columns)] = getattr(fit, what)
        return gathered


@dataclass(frozen=True, slots=True, eq=False)
class Fitter:
    """How pairs of the variables ``index`` are counted and fitted."""

    index: Mapping[str, int]
    counting: CountSettings
    settings: FitSettings
    usual: Mapping[tuple[int, int], NDArray[np.float64]]
    """U of the ties of each pair."""
    is_completing: bool
    """Whether beliefs are to be completed in proportion to it."""
    progress: Progress

    @property
    def _completion(self) -> Mapping[tuple[int, int], NDArray[np.float64]] | None:
        return self.usual if self.is_completing else None

    def fit(self, beliefs: Sequence[Belief], pairs: NDArray[np.int64]) -> Whole:
        """Fit the ``beliefs`` of one mind, which speak of ``pairs``."""

        def fit_part(part: Part) -> PartFit:
            constraints = make_constraints(
                beliefs, self.index, pairs, part.columns, self._completion
            )
            if self.counting.rules is not None:
                usual = np.array([self.usual[i, j] for i, j in pairs[list(part.columns)].tolist()])
                rules = self.counting.rules
                return fit_within(
                    part, constraints, beliefs, self.settings, rules, usual, self.progress
                )
            return part.fit(constraints, beliefs, self.settings, progress=self.progress)

        may_be_rare = not self.settings.repair.needs_listing
        whole = self._each_part(beliefs, pairs, fit_part, may_be_rare=may_be_rare)
        promises = [(part.columns, fit.promise) for part, fit in whole.fits]
        unmet = broken_promises(beliefs, self.index, pairs, whole.marginals, promises)
        return replace(whole, unmet=unmet)

    def pool(
        self,
        beliefs: Sequence[Belief],
        pairs: NDArray[np.int64],
        log_weights: NDArray[np.float64],
    ) -> Whole:
        """What ``log_weights``, fitted before, make of ``pairs``; ``beliefs`` are behind them."""

        def pool_part(part: Part) -> PartFit:
            constraints = make_constraints(beliefs, self.index, pairs, part.columns, None)
            if self.counting.rules is not None:  # what contradicts them was told by its source
                constraints = list(sort_by_rules(constraints, part.possible_ties).open)
            weights = log_weights[list(part.columns)]
            return part.pool(weights, constraints, beliefs, self.settings, progress=self.progress)

        return self._each_part(beliefs, pairs, pool_part, may_be_rare=True)

    def _each_part(
        self,
        beliefs: Sequence[Belief],
        pairs: NDArray[np.int64],
        fit_part: Callable[[Part], PartFit],
        *,
        may_be_rare: bool,
    ) -> Whole:
        """Fit each part by itself."""
        size = len(self.index)
        alphabets = alphabets_of(beliefs, self.index, pairs)
        list_parts = partial(
            listed_parts, pairs, size, self.counting, alphabets=alphabets, progress=self.progress
        )
        fits = [(part, fit_part(part)) for part in list_parts(rare_pairs=())]
        rare = tuple(column for part, fit in fits if fit.is_sparse for column in part.columns)
        if self.counting.method != AUTO or not may_be_rare:
            rare = ()
        if rare:  # the others may be few enough to be counted together
            fits = [(part, fit_part(part)) for part in list_parts(rare_pairs=rare)]
        webs = web_parts(pairs, size, self.counting, alphabets=alphabets, rare_pairs=rare)
        fits += [(part, fit_part(part)) for part in webs]
        return Whole(tuple(fits), len(pairs), rare)
