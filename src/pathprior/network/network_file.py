"""Networks from files: the JSON that `Network.save` writes, or BIF."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from pathprior.errors import NetworkError, PathPriorError
from pathprior.files import reason
from pathprior.graph.dag import Dag
from pathprior.network.bif import read_bif
from pathprior.network.conditionals import Conditional, Linear, Logit, Table
from pathprior.network.curves import AdditiveNetwork, Curved
from pathprior.network.gaussian import GaussianNetwork
from pathprior.network.mixed import MixedNetwork
from pathprior.network.model import FORMAT, VERSION, Network
from pathprior.network.network import BayesianNetwork


def read_network(path: str | os.PathLike[str]) -> Network:
    """Read a network from a file: ``.json`` as `save` writes it, anything else as BIF.

    Returns
    -------
    Network
        A `BayesianNetwork` if all nodes are discrete, a `GaussianNetwork` if all are real, or an
        `AdditiveNetwork` where they are bent, and a `MixedNetwork` otherwise.

    Raises
    ------
    NetworkError
        If the file is not a whole network of a version we know; the message says what is wrong.
    """
    file = Path(path)
    if file.suffix.lower() != ".json":
        return read_bif(path)
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise NetworkError(f"cannot read {path}: {reason(error, path)}") from error
    except (ValueError, RecursionError) as error:
        raise NetworkError(f"{path}: not a saved network, or damaged: {error}") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise NetworkError(f"{path}: not a saved network; make one with network.save(path)")
    if content.get("version") != VERSION:
        raise NetworkError(
            f"{path}: version {content.get('version')!r} is not {VERSION}, the one this release "
            "reads"
        )
    try:
        return _read(content["nodes"])
    except KeyError as error:
        raise NetworkError(f"{path}: damaged: {error} is missing") from None
    except (PathPriorError, TypeError, ValueError, OverflowError) as error:
        raise NetworkError(f"{path}: damaged: {error}") from None


def _read(nodes: list[dict[str, Any]]) -> Network:
    names = [node["name"] for node in nodes]
    parents = {node["name"]: list(node["parents"]) for node in nodes}
    dag = Dag.from_edges(names, [(u, v) for v, above in parents.items() for u in above])
    for name, above in parents.items():
        if above != list(dag.parents(name)):
            raise NetworkError(f"the parents of {name!r} are not in the order of the nodes")
    if any(node["kind"] == Curved.kind for node in nodes):
        return AdditiveNetwork(dag, [Curved.of_numbers(node) for node in nodes])
    states = [tuple(node["states"]) for node in nodes]
    forms = [_read_form(node) for node in nodes]
    mixed = MixedNetwork(dag, states, forms)
    if all(states):
        tables = [form for form in mixed.conditionals if isinstance(form, Table)]
        if len(tables) == dag.num_nodes:
            return BayesianNetwork(dag, states, [table.probabilities for table in tables])
    if not any(states):
        return GaussianNetwork.of(dag, [form for form in forms if isinstance(form, Linear)])
    return mixed


def _read_form(node: dict[str, Any]) -> Conditional:
    kind = node["kind"]
    if kind not in _FORMS:
        raise NetworkError(f"{node['name']!r} is of the unknown kind {kind!r}")
    return _FORMS[kind](node)


def _read_table(node: dict[str, Any]) -> Conditional:
    return Table(np.array(node["probabilities"], dtype=np.float64))


def _read_linear(node: dict[str, Any]) -> Conditional:
    return Linear(node["intercept"], tuple(map(np.array, node["weights"])), node["deviation"])


def _read_logit(node: dict[str, Any]) -> Conditional:
    return Logit(np.array(node["intercepts"]), tuple(map(np.array, node["weights"])))


_FORMS = {"table": _read_table, "linear": _read_linear, "logit": _read_logit}
