"""Whether two independent runs of the sampler agree, and how fast.

    OPENBLAS_NUM_THREADS=1 python benchmarks/posterior.py agree [--seconds 30] [--only NAME ...]
    OPENBLAS_NUM_THREADS=1 python benchmarks/posterior.py growth [--seconds 30]
    OPENBLAS_NUM_THREADS=1 python benchmarks/posterior.py defaults [--only NAME ...]

``agree``: two seeds, four chains each, so many processor seconds of sampling, preparing and burning
in included: the largest difference between the two of the probability of an edge and of one of the
four relations of a pair, and what `pathprior.posterior.diagnostics` says of each run: the worst
R-hat, the least effective samples per second of what is neither rarer than 5 % nor more certain
than 95 %. ``growth``: the same on random networks of more and more variables, with 1.5 parents on
average, and seconds per 1000 moves. ``defaults``: `pp.sample_posterior` as it is, with what it
warns of.

Settings without beliefs but HEPAR2: all DAGs alike, BDeu with sample size 1. HEPAR2 and settings
with beliefs: the default base and score; 20 beliefs on two groups of five variables, of experts who
are always right (true) or as often as they say (calibrated). Data seed 1 served to tune the
sampler.
"""

import argparse
import warnings
from dataclasses import dataclass
from time import monotonic, process_time
from typing import Any

import numpy as np
import pandas as pd
from base import random_network

import pathprior as pp
from pathprior.beliefs.belief import Belief
from pathprior.counting.expected_parents import AUTO, make_base
from pathprior.errors import PathPriorWarning
from pathprior.experiments.experts import Coherence, Experts, draw_beliefs
from pathprior.posterior.chain_run import MOVES_PER_NODE
from pathprior.posterior.chains import sample_chains
from pathprior.posterior.errors_table import edge_rows, path_rows
from pathprior.posterior.judge import make_judge
from pathprior.posterior.kept import KeptDraws, next_reading

NUM_CHAINS = 4
PLAIN: dict[str, Any] = {"expected_parents": None, "equivalent_sample_size": 1.0}
SIZES = (10, 20, 50, 100, 200)


@dataclass(frozen=True, slots=True)
class Setting:
    """Data of a network, options of ``learn`` and perhaps experts."""

    network: str
    num_rows: int = 1000
    options: dict[str, Any] | None = None
    experts: Experts | None = None


SETTINGS = {
    "asia": Setting("asia", options=PLAIN),
    "child": Setting("child", options=PLAIN),
    "insurance": Setting("insurance", options=PLAIN),
    "alarm": Setting("alarm", options=PLAIN),
    "hepar2": Setting("hepar2"),
    "alarm-true": Setting("alarm", 5000, experts=Experts.TRUE),
    "alarm-calibrated": Setting("alarm", 5000, experts=Experts.CALIBRATED),
}


def load(setting: Setting, data_seed: int) -> tuple[pd.DataFrame, tuple[Belief, ...]]:
    network = pp.load_network(setting.network)
    data = network.sample(setting.num_rows, seed=data_seed)
    if setting.experts is None:
        return data, ()
    beliefs = draw_beliefs(
        network.dag,
        num_components=2,
        component_size=5,
        coherence=Coherence.ANY,
        experts=setting.experts,
        rng=np.random.default_rng(data_seed),
        edge_odds=make_base(AUTO, network.dag.num_nodes).edge_odds,
    )
    return data, beliefs


@dataclass(frozen=True, slots=True)
class Run:
    """What four chains gave, and what it took."""

    edges: pd.DataFrame
    paths: pd.DataFrame
    levels: np.ndarray  # mean score of each chain
    num_draws: int
    prepared: float
    burnt: float
    seconds: float

    @property
    def r_hat(self) -> float:
        return max(self.edges["r_hat"].max(), self.paths["r_hat"].max())

    def rate(self, table: pd.DataFrame) -> float:
        """Least effective samples per second of what is uncertain."""
        uncertain = table["probability"].between(0.05, 0.95)
        return table["effective_samples"][uncertain].min() / self.seconds


class Timed:
    """A sampler whose processor seconds and draws are counted."""

    def __init__(self, sampler: Any) -> None:
        self._sampler = sampler
        self.seconds, self.num_draws = 0.0, 0

    def advance(self, num_draws: int) -> Any:
        begun = process_time()
        drawn = self._sampler.advance(num_draws)
        self.seconds += process_time() - begun
        self.num_draws += num_draws
        return drawn


