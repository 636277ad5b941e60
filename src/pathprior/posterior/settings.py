"""`PosteriorSettings`: how graphs are to be drawn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pathprior.errors import PathPriorError, PosteriorError
from pathprior.graph.dag import require_nodes
from pathprior.posterior.exact import MAX_NODES
from pathprior.problem.forms import Choice, Positive, Share, Whole
from pathprior.problem.listed_forms import Listed
from pathprior.problem.options import Group, option
from pathprior.problem.settings import ProblemSettings
from pathprior.problem.unseen_edges import AUTO as AUTO_UNSEEN

AUTO, EXACT, CHAINS = "auto", "exact", "chains"
METHODS = (AUTO, EXACT, CHAINS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PosteriorSettings(ProblemSettings):
    """The options of one `sample_posterior` call that its result depends on."""

    error: ClassVar[type[PathPriorError]] = PosteriorError

    method: str = option(
        AUTO,
        Choice(names=METHODS),
        Group.SAMPLING,
        "exact (up to five variables) or chains; auto takes exact if it can.",
    )
    num_chains: int = option(
        4,
        Whole(least=1),
        Group.SAMPLING,
        flags={"chains": "Markov chains, each with its own start."},
    )
    precision: float = option(
        0.02, Positive(), Group.SAMPLING, "Sampling ends when no standard error is above this."
    )
    time_limit: float = option(
        600.0,
        Positive(),
        Group.SAMPLING,
        "Seconds in which it is to end, with results; says what they lack.",
    )
    unseen: float | str = option(
        AUTO_UNSEEN,
        Share(what="share of edges that may be too weak to be seen"),
        Group.SCORE,
        "Share of edges too weak to be seen in these rows; auto: 0.1 where there are beliefs.",
    )
    fixed: tuple[str, ...] | None = option(
        None,
        Listed(is_optional=True, none="the first tier"),
        Group.SAMPLING,
        "Variables 'age,sex' that no experiment can set; '' for none; else the first tier.",
    )

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


def named_variables(variables: Sequence[str], named: Iterable[str]) -> tuple[str, ...]:
    """Those of ``variables`` that are named, in their order; raise if names are not there."""
    wanted = (named,) if isinstance(named, str) else tuple(named)
    require_nodes({name: v for v, name in enumerate(variables)}, wanted)
    return tuple(name for name in variables if name in wanted)
