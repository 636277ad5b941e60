"""What a result prints: plain text for a terminal of eighty columns."""

from collections.abc import Callable, Iterable, Iterator
from textwrap import fill
from typing import TYPE_CHECKING, Any

from pathprior.prior.belief_table import WITHIN
from pathprior.prior.path_prior import PathPrior
from pathprior.report.belief_rows import evidence_lines
from pathprior.report.settled import error_cell, no_effect
from pathprior.report.testimony import source_lines
from pathprior.search.family_parts import families_line, has_parts
from pathprior.search.missing_cells import gaps_sentence
from pathprior.search.weighed import weighed_line

if TYPE_CHECKING:
    import pandas as pd

    from pathprior.network.effect import Effect
    from pathprior.network.response import Response
    from pathprior.network.slope import Slope
    from pathprior.posterior.posterior import Posterior
    from pathprior.search.result import Fit

WIDTH = 80
FIXED = 32
"""Columns that the event and the two probabilities take beside the names."""
BASELINE = 9
"""Columns that the baseline takes."""
VERDICT = 24
"""Columns that the longest verdict takes."""
NUMBER = 7
"""Columns that one more probability takes."""


def prior_text(prior: PathPrior) -> str:
    """Stated against fitted, then the beliefs that cannot hold together or disagree."""
    if not len(prior.table):
        return repr(prior)
    columns = ["x", "event", "y", "baseline", "stated", "fitted"]
    if prior.is_pooled:
        columns.insert(-1, WITHIN)
    table = prior.table[columns].to_string(
        index=False,
        formatters=_formatters((WIDTH - FIXED - BASELINE - NUMBER * (len(columns) - 6)) // 2),
    )
    sentences = [f"Cannot hold together: {conflict.sentence}." for conflict in prior.conflicts]
    sentences += _unmet(prior)
    sentences += [f"{told.sentence[0].upper()}{told.sentence[1:]}." for told in prior.disagreements]
    return "\n".join([repr(prior), table, *(fill(sentence, WIDTH) for sentence in sentences)])


def fit_text(fit: "Fit") -> str:
    """The graph in a line, then what became of each belief."""
    dag = fit.dag
    head = (
        f"{dag.num_edges} edges on {dag.num_nodes} variables, score {fit.score:,.2f} = "
        f"data {fit.data_score:,.2f} + prior {fit.prior_score:,.2f}"
    )
    data = fit.problem.data
    if data.reals.variables:
        head += f"\n{data.reals.num_variables} real columns, score {fit.resolved.score}"
    if len(fit.weighed) > 1:
        head += "\n" + fill(weighed_line(fit.weighed), WIDTH)
    if fit.missing is not None:
        head += "\n" + fill(str(fit.missing), WIDTH)
    if has_parts(fit):
        head += "\n" + fill(families_line(fit), WIDTH)
    if fit.has_statements:
        head = "\n".join([head, *_folded(source_lines(fit.sources()))])
    if not fit.has_beliefs:
        return head
    held = fit.beliefs_held()
    held["in the network"] = [
        f"{relation} {'holds' if holds else 'does not hold'}{', weakly' if is_weak else ''}"
        for relation, holds, is_weak in zip(
            held["relation"], held["holds"], held["is_weak"], strict=True
        )
    ]
    table = held[["x", "event", "y", "stated", "fitted", "in the network"]].to_string(
        index=False,
        formatters=_formatters((WIDTH - FIXED - VERDICT) // 2),
    )
    return "\n".join([head, table, *_folded(_unmet(fit.prior))])


def posterior_text(posterior: "Posterior") -> str:
    """How many graphs and how good, then what the data make of each belief, with words."""
    head = "\n".join(fill(line, WIDTH) for line in posterior_head(posterior))
    if posterior.testimony is not None:
        head = "\n".join([head, *_folded(source_lines(posterior.sources()))])
    if not len(posterior.prior.beliefs):
        return head
    table = posterior.beliefs()
    columns = ["x", "event", "y", "baseline", "stated", "fitted", "after"]
    room = WIDTH - FIXED - BASELINE - NUMBER * (len(columns) - 6)
    shown = table[columns]
    if not posterior.is_exact:
        told = zip(table["error"], table["is_settled"], strict=True)
        shown = shown.assign(error=[error_cell(*one) for one in told])
        room -= NUMBER if table["is_settled"].all() else len(error_cell(0.0, False)) + 1
    text = shown.to_string(index=False, formatters=_formatters(room // 2))
    lines = [*_unmet(posterior.prior), *evidence_lines(table)]
    return "\n".join([head, text, *_folded(lines)])


def _unmet(prior: PathPrior) -> list[str]:
    return [f"Not met as stated: {unmet.missed}; {unmet.reason}." for unmet in prior.unmet]


def _folded(lines: Iterable[str]) -> list[str]:
    return [fill(line, WIDTH, subsequent_indent="  ") for line in lines]


def posterior_head(posterior: "Posterior") -> list[str]:
    """What there is, in words: graphs, errors, and why there are no more."""
    lines = [repr(posterior), posterior_ending(posterior)]
    if posterior.data is not None and posterior.data.gaps is not None:
        lines.append(gaps_sentence(posterior.data.gaps, posterior.data.num_rows))
    return lines


def posterior_ending(posterior: "Posterior") -> str:
    """Why there are no more graphs, and how good those are that there are."""
    sentences = [str(posterior.stopped_because)]
    errors = posterior.errors
    if not posterior.is_exact and errors["error"].notna().any():
        sentences.append(
            f"Largest error {errors['error'].max():.3f}, largest R-hat "
            f"{errors['r_hat'].max():.3f}, fewest effective samples "
            f"{errors['effective_samples'].min():.0f}."
        )
    unsettled = 0 if posterior.is_exact else int((~errors["is_settled"]).sum())
    if unsettled:
        sentences.append(f"Not settled: {unsettled:,} of {len(errors):,} probabilities.")
    return " ".join([*sentences, *posterior.left_out])


def effect_text(effect: "Effect") -> str:
    """P(y | do(x)) by what x is set to, then the differences and the chance that there is none."""
    shown = effect.y_states[-1:] if len(effect.y_states) == 2 else effect.y_states
    head = f"What setting {effect.x} does to {effect.y}, with 90 % intervals:"
    lines = [head]
    for to, state, *numbers in _rows(effect.table()):
        if state in shown:
            mean, low, high = (f"{number:.3f}" for number in numbers)
            chance = f"probability {mean} ({low} to {high})"
            lines.append(f"  {effect.x} = {to}: {effect.y} = {state} with {chance}")
    for to, state, *numbers in _rows(effect.differences()):
        if state in shown:
            mean, low, high = (f"{number:+.3f}" for number in numbers)
            gained = f"{effect.y} = {state} {mean} ({low} to {high})"
            lines.append(f"  {to} instead of {effect.x_states[0]}: {gained}")
    lines.append(no_effect(effect))
    return "\n".join(lines)


def response_text(response: "Response") -> str:
    """What y is where x is set, then how far that is from the first setting."""
    if response.y_states:
        states = response.y_states[-1:] if len(response.y_states) == 2 else response.y_states
        said = [f"{response.y} = {state} with probability " for state in states]
    else:
        states, said = ("",), [f"mean of {response.y} "]
    texts = dict(zip(states, said, strict=True))
    usual = ".3f" if response.y_states else ".4g"
    lines = [f"What setting {response.x} does to {response.y}, with 90 % intervals:"]
    for to, state, *numbers in _with_states(response.table()):
        if state in texts:
            mean, low, high = (f"{number:{usual}}" for number in numbers)
            lines.append(f"  {response.x} = {setting(to)}: {texts[state]}{mean} ({low} to {high})")
    first = setting(response.settings[0])
    for to, state, *numbers in _with_states(response.differences()):
        if state in texts:
            mean, low, high = (f"{number:+{usual}}" for number in numbers)
            named = f"{response.y} = {state}" if state else response.y
            lines.append(f"  {setting(to)} instead of {first}: {named} {mean} ({low} to {high})")
    return "\n".join([*lines, no_effect(response)])


def setting(to: str | float) -> str:
    """What a variable is set to: a state, or a number in few digits."""
    return to if isinstance(to, str) else f"{to:.4g}"


def _with_states(frame: "pd.DataFrame") -> Iterator[tuple[Any, ...]]:
    """Rows with the state of y in the second place, empty where it has none."""
    for to, *rest in _rows(frame):
        yield (to, *rest) if "state" in frame else (to, "", *rest)


def slope_text(slope: "Slope") -> str:
    """What one more of x does to y, and the chance that it is nothing."""
    mean, low, high = (f"{number:+.4g}" for number in slope.table().iloc[0])
    return (
        f"What setting {slope.x} does to {slope.y}, with a 90 % interval:\n"
        f"  {slope.x} one higher: {slope.y} {mean} ({low} to {high})\n"
        f"{no_effect(slope)}"
    )


def _rows(frame: "pd.DataFrame") -> Iterator[tuple[Any, ...]]:
    return frame.itertuples(index=False, name=None)


def _formatters(max_name: int) -> dict[str, Callable[[Any], str]]:
    def cut(name: str) -> str:
        return name if len(name) <= max_name else name[: max_name - 1] + "…"

    numbers = dict.fromkeys(["baseline", WITHIN, "fitted", "after"], "{:.3f}")
    numbers["stated"] = "{:g}"
    formatters: dict[str, Callable[[Any], str]] = {"x": cut, "y": cut}
    return formatters | {name: form.format for name, form in numbers.items()}
