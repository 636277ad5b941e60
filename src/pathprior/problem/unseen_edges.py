"""How much a posterior allows for edges too weak to be seen, and the problem that does."""

from dataclasses import replace

from pathprior.problem.problem import Problem
from pathprior.score.unseen import Unseen, UnseenScorer

AUTO = "auto"
SHARE = 0.1
"""ε where there are beliefs about columns of states: see docs/posterior.md."""


def share_of(unseen: float | str, problem: Problem) -> float:
    """The share that is meant.

    Without beliefs nobody says what rows cannot show; strong effects among real columns are rarely
    missed, and there a share only costs.
    """
    if unseen != AUTO:
        return float(unseen)
    is_believed = len(problem.prior.beliefs) > 0 or problem.has_statements
    return SHARE if is_believed and not problem.data.reals.variables else 0.0


def allow_for_unseen(problem: Problem, share: float) -> Problem:
    """The same problem, its score allowing for a share of unseen edges."""
    if share == 0.0:
        return problem
    score = Unseen(problem.score, share)
    # bound as the problem was: by its columns in the order of their names
    scorer = UnseenScorer(problem.scorer, share, len(problem.rules.variables))
    return replace(problem, score=score, scorer=scorer)
