"""From tables to `ConfigurationCounts`: one way of answering per method."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from pathprior.counting.result import (
    MAX_ROWS,
    ConfigurationCounts,
    LazyTable,
    Method,
    Table,
    product_table,
)
from pathprior.counting.shape import Pair, Shape
from pathprior.counting.solution import Solver, project
from pathprior.errors import CountingError
from pathprior.graph.alphabets import RELATIONS_ALONE, Alphabets


@dataclass(frozen=True, slots=True)
class Question:
    """A checked request for the counts of ``pairs``, of ties by their ``alphabets``."""

    pairs: tuple[Pair, ...]
    shape: Shape
    laplace: float
    solver: Solver
    alphabets: Alphabets = RELATIONS_ALONE

    def joint(self, method: Literal["enumerate", "exact"]) -> ConfigurationCounts:
        """The true joint; the components are its marginals."""
        table = self.solver.joint(self.shape, method, self.alphabets)
        edges = self.shape.edges
        parts = []
        for positions in self.shape.components():
            asked = tuple(edges[position] for position in positions)
            marginal = LazyTable(partial(project, table, edges, asked))
            parts.append(self._exact(positions, method, marginal, table.relative_error))
        joint = LazyTable(lambda: table)
        return self._exact(self._everything(), method, joint, table.relative_error, tuple(parts))

    def product(self, is_exact: Callable[[Shape], bool]) -> ConfigurationCounts:
        """Every component by itself, exactly or by a sample; the joint is their product."""
        positions = self.shape.components()
        known: dict[tuple[Shape, Alphabets], Table] = {}
        parts = []
        for group in positions:
            part, alphabets = self._restrict(group)
            exactly = is_exact(part)
            if (part, alphabets) not in known and exactly:
                known[part, alphabets] = self.solver.joint(part, "exact", alphabets)
            elif (part, alphabets) not in known:
                sampled = self.solver.sampled(part, "full", alphabets)[0]
                known[part, alphabets] = self._corrected(sampled)
            table = LazyTable(partial(known.__getitem__, (part, alphabets)))
            parts.append(
                self._exact(group, "exact", table, known[part, alphabets].relative_error)
                if exactly
                else self._sampled(group, "full", table)
            )
        if len(parts) == 1:
            return parts[0]
        methods = {part.method for part in parts}
        method: Method = "mixed" if len(methods) > 1 else methods.pop()
        tables = tuple(known[self._restrict(group)] for group in positions)
        is_sampled = any(part.num_samples for part in parts)
        return ConfigurationCounts(
            pairs=self.pairs,
            num_nodes=self.solver.num_nodes,
            edge_odds=self.solver.edge_odds,
            method="fact" if method == "full" else method,
            is_exact=False,
            num_samples=self.solver.sampling.num_samples if is_sampled else 0,
            omitted_mass=None if is_sampled else sum(table.relative_error for table in tables),
            _table=LazyTable(partial(product_table, len(self.pairs), positions, tables)),
            _parts=tuple(parts),
        )

    def full(self) -> ConfigurationCounts:
        """FULL_l: Û_C = (S_C + l) / (S + c·l) from one sample (paper, §5)."""
        positions = self.shape.components()
        tables = self.solver.sampled(self.shape, "full", self.alphabets)
        has_joint = len(tables) != len(positions) or len(tables) == 1
        joint = LazyTable(partial(self._corrected, tables[0]) if has_joint else self._too_long)
        parts = self._components("full", tables[-len(positions) :])
        return self._sampled(self._everything(), "full", joint, parts)

    def fact(self) -> ConfigurationCounts:
        """FACT_l: V_C = Π_i S_{C_i} / S, then Û_C = (S·V_C + l) / (S + c·l) (paper, §5.1).

        The printed correction of the joint does not factorise; each component gets its own.
        """
        tables = self.solver.sampled(self.shape, "fact", self.alphabets)
        positions = self.shape.components()

        def build() -> Table:
            return self._corrected(product_table(len(self.pairs), positions, tables))

        parts = self._components("fact", tables)
        return self._sampled(self._everything(), "fact", LazyTable(build), parts)

    def _components(
        self, method: Method, tables: tuple[Table, ...]
    ) -> tuple[ConfigurationCounts, ...]:
        return tuple(
            self._sampled(group, method, LazyTable(partial(self._corrected, table)))
            for group, table in zip(self.shape.components(), tables, strict=True)
        )

    def _corrected(self, table: Table) -> Table:
        """Laplace's correction, where all valid configurations are listed."""
        if not table.is_complete:
            return table
        num_samples = self.solver.sampling.num_samples
        total = num_samples + self.laplace * len(table.probabilities)
        errors = table.standard_errors
        return Table(
            table.configurations,
            (num_samples * table.probabilities + self.laplace) / total,
            standard_errors=None if errors is None else errors * (num_samples / total),
        )

    def _too_long(self) -> Table:
        raise CountingError(
            f"the joint over {len(self.pairs)} pairs has more than {MAX_ROWS} valid "
            f"configurations; use .components, one table per connected component"
        )

    def _restrict(self, group: tuple[int, ...]) -> tuple[Shape, Alphabets]:
        """The shape of some of the pairs, and their alphabets."""
        return self.shape.restrict(group), self.alphabets.at(group)

    def _everything(self) -> tuple[int, ...]:
        return tuple(range(len(self.pairs)))

    def _exact(
        self,
        positions: tuple[int, ...],
        method: Method,
        table: LazyTable,
        relative_error: float,
        parts: tuple[ConfigurationCounts, ...] = (),
    ) -> ConfigurationCounts:
        return ConfigurationCounts(
            pairs=tuple(self.pairs[position] for position in positions),
            num_nodes=self.solver.num_nodes,
            edge_odds=self.solver.edge_odds,
            method=method,
            is_exact=True,
            num_samples=0,
            omitted_mass=relative_error,
            _table=table,
            _parts=parts if len(parts) > 1 else (),
        )

    def _sampled(
        self,
        positions: tuple[int, ...],
        method: Method,
        table: LazyTable,
        parts: tuple[ConfigurationCounts, ...] = (),
    ) -> ConfigurationCounts:
        return ConfigurationCounts(
            pairs=tuple(self.pairs[position] for position in positions),
            num_nodes=self.solver.num_nodes,
            edge_odds=self.solver.edge_odds,
            method=method,
            is_exact=False,
            num_samples=self.solver.sampling.num_samples,
            omitted_mass=None,
            _table=table,
            _parts=parts if len(parts) > 1 else (),
        )
