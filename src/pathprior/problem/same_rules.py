"""Whether a prior was fitted within the rules that a network is to be learned within."""

from pathprior.errors import SearchError
from pathprior.graph.edge_rules import EdgeRules


def require_same_rules(fitted: EdgeRules | None, asked: EdgeRules) -> None:
    """Raise unless a prior was fitted within the rules that are asked for."""
    if fitted is None and not asked.options:
        return
    if fitted is not None and asked.agrees_with(fitted):
        return
    before = "without rules" if fitted is None else f"within {_named(fitted)}"
    if fitted is not None and fitted.options == asked.options:
        now = f"other {_named(asked)} are given now"
    else:
        now = f"{_named(asked)} are given now" if asked.options else "no rules are given now"
    arguments = ", ".join(f"{option}=…" for option in asked.options)
    remedy = (
        f"fit it within the same rules, fit_prior(beliefs, variables, {arguments})"
        if arguments
        else "give the same, or fit the prior again without"
    )
    raise SearchError(
        f"the prior was fitted {before}, but {now}: its probabilities hold among the graphs that "
        f"it was fitted to; {remedy}"
    )


def _named(rules: EdgeRules) -> str:
    return " and ".join(rules.options)
