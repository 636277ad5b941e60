"""What the report's script needs to draw the graph and to light up beliefs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pathprior.beliefs.evidence import NOT_SETTLED
from pathprior.graph.dag import Dag
from pathprior.graph.paths import connect
from pathprior.report.belief_rows import WITHOUT_SUPPORT
from pathprior.report.layout import Layout, layered_layout
from pathprior.report.legend import EDGE_PHRASES
from pathprior.report.posterior_links import Link, backbone, links_of
from pathprior.search.family_parts import together
from pathprior.search.support import EdgeSupport

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior
    from pathprior.search.result import Fit

OTHER = "other"
"""What colours an edge that the learned graph does not have, and one that has not settled."""


ALIKE = 1.0
"""What an edge is worth alone is told where it differs by as much from what it is worth here."""


def graph_data(
    fit: "Fit", supports: Sequence[EdgeSupport], posterior: "Posterior | None" = None
) -> dict[str, Any]:
    """Return nodes, edges and belief paths as JSON values; positions in node spacings.

    Nodes and edges are named by their number, so that no name of the user's is ever a key. The
    edges of the learned graph come first; with a posterior those follow that it finds besides.
    """
    dag = fit.dag
    links = [] if posterior is None else links_of(posterior, dag.nodes, dag)
    layout = layered_layout(backbone(dag.nodes, links, dag))
    edges = [
        _edge(layout, dag.index(edge.parent), dag.index(edge.child))
        | {
            "support": str(edge.support),
            "isOpen": not edge.is_direction_fixed,
            "note": describe_edge(edge),
        }
        for edge in supports
    ]
    for k, link in enumerate(links):
        if k < len(edges):
            edges[k] |= _chances(link)
            edges[k]["note"] += _unsettled(link)
        else:
            edges.append(_linked(layout, link, OTHER, "It is not in the learned network."))
    edge_number = {edge: k for k, edge in enumerate(dag.edges)}
    nodes = _nodes(dag.nodes, layout)
    for one in together(fit):
        nodes[dag.index(one.child)]["note"] = one.sentence
    return {
        "nodes": nodes,
        "edges": edges,
        "beliefs": _belief_paths(fit, edge_number),
        "steps": [
            [edge_number[edge] for edge in step.edges if edge in edge_number] for step in fit.steps
        ],
    }


def posterior_graph_data(posterior: "Posterior") -> dict[str, Any]:
    """The same of a posterior alone: every pair that is linked with some probability."""
    nodes = posterior.variables
    links = links_of(posterior, nodes)
    layout = layered_layout(backbone(nodes, links))
    place = {name: k for k, name in enumerate(nodes)}
    beliefs = posterior.beliefs() if len(posterior.prior.beliefs) else None
    return {
        "nodes": _nodes(nodes, layout),
        "edges": [
            _linked(layout, link, "data" if link.is_settled else OTHER, "") for link in links
        ],
        "beliefs": []
        if beliefs is None
        else [
            {"x": place[x], "y": place[y]} for x, y in zip(beliefs["x"], beliefs["y"], strict=True)
        ],
        "steps": [],
    }


def _nodes(names: Sequence[str], layout: Layout) -> list[dict[str, Any]]:
    return [
        {"name": name, "x": round(x, 3), "y": round(y, 3), "width": round(width, 3)}
        for name, (x, y), width in zip(
            names, layout.positions.tolist(), layout.widths.tolist(), strict=True
        )
    ]


def _edge(layout: Layout, source: int, target: int) -> dict[str, Any]:
    """Its two ends, and the points between them; none where the layout has no route for it."""
    entry: dict[str, Any] = {"source": source, "target": target, "bends": []}
    route = layout.routes.get((source, target))
    if route is None and (target, source) in layout.routes:
        route = layout.routes[target, source][::-1]
    if route is None:
        entry["isAside"] = True
    else:
        entry["bends"] = route[1:-1].round(3).tolist()  # the ends follow from the nodes
    return entry


def _linked(layout: Layout, link: Link, support: str, note: str) -> dict[str, Any]:
    entry = _edge(layout, link.parent, link.child)
    return entry | {"support": support, "note": note + _unsettled(link)} | _chances(link)


def _unsettled(link: Link) -> str:
    if link.is_settled:
        return ""
    return f" {NOT_SETTLED.capitalize()}: the chains do not agree, or were not compared."


def _chances(link: Link) -> dict[str, Any]:
    return {
        "probability": round(link.either, 4),
        "forward": round(link.forward, 4),
        "isOpen": link.is_open,
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
    if abs(edge.data_alone - edge.data_loss) >= ALIKE:
        text += f" As the only one into {edge.child} it would raise the data score by "
        text += f"{edge.data_alone:.2f}."
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
    return [
        _belief_path(
            fit.dag, edge_number, str(row.x), str(row.y), str(row.relation), bool(row.is_weak)
        )
        for row in fit.beliefs_held().itertuples(index=False)
    ]


def _belief_path(
    dag: Dag,
    edge_number: dict[tuple[str, str], int],
    x: str,
    y: str,
    relation: str,
    is_weak: bool,
) -> dict[str, Any]:
    connection = connect(dag, x, y)
    between = set(connection.nodes) - {x, y}
    through = [node for node in dag.topological_order if node in between]
    if not connection.edges:
        way = "nothing connects them in this network"
    elif relation == "⇔":
        way = "connected by a common cause"
    elif relation in ("→", "←"):
        way = f"directly, and through {_listed(through)}" if through else "directly"
    elif through:
        way = f"through {_listed(through)}"
    else:
        way = "directly"
    weak = f", {WITHOUT_SUPPORT}" if is_weak else ""
    return {
        "x": dag.index(x),
        "y": dag.index(y),
        "nodes": [dag.index(node) for node in connection.nodes],
        "edges": [edge_number[edge] for edge in connection.edges],
        "note": f"{x} {relation} {y}: {way}{weak}.",
    }


def _listed(names: list[str]) -> str:
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
