"""`PairWeights`: a distribution over DAGs by one weight for each pair and tie."""

from dataclasses import dataclass
from functools import cached_property
from math import log

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief_set import BeliefSet
from pathprior.counting.base import UNIFORM, log_sum_of_weights
from pathprior.counting.robinson import log_num_dags
from pathprior.counting.within import log_sum_within
from pathprior.graph.alphabets import Alphabets
from pathprior.graph.dag import Dag, require_same_nodes
from pathprior.graph.edge_rules import EdgeRules
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.prior.graph_prior import read_code
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.choice import listed_parts, web_parts
from pathprior.prior.constraints import alphabets_of, by_relation
from pathprior.prior.listed.listing import Listing
from pathprior.prior.part import Part
from pathprior.prior.reference import CountSettings, reference_words, tie_probabilities
from pathprior.prior.sources import SourceFit
from pathprior.prior.web.constant import find_log_sum
from pathprior.prior.web.diagnostics import WebDiagnostics


@dataclass(frozen=True, eq=False, repr=False)
class PairWeights:
    """Weights with how they were fitted; base of `PathPrior`, which says what they make of beliefs.

    log P(G) = −log Z(β) + |edges of G| log β + Σ_p log λ_p(r_p(G)), r_p the tie of pair p: its
    edge, or else its relation.
    """

    variables: tuple[str, ...]
    beliefs: BeliefSet
    """The beliefs as stated."""
    pairs: NDArray[np.int64]
    """Distinct unordered pairs, as rows of positions in ``variables``."""
    log_weights: NDArray[np.float64]
    """log λ by pair and tie code, summed over the beliefs on the pair; −inf where a hard belief
    excludes the tie."""
    tie_marginals: NDArray[np.float64]
    """Fitted probabilities by pair and tie code; where edges are no
    part of a pair's `alphabets`, they are counted with the paths."""
    tie_baselines: NDArray[np.float64]
    """Probabilities by pair and tie code without any belief, within the rules."""
    expected_parents: float | None
    """Parents of a variable on average under the base measure, before any rules; None where all
    DAGs are alike."""
    is_coherent: bool
    """Whether it is known that some joint has all that each source states."""
    effective_samples: float | None
    """How many sampled DAGs the fit rests on (the least of its parts); None if U was counted."""
    num_parts: int
    """Number of separately fitted parts of the constraint graph."""
    repair: str
    complete: bool
    counting: CountSettings
    webs: tuple[WebDiagnostics, ...] = ()
    """How the fits of parts without a listing went."""
    rare_pairs: tuple[int, ...] = ()
    """Rows of ``pairs`` that could be listed, but favour configurations too rare in a sample."""
    pool: str = "sources"
    sources: tuple[SourceFit, ...] = ()
    """What each source makes of its own beliefs; one for all if ``pool`` is ``"joint"``."""

    def __post_init__(self) -> None:
        for array in (self.pairs, self.log_weights, self.tie_marginals, self.tie_baselines):
            array.flags.writeable = False

    # -- scoring ---------------------------------------------------------------------------------

    @property
    def is_normalised(self) -> bool:
        """Whether `log_prob` carries an exact constant: one exact U for all pairs together."""
        if self.rules is not None and log_sum_within(self.rules, self.edge_odds) is None:
            return False
        if self.repair == "independent" and not self.is_pooled:
            return len(self.beliefs) <= 1 and self.is_exact
        return self.num_parts <= 1 and self.is_exact

    @property
    def is_pooled(self) -> bool:
        """Whether it is the product of several sources."""
        return len(self.sources) > 1

    @property
    def is_exact(self) -> bool:
        """Whether every U was counted, not estimated from sampled DAGs."""
        return self.effective_samples is None

    @property
    def reference(self) -> str:
        """The U under which the fitted probabilities hold, in words."""
        kind = "counted exactly"
        if self.effective_samples is not None:
            kind = f"estimated from {self.counting.num_samples} sampled DAGs"
        if self.webs:
            kind = "sampled by Markov chains"
        return reference_words(kind, self.expected_parents, self.num_parts, self.rules)

    @property
    def rules(self) -> EdgeRules | None:
        """The rules that it was fitted within; None where there are none."""
        return self.counting.rules

    @property
    def edge_odds(self) -> float:
        """β: what each edge multiplies the base measure of a DAG by."""
        return self.counting.edge_odds

    @property
    def marginals(self) -> NDArray[np.float64]:
        """Fitted probabilities by pair and relation code."""
        return by_relation(self.tie_marginals)

    @cached_property
    def uninformative(self) -> NDArray[np.float64]:
        """Probability of each relation of a pair without any belief, by relation code."""
        return by_relation(self.uninformative_ties)

    @cached_property
    def uninformative_ties(self) -> NDArray[np.float64]:
        """Probability of each tie of a pair without any belief, by tie code."""
        if len(self.variables) < 2:  # no pair
            return np.full(NUM_TIES, np.nan)
        return tie_probabilities(len(self.variables), self.edge_odds)

    @cached_property
    def log_sum_of_weights(self) -> float:
        """log Z(β), Z the sum of β^edges over the DAGs on ``variables``; their number if β is 1.

        Within rules, over the DAGs that keep them: from chains where `is_normalised` is False.
        """
        num_nodes = len(self.variables)
        if self.rules is not None:
            return find_log_sum(self.rules, self.edge_odds, self.counting.seed).value
        if self.edge_odds == UNIFORM:
            return log_num_dags(num_nodes)
        return log_sum_of_weights(num_nodes, self.edge_odds)

    def log_prob(self, dag: Dag, *, per_graph: bool = True) -> float:
        """Return log P(G | beliefs), −inf for a DAG that breaks a hard belief or a rule.

        With ``per_graph=False`` the factor 1/N_C is dropped (paper, §4): log J_C of the DAG's
        configuration, where configurations can be listed.
        """
        codes = self.configuration(dag)
        if self.rules is not None and not self.rules.has(dag):
            return -np.inf
        score = float(self.log_weights[np.arange(len(codes)), codes].sum())
        if per_graph:
            base = dag.num_edges * log(self.edge_odds) - self.log_sum_of_weights
            return score + base
        for listing in self._listings("use per_graph=True"):
            here = (listing.configurations == codes[list(listing.columns)]).all(axis=1)
            if not here.any():
                return -np.inf
            score += float(np.log(listing.probabilities[here][0]))
        return score

    def configuration(self, dag: Dag) -> NDArray[np.int64]:
        """Codes of ``pairs`` in ``dag``: ties by their `alphabets`.

        The nodes of ``dag`` may come in any order.
        """
        require_same_nodes(dag.nodes, self.variables, owners=("the graph", "the prior"))
        position = [dag.index(name) for name in self.variables]
        graph = Graph(dag.parent_words.copy(), dag.ancestor_words.copy())
        ties = [read_code(graph, position[i], position[j]) for i, j in self.pairs]
        counted_as = self.alphabets.counted_as(len(self.pairs))
        codes: NDArray[np.int64] = counted_as[np.arange(len(ties)), ties].astype(np.int64)
        return codes

    @cached_property
    def alphabets(self) -> Alphabets:
        """Which ties of ``pairs`` some belief tells apart."""
        return alphabets_of(self.beliefs, self._index, self.pairs)

    # -- inside ----------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, object]:
        kept = self.__dataclass_fields__
        return {name: value for name, value in self.__dict__.items() if name in kept}

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.variables)}

    @cached_property
    def _parts(self) -> tuple[Part, ...]:
        return self._make_parts(self.pairs, self.alphabets, self.rare_pairs)

    def _make_parts(
        self, pairs: NDArray[np.int64], alphabets: Alphabets, rare: tuple[int, ...]
    ) -> tuple[Part, ...]:
        size = len(self.variables)
        listed = listed_parts(pairs, size, self.counting, alphabets=alphabets, rare_pairs=rare)
        webs = web_parts(pairs, size, self.counting, alphabets=alphabets, rare_pairs=rare)
        return (*listed, *webs)

    def _listings(self, advice: str) -> list[Listing]:
        return [part.require_listing(advice) for part in self._parts]
