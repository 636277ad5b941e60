"""Networks from their definition: one row, one cell, one state at a time."""

from collections.abc import Sequence
from itertools import product

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from pathprior.data.table import DataTable
from pathprior.graph.dag import Dag
from pathprior.network.network import BayesianNetwork
from tests.strategies import dags


def sample_row(network: BayesianNetwork, uniforms: Sequence[float]) -> list[int]:
    """Codes of one row: the first state whose cumulative probability exceeds the uniform."""
    dag = network.dag
    state: dict[str, int] = {}
    for node in dag.topological_order:
        v = dag.index(node)
        row = network.tables[v][tuple(state[parent] for parent in dag.parents(node))]
        totals = [sum(row[: k + 1]) for k in range(len(row))]
        # Rounding may leave the whole row below the uniform: then its last possible state.
        beyond = [k for k, total in enumerate(totals) if uniforms[v] < total]
        state[node] = beyond[0] if beyond else int(np.flatnonzero(row)[-1])
    return [state[node] for node in dag.nodes]


def estimate_cell(
    table: DataTable, parents: dict[str, str], node: str, state: str, alpha: float
) -> float:
    """Return (N_jk + α/(qr)) / (N_j + α/q), or 1/r where that is 0/0, by reading every row."""
    column = {name: v for v, name in enumerate(table.variables)}

    def label(name: str, row: int) -> str:
        return table.states[column[name]][int(table.codes[column[name], row])]

    num_states = len(table.states[column[node]])
    num_configurations = 1
    for parent in parents:
        num_configurations *= len(table.states[column[parent]])
    in_configuration = in_state = 0
    for row in range(table.num_rows):
        if all(label(parent, row) == value for parent, value in parents.items()):
            in_configuration += 1
            in_state += label(node, row) == state
    if alpha == 0 and in_configuration == 0:
        return 1 / num_states
    return (in_state + alpha / (num_configurations * num_states)) / (
        in_configuration + alpha / num_configurations
    )


def joint_distribution(network: BayesianNetwork) -> dict[tuple[int, ...], float]:
    """Probability of every row of codes."""
    dag = network.dag
    joint = {}
    for codes in product(*(range(len(states)) for states in network.states)):
        probability = 1.0
        for v, node in enumerate(dag.nodes):
            parents = tuple(codes[dag.index(parent)] for parent in dag.parents(node))
            probability *= network.tables[v][(*parents, codes[v])]
        joint[codes] = probability
    return joint


# Names a BIF file cannot hold bare, and ones it can only just.
ODD_NAMES = (
    "property",
    "table",
    "a b",
    'say "hi"',
    "back\\slash",
    "\\",
    "//",
    "/*",
    "x/y",
    "<5",
    "é,|",
)


def names(*, min_size: int = 1) -> st.SearchStrategy[str]:
    """Any text that can be a name in a file."""
    text = st.text(
        st.characters(codec="utf-8", exclude_characters="\0\r"), min_size=min_size, max_size=6
    )
    return st.sampled_from(ODD_NAMES) | text


@st.composite
def networks(
    draw: st.DrawFn, max_nodes: int = 5, max_states: int = 3, *, plain_names: bool = False
) -> BayesianNetwork:
    """Draw a network on a few nodes, with zeros in its tables now and then."""
    dag = draw(dags(max_nodes=max_nodes))
    if not plain_names:
        count = dag.num_nodes
        nodes = draw(st.lists(names(), min_size=count, max_size=count, unique=True))
        dag = Dag(tuple(nodes), dag.adjacency)
    labels = st.lists(names(min_size=0), min_size=1, max_size=max_states, unique=True)
    states = tuple(tuple(draw(labels)) for _ in dag.nodes)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    tables: list[NDArray[np.float64]] = []
    for v, node in enumerate(dag.nodes):
        shape = tuple(len(states[dag.index(parent)]) for parent in dag.parents(node))
        weights = rng.gamma(0.5, size=(*shape, len(states[v]))) + 1e-9
        if draw(st.booleans()):
            weights *= weights >= weights.max(axis=-1, keepdims=True) / 2
        tables.append(weights / weights.sum(axis=-1, keepdims=True))
    return BayesianNetwork(dag, states, tuple(tables))
