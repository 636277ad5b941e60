"""`PosteriorSettings`: how graphs are to be drawn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from pathprior.errors import PosteriorError
from pathprior.graph.dag import require_nodes
from pathprior.posterior.exact import MAX_NODES

AUTO, EXACT, CHAINS = "auto", "exact", "chains"
METHODS = (AUTO, EXACT, CHAINS)


@dataclass(frozen=True, slots=True)
class PosteriorSettings:
    """The options of one `sample_posterior` call that say how it is done.

    Attributes
    ----------
    method
        One of `METHODS`.
    num_chains
        Markov chains with starts of their own.
    precision
        Largest Monte Carlo standard error that is good enough.
    time_limit
        Seconds after which sampling ends in any case.
    seed
        Of all chains.
    fixed
        What no experiment can set; None for the variables of the first tier.
    """

    method: str = AUTO
    num_chains: int = 4
    precision: float = 0.02
    time_limit: float = 600.0
    seed: int = 0
    fixed: tuple[str, ...] | None = None

    def fixed_among(self, variables: Sequence[str], first_tier: tuple[str, ...]) -> tuple[str, ...]:
        """What no experiment can set, in the order of ``variables``."""
        if self.fixed is None:
            return tuple(name for name in variables if name in first_tier)
        return named_variables(variables, self.fixed)

    def method_for(self, num_variables: int, *, has_gaps: bool = False) -> str:
        """The method on so many variables: where none is named, exact if it can be."""
        if has_gaps and self.method == EXACT:
            raise PosteriorError(
                "method='exact' weighs graphs on complete data, and missing values are to be drawn "
                "along with the graphs: use method='chains', or missing='drop'"
            )
        if self.method != AUTO:
            return self.method
        return EXACT if num_variables <= MAX_NODES and not has_gaps else CHAINS


def names_of(fixed: Iterable[str] | None) -> tuple[str, ...] | None:
    """The names of ``fixed``: a text is one."""
    return (fixed,) if isinstance(fixed, str) else None if fixed is None else tuple(fixed)


def named_variables(variables: Sequence[str], named: Iterable[str]) -> tuple[str, ...]:
    """Those of ``variables`` that are named, in their order; raise if names are not there."""
    wanted = tuple(named)
    require_nodes({name: v for v, name in enumerate(variables)}, wanted)
    return tuple(name for name in variables if name in wanted)


def check_posterior_settings(settings: PosteriorSettings, num_jobs: int) -> None:
    """Raise if an option has a value that it cannot have, whatever the data."""
    if settings.method not in METHODS:
        raise PosteriorError(
            f"unknown method {settings.method!r}: choose one of {', '.join(METHODS)}"
        )
    for name, least in (("num_chains", 1), ("seed", 0)):
        value = getattr(settings, name)
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
            raise PosteriorError(
                f"{name} must be a whole number of at least {least}, not {value!r}"
            )
    for name in ("precision", "time_limit"):
        value = getattr(settings, name)
        is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not is_number or not isfinite(value) or value <= 0:
            raise PosteriorError(f"{name} must be a positive number, not {value!r}")
    if not isinstance(num_jobs, int | np.integer) or num_jobs < -1 or num_jobs == 0:
        raise PosteriorError(
            f"num_jobs is {num_jobs!r}; give a number of chains at a time, or −1 for as many as "
            "there are processors"
        )
