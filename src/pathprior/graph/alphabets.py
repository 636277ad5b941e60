"""`Alphabets`: which ties are told apart of each of some pairs."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields

from pathprior.graph.tie import EDGES, Tie


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
        edges = {position for position, ties in told if EDGES.intersection(ties)}
        return cls(edges=tuple(sorted(edges)))

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

    def as_list(self) -> list[int]:
        """As part of the key of a cache."""
        return list(self.edges)

    def _columns(self) -> tuple[tuple[int, ...], ...]:
        return tuple(getattr(self, field.name) for field in fields(self))


RELATIONS_ALONE = Alphabets()
"""Nothing but relations is told apart."""
