"""Counts of a shape: computed once on its canonical form, kept on disk, turned back."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pathprior.counting import cache
from pathprior.counting.base import UNIFORM
from pathprior.counting.code import encode
from pathprior.counting.exact import (
    MAX_BELIEF_NODES,
    MAX_SUMMED_NODES,
    exact_table,
    is_summable,
    weighted_table,
)
from pathprior.counting.exhaustive import enumerate_table
from pathprior.counting.extrapolation import POINTS, extrapolate
from pathprior.counting.progress import Progress
from pathprior.counting.result import MAX_ROWS, Table
from pathprior.counting.sampling import CodeLayout, sampling_seconds, stream_codes
from pathprior.counting.shape import Shape
from pathprior.counting.tally import Tally
from pathprior.counting.ties import (
    link_columns,
    merge_links,
    num_spread,
    spread_edges,
    tell_edges_apart,
)
from pathprior.counting.validity import list_valid_rows
from pathprior.errors import CountingError, PathPriorWarning
from pathprior.graph.alphabets import RELATIONS_ALONE, Alphabets
from pathprior.graph.tie import Tie

PATIENCE = 60.0
"""Seconds of sampling that need no warning."""


class SlowSampleWarning(PathPriorWarning):
    """A sample of large DAGs will take minutes, or hours."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How many DAGs to draw, how often to place the belief nodes on each, and from which seed."""

    num_samples: int
    placements: int
    seed: int


