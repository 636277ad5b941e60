"""Columns of states and of real numbers together: states as blocks of indicators, or counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.data.strata import find_strata
from pathprior.data.table import DataTable
from pathprior.graph.bitset import num_words, pack_rows
from pathprior.graph.dag import Dag
from pathprior.kernels.data.grams import Grams, grams_column
from pathprior.kernels.data.mixed import MixedColumns, mixed_column
from pathprior.network.conditionals import Conditional
from pathprior.network.form_draws import DrawForm, form_draws
from pathprior.network.model import Network
from pathprior.network.tables import count_cells
from pathprior.score.bdeu import Bdeu
from pathprior.score.bge import Bge
from pathprior.score.counted import CountedScorer
from pathprior.score.gram import GramScore, GramScorer, bind_form
from pathprior.score.rows import make_rows
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE, require_positive
from pathprior.score.score import Drawer, Scorer
from pathprior.score.strata import make_strata


@dataclass(frozen=True, slots=True)
class _Indicators(GramScore):
    """BGe of the real columns and the indicators of states (Andrews, Ramsey and Cooper, 2019).

    A column of r observed states is r − 1 columns of the matrix, which enter and leave a family
    together; the prior on each such block is t times its own covariance, so that neither units nor
    the order of states matter.
    """

    def bind(self, dataset: Dataset) -> GramScorer:
        """Sum up columns of any kind."""
        return bind_form(self, dataset, Bge().form)


@dataclass(frozen=True, slots=True)
class Mixed:
    """BGe on real columns and indicators, but states that share too much are counted.

    The density of a line has no upper limit: by it two columns of states that share a code gain
    thousands of nats, where no distribution of states can gain more than n times their mutual
    information. Columns of which a pair would gain more than that are taken as what they are. With
    D the score of BGe on real columns and indicators, C that of BDeu and S_c those of a set S which
    are in such a pair, the score is that of the function of sets C(S_c) + D(S) − D(S_c), so that
    equivalent graphs score alike.

    Attributes
    ----------
    equivalent_sample_size
        Of BDeu.
    """

    equivalent_sample_size: float = DEFAULT_SAMPLE_SIZE

    def __post_init__(self) -> None:
        require_positive(self.equivalent_sample_size)

    def bind(self, dataset: Dataset) -> Scorer:
        """Sum up columns of any kind, and lay those out that are counted."""
        dataset.require_plain(may_be_set=True)
        by_products = _Indicators().bind(dataset)
        if not dataset.coded.variables:
            return by_products
        is_counted = too_close(dataset, by_products)
        table = _with_blanks(dataset, is_counted)
        score = Bdeu(self.equivalent_sample_size)
        rows = make_rows(table, may_merge=False)
        strata = make_strata(find_strata(dataset))
        by_counts = CountedScorer(score, dataset, score.rule(table), rows, strata)
        return MixedScorer(dataset, by_products, by_counts, is_counted)


def too_close(dataset: Dataset, by_products: GramScorer) -> NDArray[np.bool_]:
    """Which columns of states are in a pair that gains by D more than states can."""
    columns, sizes = columns_of(dataset)
    kernel, p = by_products.kernel(), dataset.num_variables
    none, gains = np.zeros(num_words(p), np.uint64), np.empty(p)
    found = np.zeros(p, dtype=bool)
    for v in np.flatnonzero(sizes).tolist():
        grams_column(kernel, v, np.empty(0, np.int64), none, gains)
        for u in np.flatnonzero(sizes[:v]).tolist():
            gain = gains[u] - gains[v]
            if gain > 0.0 and gain > _shared(columns[u], columns[v], (sizes[u], sizes[v])):
                found[[u, v]] = True
    return found


def _shared(a: NDArray[Any], b: NDArray[Any], sizes: tuple[int, int]) -> float:
    """Mutual information of two columns of states, times the rows."""
    counts = count_cells([a, b], sizes)
    usual = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / len(a)
    cells = counts > 0
    return float((counts[cells] * np.log(counts[cells] / usual[cells])).sum())


def columns_of(dataset: Dataset) -> tuple[list[NDArray[Any]], list[int]]:
    """Codes or real numbers of each variable, and how many states it has; 0 of a real one."""
    coded, reals = dataset.coded.plain(), dataset.reals
    codes = dict(zip(coded.variables, coded.codes, strict=True))
    values = dict(zip(reals.variables, reals.values, strict=True))
    known = dict(zip(coded.variables, coded.num_states.tolist(), strict=True))
    names = dataset.variables
    columns = [values[v] if v in values else codes[v].astype(np.int64) for v in names]
    return columns, [known.get(v, 0) for v in names]


def _with_blanks(dataset: Dataset, is_counted: NDArray[np.bool_]) -> DataTable:
    """The columns that are counted, and one of a single state for each of the others."""
    coded = dataset.coded.plain()
    codes = np.zeros((dataset.num_variables, dataset.num_rows), coded.codes.dtype)
    states: list[tuple[str, ...]] = [("",)] * dataset.num_variables
    place = {name: v for v, name in enumerate(dataset.variables)}
    for name, column, labels in zip(coded.variables, coded.codes, coded.states, strict=True):
        if is_counted[v := place[name]]:
            codes[v], states[v] = column, labels
    return DataTable(dataset.variables, codes, tuple(states))


@dataclass(frozen=True, slots=True, eq=False)
class MixedScorer(Scorer):
    """The score on one data set."""

    dataset: Dataset
    by_products: GramScorer
    by_counts: CountedScorer
    is_counted: NDArray[np.bool_]

    @property
    def is_score_equivalent(self) -> bool:
        """True: it is a function of sets."""
        return True

    @property
    def may_rule_out(self) -> bool:
        """False: neither part does."""
        return False

    @property
    def prior_rows(self) -> float:
        """Those of BGe."""
        return self.by_products.prior_rows

    def local(self, child: int, parents: Sequence[int]) -> float:
        """Score of one family, to the bit as in a search."""
        kernel = self.kernel()
        if isinstance(kernel, Grams):
            return self.by_products.local(child, parents)
        column = np.empty(self.dataset.num_variables)
        everyone = np.full(num_words(len(column)), ~np.uint64(0))
        members = np.sort(np.asarray(parents, dtype=np.int64))
        mixed_column(kernel, child, members, everyone, column)
        return float(column[child])

    def kernel(self) -> Grams | MixedColumns:
        """That of BGe, or both kernels and scratch."""
        by_products, p = self.by_products.kernel(), self.dataset.num_variables
        if not self.is_counted.any():
            return by_products
        return MixedColumns(
            grams=by_products,
            counted=self.by_counts.kernel(),
            others=pack_rows(~self.is_counted[np.newaxis])[0],
            members=np.empty(p, np.int64),
            barred=np.empty(num_words(p), np.uint64),
            by_products=np.empty(p),
            by_counts=np.empty(p),
        )

    def drawer(self) -> Drawer:
        """By what the rows of a stratum say of each kind of conditional."""
        made: dict[tuple[int, ...], DrawForm] = {}
        rows_of = find_strata(self.dataset).rows
        columns, sizes = columns_of(self.dataset)

        def draw(
            child: int, parents: Sequence[int], stratum: int, generator: np.random.Generator
        ) -> Conditional:
            key = (stratum, *parents, child)
            if key not in made:
                family = [columns[v][rows_of[stratum]] for v in key[1:]]
                own_sizes = [sizes[v] for v in key[1:]]
                node = self.dataset.variables[child]
                made[key] = form_draws(node, family, own_sizes, self.prior_rows)
            return made[key](generator)

        return draw

    def estimate(self, dag: Dag, *, equivalent_sample_size: float) -> Network:
        """Tables, regressions and logits."""
        return self.by_products.estimate(dag, equivalent_sample_size=equivalent_sample_size)
