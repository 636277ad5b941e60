"""Path-belief priors for Bayesian-network structure learning."""

__version__ = "0.1.0"

from pathprior import errors
from pathprior.beliefs.answers import read_answers
from pathprior.beliefs.belief import (
    associated,
    causes,
    confounded,
    direct,
    not_associated,
    not_causes,
    not_direct,
    relation,
)
from pathprior.beliefs.belief_file import read_beliefs
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.beliefs.questions import Question, make_questions, write_questions
from pathprior.beliefs.statement import Statement, says
from pathprior.beliefs.variables import Variable, read_variables
from pathprior.counting.baseline import baseline
from pathprior.counting.configurations import count_configurations
from pathprior.counting.robinson import count_dags
from pathprior.counting.sampling import sample_dags
from pathprior.data.preparation import Preparation
from pathprior.data.prepare import prepare
from pathprior.graph.cpdag import Cpdag, is_equivalent
from pathprior.graph.dag import Dag
from pathprior.graph.distance import compare, shd
from pathprior.graph.relation import Relation
from pathprior.network.bif import read_bif, write_bif
from pathprior.network.bnlearn import write_bnlearn
from pathprior.network.bundled import load_network
from pathprior.network.gaussian import GaussianNetwork
from pathprior.network.mixed import MixedNetwork
from pathprior.network.network import BayesianNetwork
from pathprior.network.network_file import read_network
from pathprior.network.pgmpy import write_pgmpy
from pathprior.network.xmlbif import write_xmlbif
from pathprior.posterior.posterior import Posterior
from pathprior.posterior.posterior_file import load_posterior
from pathprior.posterior.sample import sample_posterior
from pathprior.prior.fit import fit_prior
from pathprior.prior.path_prior import PathPrior
from pathprior.prior.prior_file import load_prior
from pathprior.report import register as _register  # noqa: F401  # results can show themselves
from pathprior.score.bde import Bde
from pathprior.score.bge import Bge
from pathprior.score.curves import Additive
from pathprior.score.gaussian_bic import GaussianBic
from pathprior.score.graph import score_graph
from pathprior.search.learn import learn
from pathprior.search.result import Fit

__all__ = [
    "Additive",
    "BayesianNetwork",
    "Bde",
    "BeliefSet",
    "Bge",
    "Cpdag",
    "Dag",
    "Fit",
    "GaussianBic",
    "GaussianNetwork",
    "MixedNetwork",
    "PathPrior",
    "Posterior",
    "Preparation",
    "Question",
    "Relation",
    "Statement",
    "Variable",
    "associated",
    "baseline",
    "causes",
    "compare",
    "confounded",
    "count_configurations",
    "count_dags",
    "direct",
    "errors",
    "fit_prior",
    "is_equivalent",
    "learn",
    "load_network",
    "load_posterior",
    "load_prior",
    "make_questions",
    "not_associated",
    "not_causes",
    "not_direct",
    "prepare",
    "read_answers",
    "read_beliefs",
    "read_bif",
    "read_network",
    "read_variables",
    "relation",
    "sample_dags",
    "sample_posterior",
    "says",
    "score_graph",
    "shd",
    "write_bif",
    "write_bnlearn",
    "write_pgmpy",
    "write_questions",
    "write_xmlbif",
]
