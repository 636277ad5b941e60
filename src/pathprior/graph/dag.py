"""`Dag`: an immutable labelled directed acyclic graph with its ancestor bitsets."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior import showing
from pathprior.errors import GraphError
from pathprior.files import unwritable
from pathprior.graph.acyclic import find_cycle, topological_order
from pathprior.graph.bitset import pack_rows, unpack_row
from pathprior.graph.relation import Relation
from pathprior.graph.tie import Tie
from pathprior.kernels.graph.ancestors import close_ancestors, relation_code
from pathprior.kernels.graph.graph_state import Graph
from pathprior.kernels.prior.graph_prior import read_code
from pathprior.nearest import unknown_message

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, eq=False)
class Dag:
    """A directed acyclic graph on named nodes; immutable, comparable and hashable.

    Parameters
    ----------
    nodes
        The node names, in order. All indices below follow it.
    adjacency
        Boolean matrix, ``adjacency[i, j]`` is the edge i → j. Checked, copied and made read-only.

    See Also
    --------
    Dag.from_edges : the usual way to make one.
    """

    nodes: tuple[str, ...]
    adjacency: NDArray[np.bool_] = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", check_nodes(self.nodes))
        adjacency = check_adjacency(self.nodes, self.adjacency)
        object.__setattr__(self, "adjacency", adjacency)
        order = topological_order(adjacency)
        if len(order) < len(self.nodes):
            cycle = find_cycle(adjacency, np.setdiff1d(np.arange(len(self.nodes)), order))
            path = " → ".join(self.nodes[i] for i in [*cycle, cycle[0]])
            raise GraphError(f"the edges form a cycle: {path}")
        object.__setattr__(self, "_order", order)

    # -- making one ------------------------------------------------------------------------------

    @classmethod
    def from_edges(cls, nodes: Iterable[str], edges: Iterable[tuple[str, str]] = ()) -> "Dag":
        """Make a DAG from node names and (parent, child) pairs.

        Raises
        ------
        GraphError
            If an edge names an unknown node, repeats, is a self edge, or closes a cycle; the
            message names it.
        """
        names = check_nodes(nodes)
        index = {name: i for i, name in enumerate(names)}
        adjacency = np.zeros((len(names), len(names)), dtype=bool)
        pairs = [_pair(edge) for edge in edges]
        require_nodes(index, (name for pair in pairs for name in pair))
        for parent, child in pairs:
            i, j = index[parent], index[child]
            if adjacency[i, j]:
                raise GraphError(f"duplicate edge {parent!r} → {child!r}: state it once")
            adjacency[i, j] = True
        return cls(names, adjacency)

    @classmethod
    def from_networkx(cls, graph: "nx.DiGraph[str]") -> "Dag":
        """Make a DAG from a networkx ``DiGraph`` with string nodes."""
        if not graph.is_directed():
            raise GraphError("a DAG needs a directed graph; this networkx graph is undirected")
        return cls.from_edges(graph.nodes, graph.edges())

    def to_networkx(self) -> "nx.DiGraph[str]":
        """Return a networkx ``DiGraph`` with the same nodes and edges."""
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from(self.edges)
        return graph

    # -- reading it ------------------------------------------------------------------------------

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """All (parent, child) pairs, ordered by parent, then child."""
        return tuple((self.nodes[i], self.nodes[j]) for i, j in np.argwhere(self.adjacency))

    @property
    def num_nodes(self) -> int:
        """Number of nodes."""
        return len(self.nodes)

    @property
    def num_edges(self) -> int:
        """Number of edges."""
        return int(self.adjacency.sum())

    @property
    def topological_order(self) -> tuple[str, ...]:
        """All nodes, parents before children; ties follow the order of `nodes`."""
        return tuple(self.nodes[i] for i in self.order)

    @property
    def order(self) -> NDArray[np.int64]:
        """Node indices in topological order."""
        order: NDArray[np.int64] = object.__getattribute__(self, "_order")
        return order

    def parents(self, node: str) -> tuple[str, ...]:
        """Nodes with an edge into ``node``."""
        return self._names(self.adjacency[:, self.index(node)])

    def children(self, node: str) -> tuple[str, ...]:
        """Nodes with an edge from ``node``."""
        return self._names(self.adjacency[self.index(node)])

    def ancestors(self, node: str) -> tuple[str, ...]:
        """Nodes with a directed path to ``node``, without ``node`` itself."""
        i = self.index(node)
        mask = unpack_row(self.ancestor_words[i], self.num_nodes)
        mask[i] = False
        return self._names(mask)

    def relation(self, x: str, y: str) -> Relation:
        """Return the one of the four relations that holds for the ordered pair (x, y)."""
        i, j = self.index(x), self.index(y)
        if i == j:
            raise GraphError(f"a relation needs two different nodes, not {x!r} twice")
        return Relation(relation_code(self.ancestor_words, i, j))

    def tie(self, x: str, y: str) -> Tie:
        """Return the edge of the ordered pair (x, y), or else its relation."""
        graph = Graph(self.parent_words.copy(), self.ancestor_words.copy())
        return Tie(int(read_code(graph, self.index(x), self.index(y))))

    def index(self, node: str) -> int:
        """Position of ``node`` in `nodes`."""
        return node_index(self._index, node)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.nodes)}

    @cached_property
    def parent_words(self) -> NDArray[np.uint64]:
        """Parent sets as bitsets, one row of words per node (see `pathprior.kernels`)."""
        return pack_rows(self.adjacency.T)

    @cached_property
    def ancestor_words(self) -> NDArray[np.uint64]:
        """Ancestor sets as bitsets; every node is in its own set."""
        words = np.empty_like(self.parent_words)
        close_ancestors(self.parent_words, self.order, words)
        words.flags.writeable = False
        return words

    def _names(self, mask: NDArray[np.bool_]) -> tuple[str, ...]:
        return tuple(self.nodes[i] for i in np.flatnonzero(mask))

    # -- showing it: the report registers how -----------------------------------------------------

    def to_dot(self) -> str:
        """Return the graph as Graphviz DOT text."""
        return showing.dot(self)

    def to_dagitty(self) -> str:
        """Return the graph as DAGitty code, for dagitty.net and its R package."""
        from pathprior.graph.other_syntax import to_dagitty

        return to_dagitty(self)

    def to_lavaan(self) -> str:
        """Return the graph as a lavaan model: a regression for each node with parents."""
        from pathprior.graph.other_syntax import to_lavaan

        return to_lavaan(self)

    def _repr_html_(self) -> str:
        return showing.html(self)

    # -- comparing it ----------------------------------------------------------------------------

    def reorder(self, nodes: Sequence[str]) -> "Dag":
        """Return the same graph with its nodes listed in another order."""
        names = check_nodes(nodes)
        require_same_nodes(self.nodes, names, owners=("the graph", "the new order"))
        position = [self.index(name) for name in names]
        return Dag(names, self.adjacency[np.ix_(position, position)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dag):
            return NotImplemented
        return self.nodes == other.nodes and bool(np.array_equal(self.adjacency, other.adjacency))

    def __hash__(self) -> int:
        return hash((self.nodes, self.adjacency.tobytes()))

    def __repr__(self) -> str:
        return f"Dag({self.num_nodes} nodes, {self.num_edges} edges)"


def check_nodes(nodes: Iterable[str]) -> tuple[str, ...]:
    """Return the names as a tuple of distinct, non-empty strings or say which one is not."""
    names = tuple(nodes)
    is_plain = all(type(name) is str and name for name in names)
    if is_plain and len(set(names)) == len(names) and not unwritable("".join(names)):
        return names
    seen: set[str] = set()
    for name in names:
        if not isinstance(name, str) or not name:
            raise GraphError(f"a node name must be a non-empty string, not {name!r}")
        if name in seen:
            raise GraphError(f"duplicate node {name!r}: node names must differ")
        if flaw := unwritable(name):
            raise GraphError(
                f"the node name {name!r} holds {flaw}, which files do not keep: rename it"
            )
        seen.add(name)
    return tuple(str(name) for name in names)


def check_adjacency(nodes: tuple[str, ...], matrix: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a read-only copy of the matrix, or say why no graph on ``nodes`` has it."""
    adjacency = np.array(matrix, dtype=bool, order="C")
    if adjacency.shape != (len(nodes), len(nodes)):
        raise GraphError(
            f"the adjacency matrix has shape {adjacency.shape}; "
            f"{len(nodes)} nodes need {(len(nodes),) * 2}"
        )
    for i in np.flatnonzero(adjacency.diagonal()):
        raise GraphError(f"self edge {nodes[i]!r} → {nodes[i]!r}: remove it")
    adjacency.flags.writeable = False
    return adjacency


