"""What a result prints: plain text for a terminal of eighty columns."""

from textwrap import fill

from pathprior.prior.path_prior import PathPrior

WIDTH = 80
MAX_NAME = 24
"""Letters of a name that leave room for the event and the two probabilities."""


def prior_text(prior: PathPrior) -> str:
    """Stated against fitted, then the beliefs that cannot hold together."""
    if not len(prior.table):
        return repr(prior)
    table = prior.table[["x", "event", "y", "stated", "fitted"]].to_string(
        index=False,
        formatters={"x": _cut, "y": _cut, "stated": "{:g}".format, "fitted": "{:.3f}".format},
    )
    sentences = (f"Cannot hold together: {conflict.sentence}." for conflict in prior.conflicts)
    return "\n".join([repr(prior), table, *(fill(sentence, WIDTH) for sentence in sentences)])


def _cut(name: str) -> str:
    return name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "…"
