"""Networks from BIF files and back."""

import gzip
import os
import zlib
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import GraphError, NetworkError
from pathprior.files import reason, saving
from pathprior.graph.dag import Dag
from pathprior.network.bif_syntax import (
    ProbabilityBlock,
    Row,
    Token,
    VariableBlock,
    parse_blocks,
    quote,
)
from pathprior.network.network import BayesianNetwork
from pathprior.network.tables import ROW_SUM_TOLERANCE, table_shapes

# Published tables are rounded to a few digits; a row further off than this is a mistake.
RENORMALISE_WITHIN = 1e-3

_GZIP_MAGIC = b"\x1f\x8b"


def read_bif(path: str | os.PathLike[str]) -> BayesianNetwork:
    """Read a network from a BIF file, plain or gzipped.

    Rows that sum to one within 1e-3 are renormalised. A ``table`` statement lists the numbers
    with the child's state varying slowest and the last parent's value fastest; ``default`` fills
    the rows that no ``(values)`` statement gives. Properties are skipped.

    Raises
    ------
    NetworkError
        If the file cannot be read or is malformed; the message names the file and the line.
    """
    try:
        content = Path(path).read_bytes()
        if content.startswith(_GZIP_MAGIC):
            content = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise NetworkError(f"cannot read {path}: {reason(error, path)}") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")  # what older tools write; it decodes anything
    return parse_bif(text, source=os.fspath(path))


def parse_bif(text: str, *, source: str = "BIF") -> BayesianNetwork:
    """Read a network from BIF text; ``source`` names it in errors. See `read_bif`."""
    variables: dict[str, VariableBlock] = {}
    probabilities: dict[str, ProbabilityBlock] = {}
    for block in parse_blocks(text, source):
        if isinstance(block, VariableBlock):
            if block.name.text in variables:
                raise _error(source, block.name, f"variable {block.name} is declared twice")
            variables[block.name.text] = block
        else:
            if block.child.text in probabilities:
                raise _error(source, block.child, f"probabilities of {block.child} given twice")
            probabilities[block.child.text] = block
    if not variables:
        raise NetworkError(f"{source}: no 'variable' block: not a BIF file, or an empty one")
    for block in probabilities.values():
        for name in (block.child, *block.parents):
            if name.text not in variables:
                raise _error(source, name, f"{name} is not a declared variable")
    for name in (block.name for block in variables.values()):
        if name.text not in probabilities:
            raise _error(source, name, f"variable {name} has no 'probability' block")
    edges = [(p.text, block.child.text) for block in probabilities.values() for p in block.parents]
    states = {name: tuple(s.text for s in block.states) for name, block in variables.items()}
    try:
        dag = Dag.from_edges(variables, edges)
        table_shapes(dag, tuple(states.values()))
    except (GraphError, NetworkError) as error:
        raise NetworkError(f"{source}: {error}") from error
    tables = [_read_table(source, probabilities[node], dag, states) for node in dag.nodes]
    return BayesianNetwork(dag, tuple(states.values()), tuple(tables))


def write_bif(network: BayesianNetwork, path: str | os.PathLike[str]) -> None:
    """Write a network to a BIF file, gzipped if ``path`` ends in ``.gz``.

    Reading it back gives an equal network, to the last bit. The file appears whole or not at all.
    """
    with saving(path, NetworkError) as temporary:
        content = format_bif(network).encode()
        if os.fspath(path).endswith(".gz"):
            content = gzip.compress(content, mtime=0)  # the same network, the same bytes
        temporary.write_bytes(content)


