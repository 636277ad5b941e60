"""Graphs drawn from a prior that tells edges from longer paths, which closures do not."""

import warnings

import numpy as np

from pathprior.data.table import DataTable
from pathprior.errors import PathPriorWarning
from pathprior.posterior.chains import sample_chains
from pathprior.posterior.draws import Draws
from pathprior.posterior.indicators import all_pairs, relation_codes
from pathprior.prior.path_prior import PathPrior
from pathprior.score.bdeu import Bdeu
from pathprior.studio.graph_pool import NUM_CHAINS, Drawn
from pathprior.task.task import make_task


def draw_dags(prior: PathPrior, num_draws: int) -> Drawn:
    """Draw so many graphs by each of the posterior's chains, without data; slower than a pool."""
    names = prior.variables
    no_rows = DataTable(names, np.zeros((len(names), 0), np.uint8), (("0", "1"),) * len(names))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PathPriorWarning)  # of columns that never vary
        task = make_task(no_rows, prior, Bdeu(), constant_columns="keep")
    sampler = sample_chains(task, start=task.start, num_chains=NUM_CHAINS)
    draws = Draws(task.rules.variables, *sampler.advance(num_draws))
    place = np.array([draws.variables.index(name) for name in names], dtype=np.int64)
    pairs = all_pairs(len(names))
    codes = np.concatenate(list(relation_codes(draws, place[pairs])), axis=-1)
    return Drawn.of(pairs, codes.transpose(1, 0, 2).astype(np.int8))
