"""What to look at next: whose answer would settle most of what is open about relations."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import PosteriorError
from pathprior.graph.bitset import pack_rows
from pathprior.graph.dag import require_nodes
from pathprior.graph.relation import Relation
from pathprior.kernels.graph.ancestors import NUM_RELATIONS
from pathprior.kernels.posterior.information import count_common, fill_information
from pathprior.posterior.answers import spread
from pathprior.posterior.draws import Draws
from pathprior.posterior.indicators import all_pairs, relation_codes
from pathprior.posterior.settings import named_variables

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Codes = NDArray[np.uint8]

BELIEF, EXPERIMENT = "belief", "experiment"
MAX_GRAPHS = 2000
"""Most graphs of chains that are asked, evenly spaced."""
MAX_ASKED, LEAST_ASKED = 500, 50
"""Most pairs that are asked of, those whose relation is least known: of few variables, of many."""
MAX_TABLES = 2 * 10**6
"""Tables of two pairs beyond which fewer are asked of."""
BLOCK = 64
"""Pairs whose tables with all questions are held at a time."""


@dataclass(frozen=True, slots=True)
class Relations:
    """Relations of pairs in each of some graphs.

    Attributes
    ----------
    pairs
        Rows of two positions in the names.
    codes
        By graph and pair.
    weights
        Of the graphs; they sum to one.
    is_exact
        Whether every graph is listed, so that no dependence is by chance.
    """

    pairs: NDArray[np.int64]
    codes: Codes
    weights: Floats
    is_exact: bool

    @classmethod
    def of(cls, draws: Draws, names: Sequence[str], most: int = MAX_GRAPHS) -> "Relations":
        """Of all pairs of ``names``, in their order; of chains in at most so many graphs."""
        pairs = all_pairs(len(names))
        place = np.array([draws.variables.index(name) for name in names], dtype=np.int64)
        total = draws.scores.size
        kept = np.arange(total)
        if not draws.is_exact and total > most:
            kept = spread(draws.weights, most)
        blocks = [codes.reshape(total, -1)[kept] for codes in relation_codes(draws, place[pairs])]
        codes = np.concatenate(blocks, axis=1) if blocks else np.empty((len(kept), 0), np.uint8)
        weights = draws.weights[kept]
        return cls(pairs, codes, weights / weights.sum(), draws.is_exact)

    def entropies(self) -> Floats:
        """Of each pair's relation, in bits."""
        shares = [self.weights @ (self.codes == relation) for relation in range(NUM_RELATIONS)]
        return entropy(np.array(shares), axis=0)


