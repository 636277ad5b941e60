"""Families between a full table and nothing: the mean of three marginal likelihoods."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from pathprior.data.dataset import Dataset
from pathprior.data.strata import find_strata, one_stratum
from pathprior.graph.dag import Dag
from pathprior.kernels.data.additive import MAX_CONFIGURATIONS, make_additive_room
from pathprior.kernels.data.parts import NUM_PARTS, Parts, PartsRoom, local_score, read_parts
from pathprior.kernels.data.rows import Rows
from pathprior.kernels.data.special import LARGE
from pathprior.kernels.data.strata import Strata
from pathprior.network.conditionals import Table
from pathprior.network.network import BayesianNetwork
from pathprior.network.tables import table_shapes
from pathprior.score.averaged_bdeu import AveragedBdeu
from pathprior.score.bdeu import Bdeu
from pathprior.score.counted import CountedScorer
from pathprior.score.family_tables import count_family
from pathprior.score.rows import make_rows
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE, require_positive
from pathprior.score.score import Drawer, Scorer
from pathprior.score.strata import make_strata


@dataclass(frozen=True, slots=True)
class Families:
    """log ⅓ (e^T + e^R + e^A): a full table, one of a row's worth in each row, an additive logit.

    Attributes
    ----------
    equivalent_sample_size
        Of the table and of the additive logit: how many rows their prior is worth.
    """

    equivalent_sample_size: float = DEFAULT_SAMPLE_SIZE

    def __post_init__(self) -> None:
        require_positive(self.equivalent_sample_size)

    def bind(self, dataset: Dataset) -> "FamiliesScorer":
        """Lay the data out; equal rows are merged where there are many."""
        table = dataset.states(may_be_set=True)
        if dataset.intervened is None:
            rows = make_rows(table)
            strata = one_stratum(rows.codes.shape[1], dataset.num_variables)
        else:
            rows, strata = make_rows(table, may_merge=False), find_strata(dataset)
        return FamiliesScorer(self, dataset, rows, make_strata(strata))


@dataclass(frozen=True, slots=True)
class FamilyParts:
    """The three parts of a family: log marginal likelihoods of the child's values.

    Attributes
    ----------
    has_additive
        Whether there is a logit; if not, with one parent or none and beyond its limits,
        ``additive`` is ``table``.
    """

    table: float
    rows: float
    additive: float
    has_additive: bool

    @property
    def shares(self) -> dict[str, float]:
        """How probable each is, given the data; that of no logit goes to the table."""
        values = {"table": self.table, "rows": self.rows, "additive": self.additive}
        largest = max(values.values())
        weights = {name: exp(value - largest) for name, value in values.items()}
        if not self.has_additive:
            weights["table"] += weights["additive"]
            weights["additive"] = 0.0
        total = sum(weights.values())
        return {name: weight / total for name, weight in weights.items()}

    @property
    def part(self) -> str:
        """What carries the family: the logit if it is more probable than not, else a table."""
        shares = self.shares
        if shares["additive"] >= 0.5:
            return "additive"
        return "table" if shares["table"] >= shares["rows"] else "rows"


@dataclass(frozen=True, slots=True)
class FamiliesScorer(Scorer):
    """The score on one data set."""

    score: Families
    dataset: Dataset
    rows: Rows
    strata: Strata

    @property
    def is_score_equivalent(self) -> bool:
        """False: the rows of a table are those of the child given its parents."""
        return False

    @property
    def may_rule_out(self) -> bool:
        """False: counts rule nothing out."""
        return False

    @property
    def prior_rows(self) -> float:
        """Those of the table and of the additive logit."""
        return self.score.equivalent_sample_size

    @property
    def tables(self) -> str:
        """Drawn by its own parts."""
        return "families"

    def local(self, child: int, parents: Sequence[int]) -> float:
        """Score of one family, to the bit as in a search."""
        members = np.sort(np.asarray(parents, dtype=np.int64))
        return float(local_score(self.kernel(), child, members))

    def parts(self, child: int, parents: Sequence[int]) -> FamilyParts:
        """The three parts of a family, on the rows in which the child was left alone."""
        kernel, strata = self.kernel(), self.strata
        members = np.sort(np.asarray(parents, dtype=np.int64))
        s = strata.which[strata.first[child]]
        read_parts(kernel, strata.rows[s], strata.sizes[s], child, members)
        table, by_row, additive = kernel.room.parts.tolist()
        return FamilyParts(table, by_row, additive, bool(kernel.room.is_additive[0]))

    @property
    def has_guides(self) -> bool:
        """There are four."""
        return True

    def guides(self) -> Iterator[Scorer]:
        """BDeu with few pseudo-counts and many, where parents show that say much only together."""
        size, table = self.score.equivalent_sample_size, self.dataset.states(may_be_set=True)
        scores = (Bdeu(size), AveragedBdeu(size), Bdeu(5 * size), Bdeu(50 * size))
        for score in scores:
            yield CountedScorer(score, self.dataset, score.rule(table), self.rows, self.strata)

    def kernel(self) -> Parts:
        """The data, the sample size and scratch."""
        self.rows.codes.flags.writeable = False  # see `CountedScorer.kernel`
        num_variables, num_rows = self.rows.codes.shape
        room = PartsRoom(
            listed=np.empty(num_rows if (self.strata.sizes < num_rows).any() else 0, np.int32),
            configurations=np.empty(num_rows, np.int32),
            counts=np.empty(5 * MAX_CONFIGURATIONS, np.int32),
            totals=np.empty(MAX_CONFIGURATIONS, np.int32),
            tables=np.empty((2, LARGE + 1)),
            large=np.empty(6 * MAX_CONFIGURATIONS + 2),
            members=np.empty(num_variables, np.int64),
            states=np.empty(num_variables, np.int64),
            parts=np.empty(NUM_PARTS),
            is_additive=np.empty(1, np.bool_),
            additive=make_additive_room(),
        )
        return Parts(self.rows, self.strata, float(self.score.equivalent_sample_size), room)

    def drawer(self) -> Drawer:
        """Tables of the parts, each by its share; see `CountedFamily.draw`."""
        kernel = self.kernel()

        def draw(
            child: int, parents: Sequence[int], stratum: int, generator: np.random.Generator
        ) -> Table:
            family = count_family(kernel, child, parents, stratum)
            return Table(family.in_order(family.draw(generator), parents))

        return draw

    def estimate(self, dag: Dag, *, equivalent_sample_size: float) -> BayesianNetwork:
        """Posterior means of the parts by their shares, on the rows where a node was not set."""
        scorer = self
        if equivalent_sample_size != self.score.equivalent_sample_size:
            scorer = Families(equivalent_sample_size).bind(self.dataset)
        kernel = scorer.kernel()
        variables = self.dataset.variables
        place = {name: v for v, name in enumerate(variables)}
        states = self.dataset.states(may_be_set=True).states
        of_nodes = tuple(states[place[name]] for name in dag.nodes)
        table_shapes(dag, of_nodes)  # refuses what is too large
        tables = []
        for node in dag.nodes:
            child, parents = place[node], [place[name] for name in dag.parents(node)]
            stratum = int(self.strata.which[self.strata.first[child]])
            family = count_family(kernel, child, parents, stratum)
            tables.append(family.in_order(family.mean(), parents))
        return BayesianNetwork(dag, of_nodes, tuple(tables))
