"""Columns of states and of real numbers together: states as blocks of indicators."""

from dataclasses import dataclass

from pathprior.data.dataset import Dataset
from pathprior.score.bge import Bge
from pathprior.score.gram import GramScore, GramScorer, bind_form


@dataclass(frozen=True, slots=True)
class Mixed(GramScore):
    """BGe of the real columns and the indicators of states (Andrews, Ramsey and Cooper, 2019).

    A column of r observed states is r − 1 columns of the matrix, which enter and leave a family
    together; the prior on each such block is t times its own covariance, so that neither units nor
    the order of states matter.
    """

    def bind(self, dataset: Dataset) -> GramScorer:
        """Sum up columns of any kind."""
        dataset.require_plain(may_be_set=True)
        return bind_form(self, dataset, Bge().form)