@dataclass(frozen=True, slots=True)
class Solver:
    """Counts shapes among ``num_nodes`` nodes, with or without the disk cache.

    With ``edge_odds`` β, DAGs weigh β^edges.
    """

    num_nodes: int
    sampling: Sampling
    use_cache: bool
    progress: Progress
    edge_odds: float = UNIFORM

    def joint(
        self,
        shape: Shape,
        method: Literal["enumerate", "exact"],
        alphabets: Alphabets = RELATIONS_ALONE,
    ) -> Table:
        """The exact joint of all pairs of ``shape``; of ties by their ``alphabets``."""
        if method == "enumerate" and not alphabets:
            return self._canonical(shape, "enumerate")[0]
        if method == "exact" and shape.num_belief_nodes > MAX_BELIEF_NODES:
            raise CountingError(
                f"{shape.num_belief_nodes} connected belief nodes are too many for the exact sum "
                f'(at most {MAX_BELIEF_NODES}); use method="full" or "auto"'
            )
        if method == "exact" and not self.can_sum(shape):
            raise CountingError(
                f"{shape.num_belief_nodes} belief nodes among {self.num_nodes} are too many for "
                f"the exact sum with edge_odds {self.edge_odds:g}; use "
                f'method="full" or "auto", or edge_odds 1, which is expected_parents=None'
            )
        # The exact sum counts all pairs of the belief nodes anyway: keep that, and add up.
        everything = Shape(tuple(combinations(range(shape.num_belief_nodes), 2)))
        table = self._canonical(everything, method)[0]
        if alphabets:
            ends = [shape.edges[position] for position in alphabets.edges]
            table = tell_edges_apart(table, shape.num_belief_nodes, ends, self.edge_odds)
        return project(table, everything.edges, shape.edges)

    def can_sum(self, shape: Shape) -> bool:
        """Whether ``shape`` can be counted exactly by sums."""
        num_beliefs = shape.num_belief_nodes
        return num_beliefs <= MAX_BELIEF_NODES and is_summable(
            num_beliefs, self.num_nodes, self.edge_odds
        )

    def sampled(
        self, shape: Shape, method: Literal["full", "fact"], alphabets: Alphabets = RELATIONS_ALONE
    ) -> tuple[Table, ...]:
        """Uncorrected estimates from one sample, one table per component.

        For "full" with several components the joint comes first, where it can be listed.
        """
        return self._canonical(shape, method, alphabets)

    def _canonical(
        self, shape: Shape, method: str, alphabets: Alphabets = RELATIONS_ALONE
    ) -> tuple[Table, ...]:
        canonical = shape.canonical()
        told = alphabets.moved(canonical.columns)
        key = self._key(canonical.shape, method, told)
        tables = cache.load(key) if self.use_cache else None
        if tables is None or not _are_about(canonical.shape, tables):
            tables = self._compute(canonical.shape, method, told)
            if self.use_cache:
                cache.store(key, tables)
        renamed = [canonical.shape.edges[column] for column in canonical.columns]
        oriented = [
            (y, x) if turned else (x, y)
            for (x, y), turned in zip(renamed, canonical.is_reversed, strict=True)
        ]
        groups = {
            frozenset(group): table
            for group, table in zip(_groups(canonical.shape, len(tables)), tables, strict=True)
        }
        restored = []
        for positions in _groups(shape, len(tables)):
            group = frozenset(canonical.columns[position] for position in positions)
            edges = tuple(canonical.shape.edges[column] for column in sorted(group))
            asked = tuple(oriented[position] for position in positions)
            restored.append(project(groups[group], edges, asked))
        return tuple(restored)

    def _key(self, shape: Shape, method: str, alphabets: Alphabets) -> str:
        key = f"nodes={self.num_nodes} pairs={shape.edges} method={method}"
        if alphabets:
            key += f" direct={[shape.edges[position] for position in alphabets.as_list()]}"
        if method in ("full", "fact"):
            drawn = self.sampling
            key += f" dags={drawn.num_samples} placements={drawn.placements} seed={drawn.seed}"
        return key if self.edge_odds == UNIFORM else f"{key} edge_odds={self.edge_odds!r}"

    def _compute(self, shape: Shape, method: str, alphabets: Alphabets) -> tuple[Table, ...]:
        if method == "enumerate":
            return (enumerate_table(shape, self.num_nodes, self.edge_odds),)
        if method == "exact" and self.edge_odds != UNIFORM:
            num_beliefs = shape.num_belief_nodes
            return (weighted_table(num_beliefs, self.num_nodes, self.edge_odds, self.progress),)
        if method == "exact":
            if self.num_nodes > MAX_SUMMED_NODES[shape.num_belief_nodes]:
                return (self._extrapolate(shape),)
            return (exact_table(shape.num_belief_nodes, self.num_nodes, self.progress),)
        groups = list(shape.components())
        if method == "full" and len(groups) > 1:
            is_listable = list_valid_rows(shape, self.num_nodes, MAX_ROWS) is not None
            if is_listable:
                groups.insert(0, tuple(range(len(shape.edges))))
        return self._sample(shape, tuple(groups), alphabets)

    def _extrapolate(self, shape: Shape) -> Table:
        """The exact joint among more nodes than can be summed over; its points are kept too."""
        points = POINTS[shape.num_belief_nodes]
        tables = []
        for i, num_nodes in enumerate(points):

            def report(done: int, total: int, i: int = i) -> None:
                self.progress(i * total + done, len(points) * total)

            few = replace(self, num_nodes=num_nodes, progress=report)
            tables.append(few._canonical(shape, "exact")[0])
        return extrapolate(tables, shape.num_belief_nodes, self.num_nodes)

    def _sample(
        self, shape: Shape, groups: tuple[tuple[int, ...], ...], alphabets: Alphabets
    ) -> tuple[Table, ...]:
        _warn_of_waiting(self.num_nodes, self.sampling.num_samples, self.edge_odds)
        layout = CodeLayout.of(shape, groups, alphabets.edges)
        tallies = [Tally(words.stop - words.start) for words in layout.words]
        drawn = self.sampling
        for codes in stream_codes(
            layout,
            self.num_nodes,
            drawn.num_samples,
            drawn.placements,
            drawn.seed,
            self.edge_odds,
        ):
            for tally, words in zip(tallies, layout.words, strict=True):
                tally.add(codes[:, :, words])
            self.progress(tallies[0].num_samples, drawn.num_samples)
        return tuple(
            self._table(tally, shape.restrict(group), alphabets.at(group))
            for tally, group in zip(tallies, groups, strict=True)
        )

    def _table(self, tally: Tally, shape: Shape, alphabets: Alphabets) -> Table:
        """The estimate of one group, of ties by their ``alphabets``."""
        num_pairs = len(shape.edges)
        if not alphabets:
            return tally.table(num_pairs, list_valid_rows(shape, self.num_nodes, MAX_ROWS))
        direct = alphabets.edges
        valid = list_tie_rows(shape, alphabets, self.num_nodes)
        links = None if valid is None else link_columns(valid, direct)
        table = tally.table(num_pairs + len(direct), links, and_seen=True)
        ties = merge_links(table.configurations, num_pairs, direct)
        order = np.lexsort(ties.T[::-1])
        assert table.standard_errors is not None
        return replace(
            table,
            configurations=ties[order],
            probabilities=table.probabilities[order],
            standard_errors=table.standard_errors[order],
        )


