"""A learned network as Graphviz DOT text."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from pathprior.graph.dag import Dag
from pathprior.report.belief_rows import belief_marks
from pathprior.report.draw import BeliefMark
from pathprior.report.legend import open_edges
from pathprior.search.support import edge_support

if TYPE_CHECKING:
    from pathprior.search.result import Fit


def to_dot(
    dag: Dag,
    *,
    open_edges: Collection[tuple[str, str]] = (),
    marks: Sequence[BeliefMark] = (),
) -> str:
    """Write ``dag`` as DOT: edges that could be turned dashed, beliefs as wide pale bands."""
    lines = ["digraph pathprior {", '  node [shape=box, style=rounded, fontname="sans-serif"];']
    lines += [f"  {_quote(node)};" for node in dag.nodes]
    for parent, child in dag.edges:
        dashed = " [style=dashed]" if (parent, child) in open_edges else ""
        lines.append(f"  {_quote(parent)} -> {_quote(child)}{dashed};")
    for mark in marks:
        lines.append(
            f"  {_quote(mark.x)} -> {_quote(mark.y)} "
            f'[dir=none, constraint=false, penwidth=6, color="{mark.verdict.colour}48"];'
        )
    return "\n".join([*lines, "}", ""])


def fit_dot(fit: "Fit") -> str:
    """Write a learned graph with its open edges and its beliefs."""
    marks = belief_marks(fit.beliefs_held()) if fit.has_beliefs else []
    return to_dot(fit.dag, open_edges=open_edges(edge_support(fit)), marks=marks)


def _quote(name: str) -> str:
    """Quote a name; inside quotes DOT only needs the quote itself and the backslash escaped."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
