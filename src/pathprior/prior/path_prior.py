"""`PathPrior`: a fitted prior over DAGs, and what it makes of the beliefs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior import showing
from pathprior.beliefs.belief import Belief
from pathprior.beliefs.event import Event
from pathprior.counting.base import UNIFORM
from pathprior.counting.progress import silent
from pathprior.errors import PriorError
from pathprior.graph.alphabets import Alphabets
from pathprior.graph.dag import node_index
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.belief_table import belief_table, find_vectors, source_vectors
from pathprior.prior.constraints import alphabets_of, find_pair, make_constraints
from pathprior.prior.disagreements import Disagreement, find_disagreements
from pathprior.prior.fitting import Fitter
from pathprior.prior.listed.conflicts import Conflict
from pathprior.prior.listed.joint import joint_table
from pathprior.prior.listed.listing import Listing
from pathprior.prior.listed.part import ListedPart
from pathprior.prior.listed.probability import Probability, event_probability
from pathprior.prior.listed.problem import Constraint
from pathprior.prior.nearby import nearby_listing
from pathprior.prior.pair_weights import PairWeights
from pathprior.prior.part import FitSettings, Part, Repair
from pathprior.prior.reference import LISTED
from pathprior.prior.remainder import coherent_remainder
from pathprior.prior.ruled import rule_conflicts, rules_behind, sort_by_rules
from pathprior.prior.sources import SourceFit
from pathprior.prior.unmet import Unmet
from pathprior.prior.web.settings import WebSettings

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MAX_IMPLIED_ROWS = 10**5
"""Listed configurations of a part beyond which only the pairs around one are asked what follows."""
_SEE_TABLE = "see prior.table"
_OR_LIST = f'{_SEE_TABLE}, or fit with counts="listed"'


@dataclass(frozen=True, eq=False, repr=False)
class PathPrior(PairWeights):
    """A distribution over the DAGs on ``variables``.

    log P(G) = −log Z(β) + |edges of G| log β + Σ_p log λ_p(r_p(G)), r_p the tie of pair p: its
    edge, or else its relation.

    Made by `fit_prior`. It holds one weight per pair and tie; the table of configurations is
    listed again when `joint`, `conflicts` or `probability` asks for it.
    """

    def __repr__(self) -> str:
        return f"PathPrior({len(self.variables)} variables, {self._beliefs_words})"

    @property
    def _beliefs_words(self) -> str:
        if not len(self.beliefs):
            return "no beliefs"
        if self.is_coherent:
            return f"{len(self.beliefs)} coherent beliefs"
        if self.webs and self.is_undecided:
            return f"{len(self.beliefs)} beliefs not known to be coherent"
        return f"{len(self.beliefs)} incoherent beliefs"

    # -- what became of the beliefs --------------------------------------------------------------

    @cached_property
    def table(self) -> "pd.DataFrame":
        """Stated against fitted probabilities, largest change first, beside the ``baseline``.

        One row per stated probability; the baseline is what it is without any belief. With several
        sources ``within`` is what the fit of its own source makes of it, and ``fitted`` what all of
        them together do. Within rules ``rule`` names those that by themselves make the event
        impossible or certain: its baseline is then 0 or 1, and no belief moves it.
        ``attrs["reference"]`` says under which U they hold.
        """
        fitted = find_vectors(self.beliefs, self._index, self.pairs, self.tie_marginals)
        within = source_vectors(self.sources, self._index, self.pairs) if self.is_pooled else None
        usual = find_vectors(self.beliefs, self._index, self.pairs, self.tie_baselines)
        frame = belief_table(self.beliefs, usual, fitted, within)
        if self.rules is not None:
            rows = zip(*(frame[name] for name in ("x", "event", "y", "baseline")), strict=True)
            frame["rule"] = rules_behind(self.rules, rows)
        frame.attrs["reference"] = self.reference
        return frame

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Minimal groups of one source's beliefs that cannot hold together.

        Empty if `is_coherent`; what sources say against each other is in `disagreements`. All of
        them, up to 20 a part, where configurations are listed. In a web the ten worst: of all if
        they could be listed, else of those on short cycles of beliefs.
        """
        if self.is_coherent:
            return ()
        return tuple(one for source in self.sources for one in self._conflicts_of(source))

    @property
    def is_undecided(self) -> bool:
        """Whether it is not known that all beliefs can hold together, nor any that cannot.

        So in a web that chains did not meet, though no short cycle of its beliefs conflicts.
        """
        return not self.is_coherent and not self.conflicts

    @property
    def unmet(self) -> tuple[Unmet, ...]:
        """What the fit of its own source does not meet, though no conflict of it is known."""
        return tuple(missed for source in self.sources for missed in source.unmet)

    @cached_property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """What sources say against each other, the twenty widest gaps; evidence that is weighed.

        One for two sources and a pair, where both speak of it. Where only one does, what it says
        is held against what the others imply, in parts of at most 10⁵ listed configurations, or
        else by the beliefs around it. A source that contradicts itself is heard without the beliefs
        that its own others speak against, where its beliefs are listed.
        """
        if not self.is_pooled:
            return ()
        return find_disagreements(
            [self._coherent_remainder(source) for source in self.sources],
            self._index,
            self.pairs,
            self.tie_marginals,
            self.tie_baselines,
            self._listing_around,
        )

    def joint(self) -> "pd.DataFrame":
        """Return all valid configurations with J, U and the number of DAGs (paper, Table 1b).

        One column per pair holds the relation's symbol. ``num_dags`` is exact where U is; there is
        none unless all DAGs are alike.
        """
        listings = self._listings(self._instead)
        frame = joint_table(self.variables, self.pairs, self.log_weights, listings)
        return frame if self.edge_odds == UNIFORM else frame.drop(columns="num_dags")

    def probability(self, x: str, relation: str, y: str) -> Probability:
        """Return the fitted probability of an event, with bounds from the beliefs on other pairs.

        Parameters
        ----------
        x, y
            Two variables, whether or not a belief speaks of the pair.
        relation
            An event word, such as ``"causes"`` or ``"associated"``.

        Returns
        -------
        Probability
            The bounds are those of a linear program over all joints that have the stated
            probabilities on all other pairs, or the fitted ones if the stated are incoherent or
            come from several sources.
        """
        event = Event.parse(relation)
        i, j = node_index(self._index, x), node_index(self._index, y)
        if i == j:
            raise PriorError(f"a relation needs two different variables, not {x!r} twice")
        found = find_pair(self.pairs, i, j)
        pairs, parts, log_weights = self.pairs, self._parts, self.log_weights
        is_listed = found is not None
        if found is None:
            found = len(pairs), False
            pairs = np.vstack([pairs, [[i, j]]])
            log_weights = np.vstack([log_weights, np.zeros((1, NUM_TIES))])
        pair, is_reversed = found
        alphabets = self.alphabets | Alphabets.of([(pair, event.told)])
        if not is_listed or alphabets != self.alphabets:
            parts = self._make_parts(pairs, alphabets, self.rare_pairs)
        part = next(part for part in parts if pair in part.columns)
        return event_probability(
            part.require_listing(self._instead),
            log_weights[list(part.columns)],
            self._left_by_rules(self._constraints(self.beliefs, pairs, part.columns), part),
            part.columns.index(pair),
            frozenset(tie.reverse if is_reversed else tie for tie in event.ties),
            is_pooled=self.is_pooled,
        )

    # -- keeping it ------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str]) -> None:
        """Write the prior as JSON; `load_prior` gives it back."""
        from pathprior.prior.prior_file import save_prior

        save_prior(self, path)

    # -- showing it: the report registers how -----------------------------------------------------

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Plot stated against fitted probabilities, beliefs in a conflict marked."""
        return showing.plot(self, ax)

    def __str__(self) -> str:
        return showing.text(self)

    def _repr_html_(self) -> str:
        return showing.html(self)

    # -- inside ----------------------------------------------------------------------------------

    def _conflicts_of(self, source: SourceFit) -> list[Conflict]:
        """What one source says against itself."""
        found: list[Conflict] = []
        if not source.is_coherent:
            pairs = self.pairs[list(source.columns)]
            alphabets = alphabets_of(source.beliefs, self._index, pairs)
            for part in self._make_parts(pairs, alphabets, source.rare_pairs):
                stated = self._constraints(source.beliefs, pairs, part.columns)
                if self.rules is not None:
                    ruled = sort_by_rules(stated, part.possible_ties)
                    found += rule_conflicts(ruled, source.beliefs, self.rules)
                    stated = ruled.whole
                found += part.conflicts(stated, source.beliefs)
        return found

    def _coherent_remainder(self, source: SourceFit) -> SourceFit:
        """A source without its contradictions; as it is where new chains would have to run."""
        if source.is_coherent or source.webs:
            return source
        pairs = self.pairs[list(source.columns)]
        settings = FitSettings(Repair.SOFT, WebSettings(seed=self.counting.seed))
        counting = replace(self.counting, method=LISTED)
        fitter = Fitter(self._index, counting, settings, self._usual, self.complete, silent)
        return coherent_remainder(source, self._conflicts_of, lambda left: fitter.fit(left, pairs))

    def _listing_around(self, pair: int) -> Listing | None:
        """The listed configurations of its part, or of the pairs around it."""
        part = next(part for part in self._parts if pair in part.columns)
        if isinstance(part, ListedPart) and len(part.listing.probabilities) <= MAX_IMPLIED_ROWS:
            return part.listing
        return nearby_listing(pair, self.pairs, len(self.variables), self.counting, self.alphabets)

    def _constraints(
        self, beliefs: Sequence[Belief], pairs: NDArray[np.int64], columns: tuple[int, ...]
    ) -> Sequence[Constraint]:
        completion = self._usual if self.complete else None
        return make_constraints(beliefs, self._index, pairs, columns, completion)

    def _left_by_rules(self, stated: Sequence[Constraint], part: Part) -> Sequence[Constraint]:
        """What rules leave of beliefs, if there are any."""
        return stated if self.rules is None else sort_by_rules(stated, part.possible_ties).open

    @property
    def _instead(self) -> str:
        """What to do where no configurations are listed: within rules they cannot be."""
        return _OR_LIST if self.rules is None else _SEE_TABLE

    @property
    def _usual(self) -> dict[tuple[int, int], NDArray[np.float64]]:
        """U of the ties of each pair."""
        rows = zip(self.pairs.tolist(), self.tie_baselines, strict=True)
        return {(i, j): row for (i, j), row in rows}
