"""The equivalent sample size of Dirichlet priors."""

import sys

from pathprior.errors import SearchError

DEFAULT_SAMPLE_SIZE = 2.0
"""Rows that a prior on the tables is worth where nobody says how many; see docs/base.md."""


def require_positive(equivalent_sample_size: float) -> None:
    """Refuse an equivalent sample size that is not a positive finite number."""
    if not 0.0 < equivalent_sample_size <= sys.float_info.max:  # an int may be larger
        raise SearchError(
            f"equivalent_sample_size must be a positive number, not {equivalent_sample_size!r}"
        )
