"""Real columns that are sums of bent functions of their parents, and noise of any shape.

Not to be mixed up with the additive part of the score of families, which is for states: a sum there
is one of log odds.
"""

import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pathprior.data.dataset import Dataset
from pathprior.data.normal_scores import normal_scores, require_drawn_none
from pathprior.data.strata import RowStrata, find_strata
from pathprior.errors import DataError, PathPriorWarning, SearchError
from pathprior.graph.dag import Dag
from pathprior.kernels.data.curves import NUM_FOUND, Curves, CurvesRoom, T, local_score
from pathprior.kernels.data.noise import MAX_LEVELS, Noise
from pathprior.network.curves import AdditiveNetwork
from pathprior.network.model import Network
from pathprior.score.bases import Bases, borders
from pathprior.score.bge import Bge
from pathprior.score.curve_draws import CurveFitter, Drawer
from pathprior.score.gram import GramScorer
from pathprior.score.moments import Moments
from pathprior.score.score import Scorer
from pathprior.score.strata import make_strata
from pathprior.score.sums import Floats

MAX_ROWS = 100_000
"""Rows that are looked at; of more as many, evenly spread over their order."""
MAX_COLUMNS = 8000
"""Most columns of all bases together."""
GUIDING_COLUMNS = 3
"""Columns of each variable in the score of blocks, which leads a search to where it may begin."""


@dataclass(frozen=True, slots=True)
class Additive:
    """A column is a sum of bent functions of its parents, and noise of any shape and spread.

    With y the child in its standard deviations and Φ the d columns of its l parents' bases,
    T = ½ diag(λ), M = T + ΦᵀΦ, ρ = ½ + yᵀy − yᵀΦ M⁻¹ Φᵀy,

        g = ½ log(1/(n + 1)) + log Γ((n + l + 3)/2) − log Γ((l + 3)/2) − (n/2) log π
            + ½(l + 3) log ½ + ½ log|T| − ½ log|M| − ½(n + l + 3) log ρ

    is the marginal likelihood with normal noise: BGe's, where a basis is the column itself. It is
    averaged over two designs, those columns alone and all of the basis. The residuals of the better
    one tell by how much a flexible density describes them better than a normal one, once as they
    are and once after a spread that depends on the parents is taken out; that is averaged too. The
    score is a log density of the data as they were given. Markov-equivalent graphs differ in it.

    Attributes
    ----------
    columns
        Most columns of a variable's basis: itself, and polynomials of its ranks.
    is_flexible
        Whether noise may have any shape. False is normal noise: where it is not normal, wrong
        directions are then preferred, so that this is for comparisons alone.
    ranks
        Whether each column is replaced by its normal scores first; the score is then a density of
        these.
    """

    columns: int = 8
    is_flexible: bool = True
    ranks: bool = False

    def __post_init__(self) -> None:
        is_whole = isinstance(self.columns, int | np.integer) and not isinstance(self.columns, bool)
        if not is_whole or self.columns < 1:
            raise SearchError(f"columns must be a whole number of at least 1, not {self.columns!r}")

    def bind(self, dataset: Dataset) -> "AdditiveScorer":
        """Make the bases, and sum their products up; the rows are kept."""
        dataset.real(may_be_set=True)
        require_drawn_none(dataset, "additive")
        if dataset.num_rows < 2:
            raise DataError("one row says nothing about a spread: real columns need 2 rows or more")
        given = _in_order(dataset.select(sorted(dataset.variables)))
        by_name = normal_scores(given) if self.ranks else given
        strata = find_strata(by_name)
        bases = tuple(
            Bases.of(by_name.reals.values[:, rows], self.columns) if rows.any() else None
            for rows in strata.rows
        )
        widest = max(len(basis.columns) for basis in bases if basis is not None)
        if widest > MAX_COLUMNS:
            raise DataError(
                f"the bases have {widest} columns, at most {MAX_COLUMNS} are possible: use "
                "Additive(columns=3), bge, or fewer columns"
            )
        return AdditiveScorer(self, dataset, given, by_name, strata, bases)


