"""The options of `pathprior learn`, with what `--help` says of each."""

from pathlib import Path
from typing import Annotated

import typer

DataFile = Annotated[Path | None, typer.Argument(help="Data file: text, .parquet or Excel.")]
BeliefFile = Annotated[Path | None, typer.Option(help="Belief file, CSV or JSON.")]
Reliability = Annotated[
    list[str] | None,
    typer.Option(help="Of a source of statements, Beta(a, b), as 'survey=8,2'; repeatable."),
]
OutFolder = Annotated[Path, typer.Option(help="Folder for the results.")]
WithReport = Annotated[
    bool, typer.Option("--report", help="Write report.html too: one file for the browser.")
]
WithPosterior = Annotated[
    bool,
    typer.Option("--posterior", help="Write how probable edges and paths are, to OUT/posterior."),
]
WithEvidence = Annotated[
    bool,
    typer.Option("--evidence", help="Search with and without each belief; write evidence.csv."),
]
RepeatFile = Annotated[
    Path | None,
    typer.Option("--from", help="Repeat the run of this summary.json, with its settings."),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(help="Columns to use and no others, as 'age,pay'; repeatable."),
]
RealColumns = Annotated[
    list[str] | None,
    typer.Option("--real", help="Whole numbers that are measured, as 'age,pay'; repeatable."),
]
DiscreteColumns = Annotated[
    list[str] | None,
    typer.Option("--discrete", help="Fractions that are states, as 'dose,share'; repeatable."),
]
Interventions = Annotated[
    str | None,
    typer.Option(help="Column that names what was set in a row: nothing, 'A' or 'A;B'."),
]
InterventionsKind = Annotated[
    str, typer.Option(help="hard: values were set; soft: how they come about was changed.")
]
Missing = Annotated[
    str,
    typer.Option(help="Missing values: refuse, em (draw them), state or drop (their rows)."),
]
ScoreName = Annotated[
    str,
    typer.Option(
        help="bdeu, averaged-bdeu, families, k2, bic, aic, loglik (with --max-parents); bge, "
        "ranks, gaussian-bic; mixed; auto."
    ),
]
Penalty = Annotated[
    float | None, typer.Option(help="Factor of the penalty of gaussian-bic; 1 by default.")
]
EquivalentSampleSize = Annotated[float, typer.Option(help="Weight of the BDeu prior, in rows.")]
SearchName = Annotated[
    str,
    typer.Option(help="equivalence, guided, turning, greedy or exact; auto: the best quick one."),
]
Swap = Annotated[
    bool, typer.Option(help="Move to the equivalent graph that fits the beliefs best.")
]
Repair = Annotated[
    str, typer.Option(help="For beliefs that cannot hold together: soft, gema or error.")
]
Pool = Annotated[
    str,
    typer.Option(
        help="Beliefs of different sources: sources, independent evidence, or joint, one mind."
    ),
]
MaxParents = Annotated[int | None, typer.Option(help="Most parents of a variable.")]
Required = Annotated[
    list[str] | None, typer.Option(help="Edges that must be there, as 'A->B,C->D'; repeatable.")
]
Forbidden = Annotated[
    list[str] | None, typer.Option(help="Edges that may not be there, as 'A->B,C->D'; repeatable.")
]
Tier = Annotated[
    list[str] | None,
    typer.Option(
        help="Variables 'A,B,…' of one tier; repeat, earliest tier first. Rules out edges back; "
        "paths back too where every variable is in a tier."
    ),
]
Fixed = Annotated[
    list[str] | None,
    typer.Option(
        help="Variables 'age,sex' that no experiment can set; '' for none; else the first tier."
    ),
]
ConstantColumns = Annotated[
    str, typer.Option(help="Columns with one value: isolate (no edges there) or keep.")
]
Tabu = Annotated[
    int | None,
    typer.Option(help="Length of the tabu list, up to 1000; the search's own by default."),
]
Shakes = Annotated[
    int | None,
    typer.Option(help="Random disturbances in vain that end a search; its own by default."),
]
Restarts = Annotated[int, typer.Option(help="Further climbs from disturbed optima.")]
Effort = Annotated[
    str, typer.Option(help="How long to go on: quick, default or thorough (ten times as long).")
]
TimeLimit = Annotated[
    float | None, typer.Option(help="Seconds after which the best network so far is taken.")
]
Seed = Annotated[int, typer.Option(help="Seed of everything random.")]
Jobs = Annotated[int, typer.Option(help="Restarts at a time; -1 for all cores.")]
Progress = Annotated[bool, typer.Option(help="Show a live progress line.")]
