"""What is said of each belief in a sentence or two: what was stated, and what the data say."""

from dataclasses import dataclass
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any

from pathprior.beliefs.event import Event
from pathprior.beliefs.evidence import HALF, NOT_SETTLED, SETTLED, SOME, Evidence
from pathprior.prior.belief_table import WITHIN, speakers
from pathprior.prior.sources import source_words

if TYPE_CHECKING:
    import pandas as pd

CLEAR = 0.05
"""Difference of two probabilities from which a sentence names both."""
MAX_NAMED = 3
"""Most sources that one sentence names."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the draws say of the event of one belief.

    Attributes
    ----------
    before, after, error
        Its probability before the data, within the rules, and after them, the latter with its
        error.
    effective_samples
        How many independent graphs the latter rests on.
    ruled_out_by
        The rules that leave no graph with the event, or none without it; empty where some are left.
    doubt
        What else is to be said of what the rows could show, and of other models.
    """

    evidence: Evidence
    before: float
    after: float
    error: float
    effective_samples: float
    ruled_out_by: str = ""
    doubt: str = ""


def belief_sentences(stated: "pd.DataFrame", weighed: list[Weighed]) -> list[str]:
    """One sentence for each row of a prior's table."""
    has_rules = "rule" in stated
    rows = stated[["stated", "fitted"]].itertuples(index=False, name=None)
    sentences = []
    for speaker, moved, (said, fitted), found in zip(
        speakers(stated), _moves(stated), rows, weighed, strict=True
    ):
        if found.evidence.words == SETTLED:
            # what rules settle no belief has moved
            kept = "" if has_rules else moved
            answer = f". {_settled(said, fitted, found, has_rules=has_rules)}"
        else:
            kept, answer = moved, _answer(said, fitted, found)
        sentences.append(f"{speaker} said {number(said)}{kept}{answer}")
    return sentences


def bounded(after: float, effective_samples: float) -> str:
    """A probability in words; of finitely many graphs that agree, how far it can be from that."""
    if 0.0 < after < 1.0 or not isfinite(effective_samples):
        return number(after)
    thousandths = ceil(1000.0 / (effective_samples + 2.0))
    if after > 0.5:
        return f"at least {1.0 - thousandths / 1000.0:.3f}"
    return f"at most {thousandths / 1000.0:.3f}"


def number(probability: float) -> str:
    """Two digits, and more where these would say never or always."""
    if probability in (0.0, 1.0):
        return f"{probability:g}"
    if 0.005 <= probability < 0.995:
        return f"{probability:.2f}"
    return f"{probability:.3f}" if 0.0005 <= probability < 0.9995 else _extreme(probability)


def _answer(said: float, fitted: float, found: Weighed) -> str:
    """What the data say, after what the rules make of the belief."""
    evidence, after = found.evidence, found.after
    within = ""
    if abs(found.before - fitted) > CLEAR:
        within = f", within the rules {number(found.before)}"
    if evidence.words == NOT_SETTLED:
        return f"{within}. Not settled: {number(after)} ± {found.error:.2f} so far."
    agrees = evidence.agrees(said)
    if abs(evidence.log_factor) < SOME:
        answer = "The data say little"
    elif agrees is None:
        answer = "After the data"
    elif agrees:
        answer = "The data agree"
    else:
        is_opposite = (after > HALF) != (said > HALF)
        answer = "The data say otherwise" if is_opposite else "The data disagree"
    # what is certain is settled, so that of all graphs only rounding leaves none
    is_rounded = after in (0.0, 1.0) and not isfinite(found.effective_samples)
    shown = _extreme(after) if is_rounded else bounded(after, found.effective_samples)
    return " ".join([f"{within}. {answer}: {shown}.", *filter(None, [found.doubt])])


def _settled(said: float, fitted: float, found: Weighed, *, has_rules: bool) -> str:
    """Who leaves the data nothing to say."""
    if found.ruled_out_by:
        fate = "ruled out" if found.before == 0.0 else "made certain"
        return f"It is {fate} by your rules ({found.ruled_out_by}), and no data can change that."
    if said in (0.0, 1.0):
        return "That is certain, and no data can change that."
    others = "other beliefs that are certain"
    if has_rules or fitted not in (0.0, 1.0):
        others = "your rules together with beliefs that are certain"
    return f"It follows from {others}, and no data can change that."


def _moves(stated: "pd.DataFrame") -> list[str]:
    """What moved each belief before any data, and how far: its own source's beliefs, or others'."""
    is_pooled = WITHIN in stated
    alone = stated[WITHIN if is_pooled else "fitted"]
    moves = []
    for k, (said, own, fitted) in enumerate(
        zip(stated["stated"], alone, stated["fitted"], strict=True)
    ):
        moved = ""
        if abs(own - said) > CLEAR:
            moved += f", beside the other beliefs {number(own)}"
        if abs(fitted - own) > CLEAR:
            moved += f", {number(fitted)} together with what {_others(stated, k)}"
        moves.append(moved)
    return moves


def _others(stated: "pd.DataFrame", k: int) -> str:
    """Which other sources speak of the same two, else of causes of the same effect, else at all.

    Other causes of an effect also make one cause more probable that leads to one of them: so who
    says what else that one causes is named as well.
    """
    row = stated.iloc[k]
    others = stated[stated["source"].str.strip() != row["source"].strip()]
    same = [{x, y} == {row["x"], row["y"]} for x, y in zip(others["x"], others["y"], strict=True)]
    if any(same):
        return _say(others[same], "of the same two")
    cause, effect = _direction(row)
    directions = [_direction(other) for _, other in others.iterrows()]
    rivals = [effect is not None and other[1] == effect for other in directions]
    if not any(rivals):
        return _say(others, "of other pairs")
    said = _say(others[rivals], f"of other causes of {effect}")
    ways = [other[0] == cause for other in directions]
    return f"{said} and {_say(others[ways], f'of other effects of {cause}')}" if any(ways) else said


def _say(others: "pd.DataFrame", about: str) -> str:
    """Who says something, each source once."""
    names = [source_words(name) for name in sorted(set(others["source"].str.strip()))]
    shown = names[:MAX_NAMED] if len(names) <= MAX_NAMED else names[: MAX_NAMED - 1]
    if len(names) > MAX_NAMED:
        shown.append(f"{len(names) - len(shown)} more")
    listed = " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
    is_one = len(names) == 1 and names[0] != source_words("")
    return f"{listed} {'says' if is_one else 'say'} {about}"


def _direction(row: Any) -> tuple[str, str] | tuple[None, None]:
    """Cause and effect, if the belief is in a cause."""
    event = Event.parse(row["event"])
    if event in (Event.CAUSES, Event.DIRECT):
        return str(row["x"]), str(row["y"])
    return (str(row["y"]), str(row["x"])) if event is Event.CAUSED_BY else (None, None)


def _extreme(probability: float) -> str:
    return "below 0.001" if probability < 0.5 else "above 0.999"
