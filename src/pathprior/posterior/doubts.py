"""`Doubts`: what other reasonable models of the tables say of each belief, and what rows can show.

A posterior has one prior on tables, and evidence may hang on it: a table of every combination of
causes pays for each of them, and speaks against a cause that adds to others as an additive model
does not. So the graphs are weighed again with the families of the two variables of a belief scored
by another model. That is exact where every graph was weighed, and importance sampling elsewhere.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from math import isnan, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import PosteriorError
from pathprior.graph.bitset import unpack_row
from pathprior.network.detection import Detection, detect
from pathprior.posterior.answers import spread
from pathprior.posterior.draws import Draws
from pathprior.posterior.judge import Judge
from pathprior.posterior.questions import holds
from pathprior.posterior.score_columns import ScoreColumns
from pathprior.problem.problem import Problem
from pathprior.score.averaged_bdeu import AveragedBdeu
from pathprior.score.bdeu import Bdeu
from pathprior.score.families import Families
from pathprior.score.score import Score
from pathprior.score.unseen import Unseen
from pathprior.search.interrupt import StopRequest

FACTOR = 4.0
"""How much smaller and larger the sample sizes of other models are."""
NUM_GRAPHS = 1000
"""Most graphs of chains that are weighed again."""
FEWEST = 48.0
"""Effective graphs below which another model is not said to have an opinion."""
RULED_OUT = 5.0
"""Nats by which data must speak against a model, and for another, for it to count no more."""

TINY = 1e-300

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Doubts:
    """By model and row of the prior's table; the first model is that of the posterior.

    Attributes
    ----------
    models
        Their names.
    factors
        Log Bayes factors of the events; NaN where too few graphs tell.
    fits
        How much better, in nats, each explains the two variables than the first does.
    detections
        Of each row what the two columns show by themselves, if that can be said.
    """

    models: tuple[str, ...]
    factors: Floats
    fits: Floats
    detections: tuple[Detection | None, ...]

    def shifts_of(self, row: int) -> tuple[float, float]:
        """How far models that the data do not rule out move the factor, down and up."""
        shifts, fits = self._shifts(row), self.fits[:, row]
        counts = ~np.isnan(shifts)
        if not counts.any():
            return 0.0, 0.0
        counts &= fits >= fits[counts].max() - RULED_OUT
        return min(shifts[counts].min(), 0.0), max(shifts[counts].max(), 0.0)

    def better(self, row: int) -> tuple[str, float, float] | None:
        """The model that explains the two best, if far better than the first; its fit and shift."""
        shifts = self._shifts(row)
        fits = np.where(np.isnan(shifts), -np.inf, self.fits[:, row])
        best = int(fits.argmax())
        if not fits[best] > RULED_OUT:
            return None
        return self.models[best], float(fits[best]), float(shifts[best])

    def content(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {
            "models": list(self.models),
            "factors": [[None if isnan(x) else x for x in row] for row in self.factors.tolist()],
            "fits": self.fits.tolist(),
            "detections": [None if one is None else asdict(one) for one in self.detections],
        }

    @classmethod
    def read(cls, content: dict[str, Any], num_rows: int) -> "Doubts":
        """Read what `content` gave for so many rows."""
        models = tuple(str(name) for name in content["models"])
        shape = (len(models), num_rows)
        # None is not a number
        factors, fits = (np.array(content[name], np.float64) for name in ("factors", "fits"))
        detections = tuple(
            None if one is None else Detection(**one) for one in content["detections"]
        )
        if not (models and factors.shape == fits.shape == shape and len(detections) == num_rows):
            raise PosteriorError("what other models and the rows say is not told of each belief")
        return cls(models, factors, fits, detections)

    def _shifts(self, row: int) -> Floats:
        # of the same graphs, so that what chance has made of these cancels
        return np.asarray(self.factors[:, row] - self.factors[0, row])


def doubt(
    problem: Problem, draws: Draws, before: Sequence[float] | Floats, stop: StopRequest
) -> Doubts:
    """Weigh graphs again by other models, for each row of the prior's table.

    ``before`` is the probability of each row's event before the data; once a stop is asked for no
    further model is.
    """
    table = problem.prior.table
    events = list(zip(table["x"], table["event"], table["y"], strict=True))
    found = {(x, y): detect(problem.data, x, y) for x, _, y in events}
    kept = np.arange(draws.scores.size)
    if not draws.is_exact and len(kept) > NUM_GRAPHS:
        kept = spread(draws.weights, NUM_GRAPHS)
    graphs, weights = draws.graphs[kept], draws.weights[kept]
    weights /= weights.sum()
    judge = Judge(draws, np.inf)
    held = [holds(judge, x, event, y).ravel()[kept] for x, event, y in events]
    scored = _Scored(problem, graphs)
    own = [
        _log_odds(weights, is_held, is_exact=draws.is_exact) - _logit(chance)
        for is_held, chance in zip(held, before, strict=True)
    ]
    models, factors, fits = ["as asked"], [own], [[0.0] * len(own)]
    for name, score in other_models(problem):
        if stop.is_set:
            break
        scorer = score.bind(problem.data.select(problem.rules.variables))
        gains = scored.gains(replace(problem, score=score, scorer=scorer))
        rows = [
            _weigh_again(weights, gains(x) + gains(y), is_held, b, is_exact=draws.is_exact)
            for (x, _, y), is_held, b in zip(events, held, before, strict=True)
        ]
        models.append(name)
        factors.append([factor for factor, _ in rows])
        fits.append([fit for _, fit in rows])
    shape = (len(models), len(events))
    detections = tuple(found[x, y] for x, _, y in events)
    return Doubts(
        tuple(models),
        np.array(factors, float).reshape(shape),
        np.array(fits, float).reshape(shape),
        detections,
    )


def other_models(problem: Problem) -> Iterator[tuple[str, Score]]:
    """Marginal likelihoods of tables other than the problem's; none where that is no such one."""
    asked = problem.score
    score = asked.score if isinstance(asked, Unseen) else asked
    if not isinstance(score, Bdeu | AveragedBdeu | Families) or problem.data.imputed is not None:
        return
    size = score.equivalent_sample_size
    listed: dict[str, Score] = {
        f"tables, sample size {size / FACTOR:g}": Bdeu(size / FACTOR),
        f"tables, sample size {size * FACTOR:g}": Bdeu(size * FACTOR),
        "tables, sample sizes averaged": AveragedBdeu(size),
        "additive effects or tables": Families(size),
    }
    for name, other in listed.items():
        if other != score:
            yield name, Unseen(other, asked.share) if isinstance(asked, Unseen) else other


