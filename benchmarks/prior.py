"""Time and memory of fitting a prior at n = 37: full components of 4–6 nodes, chains of 6–12.

Run: python benchmarks/prior.py

Each case runs in a process of its own, so that peak memory is its own; the imports alone take most
of it. "first" is processor time with an empty cache, "again" that with counts and webs from it
(median of 3); "resting on" is the effective number of sampled DAGs, "rare" a web of a part that too
few of them speak for, "large" one of a part that cannot be listed. Chains come in two kinds: all
arrows one way, whose favoured configurations are rare (1 in (k+1)! orders), and zigzag, whose are
common.
"""

import argparse
import multiprocessing
import os
import resource
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from multiprocessing.context import SpawnContext
from pathlib import Path

from pathprior.beliefs.belief import Belief, causes, relation
from pathprior.errors import PathPriorWarning
from pathprior.prior.fit import fit_prior
from pathprior.prior.path_prior import PathPrior

NUM_NODES = 37
VARIABLES = [f"v{i}" for i in range(NUM_NODES)]


def full_component(size: int) -> list[Belief]:
    """Coherent beliefs on all pairs: the further apart in the order, the surer."""
    return [causes(f"v{i}", f"v{j}", 0.7 + 0.04 * (j - i)) for i, j in combinations(range(size), 2)]


def full_vectors(size: int) -> list[Belief]:
    """The same with all four probabilities."""
    return [
        relation(f"v{i}", f"v{j}", (p, 0.96 - p, 0.03, 0.01))
        for i, j in combinations(range(size), 2)
        for p in [0.7 + 0.04 * (j - i)]
    ]


def incoherent_component(size: int) -> list[Belief]:
    """Beliefs in an order, and one that they refute."""
    ends = ("v0", f"v{size - 1}")
    rest = [belief for belief in full_component(size) if (belief.x, belief.y) != ends]
    return [*rest, causes(*ends, 0.05)]


def one_way_chain(length: int) -> list[Belief]:
    return [causes(f"v{i}", f"v{i + 1}", 0.8) for i in range(length)]


def zigzag_chain(length: int) -> list[Belief]:
    return [causes(f"v{i + i % 2}", f"v{i + 1 - i % 2}", 0.8) for i in range(length)]


CASES: dict[str, tuple[Callable[[int], list[Belief]], tuple[int, ...]]] = {
    "full component, causes": (full_component, (4, 5, 6)),
    "full component, vectors": (full_vectors, (4, 5, 6)),
    "full component, incoherent": (incoherent_component, (4, 5, 6)),
    "one-way chain": (one_way_chain, tuple(range(6, 13))),
    "zigzag chain": (zigzag_chain, tuple(range(6, 13))),
}


@dataclass(frozen=True)
class Measurement:
    first_seconds: float
    again_seconds: float
    megabytes: float
    outcome: str


def measure(name: str, size: int) -> Measurement:
    warnings.simplefilter("ignore", PathPriorWarning)
    beliefs = CASES[name][0](size)
    # compile and import
    fit_prior(one_way_chain(4), VARIABLES, num_samples=100, time_limit=1.0)
    start = time.process_time()
    prior = fit_prior(beliefs, VARIABLES)
    first = time.process_time() - start
    times = []
    for _ in range(3 if all(web.has_converged for web in prior.webs) else 0):
        start = time.process_time()
        fit_prior(beliefs, VARIABLES)
        times.append(time.process_time() - start)
    again = statistics.median(times) if times else float("nan")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Measurement(first, again, peak, outcome(prior))


def outcome(prior: PathPrior) -> str:
    if prior.webs:
        return f"{'rare' if prior.rare_pairs else 'large'}, {prior.webs[0].stopped_because}"
    if prior.effective_samples is None:
        return "exact"
    return f"resting on {prior.effective_samples:.0f}"


def main() -> None:
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PATHPRIOR_CACHE"] = folder  # inherited by the processes
        run(context)


def run(context: SpawnContext) -> None:
    print(f"{'case':28} {'size':>4} {'beliefs':>7} {'first s':>8} {'again s':>8} {'MB':>6}  U")
    for name, (make, sizes) in CASES.items():
        for size in sizes:
            for file in Path(os.environ["PATHPRIOR_CACHE"]).iterdir():
                file.unlink()
            with context.Pool(1) as pool:
                result = pool.apply(measure, (name, size))
            print(
                f"{name:28} {size:4} {len(make(size)):7} {result.first_seconds:8.2f} "
                f"{result.again_seconds:8.3f} {result.megabytes:6.0f}  {result.outcome}",
                flush=True,
            )


if __name__ == "__main__":
    main()
