"""Path-belief priors for Bayesian-network structure learning."""

from pathprior import errors
from pathprior.graph.dag import Dag
from pathprior.graph.relation import Relation

__version__ = "0.1.0"

__all__ = ["Dag", "Relation", "errors"]
