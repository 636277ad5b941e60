"""Path-belief priors for Bayesian-network structure learning."""

__version__ = "0.1.0"

from pathprior import errors
from pathprior.beliefs.belief import (
    associated,
    causes,
    confounded,
    not_associated,
    not_causes,
    relation,
)
from pathprior.beliefs.belief_file import read_beliefs
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.graph.cpdag import Cpdag, is_equivalent
from pathprior.graph.dag import Dag
from pathprior.graph.distance import compare, shd
from pathprior.graph.relation import Relation
from pathprior.network.bif import read_bif, write_bif
from pathprior.network.bundled import load_network
from pathprior.network.network import BayesianNetwork

__all__ = [
    "BayesianNetwork",
    "BeliefSet",
    "Cpdag",
    "Dag",
    "Relation",
    "associated",
    "causes",
    "compare",
    "confounded",
    "errors",
    "is_equivalent",
    "load_network",
    "not_associated",
    "not_causes",
    "read_beliefs",
    "read_bif",
    "relation",
    "shd",
    "write_bif",
]
