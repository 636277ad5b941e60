"""`Cpdag`: the immutable labelled graph that stands for an equivalence class of DAGs."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pathprior import showing
from pathprior.errors import GraphError
from pathprior.graph.dag import Dag, check_adjacency, check_nodes, node_index, require_same_nodes
from pathprior.graph.equivalence import (
    count_members,
    cut_matrix,
    essential_matrix,
    extend,
    iterate_members,
)


@dataclass(frozen=True, eq=False)
class Cpdag:
    """A completed partially directed acyclic graph; immutable, comparable and hashable.

    An edge is directed iff all DAGs of the class agree on its direction. Without experiments
    classes are those of Markov equivalence. With them, two DAGs of one class also direct alike each
    edge between nodes of which some set of targets holds one alone (Hauser and Bühlmann, 2012):
    experiments tell such graphs apart.

    Parameters
    ----------
    nodes
        The node names, in order. All indices below follow it.
    adjacency
        Boolean matrix: ``adjacency[i, j]`` alone is i → j, together with ``adjacency[j, i]`` it is
        i − j. Checked, copied and made read-only.
    cut
        Boolean matrix: for which pairs of nodes experiments tell i → j from j → i; None for none.

    Raises
    ------
    GraphError
        If no DAG has exactly this class; the message names an edge that shows it.

    See Also
    --------
    Cpdag.from_dag : the usual way to make one.
    """

    nodes: tuple[str, ...]
    adjacency: NDArray[np.bool_] = field(repr=False)
    cut: NDArray[np.bool_] | None = field(repr=False, default=None)

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", check_nodes(self.nodes))
        adjacency = check_adjacency(self.nodes, self.adjacency)
        object.__setattr__(self, "adjacency", adjacency)
        if self.cut is not None:
            cut = check_adjacency(self.nodes, self.cut)
            object.__setattr__(self, "cut", cut if cut.any() else None)
        object.__setattr__(self, "_extension", _require_class(self.nodes, adjacency, self.cut))

    # -- making one ------------------------------------------------------------------------------

    @classmethod
    def from_dag(cls, dag: Dag, *, targets: Iterable[Collection[str]] = ()) -> "Cpdag":
        """Make the CPDAG of the equivalence class of ``dag``.

        Parameters
        ----------
        dag
            A member of the class.
        targets
            For each experiment the nodes that were set in it; without any the class is that of
            Markov equivalence.
        """
        cut = cut_matrix(dag.nodes, targets)
        return cls(dag.nodes, essential_matrix(dag, cut), cut)

    @classmethod
    def from_edges(
        cls,
        nodes: Iterable[str],
        *,
        directed: Iterable[tuple[str, str]] = (),
        undirected: Iterable[tuple[str, str]] = (),
    ) -> "Cpdag":
        """Make a CPDAG from node names, (parent, child) pairs and unordered pairs."""
        names = check_nodes(nodes)
        index = {name: i for i, name in enumerate(names)}
        adjacency = np.zeros((len(names), len(names)), dtype=bool)
        for is_undirected, edges in ((False, directed), (True, undirected)):
            for a, b in edges:
                i, j = node_index(index, a), node_index(index, b)
                if adjacency[i, j] or adjacency[j, i]:
                    raise GraphError(f"duplicate edge between {a!r} and {b!r}: state it once")
                adjacency[i, j] = True
                adjacency[j, i] |= is_undirected
        return cls(names, adjacency)

    # -- reading it ------------------------------------------------------------------------------

    @cached_property
    def directed_edges(self) -> tuple[tuple[str, str], ...]:
        """All (parent, child) pairs that every member shares, ordered by parent, then child."""
        return self._pairs(self.adjacency & ~self.adjacency.T)

    @cached_property
    def undirected_edges(self) -> tuple[tuple[str, str], ...]:
        """All pairs that members direct differently, each once, in the order of `nodes`."""
        return self._pairs(np.triu(self.adjacency & self.adjacency.T))

    @cached_property
    def settled_edges(self) -> tuple[tuple[str, str], ...]:
        """The directed edges that are directed because of experiments, in the same order."""
        if self.cut is None:
            return ()
        markov = essential_matrix(self.to_dag())
        return self._pairs(self.adjacency & ~self.adjacency.T & markov.T)

    @property
    def num_nodes(self) -> int:
        """Number of nodes."""
        return len(self.nodes)

    @property
    def num_edges(self) -> int:
        """Number of edges, directed and undirected."""
        return int(np.triu(self.adjacency | self.adjacency.T).sum())

    def _pairs(self, mask: NDArray[np.bool_]) -> tuple[tuple[str, str], ...]:
        return tuple((self.nodes[i], self.nodes[j]) for i, j in np.argwhere(mask))

    # -- the class -------------------------------------------------------------------------------

    def to_dag(self) -> Dag:
        """Return one member of the class, always the same one (Dor and Tarsi, 1992)."""
        extension: Dag = object.__getattribute__(self, "_extension")
        return extension

    def members(self) -> Iterator[Dag]:
        """Yield every DAG of the class once, lazily, in an order fixed by the order of `nodes`.

        The first undirected edge a − b is taken as a → b before b → a, then the next one left.
        """
        return (Dag(self.nodes, matrix) for matrix in iterate_members(self.adjacency))

    def num_members(self) -> int:
        """Return the exact number of DAGs in the class, in polynomial time, without listing."""
        return count_members(self.adjacency)

    # -- showing it: the report registers how -----------------------------------------------------

    def _repr_html_(self) -> str:
        return showing.html(self)

    # -- comparing it ----------------------------------------------------------------------------

    def reorder(self, nodes: Sequence[str]) -> "Cpdag":
        """Return the same graph with its nodes listed in another order."""
        names = check_nodes(nodes)
        require_same_nodes(self.nodes, names, owners=("the graph", "the new order"))
        index = {name: i for i, name in enumerate(self.nodes)}
        position = [index[name] for name in names]
        cut = None if self.cut is None else self.cut[np.ix_(position, position)]
        return Cpdag(names, self.adjacency[np.ix_(position, position)], cut)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cpdag):
            return NotImplemented
        return self.nodes == other.nodes and bool(np.array_equal(self.adjacency, other.adjacency))

    def __hash__(self) -> int:
        return hash((self.nodes, self.adjacency.tobytes()))

    def __repr__(self) -> str:
        return (
            f"Cpdag({self.num_nodes} nodes, {len(self.directed_edges)} directed and "
            f"{len(self.undirected_edges)} undirected edges)"
        )


def is_equivalent(
    a: Dag | Cpdag, b: Dag | Cpdag, *, targets: Iterable[Collection[str]] = ()
) -> bool:
    """Whether two graphs stand for the same equivalence class.

    Without experiments: the same skeleton and the same v-structures (Verma and Pearl, 1990). With
    ``targets``, the sets of nodes that were set, also the same direction of every edge between
    nodes of which one of the sets holds one alone. The nodes may be listed in different orders;
    different nodes are an error. A `Cpdag` is taken as it is.
    """
    require_same_nodes(a.nodes, b.nodes)
    sets = list(targets)
    first, second = (g if isinstance(g, Cpdag) else Cpdag.from_dag(g, targets=sets) for g in (a, b))
    return first == second.reorder(a.nodes)


def _require_class(
    nodes: tuple[str, ...], adjacency: NDArray[np.bool_], cut: NDArray[np.bool_] | None
) -> Dag:
    """Return a member of the class, or say why the matrix is not a CPDAG."""
    member = extend(adjacency)
    if member is None:
        raise GraphError(
            "no DAG has this skeleton, these directed edges and these v-structures, so it is not "
            "a CPDAG; make one from a DAG with Cpdag.from_dag"
        )
    dag = Dag(nodes, member)
    for i, j in np.argwhere(essential_matrix(dag, cut) != adjacency):
        # The member has all stated directions, so a mismatch is one direction too many or too few.
        is_undirected = adjacency[i, j] and adjacency[j, i]
        first, arrow, second = (min(i, j), "−", max(i, j)) if is_undirected else (j, "→", i)
        agreement = "agree" if is_undirected else "do not agree"
        raise GraphError(
            f"not a CPDAG: {nodes[first]!r} {arrow} {nodes[second]!r}, but the DAGs of its class "
            f"{agreement} on a direction; make one from a DAG with Cpdag.from_dag"
        )
    return dag
