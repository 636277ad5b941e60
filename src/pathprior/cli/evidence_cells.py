"""What the commands print of evidence: green and red stand for it, and for nothing else."""

from typing import TYPE_CHECKING

from rich.text import Text

from pathprior.cli.console import console
from pathprior.cli.tables import Cell
from pathprior.report.belief_rows import agreements, evidence_numbers, phrases

if TYPE_CHECKING:
    import pandas as pd

STYLES = {True: "green", False: "red", None: ""}
MAX_SENTENCES = 10
"""Most beliefs that are put into sentences; the file has all."""


def evidence_cells(weighed: "pd.DataFrame") -> list[list[Cell]]:
    """The log factor and the words of each row."""
    told = zip(evidence_numbers(weighed), weighed["evidence"], agreements(weighed), strict=True)
    return [[number, Text(words, style=STYLES[agrees])] for number, words, agrees in told]


def print_sentences(weighed: "pd.DataFrame") -> None:
    """Say what the data say of each belief, of many the first: those that they contradict."""
    told = list(zip(phrases(weighed), weighed["sentence"], strict=True))
    for phrase, sentence in told[:MAX_SENTENCES]:
        console.print(f"{phrase}. {sentence}", markup=False, highlight=False)
    if len(told) > MAX_SENTENCES:
        console.print(f"… and {len(told) - MAX_SENTENCES} more beliefs.", highlight=False)
