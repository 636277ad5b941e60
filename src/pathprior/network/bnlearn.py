"""Networks as R code for bnlearn."""

import os
from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import NetworkError
from pathprior.files import saving
from pathprior.network.conditionals import Linear, Parents, Table
from pathprior.network.curves import Curved
from pathprior.network.model import Network


def write_bnlearn(network: Network, path: str | os.PathLike[str]) -> None:
    """Write R code that makes the network with bnlearn's ``custom.fit``; ``source`` runs it.

    It leaves a ``bn.fit`` object in ``network``. A real node with discrete parents becomes a
    conditional Gaussian one, with a column of coefficients for each configuration of them.

    Raises
    ------
    NetworkError
        If a discrete node has a real parent: bnlearn has no such networks.
    """
    with saving(path, NetworkError) as temporary:
        temporary.write_text(format_bnlearn(network), encoding="utf-8", newline="")


def format_bnlearn(network: Network) -> str:
    """Return the R code."""
    dag = network.dag
    lines = ["library(bnlearn)", f"dag <- empty.graph({_vector(map(_text, dag.nodes))})"]
    if dag.num_edges:
        ends = _vector(_text(name) for edge in dag.edges for name in edge)
        lines.append(
            f"arcs(dag) <- matrix({ends}, ncol = 2, byrow = TRUE, "
            'dimnames = list(NULL, c("from", "to")))'
        )
    entries = [f"  {_name(node)} = {_distribution(network, node)}" for node in network.variables]
    lines += ["network <- custom.fit(dag, dist = list(", ",\n".join(entries), "))"]
    return "\n".join(lines) + "\n"


def _distribution(network: Network, node: str) -> str:
    form, parents = network.conditionals[node], network.parents_of(node)
    if isinstance(form, Table):
        return _table(node, network.states[node], parents, form.probabilities)
    if isinstance(form, Linear):
        return _regression(parents, form)
    if isinstance(form, Curved):
        raise NetworkError(
            f"{node!r} is a sum of curves, which bnlearn does not know: save the network as JSON"
        )
    real = next(name for name, states in parents if not states)
    raise NetworkError(
        f"the discrete {node!r} has the real parent {real!r}, which bnlearn does not know: save "
        "the network as JSON"
    )


def _table(node: str, states: tuple[str, ...], parents: Parents, table: NDArray[np.float64]) -> str:
    """An array whose first index, the child's, runs fastest, then the first parent's."""
    axes = [(node, states), *parents]
    values = np.moveaxis(table, -1, 0).ravel(order="F").tolist()
    if not parents:
        names = _vector(map(_text, states))
        return f"matrix({_numbers(values)}, ncol = {len(states)}, dimnames = list(NULL, {names}))"
    sizes = _vector(str(len(names)) for _, names in axes)
    return f"array({_numbers(values)}, dim = {sizes}, dimnames = list({_axes(axes)}))"


def _regression(parents: Parents, form: Linear) -> str:
    real = [name for name, states in parents if not states]
    slopes = [float(weight) for weight in form.weights if not weight.ndim]
    discrete = [weight for weight in form.weights if weight.ndim]
    terms = ["(Intercept)", *real]
    if not discrete:
        values = [form.intercept, *slopes]
        named = ", ".join(f"{_name(t)} = {v!r}" for t, v in zip(terms, values, strict=True))
        return f"list(coef = c({named}), sd = {form.deviation!r})"
    # the first discrete parent runs fastest, as in the tables
    configurations = [c[::-1] for c in product(*(range(len(w)) for w in discrete[::-1]))]
    columns: list[float] = []
    for configuration in configurations:
        added = sum(float(w[k]) for w, k in zip(discrete, configuration, strict=True))
        columns += [form.intercept + added, *slopes]
    names = _vector(map(_text, terms))
    deviations = _numbers([form.deviation] * len(configurations))
    return (
        f"list(coef = matrix({_numbers(columns)}, ncol = {len(configurations)}, "
        f"dimnames = list({names}, NULL)), sd = {deviations})"
    )


def _axes(axes: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    return ", ".join(f"{_name(name)} = {_vector(map(_text, names))}" for name, names in axes)


def _numbers(values: Sequence[float]) -> str:
    return _vector(map(repr, values))


def _vector(texts: Iterable[str]) -> str:
    return f"c({', '.join(texts)})"


def _text(text: str) -> str:
    """An R string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _name(text: str) -> str:
    """A name on the left of an equals sign; R takes a string there too."""
    return _text(text)
