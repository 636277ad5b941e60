"""What the data make of each belief: probabilities, evidence and a sentence."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathprior.beliefs.evidence import weigh
from pathprior.posterior.belief_sentences import Weighed, belief_sentences
from pathprior.posterior.doubted import judge_evidence
from pathprior.posterior.doubts import Doubts
from pathprior.posterior.judge import Judge
from pathprior.posterior.questions import ask_either
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
    judged = [
        judge_evidence(evidence, event, doubts, row)
        for row, (evidence, (_, event, _)) in enumerate(zip(weighed, events, strict=True))
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