def _in_order(dataset: Dataset) -> Dataset:
    """Put the rows in an order of their own, so that sums are the same however they were given."""
    values = dataset.reals.values
    first = values[0]
    is_told = len(np.unique(first)) == len(first)
    order = np.argsort(first) if is_told else np.lexsort(values[::-1])
    if len(order) > MAX_ROWS:
        warnings.warn(
            f"the score additive looks at {MAX_ROWS:,} of the {len(order):,} rows, evenly spread "
            f"over the order of {dataset.variables[0]!r}",
            PathPriorWarning,
            stacklevel=4,
        )
        order = order[np.linspace(0, len(order) - 1, MAX_ROWS).round().astype(np.int64)]
    return dataset.among(order)


@dataclass(frozen=True, eq=False)
class AdditiveScorer(Scorer):
    """The score on one data set.

    ``by_name`` are its rows as they are scored: by the order of the names, and of the values;
    ``given`` are the same, not ranked.
    """

    score: Additive
    dataset: Dataset
    given: Dataset
    by_name: Dataset
    strata: RowStrata
    bases: tuple[Bases | None, ...]

    @property
    def is_score_equivalent(self) -> bool:
        """False: bent functions and shapes tell causes from effects."""
        return False

    @property
    def may_rule_out(self) -> bool:
        """False: the prior keeps every variance above zero."""
        return False

    @property
    def prior_rows(self) -> float:
        """Those of BGe."""
        return Bge().prior_rows

    @property
    def has_guides(self) -> bool:
        """BGe, and the score of blocks."""
        return True

    def guides(self) -> Iterator[Scorer]:
        """BGe, and BGe of blocks of few columns of each variable's basis.

        The second sees what is bent, but is no density of the data: the columns of a block are
        functions of each other.
        """
        as_scored = self._as_scored()
        yield Bge().bind(as_scored)
        if self.dataset.intervened is None and self.score.columns > 1:
            yield blocks_scorer(as_scored)

    def _as_scored(self) -> Dataset:
        """The data whose density the score is, in the order of the columns as given."""
        return self.by_name.select(self.dataset.variables)

    def places(self) -> NDArray[np.int64]:
        """Where each variable stands in ``by_name``."""
        place = {name: v for v, name in enumerate(self.by_name.variables)}
        return np.array([place[name] for name in self.dataset.variables], dtype=np.int64)

    def local(self, child: int, parents: Sequence[int]) -> float:
        """Score of one family, to the bit as in a search."""
        place = self.places()
        members = np.sort(place[np.asarray(parents, dtype=np.int64)])
        return float(local_score(self._kernel(), int(place[child]), members))

    def kernel(self) -> Curves | None:
        """The bases, sums of their products, and scratch; none where columns are not by name."""
        is_by_name = self.dataset.variables == self.by_name.variables
        return self._kernel() if is_by_name else None

    def _kernel(self) -> Curves:
        """In the order of the names, with scratch of its own."""
        shared = self._shared
        noise = shared.noise._replace(counts=np.empty(2**MAX_LEVELS, np.int64), terms=np.empty(9))
        p, d = self.by_name.num_variables, shared.gram.shape[1]
        return shared._replace(noise=noise, room=_make_room(p, self.by_name.num_rows, d))

    @cached_property
    def _shared(self) -> Curves:
        """What all kernels have in common."""
        p, n = self.by_name.num_variables, self.by_name.num_rows
        d = max(len(basis.columns) for basis in self.bases if basis is not None)
        num_strata = len(self.bases)
        columns, gram = np.zeros((num_strata, d, n)), np.zeros((num_strata, d, d))
        first_column = np.zeros((num_strata, p + 1), np.int64)
        prior, constants = np.ones((num_strata, d)), np.zeros((num_strata, p + 1))
        offsets, levels = np.zeros((num_strata, p)), np.zeros((num_strata, p), np.int64)
        for s, basis in enumerate(self.bases):
            if basis is None:
                continue
            size, rows = basis.columns.shape
            columns[s, :size, :rows] = basis.columns
            gram[s, :size, :size] = basis.products()
            first_column[s] = basis.first_column
            prior[s, :size] = T * basis.prior
            constants[s] = _constants(rows, p)
            offsets[s] = -rows * basis.log_scales
            levels[s] = basis.levels
        return Curves(
            basis=columns,
            gram=gram,
            first_column=first_column,
            prior=prior,
            constants=constants,
            offsets=offsets,
            levels=levels,
            is_flexible=self.score.is_flexible,
            strata=make_strata(self.strata),
            noise=_make_noise(n),
            room=_make_room(p, n, d),
        )

    def estimate(self, dag: Dag, *, equivalent_sample_size: float) -> Network:
        """The curves and the noise that the score made of each family; its prior is its own."""
        drawer = self.drawer_of()
        place = {name: v for v, name in enumerate(self.dataset.variables)}
        forms = [
            drawer(place[node], [place[name] for name in dag.parents(node)])(None)
            for node in dag.nodes
        ]
        return AdditiveNetwork(dag, forms)

    @property
    def tables(self) -> str:
        """Effects are those of its curves."""
        return "additive-ranks" if self.score.ranks else "additive"

    def drawer_of(self) -> Callable[[int, Sequence[int]], Drawer]:
        """What gives conditionals of a child and its parents, from the rows where it was not set.

        With a generator they are drawn, without one the most probable.
        """
        kernel, place = self._kernel(), self.places()
        fitters: dict[int, CurveFitter] = {}

        def drawer(child: int, parents: Sequence[int]) -> Drawer:
            v = int(place[child])
            s = int(kernel.strata.which[kernel.strata.first[v]])
            if s not in fitters:
                rows = self.strata.rows[s]
                values = self.given.reals.values[:, rows]
                scores = self.by_name.reals.values[:, rows] if self.score.ranks else values
                fitters[s] = CurveFitter(kernel, values, scores, s)
            return fitters[s].drawer(v, [int(place[u]) for u in parents])

        return drawer