def format_bif(network: BayesianNetwork) -> str:
    """Return the network as BIF text; names are quoted where they must be."""
    dag = network.dag
    names = {node: quote(node) for node in dag.nodes}
    states = {
        node: [quote(state) for state in network.states[v]] for v, node in enumerate(dag.nodes)
    }
    lines = ["network unknown {", "}"]
    for node in dag.nodes:
        listed = ", ".join(states[node])
        lines += [
            f"variable {names[node]} {{",
            f"  type discrete [ {len(states[node])} ] {{ {listed} }};",
            "}",
        ]
    for node, table in zip(dag.nodes, network.tables, strict=True):
        parents = dag.parents(node)
        given = " | " + ", ".join(names[parent] for parent in parents) if parents else ""
        lines.append(f"probability ( {names[node]}{given} ) {{")
        rows = table.reshape(-1, table.shape[-1]).tolist()
        for values, row in zip(product(*(states[p] for p in parents)), rows, strict=True):
            head = f"({', '.join(values)})" if parents else "table"
            lines.append(f"  {head} {', '.join(map(repr, row))};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def _error(source: str, token: Token, message: str) -> NetworkError:
    return NetworkError(f"{source}:{token.line}: {message}")


def _read_table(
    source: str, block: ProbabilityBlock, dag: Dag, states: dict[str, tuple[str, ...]]
) -> NDArray[np.float64]:
    """Return the block's table, its axes in the order `BayesianNetwork` wants."""
    num_states = len(states[block.child.text])
    sizes = [len(states[parent.text]) for parent in block.parents]
    num_rows = prod(sizes)
    if block.default is None and block.table is None and len(block.rows) < num_rows:
        raise _error(
            source,
            block.child,
            f"{len(block.rows)} of the {num_rows} rows of {block.child} are given: "
            f"give all, or a 'default'",
        )
    rows: dict[tuple[int, ...], NDArray[np.float64]] = {}
    position = [
        {state: k for k, state in enumerate(states[parent.text])} for parent in block.parents
    ]
    for row in block.rows:
        if len(row.values) != len(position):
            raise NetworkError(
                f"{source}:{row.line}: {len(row.values)} parent values, "
                f"{block.child} has {len(position)} parents"
            )
        for value, parent, known in zip(row.values, block.parents, position, strict=True):
            if value.text not in known:
                raise _error(source, value, f"{value} is not a state of {parent}")
        where = tuple(k[value.text] for k, value in zip(position, row.values, strict=True))
        if where in rows:
            raise NetworkError(f"{source}:{row.line}: this row of {block.child} is given twice")
        rows[where] = _read_rows(source, row, 1, num_states)[0]
    if block.table is not None:
        # Child slowest, as the format's definition orders the variables of a block.
        table = _read_rows(source, block.table, num_rows, num_states)
    elif block.default is not None:
        table = np.tile(_read_rows(source, block.default, 1, num_states), (num_rows, 1))
    else:
        table = np.empty((num_rows, num_states))
    table = table.reshape(*sizes, num_states)
    for where, values in rows.items():
        table[where] = values
    order = sorted(range(len(sizes)), key=lambda k: dag.index(block.parents[k].text))
    return table.transpose(*order, len(sizes))


def _read_rows(source: str, row: Row, num_rows: int, num_states: int) -> NDArray[np.float64]:
    """Check the numbers of a statement and scale each distribution in it to sum to one."""
    if len(row.numbers) != num_rows * num_states:
        raise NetworkError(
            f"{source}:{row.line}: expected {num_rows * num_states} numbers, "
            f"found {len(row.numbers)}"
        )
    table = np.array(row.numbers).reshape(num_states, num_rows).T.copy()
    sums = table.sum(axis=1, keepdims=True)
    bad = ~((table >= 0).all(axis=1) & (np.abs(sums[:, 0] - 1) <= RENORMALISE_WITHIN))
    if bad.any():
        worst = table[np.argmax(bad)].tolist()
        raise NetworkError(
            f"{source}:{row.line}: probabilities must be at least zero and sum to one within "
            f"{RENORMALISE_WITHIN}: {worst} sums to {sum(worst):.6g}"
        )
    # A row already at one stays as written, so that what we wrote reads back bit for bit.
    return np.where(np.abs(sums - 1) > ROW_SUM_TOLERANCE, table / sums, table)
