"""`Alphabets`: which ties are told apart of each of some pairs."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.graph.tie import EDGES, Tie
from pathprior.kernels.prior.ties import RELATION


@dataclass(frozen=True, slots=True)
class Alphabets:
    """Which ties are told apart of each of some pairs; of all of them the four relations are.

    Whatever counts, samples or fits pairs takes this beside them, and hands it on; only what reads
    a further tie off graphs looks inside. A tie that is told from its relation in another way has a
    field here.

    Attributes
    ----------
    edges
        Positions of the pairs whose edges are told from longer paths.
    """

    edges: tuple[int, ...] = ()

    @classmethod
    def of(cls, told: Iterable[tuple[int, Collection[Tie]]]) -> "Alphabets":
        """Those in which ties are told, by position, from the relations that go with them."""
        spoken = list(told)
        return cls(
            *(
                tuple(sorted({position for position, ties in spoken if finer.intersection(ties)}))
                for finer in _FINER.values()
            )
        )

    def __bool__(self) -> bool:
        """Whether more than relations are told apart of any pair."""
        return any(self._columns())

    def at(self, columns: Sequence[int]) -> "Alphabets":
        """Those of some of the pairs, by their places among these."""
        return Alphabets(
            *(
                tuple(k for k, column in enumerate(columns) if column in kept)
                for kept in self._columns()
            )
        )

    def moved(self, columns: Sequence[int]) -> "Alphabets":
        """The same where the pair at position k is the one at ``columns[k]``."""
        return Alphabets(*(tuple(sorted(columns[k] for k in kept)) for kept in self._columns()))

    def __or__(self, other: "Alphabets") -> "Alphabets":
        """What either tells apart."""
        both = zip(self._columns(), other._columns(), strict=True)
        return Alphabets(*(tuple(sorted({*one, *more})) for one, more in both))

    def counted_as(self, num_pairs: int) -> NDArray[np.int8]:
        """By pair and tie: the tie that it counts as, which is its relation where that is all."""
        found = np.tile(RELATION.astype(np.int8), (num_pairs, 1))
        for finer, kept in zip(_FINER.values(), self._columns(), strict=True):
            found[np.ix_(kept, sorted(finer))] = sorted(finer)
        return found

    def as_list(self) -> list[int]:
        """As part of the key of a cache."""
        return list(self.edges)

    def _columns(self) -> tuple[tuple[int, ...], ...]:
        return tuple(getattr(self, name) for name in _FINER)


_FINER = {"edges": EDGES}
"""By field: the ties that are told from the relations that go with them."""
RELATIONS_ALONE = Alphabets()
"""Nothing but relations is told apart."""
