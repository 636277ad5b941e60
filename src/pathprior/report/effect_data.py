"""What setting some variables does to others, drawn when a page is written."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from pathprior.network.detection import detect
from pathprior.network.effect import AnyEffect, Effect
from pathprior.network.response import Response
from pathprior.network.slope import Slope
from pathprior.posterior.effects import prepare_effects
from pathprior.report.claims import surest_claims
from pathprior.report.pace import Pace
from pathprior.report.path_matrix import path_matrix
from pathprior.report.settled import no_effect, settled_matrix
from pathprior.report.text import setting

if TYPE_CHECKING:
    from pathprior.posterior.posterior import Posterior

NUM_DRAWS = 200
"""Draws of each effect."""
MOST, LEAST, TOTAL = 24, 5, 1000
"""Pairs: at most the first, at least the second, and else the last over the number of variables."""
CAUSES = 0.05
"""Probability of a path below which an effect is not drawn."""
PREPARING = 0.5
"""Seconds without which it is not begun."""
MAX_ROWS = 24
"""Most rows that one effect takes."""

WITHOUT_DATA = "This posterior was read from a file, without data: posterior.effect draws it."
NOT_DRAWN = "It was not drawn for this page: posterior.effect draws it."

Pair = tuple[str, str]


def effect_data(
    posterior: "Posterior",
    nodes: Sequence[str],
    first: Iterable[Pair],
    pace: Pace | None = None,
) -> dict[str, Any]:
    """Effects of the pairs that are asked for ``first``, then of the surest claims."""
    pace = pace or Pace()
    data = posterior.data
    if data is None:
        return {"pairs": [], "missing": WITHOUT_DATA}
    most = min(MOST, max(LEAST, TOTAL // len(nodes)))
    chosen = list(islice(_choose(posterior, first, most), most))
    if not chosen or not pace.allows(PREPARING, f"None of {len(chosen)} effects was drawn."):
        return {"pairs": [], "missing": NOT_DRAWN}
    ask = prepare_effects(
        posterior.draws,
        posterior.variables,
        posterior.completions or (data,),
        prior_rows=posterior.prior_rows,
        tables=posterior.tables,
        num_draws=NUM_DRAWS,
    )
    place = {name: k for k, name in enumerate(nodes)}
    settled = settled_matrix(posterior.relations_settled, len(posterior.variables))
    at = {name: k for k, name in enumerate(posterior.variables)}
    pairs: list[dict[str, Any]] = []
    longest = 0.0
    for x, y in chosen:
        drawn = f"Only {len(pairs)} of {len(chosen)} effects were drawn."
        if not pace.allows(longest, drawn):
            break
        begin = monotonic()
        is_settled = bool(settled[at[x], at[y]])
        shown = None if posterior.data is None else detect(posterior.data, x, y)
        effect = replace(ask(x, y, 0), is_settled=is_settled, detection=shown)
        pairs.append({"x": place[x], "y": place[y]} | describe_effect(effect))
        longest = max(longest, monotonic() - begin)
    return {"pairs": pairs, "missing": NOT_DRAWN}


def describe_effect(effect: AnyEffect) -> dict[str, Any]:
    """Rows with intervals, by state of y, what is said below them, and whether it has settled."""
    none = no_effect(effect)
    if isinstance(effect, Slope):
        mean, low, high = (f"{number:+.3g}".replace("-", "−") for number in effect.table().iloc[0])
        change = f"{effect.x} set one higher changes {effect.y} by {mean} ({low} to {high})."
        return {"groups": [], "sentences": [change, none], "isSettled": effect.is_settled}
    if isinstance(effect, Response):
        return _describe_response(effect, none)
    return _describe_states(effect, effect.x_states, none)


def _describe_response(response: Response, none: str) -> dict[str, Any]:
    """Probabilities as of states; of a real y what each setting changes."""
    if response.y_states:
        return _describe_states(response, tuple(map(setting, response.settings)), none)
    first = setting(response.settings[0])
    changes = [
        f"{response.x} set to {setting(to)} instead of {first} changes the mean of {response.y} by "
        + "{} ({} to {}).".format(*(f"{number:+.3g}".replace("-", "−") for number in numbers))
        for to, *numbers in response.differences().itertuples(index=False, name=None)
    ]
    return {"groups": [], "sentences": [*changes, none], "isSettled": response.is_settled}


def _describe_states(
    effect: Effect | Response, settings: tuple[str, ...], none: str
) -> dict[str, Any]:
    states = effect.y_states[-1:] if len(effect.y_states) == 2 else effect.y_states
    shown = states[: max(1, MAX_ROWS // len(settings))]
    by_state: dict[str, list[dict[str, Any]]] = {state: [] for state in shown}
    for to, state, *numbers in effect.table().itertuples(index=False, name=None):
        if state in by_state:
            mean, low, high = (round(number, 4) for number in numbers)
            row = {"label": f"{effect.x} = {setting(to)}", "mean": mean, "low": low, "high": high}
            by_state[state].append(row)
    groups = [
        {"title": f"Probability of {effect.y} = {state}", "rows": rows}
        for state, rows in by_state.items()
    ]
    more = len(states) - len(shown)
    cut = [f"{more} more states of {effect.y}: posterior.effect has them all."] if more else []
    return {"groups": groups, "sentences": [*cut, none], "isSettled": effect.is_settled}


def _choose(posterior: "Posterior", first: Iterable[Pair], most: int) -> Iterator[Pair]:
    matrix = np.nan_to_num(path_matrix(posterior))
    place = {name: k for k, name in enumerate(posterior.variables)}
    both = [pair for x, y in first for pair in ((x, y), (y, x))]
    surest = [(claim.x, claim.y) for claim in surest_claims(posterior, most + len(both))]
    for x, y in dict.fromkeys([*both, *surest]):
        if matrix[place[x], place[y]] >= CAUSES:
            yield x, y
