"""`ByNode`: one entry for each node of a graph, by position or by name."""

from typing import SupportsIndex, TypeVar, overload

from pathprior.graph.dag import Dag

Entry = TypeVar("Entry", covariant=True)


class ByNode(tuple[Entry, ...]):
    """A tuple in the order of the nodes that also takes their names: ``tables["HR"]``."""

    _dag: Dag

    def __new__(cls, dag: Dag, entries: tuple[Entry, ...]) -> "ByNode[Entry]":
        """Keep the entries and the names of ``dag``."""
        made = super().__new__(cls, entries)
        made._dag = dag
        return made

    @overload
    def __getitem__(self, key: SupportsIndex | str) -> Entry: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, key: SupportsIndex | str | slice) -> Entry | tuple[Entry, ...]:
        return super().__getitem__(self._dag.index(key) if isinstance(key, str) else key)

    def __getnewargs__(self) -> tuple[Dag, tuple[Entry, ...]]:
        return self._dag, tuple(self)