def ask_next(
    known: Relations,
    names: Sequence[str],
    *,
    kind: str,
    top: int,
    about: Iterable[str] | None,
    reliability: float,
    settled: NDArray[np.bool_] | None = None,
    fixed: Iterable[str] | None = None,
    usually_fixed: tuple[str, ...] = (),
) -> "pd.DataFrame":
    """The questions that should settle most, best first; see `Posterior.ask_next`.

    ``settled`` says of each pair whether what is known of its relation has settled; all have where
    graphs do not come from chains. No experiment sets what is ``fixed``, which is
    ``usually_fixed`` unless it is named.
    """
    import pandas as pd

    if kind not in (BELIEF, EXPERIMENT):
        raise PosteriorError(f"kind must be 'belief' or 'experiment', not {kind!r}")
    if kind == BELIEF and fixed is not None:
        raise PosteriorError(
            "fixed names what no experiment can set, and beliefs need none: leave it out, or "
            "ask for kind='experiment'"
        )
    unsettable = usually_fixed if fixed is None else named_variables(names, fixed)
    if isinstance(top, bool) or not isinstance(top, int | np.integer) or top < 1:
        raise PosteriorError(f"top must be a whole number of at least 1, not {top!r}")
    if not 0.5 < reliability <= 1:
        raise PosteriorError(
            f"reliability must be above 0.5, where answers say nothing, and at most 1, "
            f"not {reliability!r}"
        )
    is_settled = np.ones(len(known.pairs), dtype=bool) if settled is None else settled
    entropies = known.entropies()
    targets = _targets(known.pairs, names, about)
    num_asked = max(LEAST_ASKED, min(MAX_ASKED, MAX_TABLES // max(1, len(targets))))
    asked = np.argsort(-entropies, kind="stable")[:num_asked]
    total = float(entropies[targets].sum())
    if kind == BELIEF:
        gains = answer_gains(known, targets, asked, reliability)
        x, y = ([names[end] for end in known.pairs[asked, side]] for side in (0, 1))
        table = pd.DataFrame({"x": x, "y": y, "entropy": entropies[asked], "gain": gains})
        phrases = [f"Ask how {a} and {b} are related" for a, b in zip(x, y, strict=True)]
        rests_on = is_settled[asked]
    else:
        gains = outcome_gains(known, targets, asked, reliability, len(names))
        table = pd.DataFrame({"variable": list(names), "gain": gains})
        phrases = [f"Randomise {name}" for name in names]
        rests_on = ~np.isin(np.arange(len(names)), known.pairs[~is_settled])
    table["is_settled"] = rests_on
    table["sentence"] = [
        f"{phrase}: that should settle {_share(gain, total)} of what is open"
        f"{'.' if rests else ', by probabilities that have not settled.'}"
        for phrase, gain, rests in zip(phrases, table["gain"], rests_on, strict=True)
    ]
    if kind == EXPERIMENT:
        table = table[~table["variable"].isin(list(unsettable))]
    best = table.sort_values("gain", ascending=False, kind="stable", ignore_index=True).head(top)
    best.attrs["entropy"] = total
    return best


def answer_gains(
    known: Relations, targets: NDArray[np.int64], asked: NDArray[np.int64], reliability: float
) -> Floats:
    """Bits that an answer on each pair ``asked`` should take off the entropies of ``targets``.

    Σ over the targets of their mutual information with the answer: the true relation, or with the
    rest of the probability one of the others, all alike.
    """
    channel = np.full((NUM_RELATIONS, NUM_RELATIONS), (1 - reliability) / (NUM_RELATIONS - 1))
    np.fill_diagonal(channel, reliability)
    gains = np.zeros(len(asked))
    for information in _informations(known, targets, asked, [channel]):
        gains += information[0].sum(axis=0)
    return np.maximum(gains, 0.0)


def outcome_gains(
    known: Relations,
    targets: NDArray[np.int64],
    asked: NDArray[np.int64],
    reliability: float,
    num_variables: int,
) -> Floats:
    """Bits that randomising each variable should take off the entropies of ``targets``, at least.

    It shows which others change. Of each target the most is counted that one of these outcomes says
    by itself.
    """
    channels = [
        np.where(np.arange(NUM_RELATIONS) == relation, reliability, 1 - reliability)
        for relation in (Relation.CAUSES, Relation.CAUSED_BY)
    ]
    gains, randomised = np.zeros(num_variables), known.pairs[asked].T.ravel()
    for informations in _informations(
        known, targets, asked, [np.stack([1 - sees, sees], axis=1) for sees in channels]
    ):
        outcomes = np.concatenate(informations, axis=1)
        for v in range(num_variables):
            gains[v] += outcomes[:, randomised == v].max(axis=1, initial=0.0).sum()
    return gains


def _informations(
    known: Relations,
    targets: NDArray[np.int64],
    asked: NDArray[np.int64],
    channels: Sequence[Floats],
) -> Iterator[list[Floats]]:
    """Mutual information of some targets at a time with each answer, for each channel.

    Of graphs that were drawn, less what those of other draws, half of all away, have with it: so
    much is by chance.
    """
    answers = known.codes[:, asked]
    away = np.roll(answers, len(answers) // 2, axis=0)
    make_tables = partial(_weigh_tables, known.weights) if known.is_exact else _count_tables
    with_answers, with_others = make_tables(answers), make_tables(away)
    for first in range(0, len(targets), BLOCK):
        block = known.codes[:, targets[first : first + BLOCK]]
        found = _informations_of(with_answers(block), channels)
        if not known.is_exact:
            chance = _informations_of(with_others(block), channels)
            found = [ours - theirs for ours, theirs in zip(found, chance, strict=True)]
        yield found


Tables = Callable[[Codes], Floats]
"""Joint probabilities of the relations of given pairs (rows) and of fixed ones (columns)."""


def _weigh_tables(weights: Floats, second: Codes) -> Tables:
    """Of graphs with weights of their own."""
    right = _indicators(second).astype(float)
    return lambda first: (_indicators(first) * weights[:, None]).T @ right


def _count_tables(second: Codes) -> Tables:
    """Of graphs that count alike; words of 64 graphs are counted at a time."""
    right = pack_rows(_indicators(second).T)

    def count(first: Codes) -> Floats:
        left = pack_rows(_indicators(first).T)
        tables = np.empty((len(left), len(right)))
        count_common(left, right, tables)
        return tables / len(first)

    return count


def _indicators(codes: Codes) -> NDArray[np.bool_]:
    """Whether a graph has a relation, by graph and by pair and relation."""
    states = np.arange(NUM_RELATIONS, dtype=np.uint8)
    found: NDArray[np.bool_] = (codes[:, :, None] == states).reshape(len(codes), -1)
    return found


def _informations_of(joint: Floats, channels: Sequence[Floats]) -> list[Floats]:
    num_first, num_second = (size // NUM_RELATIONS for size in joint.shape)
    found = [np.empty((num_first, num_second)) for _ in channels]
    for channel, information in zip(channels, found, strict=True):
        fill_information(joint, channel, information)
    return found


def entropy(probabilities: Floats, axis: int) -> Floats:
    """−Σ p log₂ p."""
    from scipy.special import entr

    bits: Floats = entr(probabilities).sum(axis=axis) / np.log(2.0)
    return bits


def _share(gain: float, total: float) -> str:
    """A part of the whole in percent."""
    percent = 100 * gain / total if total > 0 else 0.0
    return "less than 1 %" if percent < 1 else f"{percent:.0f} %"


def _targets(
    pairs: NDArray[np.int64], names: Sequence[str], about: Iterable[str] | None
) -> NDArray[np.int64]:
    """The pairs of which something is to be known: those with an end in ``about``."""
    if about is None:
        return np.arange(len(pairs))
    index = {name: v for v, name in enumerate(names)}
    chosen = [about] if isinstance(about, str) else list(about)
    require_nodes(index, chosen)
    wanted = [index[name] for name in chosen]
    return np.flatnonzero(np.isin(pairs, wanted).any(axis=1))