def _constants(n: int, p: int) -> Floats:
    """What g holds beside determinants and ρ, by number of parents."""
    from scipy.special import gammaln

    freedom = np.arange(p + 1) + 3.0
    first = 0.5 * math.log(1.0 / (n + 1)) - 0.5 * n * math.log(math.pi)
    gammas = gammaln(0.5 * (n + freedom)) - gammaln(0.5 * freedom)
    return np.asarray(first + gammas + 0.5 * freedom * math.log(T))


def _make_noise(n: int) -> Noise:
    from scipy.special import gammaln

    normal, skewed, heavy = borders()
    whole = np.arange(n + 4 * MAX_LEVELS**2 + 1, dtype=np.float64)
    whole[0] = 1.0  # never asked for
    return Noise(
        normal.copy(),
        skewed.copy(),
        heavy.copy(),
        gammaln(whole),
        np.empty(2**MAX_LEVELS, np.int64),
        np.empty(9),
    )


def _make_room(p: int, n: int, d: int) -> CurvesRoom:
    return CurvesRoom(
        members=np.empty(p, np.int64),
        columns=np.empty(d, np.int64),
        factor=np.empty((d, d)),
        target=np.empty(d),
        weights=np.empty(d),
        residuals=np.empty(n),
        logs=np.empty(n),
        ordered=np.empty(n),
        found=np.empty(NUM_FOUND),
    )


def blocks_scorer(dataset: Dataset) -> GramScorer:
    """BGe of all columns of small bases, those of a variable entering and leaving together."""
    basis = Bases.of(dataset.reals.values, GUIDING_COLUMNS)
    d, n = basis.columns.shape
    moments = Moments(
        dataset.variables,
        n,
        n,
        basis.first_column,
        means=np.zeros(d),
        scales=np.ones(d),
        centre=np.zeros(d),
        products=basis.products(),
        log_scales=basis.log_scales,
        is_constant=np.zeros(d, dtype=bool),
    )
    form = Bge().form(moments)
    return GramScorer(Bge(), dataset, moments, find_strata(dataset), (moments,), (form,))
