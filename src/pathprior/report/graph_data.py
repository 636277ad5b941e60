"""What the report's script needs to draw the graph and to light up beliefs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pathprior.graph.paths import connect
from pathprior.report.belief_rows import WITHOUT_SUPPORT
from pathprior.report.layout import layered_layout
from pathprior.report.legend import EDGE_PHRASES
from pathprior.search.support import EdgeSupport

if TYPE_CHECKING:
    from pathprior.search.result import Fit


def graph_data(fit: "Fit", supports: Sequence[EdgeSupport]) -> dict[str, Any]:
    """Return nodes, edges and belief paths as JSON values; positions in node spacings.

    Nodes and edges are named by their number, so that no name of the user's is ever a key.
    """
    dag = fit.dag
    layout = layered_layout(dag)
    edge_number = {edge: k for k, edge in enumerate(dag.edges)}
    return {
        "nodes": [
            {"name": name, "x": round(x, 3), "y": round(y, 3), "width": round(width, 3)}
            for name, (x, y), width in zip(
                dag.nodes, layout.positions.tolist(), layout.widths.tolist(), strict=True
            )
        ],
        "edges": [
            {
                "source": dag.index(edge.parent),
                "target": dag.index(edge.child),
                "support": str(edge.support),
                "isOpen": not edge.is_direction_fixed,
                # the ends follow from the nodes
                "bends": layout.routes[dag.index(edge.parent), dag.index(edge.child)][1:-1]
                .round(3)
                .tolist(),
                "note": describe_edge(edge),
            }
            for edge in supports
        ],
        "beliefs": _belief_paths(fit, edge_number),
        "steps": [
            [edge_number[edge] for edge in step.edges if edge in edge_number] for step in fit.steps
        ],
    }


def describe_edge(edge: EdgeSupport) -> str:
    """Say what the graph would lose without the edge, and whether it could be turned."""
    lowered = [
        f"the {name} score by {loss:.2f}"
        for name, loss in (("data", edge.data_loss), ("prior", edge.prior_loss))
        if 0 < loss < float("inf")
    ]
    effects = [f"lowers {' and '.join(lowered)}"] if lowered else []
    if edge.prior_loss == float("inf"):
        effects.append("breaks a hard belief")
    text = f"{edge.parent} → {edge.child}: {EDGE_PHRASES[edge.support]}. "
    text += f"Removing it {' and '.join(effects) or 'lowers no score'}."
    if not edge.is_direction_fixed:
        text += " The data alone leave its direction open."
    elif edge.is_settled:
        text += " Experiments settle its direction."
    elif edge.is_ruled:
        text += " Rules settle its direction."
    return text


def _belief_paths(fit: "Fit", edge_number: dict[tuple[str, str], int]) -> list[dict[str, Any]]:
    if not fit.has_beliefs:
        return []
    dag = fit.dag
    found = []
    for row in fit.beliefs_held().itertuples(index=False):
        x, y = str(row.x), str(row.y)
        connection = connect(dag, x, y)
        between = set(connection.nodes) - {x, y}
        through = [node for node in dag.topological_order if node in between]
        if not connection.edges:
            way = "nothing connects them in this network"
        elif row.relation == "⇔":
            way = "connected by a common cause"
        elif through:
            way = f"through {_listed(through)}"
        else:
            way = "directly"
        weak = f", {WITHOUT_SUPPORT}" if row.is_weak else ""
        found.append(
            {
                "x": dag.index(x),
                "y": dag.index(y),
                "nodes": [dag.index(node) for node in connection.nodes],
                "edges": [edge_number[edge] for edge in connection.edges],
                "note": f"{x} {row.relation} {y}: {way}{weak}.",
            }
        )
    return found


def _listed(names: list[str]) -> str:
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
