"""What a finished run leaves beside its rows: the picture and the verdicts."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pathprior.experiments.experiment import Claim, Experiment
from pathprior.files import replacing
from pathprior.versions import versions

if TYPE_CHECKING:
    import pandas as pd

DOTS_PER_INCH = 110
MAX_WIDTH = 1100
"""Pixels of the widest picture, small enough to keep with the text; plot.svg is for print."""


def write_verdict(
    experiment: Experiment, rows: "pd.DataFrame", folder: Path, *, command: str
) -> list[Claim]:
    """Write ``plot.png``, ``plot.svg``, ``verdict.md`` and ``verdict.json``; return the claims."""
    claims = experiment.claims(rows)
    figure = experiment.plot(rows)
    dots_per_inch = min(DOTS_PER_INCH, MAX_WIDTH / figure.get_figwidth())
    for suffix in ("png", "svg"):
        with replacing(folder / f"plot.{suffix}") as temporary:
            # no date in the file, so that the same rows give the same picture
            metadata = {"Software": None} if suffix == "png" else {"Date": None}
            figure.savefig(temporary, dpi=dots_per_inch, metadata=metadata)
    content = {
        "experiment": experiment.name,
        "command": command,
        "versions": versions(),
        "num_rows": len(rows),
        "claims": [
            {"sentence": claim.sentence, "verdict": claim.verdict, "numbers": claim.numbers}
            for claim in claims
        ],
        "notes": list(experiment.notes),
    }
    with replacing(folder / "verdict.json") as temporary:
        text = json.dumps(content, indent=1, ensure_ascii=False)
        temporary.write_text(text + "\n", encoding="utf-8")
    with replacing(folder / "verdict.md") as temporary:
        temporary.write_text(_markdown(experiment, claims, command), encoding="utf-8")
    return claims


def _markdown(experiment: Experiment, claims: Sequence[Claim], command: str) -> str:
    lines = [f"# {experiment.name}: {experiment.title}", "", f"`{command}`", ""]
    lines += ["![](plot.png)", "", "| claim | verdict | numbers |", "| --- | --- | --- |"]
    lines += [
        f"| {_cell(claim.sentence)} | **{claim.verdict}** | {_cell(claim.numbers)} |"
        for claim in claims
    ]
    lines += ["", *(f"- {note}" for note in experiment.notes)]
    lines += ["", ", ".join(f"{name} {number}" for name, number in versions().items()), ""]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
