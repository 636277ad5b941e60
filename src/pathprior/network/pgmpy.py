"""Linear-Gaussian networks in the JSON that pgmpy reads."""

import json
import os

from pathprior.errors import NetworkError
from pathprior.files import saving
from pathprior.network.gaussian import GaussianNetwork


def write_pgmpy(network: GaussianNetwork, path: str | os.PathLike[str]) -> None:
    """Write a file that pgmpy's ``LinearGaussianBayesianNetwork.load`` reads.

    pgmpy keeps variances, so a deviation may come back with its last bit changed.
    """
    if not isinstance(network, GaussianNetwork):
        raise NetworkError(
            f"pgmpy reads linear-Gaussian networks from JSON, not a {type(network).__name__}: "
            "write a discrete one with write_bif"
        )
    if "(Intercept)" in network.variables:
        raise NetworkError("pgmpy takes '(Intercept)' for the intercept: rename that node")
    cpds = {
        node: {
            "coefficients": {
                "(Intercept)": [form.intercept],
                **{
                    p: [float(w)]
                    for p, w in zip(network.dag.parents(node), form.weights, strict=True)
                },
            },
            "variance": [form.deviation**2],
            "parents": list(network.dag.parents(node)),
        }
        for node, form in zip(network.variables, network.conditionals, strict=True)
    }
    content = {"nodes": list(network.variables), "arcs": list(network.dag.edges), "cpds": cpds}
    with saving(path, NetworkError) as temporary:
        temporary.write_text(json.dumps(content, indent=4) + "\n", encoding="utf-8")
