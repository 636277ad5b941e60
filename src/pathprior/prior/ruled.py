"""Beliefs against edge rules: what no graph within the rules has, no belief can make probable.

A belief that gives some probability to it contradicts the rules. What it says beyond that is kept:
its other probabilities, in proportion. What is left of one that has a single possible event says
nothing, and is not fitted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.event import Event
from pathprior.counting.progress import Progress
from pathprior.errors import PriorError
from pathprior.graph.edge_rules import EdgeRules
from pathprior.graph.possible_ties import PossibleTies, blame
from pathprior.graph.tie import ALL_TIES, Tie, say_ties
from pathprior.prior.listed.conflicts import Conflict
from pathprior.prior.listed.linear_program import Bounds
from pathprior.prior.listed.problem import Constraint
from pathprior.prior.part import FitSettings, Part, PartFit, Repair
from pathprior.prior.sources import source_words


@dataclass(frozen=True, slots=True)
class Ruled:
    """Beliefs on some pairs, sorted by what rules leave of them.

    Attributes
    ----------
    open
        What can be fitted, without what is impossible.
    whole
        Those that the rules do not contradict, as stated.
    contradicted
        Those that give some probability to what is impossible, as stated.
    excluded
        Those of the contradicted that give all of it to that.
    """

    open: tuple[Constraint, ...]
    whole: tuple[Constraint, ...]
    contradicted: tuple[Constraint, ...]
    excluded: tuple[Constraint, ...]


def sort_by_rules(constraints: Sequence[Constraint], is_possible: NDArray[np.bool_]) -> Ruled:
    """Sort beliefs by what is possible to their pairs, by column and tie."""
    found = Ruled((), (), (), ())
    for constraint in constraints:
        ties = np.flatnonzero(is_possible[constraint.column]).tolist()
        possible = sorted({constraint.event_of[tie] for tie in ties})
        targets = constraint.targets
        mass = sum(targets[event] for event in possible)
        kept: tuple[Constraint, ...] = ()
        if len(possible) == len(targets):
            kept = (constraint,)
        elif len(possible) > 1 and mass > 0:
            kept = (_without_others(constraint, possible, mass),)
        is_contradicted = any(p > 0 and e not in possible for e, p in enumerate(targets))
        found = Ruled(
            found.open + kept,
            found.whole + (() if is_contradicted else (constraint,)),
            found.contradicted + ((constraint,) if is_contradicted else ()),
            found.excluded + ((constraint,) if mass == 0 else ()),
        )
    return found


def _without_others(constraint: Constraint, possible: Sequence[int], mass: float) -> Constraint:
    """The belief given that one of the ``possible`` events holds."""
    number = {event: k for k, event in enumerate(possible)}
    return replace(
        constraint,
        # where what is impossible is counted makes no difference
        event_of=tuple(number.get(event, 0) for event in constraint.event_of),
        targets=tuple(constraint.targets[event] / mass for event in possible),
    )


def fit_within(
    part: Part,
    constraints: Sequence[Constraint],
    beliefs: Sequence[Belief],
    settings: FitSettings,
    rules: EdgeRules,
    usual: NDArray[np.float64],
    progress: Progress,
) -> PartFit:
    """Fit what the rules leave of the beliefs on a part.

    ``usual`` are the probabilities of its pairs' ties without any belief.
    """
    ruled = sort_by_rules(constraints, part.possible_ties)
    require_allowed(ruled, beliefs, rules)
    against = rule_conflicts(ruled, beliefs, rules)
    if against and settings.repair is Repair.ERROR:
        raise PriorError("; ".join(conflict.sentence for conflict in against))
    if ruled.open:
        fit = part.fit(ruled.open, beliefs, settings, progress=progress)
    else:  # nothing is left to fit
        fit = PartFit(np.zeros_like(usual), usual, is_coherent=True, effective_samples=None)
    if against:
        fit = replace(fit, is_coherent=False, promise=None)
    return fit


def require_allowed(ruled: Ruled, beliefs: Sequence[Belief], rules: EdgeRules) -> None:
    """Raise if a belief leaves the graphs within the rules no probability at all."""
    for constraint in ruled.excluded:
        belief = beliefs[constraint.belief]
        events = zip(belief.events, belief.probabilities, strict=True)
        stated = frozenset(tie for event, p in events if p > 0 for tie in event)
        raise belief.error(
            f"no graph holds the hard belief {belief.x} {say_ties(stated)} {belief.y}, "
            f"ruled out by {_guilty(rules, belief, stated)}: drop it or change the rule"
        )


def rule_conflicts(
    ruled: Ruled, beliefs: Sequence[Belief], rules: EdgeRules
) -> tuple[Conflict, ...]:
    """What each belief that the rules contradict says against them."""
    return tuple(_conflict(beliefs[constraint.belief], rules) for constraint in ruled.contradicted)


def _conflict(belief: Belief, rules: EdgeRules) -> Conflict:
    possible = PossibleTies(rules).of(*(rules.variables.index(name) for name in _ends(belief)))
    for event, stated in zip(belief.named_events, belief.stated, strict=True):
        said = f"{source_words(belief.source)} said {round(stated, 4):g}"
        phrase = event.phrase(belief.x, belief.y)
        for lost, fate, limit in (
            (event.ties, "ruled out", 0.0),
            (ALL_TIES - event.ties, "made certain", 1.0),
        ):
            if stated != limit and not possible[sorted(lost)].any():
                by = _guilty(rules, belief, lost)
                sentence = f"{phrase} is {fate} by {by}; {said}"
                return Conflict((belief,), sentence, stated, Bounds(limit, limit))
    sentence = f"{' and '.join(rules.options)} rule out some of what {belief.phrase} says"
    return Conflict((belief,), sentence, None, None)


def rules_behind(rules: EdgeRules, rows: Iterable[tuple[str, str, str, float]]) -> tuple[str, ...]:
    """The rules that make an event impossible or certain, where its baseline is 0 or 1; else ""."""
    index = {name: v for v, name in enumerate(rules.variables)}
    named = []
    for x, event, y, baseline in rows:
        holds = Event.parse(event).ties
        lost = sorted(holds if baseline == 0.0 else ALL_TIES - holds)
        is_ruled = baseline in (0.0, 1.0)
        named.append(blame(rules, index[x], index[y], lost) if is_ruled else "")
    return tuple(named)


def _ends(belief: Belief) -> tuple[str, str]:
    return belief.x, belief.y


def _guilty(rules: EdgeRules, belief: Belief, ties: frozenset[Tie]) -> str:
    x, y = (rules.variables.index(name) for name in _ends(belief))
    return blame(rules, x, y, sorted(ties))
