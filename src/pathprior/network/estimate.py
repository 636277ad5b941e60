"""`estimate_network`: the network that suits the columns, with parameters from the data."""

from pathprior.data.dataset import Dataset
from pathprior.graph.dag import Dag
from pathprior.network.gaussian import GaussianNetwork
from pathprior.network.mixed import MixedNetwork
from pathprior.network.model import Network
from pathprior.network.network import BayesianNetwork


def estimate_network(
    dag: Dag, dataset: Dataset, *, equivalent_sample_size: float | None
) -> Network:
    """Estimate a network of the class that fits the kinds of the columns."""
    kind: type[BayesianNetwork | GaussianNetwork | MixedNetwork] = MixedNetwork
    if not dataset.reals.variables:
        kind = BayesianNetwork
    elif not dataset.coded.variables:
        kind = GaussianNetwork
    return kind.estimate(dag, dataset, equivalent_sample_size=equivalent_sample_size)
