"""Edges that a graph must or may not have: required, forbidden, tiers, the number of parents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import GraphError, SearchError
from pathprior.graph.bitset import pack_rows
from pathprior.graph.dag import Dag, require_nodes
from pathprior.kernels.graph.graph_state import Limits

Edge = tuple[str, str]

REQUIRED, FORBIDDEN, TIERS = "required", "forbidden", "tiers"
CONSTANT, MAX_PARENTS, INTERVENTIONS = "constant_columns", "max_parents", "interventions"


@dataclass(frozen=True, slots=True, eq=False)
class EdgeRules:
    """Rules that some graph satisfies: the required edges alone do.

    Attributes
    ----------
    variables
        Names, in the order of the matrices.
    required
        ``[u, v]`` says that u → v must be.
    excluded
        The edges that may not be, by the option of `learn` that rules them out; the options that
        rule out none are not there. ``required`` rules out the reverse of each required edge.
    max_parents
        Largest number of parents.
    tier
        Number of the tier of each variable, the earliest 0; −1 for those in no tier.
    forbidden
        All of ``excluded``, and the diagonal.
    """

    variables: tuple[str, ...]
    required: NDArray[np.bool_]
    excluded: Mapping[str, NDArray[np.bool_]]
    max_parents: int
    tier: NDArray[np.int64]
    forbidden: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        forbidden = np.eye(len(self.variables), dtype=bool)
        for edges in self.excluded.values():
            forbidden |= edges
        object.__setattr__(self, "forbidden", forbidden)

    @property
    def first_tier(self) -> tuple[str, ...]:
        """The variables of the first tier that has any, in the order of ``variables``."""
        first = self.tier[self.tier >= 0].min(initial=len(self.variables))
        return tuple(compress(self.variables, self.tier == first))

    @property
    def options(self) -> tuple[str, ...]:
        """The options of `learn` that say something."""
        is_limited = self.max_parents < len(self.variables) - 1
        return (*self.excluded, MAX_PARENTS) if is_limited else tuple(self.excluded)

    @property
    def stated(self) -> dict[str, Any]:
        """The rules as `make_edge_rules` takes them, as JSON values; not those that data made."""
        names = self.variables
        tiers = [
            [name for name, number in zip(names, self.tier, strict=True) if number == k]
            for k in range(self.tier.max(initial=-1) + 1)
        ]
        listed = {
            option: [[names[u], names[v]] for u, v in np.argwhere(edges)]
            for option, edges in ((REQUIRED, self.required), (FORBIDDEN, self._forbidden_alone))
        }
        limit = self.max_parents if self.max_parents < len(names) - 1 else None
        return {**listed, TIERS: tiers or None, MAX_PARENTS: limit}

    @property
    def _forbidden_alone(self) -> NDArray[np.bool_]:
        return self.excluded.get(FORBIDDEN, np.zeros_like(self.required))

    @property
    def or_none(self) -> "EdgeRules | None":
        """The rules, or None where they rule nothing out."""
        return self if self.options else None

    @property
    def num_possible(self) -> int:
        """The most edges of a graph within the rules, or more than that."""
        each = np.minimum((~self.forbidden).sum(axis=0), self.max_parents)
        return int(np.minimum(each.sum(), len(each) * (len(each) - 1) // 2))

    def among(self, nodes: NDArray[np.int64]) -> "EdgeRules":
        """The rules for edges among some of the variables, by position."""
        within = np.ix_(nodes, nodes)
        return EdgeRules(
            tuple(self.variables[v] for v in nodes),
            self.required[within],
            {name: edges[within] for name, edges in self.excluded.items() if edges[within].any()},
            self.max_parents,
            self.tier[nodes],
        )

    def reorder(self, variables: Sequence[str]) -> "EdgeRules":
        """The same rules with the variables in another order."""
        position = {name: v for v, name in enumerate(self.variables)}
        return self.among(np.array([position[name] for name in variables], dtype=np.int64))

    def agrees_with(self, other: "EdgeRules") -> bool:
        """Whether other rules on the same variables leave the same graphs, however they are said.

        Not seen is that rules together rule out more than each edge by itself.
        """
        mine, others = self, other.reorder(self.variables)
        most = (~mine.forbidden).sum(axis=0)
        return (
            bool((mine.required == others.required).all())
            and bool((mine.forbidden == others.forbidden).all())
            and bool(
                (np.minimum(mine.max_parents, most) == np.minimum(others.max_parents, most)).all()
            )
        )

    def only(self, option: str) -> "EdgeRules":
        """What one of the `options` says by itself."""
        return EdgeRules(
            self.variables,
            self.required if option == REQUIRED else np.zeros_like(self.required),
            {name: edges for name, edges in self.excluded.items() if name == option},
            self.max_parents if option == MAX_PARENTS else len(self.variables),
            self.tier if option == TIERS else np.full_like(self.tier, -1),
        )

    def limits(self) -> Limits:
        """The rules in the form of the kernels: one row of words per child."""
        return Limits(pack_rows(self.forbidden.T), pack_rows(self.required.T), self.max_parents)

    def has(self, dag: Dag) -> bool:
        """Whether ``dag``, on the same nodes in any order, keeps the rules."""
        edges = dag.reorder(self.variables).adjacency
        return not (
            (edges & self.forbidden).any()
            or (self.required & ~edges).any()
            or (edges.sum(axis=0) > self.max_parents).any()
        )

    def require(self, dag: Dag) -> None:
        """Raise unless ``dag``, on the same nodes in the same order, keeps the rules."""
        for option, edges in self.excluded.items():
            for u, v in np.argwhere(dag.adjacency & edges):
                raise SearchError(
                    f"the start graph has the edge {self.variables[u]!r} → {self.variables[v]!r}, "
                    f"which {option} rules out: remove it"
                )
        for u, v in np.argwhere(self.required & ~dag.adjacency):
            raise SearchError(
                f"the start graph lacks the required edge {self.variables[u]!r} → "
                f"{self.variables[v]!r}: add it"
            )
        for v in np.flatnonzero(dag.adjacency.sum(axis=0) > self.max_parents):
            raise SearchError(
                f"{self.variables[v]!r} has more parents in the start graph than "
                f"max_parents={self.max_parents}"
            )


def make_edge_rules(
    variables: Sequence[str],
    *,
    required: Iterable[Edge] = (),
    forbidden: Iterable[Edge] = (),
    tiers: Iterable[Iterable[str]] | None = None,
    isolated: Iterable[str] = (),
    unexplained: Iterable[str] = (),
    max_parents: int | None = None,
) -> EdgeRules:
    """Check the rules against each other; exact, because they can hold iff the required edges do.

    Parameters
    ----------
    isolated
        Variables that get no edges, because they are constant in the data.
    unexplained
        Variables that get no parents, because they vary only where they were set.

    Raises
    ------
    SearchError
        If the required edges form a cycle, give a variable too many parents, or are forbidden, by
        name, by the tiers, at a constant column or into one that varies only where it was set.
    """
    names = tuple(variables)
    must_be, may_not_be = _edges(required, "required"), _edges(forbidden, "forbidden")
    ordered = [_tier(members) for members in tiers or ()]
    require_nodes(
        {name: i for i, name in enumerate(names)},
        [name for part in (*must_be, *may_not_be, *ordered) for name in part],
    )
    must, may_not = _matrix(names, must_be, "required"), _matrix(names, may_not_be, "forbidden")
    for u, v in np.argwhere(must & may_not):
        raise SearchError(f"the edge {names[u]!r} → {names[v]!r} is both required and forbidden")
    tier = _tier_numbers(names, ordered)
    backwards = (tier[:, None] > tier[None, :]) & (tier[:, None] >= 0) & (tier[None, :] >= 0)
    for u, v in np.argwhere(must & backwards):
        raise SearchError(
            f"the required edge {names[u]!r} → {names[v]!r} goes backwards: {names[u]!r} is in "
            f"tier {tier[u] + 1}, {names[v]!r} in tier {tier[v] + 1}"
        )
    is_isolated = np.isin(names, list(isolated))
    at_constant = is_isolated[:, None] | is_isolated[None, :]
    for u, v in np.argwhere(must & at_constant):
        constant = names[u] if is_isolated[u] else names[v]
        raise SearchError(
            f"the required edge {names[u]!r} → {names[v]!r} says nothing: {constant!r} has the "
            "same value in all rows; drop the edge or the column, or pass constant_columns='keep'"
        )
    into_set = np.zeros_like(must) | np.isin(names, list(unexplained))[None, :]
    for u, v in np.argwhere(must & into_set):
        raise SearchError(
            f"the required edge {names[u]!r} → {names[v]!r} says nothing: {names[v]!r} varies only "
            "in the rows in which it was set; drop the edge"
        )
    try:
        Dag(names, must)
    except GraphError as error:
        raise SearchError(f"the required edges cannot all hold: {error}") from None
    most = len(names) if max_parents is None else max_parents
    if isinstance(most, bool) or not isinstance(most, int) or most < 0:
        raise SearchError(f"max_parents must be a whole number of at least 0, not {max_parents!r}")
    for v in np.flatnonzero(must.sum(axis=0) > most):
        raise SearchError(
            f"{names[v]!r} has {int(must[:, v].sum())} required parents, more than "
            f"max_parents={most}"
        )
    ruled_out = {
        REQUIRED: must.T,
        FORBIDDEN: may_not,
        TIERS: backwards,
        CONSTANT: at_constant,
        INTERVENTIONS: into_set,
    }
    excluded = {option: edges for option, edges in ruled_out.items() if edges.any()}
    # more than all others is no limit; the kernels take machine integers
    return EdgeRules(names, must, excluded, min(most, len(names)), tier)


def _tier(members: Iterable[str]) -> list[str]:
    if isinstance(members, str):
        raise SearchError(f"tiers is a list of lists of variables; tier {members!r} is a text")
    return list(members)


def _edges(edges: Iterable[Edge], kind: str) -> list[Edge]:
    given = list(edges)
    for edge in given:
        if isinstance(edge, str) or len(edge) != 2:
            raise SearchError(f"a {kind} edge is a pair (parent, child), not {edge!r}")
    return given


def _matrix(names: tuple[str, ...], edges: Iterable[Edge], kind: str) -> NDArray[np.bool_]:
    index = {name: i for i, name in enumerate(names)}
    matrix = np.zeros((len(names), len(names)), dtype=bool)
    for parent, child in edges:
        if parent == child:
            raise SearchError(f"the {kind} edge {parent!r} → {child!r} is a self edge: remove it")
        matrix[index[parent], index[child]] = True
    return matrix


def _tier_numbers(names: tuple[str, ...], tiers: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    """Tier of each variable, −1 for those in no tier."""
    index = {name: i for i, name in enumerate(names)}
    tier = np.full(len(names), -1, dtype=np.int64)
    for number, members in enumerate(tiers):
        for name in members:
            v = index[name]
            if tier[v] >= 0:
                raise SearchError(
                    f"{name!r} is in tier {tier[v] + 1} and in tier {number + 1}: put it in one"
                )
            tier[v] = number
    return tier