def _pair(edge: tuple[str, str]) -> tuple[str, str]:
    try:
        parent, child = edge
    except (TypeError, ValueError):
        raise GraphError(f"an edge is a pair (parent, child), not {edge!r}") from None
    return parent, child


def node_index(index: dict[str, int], name: str) -> int:
    """Look ``name`` up, or raise an error that suggests the nearest known names."""
    try:
        return index[name]
    except (KeyError, TypeError):
        raise GraphError(unknown_message("node", [name], index)) from None


def require_nodes(index: dict[str, int], names: Iterable[str]) -> None:
    """Raise one error for all ``names`` that are not in the index."""
    unknown = [name for name in names if not isinstance(name, str) or name not in index]
    if unknown:
        raise GraphError(unknown_message("node", unknown, index))


def require_same_nodes(
    a: Sequence[str],
    b: Sequence[str],
    *,
    owners: tuple[str, str] = ("the first graph", "the second graph"),
) -> None:
    """Raise unless both sequences hold the same names, in any order; ``owners`` says whose."""
    differences = [
        f"only in {owner} {', '.join(map(repr, names[:8]))}{', …' if len(names) > 8 else ''}"
        for owner, names in zip(
            owners, (sorted(set(a) - set(b)), sorted(set(b) - set(a))), strict=True
        )
        if names
    ]
    if differences:
        raise GraphError(f"different nodes: {'; '.join(differences)}")
