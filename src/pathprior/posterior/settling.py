"""When sampling may end, and what to say of probabilities that have not settled."""

import warnings
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pathprior.errors import PathPriorWarning

if TYPE_CHECKING:
    import pandas as pd

MAX_R_HAT = 1.01
"""Largest R-hat at which chains count as mixed (Vehtari et al., 2021)."""
LEAST_SAMPLES = 48.0
"""Fewest effective samples on which words may rest: what never varies in them has an error of 0.02,
the usual precision."""
MAX_NAMED = 5
"""Most probabilities that one warning names."""


def have_settled(r_hat: Any, effective_samples: Any) -> NDArray[np.bool_]:
    """Whether probabilities have settled so far that anything may be said of them.

    Those that have not are shown with their errors, and as not settled; no word, colour or count
    rests on them. What is not known has not settled.
    """
    found = np.asarray(r_hat, float) <= MAX_R_HAT
    return found & (np.asarray(effective_samples, float) >= LEAST_SAMPLES)


class PosteriorStop(Enum):
    """Why sampling ended; `str` gives the sentence."""

    EXACT = "Every graph within the rules was weighed."
    SETTLED = "Every probability has settled to the precision asked for."
    TIME_LIMIT = "The time was up before every probability had settled."
    INTERRUPTED = "Interrupted: the graphs so far."

    def __str__(self) -> str:
        return self.value


def unsettled_rows(errors: "pd.DataFrame", precision: float) -> "pd.DataFrame":
    """The rows with an error above ``precision``, or an R-hat above 1.01; the worst first."""
    # what is not known has not settled either
    has_settled = (errors["error"] <= precision) & (errors["r_hat"] <= MAX_R_HAT)
    return errors[~has_settled].sort_values(
        ["error", "r_hat"], ascending=False, na_position="first", kind="stable"
    )


def warn_of_unsettled(errors: "pd.DataFrame", precision: float) -> None:
    """Warn once of all probabilities that cannot be trusted to ``precision``, if any."""
    unsettled = unsettled_rows(errors[errors["error"].notna()], precision)
    unknown = int(errors["error"].isna().sum())
    if len(unsettled) == 0 and unknown:
        warnings.warn(
            f"whether {unknown} probabilities have settled is not known: there was no time for "
            "their errors; raise time_limit",
            PathPriorWarning,
            stacklevel=4,
        )
    if len(unsettled) == 0:
        return
    named = "; ".join(
        f"{row.x} {row.event} {row.y} {row.probability:.3f} ± {row.error:.3f} "
        f"(R-hat {row.r_hat:.3f})"
        for row in unsettled.head(MAX_NAMED).itertuples()
    )
    more = f"; and {len(unsettled) - MAX_NAMED} more" if len(unsettled) > MAX_NAMED else ""
    warnings.warn(
        f"not settled to {precision:g} with R-hat at most {MAX_R_HAT}: {named}{more}; raise "
        "time_limit, or precision if that will do",
        PathPriorWarning,
        stacklevel=4,
    )
