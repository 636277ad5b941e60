"""Distance to the truth with and without 18 beliefs, by number of rows; part of `equivalence.py`.

Three groups of four variables, the true relation of every pair believed with p ~ U[0.5, 0.99], as
in ``pathprior reproduce networks``. Data sets of growing size are prefixes of one sample.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from search import SAME_SCORE, load

import pathprior as pp
from pathprior.experiments.bands import SKY, Line, draw_bands, make_figure
from pathprior.experiments.experts import Coherence, Experts, draw_beliefs
from pathprior.experiments.interval import mean_interval
from pathprior.experiments.trial import Trial, first_rows
from pathprior.prior.fit import fit_prior
from pathprior.report import style
from pathprior.search.learn import learn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZES = (500, 1000, 2000, 5000, 10000)
REFERENCE = "equivalence, beliefs"


@dataclass(frozen=True, slots=True)
class Contestant:
    """A search, and the strength of the beliefs that it is given; 0 for none."""

    name: str
    search: str
    strength: float


CONTESTANTS = (
    Contestant("equivalence, no beliefs", "equivalence", 0.0),
    Contestant(REFERENCE, "equivalence", 1.0),
    Contestant("equivalence, strength 10", "equivalence", 10.0),
    Contestant("turning + operator, beliefs", "turning", 1.0),
    Contestant("greedy + operator, beliefs", "greedy", 1.0),
)
LINES = (
    Line("equivalence, no beliefs", "classes, no beliefs", style.NEITHER),
    Line(REFERENCE, "classes, 18 beliefs", style.BOTH),
    Line("turning + operator, beliefs", "turning + operator, 18 beliefs", SKY, "--"),
    Line("greedy + operator, beliefs", "greedy + operator, 18 beliefs", style.BELIEFS, "-."),
)


def runs(network: str, seed: int) -> Iterator[dict[str, str | int | float]]:
    trial = Trial.draw(load(network), max(SIZES), seed=seed)
    drawn = draw_beliefs(
        trial.truth,
        num_components=3,
        component_size=4,
        coherence=Coherence.INCOHERENT,
        experts=Experts.TRUE,
        rng=np.random.default_rng(seed),
    )
    priors = {
        strength: fit_prior(
            [replace(belief, strength=strength) for belief in drawn],
            trial.table.variables,
            expected_parents=None,
        )
        for strength in (1.0, 10.0)
    }
    for num_rows in SIZES:
        table = first_rows(trial.table, num_rows)
        for contestant in CONTESTANTS:
            begin = time.process_time()
            dag = learn(
                table,
                priors.get(contestant.strength),
                search=contestant.search,
                **SAME_SCORE,
            ).dag
            taken = time.process_time() - begin
            yield {
                "network": network,
                "seed": seed,
                "num_rows": num_rows,
                "method": contestant.name,
                "shd": pp.shd(dag, trial.truth),
                "seconds": taken,
            }


def beliefs(repeats: int, first_seed: int, file: Path | None, picture: Path | None) -> None:
    done = pd.read_json(file, lines=True) if file and file.exists() else pd.DataFrame()
    known = set(zip(done["network"], done["seed"], strict=True)) if len(done) else set()
    for network in ("alarm", "insurance"):
        for seed in range(first_seed, first_seed + repeats):
            if (network, seed) in known:
                continue
            new = pd.DataFrame(runs(network, seed))
            done = pd.concat([done, new])
            if file:
                new.to_json(file, orient="records", lines=True, mode="a")
    print_table(done)
    print_differences(done)
    if picture:
        draw(done).savefig(picture, dpi=150)


def print_table(rows: pd.DataFrame) -> None:
    names = [contestant.name for contestant in CONTESTANTS]
    print(f"| data | rows | {' | '.join(names)} | CPU s |\n|" + "---|" * (3 + len(names)))
    for (network, num_rows), chosen in rows.groupby(["network", "num_rows"]):
        cells = []
        for name in names:
            interval = mean_interval(chosen[chosen["method"] == name]["shd"].to_numpy())
            cells.append(f"{interval.mean:.1f} ± {interval.half_width:.1f}")
        taken = chosen[chosen["method"] == REFERENCE]["seconds"].median()
        print(f"| {network} | {num_rows} | {' | '.join(cells)} | {taken:.3f} |")


def print_differences(rows: pd.DataFrame) -> None:
    """How much lower the distance with beliefs is than that of the others, pair by pair."""
    names = [contestant.name for contestant in CONTESTANTS if contestant.name != REFERENCE]
    print(f"\n| data | rows | {' | '.join(names)} |\n|" + "---|" * (2 + len(names)))
    for (network, num_rows), chosen in rows.groupby(["network", "num_rows"]):
        distances = chosen.pivot(index="seed", columns="method", values="shd")
        cells = []
        for name in names:
            interval = mean_interval((distances[name] - distances[REFERENCE]).to_numpy())
            cells.append(f"{interval.mean:+.1f} ± {interval.half_width:.1f}")
        print(f"| {network} | {num_rows} | {' | '.join(cells)} |")


def draw(rows: pd.DataFrame) -> "Figure":
    networks = list(rows["network"].unique())
    figure = make_figure(1, len(networks), width=4.4, height=3.4)
    for ax, network in zip(figure.axes, networks, strict=True):
        draw_bands(ax, rows[rows["network"] == network], "num_rows", "shd", "method", LINES)
        ax.set_xscale("log")
        ax.set_ylim(bottom=0)
        ax.set_title(network.upper(), fontsize=9, loc="left")
        ax.set_xlabel("rows of data", fontsize=8)
    figure.axes[0].set_ylabel("structural Hamming distance", fontsize=8)
    figure.axes[0].legend(fontsize=7, frameon=False)
    return figure
