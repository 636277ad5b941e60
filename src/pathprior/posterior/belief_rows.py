"""What the data make of each belief: probabilities, evidence and a sentence."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.event import Event
from pathprior.beliefs.evidence import weigh
from pathprior.graph.tie import Tie
from pathprior.posterior.belief_sentences import Weighed, belief_sentences
from pathprior.posterior.doubted import judge_evidence
from pathprior.posterior.doubts import Doubts
from pathprior.posterior.judge import Judge
from pathprior.posterior.questions import ask_either, ask_event
from pathprior.prior.belief_table import belief_probabilities, contradicted_first

if TYPE_CHECKING:
    import pandas as pd


def belief_rows(
    stated: "pd.DataFrame",
    judge: Judge,
    before: "Sequence[float] | NDArray[np.float64]",
    ruled_out_by: Sequence[str],
    doubts: Doubts | None,
) -> "pd.DataFrame":
    """Add to the table of a prior what the data make of it; what they contradict comes first.

    ``before`` is the probability of each row's event within the rules, before the data, and
    ``ruled_out_by`` names those that make it 0 or 1, if they do. Words are those of the weakest of
    the models in ``doubts``.
    """
    table = belief_probabilities(stated)
    events = list(zip(table["x"], table["event"], table["y"], strict=True))
    found, others = zip(*(ask_either(judge, *event) for event in events), strict=True)
    table["before"] = np.asarray(before, dtype=np.float64)
    table["after"] = [float(held.mean[0]) for held in found]
    table["error"] = [float(held.error[0]) for held in found]
    table["is_settled"] = [bool(held.is_settled[0]) for held in found]
    samples = [float(held.effective_samples[0]) for held in found]
    weighed = [
        weigh(*row, is_settled=is_settled)
        for *row, is_settled in zip(
            table["before"], table["after"], others, samples, table["is_settled"], strict=True
        )
    ]
    table["log_bayes_factor"] = [evidence.log_factor for evidence in weighed]
    table["is_bound"] = [evidence.is_bound for evidence in weighed]
    told = zip(weighed, events, table["after"], strict=True)
    judged = [
        judge_evidence(evidence, event, _absent(judge, x, event, y, after), doubts, row)
        for row, (evidence, (x, event, y), after) in enumerate(told)
    ]
    table["low"], table["high"] = zip(*(found.range for found in judged), strict=True)
    table["weakest"] = [found.evidence.log_factor for found in judged]
    table["chance_to_show"] = [found.chance_to_show for found in judged]
    table["evidence"] = [found.evidence.words for found in judged]
    table["is_contradicted"] = [
        found.evidence.agrees(stated) is False
        for found, stated in zip(judged, table["stated"], strict=True)
    ]
    numbers = (table[name] for name in ("before", "after", "error"))
    evidence, doubt = zip(*((found.evidence, found.doubt) for found in judged), strict=True)
    rows = zip(evidence, *numbers, samples, ruled_out_by, doubt, strict=True)
    table["sentence"] = belief_sentences(stated, [Weighed(*row) for row in rows])
    return contradicted_first(table, "weakest")


def _absent(judge: Judge, x: str, event: str, y: str, after: float) -> float:
    """How probable it is that x and y are unrelated, if the event asserts no tie that they have."""
    unrelated = float(ask_event(judge, x, Event.NOT_ASSOCIATED.value, y).mean[0])
    without = after if Tie.UNRELATED in Event.parse(event).ties else 1.0 - after
    return unrelated / without if without > 0.0 else 0.0
