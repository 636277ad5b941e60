"""Sachs' proteins as real columns, with and without beliefs, against the published network.

    pip install --no-deps cdt==0.6.0
    python benchmarks/sachs.py

The table is read from the package ``cdt``, which is not imported; the network from pgmpy's files.
"""

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import numpy as np
import pandas as pd

import pathprior as pp

NAMES = {
    "praf": "Raf",
    "pmek": "Mek",
    "plcg": "Plcg",
    "p44/42": "Erk",
    "pakts473": "Akt",
    "pjnk": "Jnk",
}
"""What the network calls the columns that the table calls otherwise."""

EXPERIMENTS = (
    (853, ""),
    (902, ""),
    (911, "Akt"),
    (723, "PKC"),
    (810, "PIP2"),
    (799, "Mek"),
    (848, ""),
    (913, "PKC"),
    (707, "PKA"),
)
"""Rows of each experiment in their order, and what was activated or inhibited in it.

General stimulation, with ICAM-2, with an inhibitor of Akt, G0076, psitectorigenin, U0126, LY294002
(which acts on PI3K, not measured), then PMA and β2cAMP alone.
"""

FIRST = EXPERIMENTS[0][0]
"""Rows of the general stimulation, in which no protein was set."""

# one reader's beliefs: what they are founded on is no independent evidence
BELIEFS = [
    pp.causes("Raf", "Mek", 0.95, source="MAPK cascade"),
    pp.causes("Mek", "Erk", 0.95, source="MAPK cascade"),
    pp.causes("Plcg", "PIP2", 0.9, source="hydrolysis"),
    pp.causes("PIP3", "Akt", 0.8, source="recruitment to the membrane"),
    pp.causes("PKC", "Raf", 0.8, source="reviews"),
    pp.causes("PKA", "Raf", 0.8, source="reviews"),
    pp.causes("PKC", "Jnk", 0.8, source="reviews"),
    pp.causes("PKC", "P38", 0.8, source="reviews"),
]


def read_table() -> pd.DataFrame:
    path = distribution("cdt").locate_file("cdt/data/resources/cyto_full_data.csv")
    frame = pd.read_csv(Path(str(path))).rename(columns=NAMES)
    return frame.map(np.log)


def read_truth() -> pp.Dag:
    path = distribution("pgmpy").locate_file("pgmpy/utils/example_models/sachs.bif.gz")
    return pp.read_bif(Path(str(path))).dag


def rows(frame: pd.DataFrame, truth: pp.Dag) -> Iterator[str]:
    prior = pp.fit_prior(BELIEFS, frame.columns, pool="joint")
    for name, data in ((f"first {FIRST}", frame.head(FIRST)), (f"all {len(frame)}", frame)):
        for score in ("bge", "gaussian-bic"):
            for with_beliefs in (False, True):
                fit = pp.learn(data, prior if with_beliefs else None, score=score)
                yield f"| {name} | {score} | {'yes' if with_beliefs else 'no'} | " + judge(
                    fit, truth
                )


def rows_of_experiments(frame: pd.DataFrame, truth: pp.Dag) -> Iterator[str]:
    prior = pp.fit_prior(BELIEFS, frame.columns, pool="joint")
    sizes, targets = zip(*EXPERIMENTS, strict=True)
    set_there = np.repeat(targets, sizes).tolist()
    labels = ["low", "average", "high"]
    binned = frame.apply(lambda column: pd.qcut(column.rank(method="first"), 3, labels=labels))
    for columns, data in (("real", frame), ("three bins", binned)):
        for kind in (None, "hard", "soft"):
            experiments = {"interventions": set_there, "interventions_kind": kind} if kind else {}
            for with_beliefs in (False, True):
                fit = pp.learn(data, prior if with_beliefs else None, **experiments)
                told = "yes" if with_beliefs else "no"
                yield f"| {columns} | {kind or 'ignored'} | {told} | {judge(fit, truth)}"


def judge(fit: pp.Fit, truth: pp.Dag) -> str:
    stated = {frozenset((belief.x, belief.y)) for belief in BELIEFS}
    found, known = set(fit.dag.edges), set(truth.edges)
    pairs, true_pairs = ({frozenset(e) for e in edges} for edges in (found, known))
    right = pairs & true_pairs
    return (
        f"{len(found)} | {len(right)} | {len(right - stated)} | {len(found & known)} | "
        f"{len(pairs - true_pairs)} |"
    )


def main() -> None:
    try:
        frame, truth = read_table(), read_truth()
    except PackageNotFoundError as missing:
        raise SystemExit(f"it reads files of {missing.name}, which is not installed") from None
    for first, lines in (
        ("rows | score", rows(frame, truth)),
        ("columns | targets", rows_of_experiments(frame, truth)),
    ):
        print(f"| {first} | beliefs | edges | in the network | of these not in a belief | ", end="")
        print("directed as there | extra |\n|" + "---|" * 8)
        for line in lines:
            print(line, flush=True)


if __name__ == "__main__":
    main()