class _Scored:
    """The families of graphs, each scored once."""

    def __init__(self, problem: Problem, graphs: NDArray[np.uint64]) -> None:
        self._place = {name: v for v, name in enumerate(problem.rules.variables)}
        self._graphs = graphs
        self._first = ScoreColumns(problem)
        self._known: dict[int, tuple[list[tuple[int, ...]], NDArray[np.int64], Floats]] = {}

    def gains(self, other: Problem) -> "_Gains":
        """What another score gives families beyond the first."""
        return _Gains(self, ScoreColumns(other))

    def families(self, v: int) -> tuple[list[tuple[int, ...]], NDArray[np.int64], Floats]:
        """The distinct families of a variable, which each graph has, and their first scores."""
        if v not in self._known:
            rows, which = np.unique(self._graphs[:, v], axis=0, return_inverse=True)
            size = len(self._place)
            sets = [tuple(np.flatnonzero(unpack_row(row, size)).tolist()) for row in rows]
            scores = np.array([self._first.alone(v, parents) for parents in sets])
            self._known[v] = sets, which.ravel(), scores
        return self._known[v]

    def place(self, name: str) -> int:
        """The number of a variable."""
        return self._place[name]


class _Gains:
    """What another score gives the family of a variable in each graph."""

    def __init__(self, scored: _Scored, columns: ScoreColumns) -> None:
        self._scored, self._columns = scored, columns
        self._known: dict[str, Floats] = {}

    def __call__(self, name: str) -> Floats:
        if name not in self._known:
            v = self._scored.place(name)
            sets, which, scores = self._scored.families(v)
            others = np.array([self._columns.alone(v, parents) for parents in sets])
            self._known[name] = (others - scores)[which]
        return self._known[name]


def _weigh_again(
    weights: Floats, gains: Floats, is_held: NDArray[np.bool_], before: float, *, is_exact: bool
) -> tuple[float, float]:
    """The log factor of the event with these weights, and how much better they fit."""
    most = gains.max()
    again = weights * np.exp(gains - most)
    fit = float(most + np.log(again.sum()))
    effective = again.sum() ** 2 / (again**2).sum()
    if not is_exact and effective < FEWEST:
        return float("nan"), fit
    return _log_odds(again, is_held, is_exact=is_exact) - _logit(before), fit


def _log_odds(weights: Floats, is_held: NDArray[np.bool_], *, is_exact: bool) -> float:
    """Where graphs drawn all say the same, as if half a graph said otherwise."""
    least = TINY if is_exact else 0.5 * (weights**2).sum() / weights.sum()
    with_it, without = weights[is_held].sum(), weights[~is_held].sum()
    return log(max(with_it, least)) - log(max(without, least))


def _logit(probability: float) -> float:
    if not 0.0 < probability < 1.0:
        return float("nan")
    return log(probability) - log(1.0 - probability)
