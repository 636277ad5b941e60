"""The errors we raise: one small tree, each message names the offending value and what to do."""


class PathPriorError(Exception):
    """Base of every error that pathprior raises on purpose."""


class GraphError(PathPriorError, ValueError):
    """A graph that cannot be what it is said to be: a cycle, an unknown node, a repeated edge."""


class DataError(PathPriorError, ValueError):
    """Data that cannot be coded: missing values, continuous columns, no rows."""


class NetworkError(PathPriorError, ValueError):
    """A Bayesian network or BIF file that is malformed."""


class BeliefError(PathPriorError, ValueError):
    """A belief or belief file that says something impossible or unreadable."""


class CountingError(PathPriorError, ValueError):
    """A counting request that has no answer or whose answer is too large to list."""


class PriorError(PathPriorError, ValueError):
    """A prior that cannot be fitted, or a saved one that cannot be read."""


class SearchError(PathPriorError, ValueError):
    """Search options or constraints that contradict each other."""


class PosteriorError(PathPriorError, ValueError):
    """A posterior that cannot be sampled, asked or read."""


class ReportError(PathPriorError, RuntimeError):
    """A result that cannot be written, or a run that cannot be repeated from its summary."""


class StudioError(PathPriorError, RuntimeError):
    """A studio that cannot start, or a change that makes no sense."""


class ExperimentError(PathPriorError, RuntimeError):
    """A reproduction run that cannot go on: other settings, a damaged journal."""


class PathPriorWarning(UserWarning):
    """Base of every warning that pathprior issues on purpose."""


class ResumedWarning(PathPriorWarning):
    """A run did not start anew, but went on from its checkpoint."""
