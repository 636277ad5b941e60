"""Graphs as text that other programs read: DAGitty and lavaan."""

import re

from pathprior.errors import GraphError
from pathprior.graph.dag import Dag

LAVAAN_NAME = re.compile(r"[A-Za-z.][A-Za-z0-9._]*")


def to_dagitty(dag: Dag) -> str:
    """Write ``dag`` as DAGitty code, every name in quotes."""
    lines = [f"  {_quote(node)}" for node in dag.nodes]
    lines += [f"  {_quote(parent)} -> {_quote(child)}" for parent, child in dag.edges]
    return "\n".join(["dag {", *lines, "}", ""])


def to_lavaan(dag: Dag) -> str:
    """Write ``dag`` as lavaan model syntax: a regression for each node with parents.

    Nodes without any edge have their variance alone, so that they are in the model.
    """
    for node in dag.nodes:
        if not LAVAAN_NAME.fullmatch(node):
            raise GraphError(
                f"lavaan has no quotes for names such as {node!r}: letters, digits, dots and "
                "underlines only, and a letter first; rename it"
            )
    lines = []
    for node in dag.nodes:
        parents = dag.parents(node)
        if parents:
            lines.append(f"{node} ~ {' + '.join(parents)}")
        elif not dag.children(node):
            lines.append(f"{node} ~~ {node}")
    return "\n".join([*lines, ""])


def _quote(name: str) -> str:
    """Quote a name; a backslash before a quote escapes it, and stands for itself otherwise."""
    if "\\" in name:
        raise GraphError(f"DAGitty cannot tell backslashes from escapes: rename {name!r}")
    escaped = name.replace('"', '\\"')
    return f'"{escaped}"'