def list_tie_rows(shape: Shape, alphabets: Alphabets, num_nodes: int) -> NDArray[np.int8] | None:
    """Valid configurations, of ties by ``alphabets``; None where there are more than `MAX_ROWS`."""
    relations = list_valid_rows(shape, num_nodes, MAX_ROWS)
    if relations is None or num_spread(relations, alphabets.edges) > MAX_ROWS:
        return None
    return spread_edges(relations, alphabets.edges, num_nodes - shape.num_belief_nodes)


def _warn_of_waiting(num_nodes: int, num_samples: int, edge_odds: float) -> None:
    seconds = sampling_seconds(num_nodes, num_samples, edge_odds)
    if seconds < PATIENCE:
        return
    time = f"{seconds / 60:.0f} minutes" if seconds < 2 * 3600 else f"{seconds / 3600:.0f} hours"
    warnings.warn(
        f"sampling {num_samples} DAGs on {num_nodes} nodes takes about {time}; lower num_samples, "
        f"or connect at most {MAX_BELIEF_NODES} variables by beliefs, which are counted exactly",
        SlowSampleWarning,
        stacklevel=2,
    )


def _are_about(shape: Shape, tables: Sequence[Table]) -> bool:
    """Whether tables have as many columns as the pairs that they must be about."""
    widths = [table.configurations.shape[1] for table in tables]
    return widths == [len(group) for group in _groups(shape, len(tables))]


def _groups(shape: Shape, num_tables: int) -> list[tuple[int, ...]]:
    """The pairs each of ``num_tables`` tables is about: all, or the components, or both."""
    everything = tuple(range(len(shape.edges)))
    components = list(shape.components())
    if num_tables == 1:
        return [everything]
    return components if num_tables == len(components) else [everything, *components]


def project(
    table: Table, edges: tuple[tuple[int, int], ...], asked: tuple[tuple[int, int], ...]
) -> Table:
    """The table of the pairs ``asked`` for, in either direction, out of one over ``edges``.

    Rows that agree on the asked pairs are added up; standard errors survive only where none are.
    """
    columns = [edges.index((x, y) if (x, y) in edges else (y, x)) for x, y in asked]
    is_turned = np.array([pair not in edges for pair in asked])
    picked = table.configurations[:, columns]
    turned = np.array([tie.reverse for tie in Tie], dtype=np.int8)[picked]
    rows = np.where(is_turned, turned, picked)
    codes = rows if (rows > Tie.UNRELATED).any() else encode(rows)  # words are quicker to sort
    _, first, group = np.unique(codes, axis=0, return_index=True, return_inverse=True)
    group = group.reshape(-1)
    counts = None
    if table.counts is not None:
        sums = [0] * len(first)
        for i, count in zip(group.tolist(), table.counts, strict=True):
            sums[i] += count
        counts = tuple(sums)
    is_bijection = len(first) == len(rows)
    return Table(
        rows[first],
        np.bincount(group, table.probabilities).astype(np.float64),
        counts=counts,
        standard_errors=(
            table.standard_errors[first]
            if table.standard_errors is not None and is_bijection
            else None
        ),
        is_complete=table.is_complete,
        relative_error=table.relative_error,
    )
