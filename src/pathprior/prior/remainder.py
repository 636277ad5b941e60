"""What is left of a source where it contradicts itself: its other beliefs, which can hold together.

A repair weakens all that a source says. What it says against others must not go under with that, so
it is heard without the beliefs that its own others speak against.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from pathprior.beliefs.belief import Belief
from pathprior.prior.fitting import Whole
from pathprior.prior.listed.conflicts import Conflict
from pathprior.prior.sources import SourceFit


def coherent_remainder(
    source: SourceFit,
    conflicts: Callable[[SourceFit], Sequence[Conflict]],
    fit: Callable[[Sequence[Belief]], Whole],
) -> SourceFit:
    """The source with the weights of what is left of it, on the same pairs.

    Of each group that cannot hold together the belief goes that is in most of the groups, the last
    stated of several; a certain one only if all are. ``beliefs`` stays all that it says.
    """
    stated, left = source.beliefs, source
    while not left.is_coherent:
        groups = [conflict.beliefs for conflict in conflicts(left)]
        if not groups:  # found in no short cycle: there is nothing to leave out
            return source
        left_out = _left_out(groups, left.beliefs)
        remaining = tuple(belief for belief in left.beliefs if belief not in left_out)
        whole = fit(remaining)
        left = replace(
            left,
            beliefs=remaining,
            log_weights=whole.log_weights,
            marginals=whole.marginals,
            is_coherent=whole.is_coherent,
        )
    return replace(left, beliefs=stated)


def _left_out(groups: Sequence[tuple[Belief, ...]], stated: Sequence[Belief]) -> set[Belief]:
    """A belief of each group."""
    open_groups, left_out = list(groups), set[Belief]()
    while open_groups:
        number = Counter(belief for group in open_groups for belief in group)
        worst = max(number, key=lambda b: (not b.is_hard, number[b], stated.index(b)))
        left_out.add(worst)
        open_groups = [group for group in open_groups if worst not in group]
    return left_out
