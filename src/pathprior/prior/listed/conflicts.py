"""Conflicts: minimal groups of beliefs that cannot hold together, said in plain words."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.event import RELATION_EVENTS, Event
from pathprior.errors import BeliefError
from pathprior.kernels.graph.ancestors import NUM_RELATIONS
from pathprior.prior.listed.linear_program import Bounds, MarginalProgram
from pathprior.prior.listed.listing import Listing
from pathprior.prior.listed.problem import Constraint, Problem
from pathprior.prior.sources import source_words

MAX_CONFLICTS = 20
"""Groups reported per part; there can be exponentially many."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Beliefs that cannot all hold, though any of them can be dropped to make the rest agree."""

    beliefs: tuple[Belief, ...]
    sentence: str
    """What the others force on one of them, with the numbers."""
    stated: float | None
    """The stated probability of the event that the sentence is about, if it is about one."""
    bounds: Bounds | None
    """The probabilities that the other beliefs leave to that event."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """One stated probability: event number ``row`` of the problem, in words."""

    row: int
    belief: Belief
    event: Event
    stated: float

    @property
    def text(self) -> str:
        return self.event.phrase(self.belief.x, self.belief.y)

    @property
    def verdict(self) -> str:
        """Who says so: the source, or the completion of what it said."""
        if self.event in self.belief.named_events:
            return f"{source_words(self.belief.source)} said {_number(self.stated)}"
        return f"the belief was completed to {_number(self.stated)}"


def find_conflicts(problem: Problem, beliefs: Sequence[Belief]) -> tuple[Conflict, ...]:
    """Find the minimal incoherent groups of ``beliefs``, at most `MAX_CONFLICTS`.

    ``problem`` must keep the patterns that hard beliefs exclude.
    Each further group is sought among the beliefs without one member of every group found
    before it (Reiter's hitting-set tree), so that overlapping groups are found too.
    """
    program = MarginalProgram(problem)
    groups = _minimal_groups(
        range(len(problem.constraints)),
        lambda members: _shrink(program, members),
    )
    return tuple(_explain(program, group, beliefs) for group in groups)


def require_consistent_hard_beliefs(
    listing: Listing,
    constraints: Sequence[Constraint],
    beliefs: Sequence[Belief],
    *,
    within: str = "",
) -> None:
    """Raise an error that names a minimal contradictory set of hard beliefs, if there is one."""
    excluded = {
        k: np.array([c.targets[e] == 0 for e in c.event_of])[listing.configurations[:, c.column]]
        for k, c in enumerate(constraints)
        if 0.0 in c.targets
    }

    def is_contradictory(members: Iterable[int]) -> bool:
        left = np.ones(len(listing.configurations), dtype=bool)
        for k in members:
            left &= ~excluded[k]
        return not left.any()

    if not excluded or not is_contradictory(excluded):
        return
    group = sorted(_delete(list(excluded), is_contradictory))
    members = [beliefs[constraints[k].belief] for k in group]
    where = [b.origin for b in members if b.origin]
    raise BeliefError(
        f"{_listed(_with_sources(members))} are certain but contradict each other{within}"
        + (f" ({'; '.join(where)})" if where else "")
        + "; soften or drop one"
    )


def _with_sources(beliefs: Sequence[Belief]) -> list[str]:
    """The beliefs in words, with who states each if it is not always the same."""
    if len({belief.source for belief in beliefs}) == 1:
        return [belief.phrase for belief in beliefs]
    return [f"{belief.phrase} said by {source_words(belief.source)}" for belief in beliefs]


def _minimal_groups(
    everything: Iterable[int], shrink: Callable[[list[int]], tuple[int, ...]]
) -> list[tuple[int, ...]]:
    """Breadth-first hitting-set tree: a node is a set of left-out members."""
    everything = list(everything)
    groups: list[tuple[int, ...]] = []
    queue: deque[frozenset[int]] = deque([frozenset()])
    seen = {frozenset[int]()}
    while queue and len(groups) < MAX_CONFLICTS:
        left_out = queue.popleft()
        group = next((g for g in groups if left_out.isdisjoint(g)), None)
        if group is None:
            group = shrink([k for k in everything if k not in left_out])
            if not group:
                continue
            groups.append(group)
        for member in group:
            child = left_out | {member}
            if child not in seen:
                seen.add(child)
                queue.append(child)
    return sorted(groups)


def _shrink(program: MarginalProgram, members: list[int]) -> tuple[int, ...]:
    """Return a minimal incoherent subset of ``members``, or nothing if they are coherent."""
    problem = program.problem
    blamed = program.blamed(_rows(problem, members))
    if len(blamed) == 0:
        return ()
    suspects = sorted({int(k) for k in problem.owner[blamed]})

    def is_incoherent(subset: Iterable[int]) -> bool:
        return not program.is_feasible(_rows(problem, subset))

    if not is_incoherent(suspects):  # prices within rounding of zero were left out
        suspects = members
    return tuple(sorted(_delete(suspects, is_incoherent)))


def _delete(members: list[int], is_bad: Callable[[list[int]], bool]) -> list[int]:
    """Drop members one by one while the rest stays bad; what is left is minimal."""
    kept = list(members)
    for member in members:
        rest = [k for k in kept if k != member]
        if is_bad(rest):
            kept = rest
    return kept


def _rows(problem: Problem, members: Iterable[int]) -> NDArray[np.int64]:
    return np.flatnonzero(np.isin(problem.owner, list(members)))


def _explain(
    program: MarginalProgram, group: tuple[int, ...], beliefs: Sequence[Belief]
) -> Conflict:
    """Choose the statement that the others of the group push hardest, and say so."""
    problem = program.problem
    members = tuple(beliefs[problem.constraints[k].belief] for k in group)
    claims = _minimal_claims(program, group, beliefs)
    best: tuple[float, bool, int] | None = None
    chosen: tuple[_Claim, Bounds] | None = None
    for position, claim in enumerate(claims):
        others = np.array([c.row for c in claims if c is not claim], dtype=np.int64)
        bounds = program.bounds(others, (problem.events == claim.row).any(axis=1))
        gap = max(bounds.lower - claim.stated, claim.stated - bounds.upper)
        # "at least" reads better than "at most"; among equals the last one stated
        rank = (round(gap, 6), claim.stated < bounds.lower, position)
        if gap > 0 and (best is None or rank > best):
            best, chosen = rank, (claim, bounds)
    if chosen is None:
        sentence = f"{_listed([b.phrase for b in members])} cannot hold together"
        return Conflict(members, sentence, None, None)
    claim, bounds = chosen
    return Conflict(members, _sentence(claim, bounds, claims), claim.stated, bounds)


def _minimal_claims(
    program: MarginalProgram, group: tuple[int, ...], beliefs: Sequence[Belief]
) -> list[_Claim]:
    """Single statements of the group that are already incoherent; a vector makes four."""
    problem = program.problem
    claims = {}
    for k in group:
        constraint = problem.constraints[k]
        belief = beliefs[constraint.belief]
        start = int(np.flatnonzero(problem.owner == k)[0])
        named = RELATION_EVENTS if len(constraint.targets) == NUM_RELATIONS else belief.named_events
        for e, event in enumerate(named):
            claims[start + e] = _Claim(start + e, belief, event, constraint.targets[e])

    def is_incoherent(rows: list[int]) -> bool:
        return not program.is_feasible(np.array(rows, dtype=np.int64))

    # Small probabilities are deleted first, so that what people mean to say is what is left.
    rows = sorted(claims, key=lambda row: claims[row].stated)
    return [claims[row] for row in sorted(_delete(rows, is_incoherent))]


def _sentence(claim: _Claim, bounds: Bounds, claims: list[_Claim]) -> str:
    others = [c for c in claims if c is not claim]
    if len(others) == 1 and _same_statement(others[0], claim):
        first, second = (
            _number(c.stated) + (f" ({c.belief.source})" if c.belief.source else "")
            for c in (others[0], claim)
        )
        return f"two statements disagree on one thing: {claim.text} is {first} and {second}"
    if claim.stated < bounds.lower:
        limit = f"at least {_number(bounds.lower)}"
    else:
        limit = f"at most {_number(bounds.upper)}"
    if not others:
        return f"{claim.text} can have {limit}; {claim.verdict}"
    premises = _listed([f"{c.text} ({_number(c.stated)})" for c in others])
    verb = "forces" if len(others) == 1 else "force"
    return f"{premises} {verb} {claim.text} to {limit}; {claim.verdict}"


def _same_statement(a: _Claim, b: _Claim) -> bool:
    return (a.belief.x, a.event, a.belief.y) == (b.belief.x, b.event, b.belief.y)


def _number(value: float) -> str:
    return f"{round(value, 4):g}"


def _listed(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
