"""What a result can go on to in rooms to the right of it, which register how."""

from functools import singledispatch
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior


@singledispatch
def posterior(result: object, **options: Any) -> "Posterior":
    """Weigh other graphs beside a learned one; options as in `sample_posterior`."""
    raise TypeError(
        f"a {type(result).__name__} has no posterior; "
        "register a way to it with pathprior.onward.posterior.register"
    )
