"""Sachs' proteins as real columns, with and without beliefs, against the published network.

    pip install --no-deps cdt==0.6.0
    python benchmarks/sachs.py

The table is read from the package ``cdt``, which is not imported; the network from pgmpy's files.
"""

from collections.abc import Iterator
from importlib.metadata import distribution
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

FIRST = 853
"""Rows of the general stimulation, in which no protein was set."""

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
    prior = pp.fit_prior(BELIEFS, frame.columns)
    stated = {frozenset((belief.x, belief.y)) for belief in BELIEFS}
    for name, data in ((f"first {FIRST}", frame.head(FIRST)), (f"all {len(frame)}", frame)):
        for score in ("bge", "gaussian-bic"):
            for with_beliefs in (False, True):
                fit = pp.learn(data, prior if with_beliefs else None, score=score)
                found, known = set(fit.dag.edges), set(truth.edges)
                pairs, true_pairs = ({frozenset(e) for e in edges} for edges in (found, known))
                right = pairs & true_pairs
                yield (
                    f"| {name} | {score} | {'yes' if with_beliefs else 'no'} | {len(found)} | "
                    f"{len(right)} | {len(right - stated)} | {len(found & known)} | "
                    f"{len(pairs - true_pairs)} |"
                )


def main() -> None:
    print("| rows | score | beliefs | edges | in the network | of these not in a belief | ", end="")
    print("directed as there | extra |\n|" + "---|" * 8)
    for row in rows(read_table(), read_truth()):
        print(row, flush=True)


if __name__ == "__main__":
    main()