def run(fit: pp.Fit, seed: int, seconds: float) -> Run:
    begun = process_time()
    timed = Timed(sample_chains(fit.problem, start=fit.dag, num_chains=NUM_CHAINS, seed=seed))
    prepared = process_time() - begun
    timed.advance(1)
    burnt = timed.seconds
    kept = KeptDraws(timed)
    while kept.num_drawn == 0 or prepared + timed.seconds < seconds:
        kept.add_up_to(next_reading(kept.num_drawn + 1))
    draws = kept.draws(fit.problem.rules.variables)
    judge = make_judge(draws)
    return Run(
        pd.concat(edge_rows(judge, draws.variables)),
        pd.concat(path_rows(judge, draws.variables)),
        draws.scores.mean(axis=1),
        timed.num_draws,
        prepared,
        burnt,
        prepared + timed.seconds,
    )


def difference(one: pd.DataFrame, other: pd.DataFrame) -> float:
    return float(np.abs(one["probability"].to_numpy() - other["probability"].to_numpy()).max())


def agree(names: list[str], seconds: float, data_seed: int) -> None:
    print(
        "| setting | s | differences: edges | paths | worst R-hat | effective samples/s: edges "
        "| paths | preparing, burning in s | mean scores of the chains, learn's |"
    )
    for name in names:
        data, beliefs = load(SETTINGS[name], data_seed)
        fit = pp.learn(data, beliefs, **(SETTINGS[name].options or {}))
        runs = [run(fit, seed, seconds) for seed in (1, 2)]
        first, second = runs
        levels = "; ".join(" ".join(f"{x:.1f}" for x in one.levels) for one in runs)
        print(
            f"| {name} | {np.mean([one.seconds for one in runs]):.0f} "
            f"| {difference(first.edges, second.edges):.3f} "
            f"| {difference(first.paths, second.paths):.3f} "
            f"| {max(one.r_hat for one in runs):.3f} "
            f"| {min(one.rate(one.edges) for one in runs):.0f} "
            f"| {min(one.rate(one.paths) for one in runs):.0f} "
            f"| {first.prepared:.1f}, {first.burnt:.1f} | {levels}, {fit.score:.1f} |",
            flush=True,
        )


def growth(seconds: float, data_seed: int) -> None:
    print(
        "| n | s | preparing | burning in | s per 1000 moves | worst R-hat "
        "| effective samples/s: edges | paths |"
    )
    for size in SIZES:
        data = random_network(size, 1.5, data_seed).sample(1000, seed=data_seed)
        found = run(pp.learn(data), 1, seconds)
        num_moves = found.num_draws * NUM_CHAINS * MOVES_PER_NODE * size
        drawing = found.seconds - found.prepared - found.burnt
        print(
            f"| {size} | {found.seconds:.0f} | {found.prepared:.1f} | {found.burnt:.1f} "
            f"| {1000 * drawing / num_moves:.4f} | {found.r_hat:.3f} "
            f"| {found.rate(found.edges):.0f} | {found.rate(found.paths):.0f} |",
            flush=True,
        )


def defaults(names: list[str], data_seed: int) -> None:
    for name in names:
        data, beliefs = load(SETTINGS[name], data_seed)
        begun, used = monotonic(), process_time()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", PathPriorWarning)
            posterior = pp.sample_posterior(data, beliefs, **(SETTINGS[name].options or {}))
        print(
            f"{name}: {monotonic() - begun:.1f} s, {process_time() - used:.1f} of a processor, "
            f"{posterior.draws.num_draws} draws kept; {posterior.stopped_because}",
            *(warning.message for warning in caught),
            sep="\n  ",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("agree", "growth", "defaults"))
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--only", nargs="+", choices=SETTINGS, default=list(SETTINGS))
    parser.add_argument("--data-seed", type=int, default=2)
    options = parser.parse_args()
    run(pp.learn(pp.load_network("asia").sample(100, seed=1)), 1, 0.5)  # compiles
    if options.what == "agree":
        agree(options.only, options.seconds, options.data_seed)
    elif options.what == "growth":
        growth(options.seconds, options.data_seed)
    else:
        defaults(options.only, options.data_seed)


if __name__ == "__main__":
    main()
