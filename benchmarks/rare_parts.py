"""Parts that could be listed, but favour what samples hardly show: the list against the web.

Run: OPENBLAS_NUM_THREADS=1 python benchmarks/rare_parts.py [--repeats 5]

Connected random pairs of ALARM (37 variables, five or more in each part), chosen so that most are
unrelated; the true relation given p ~ U[0.7, 0.97]. "Gap" is the largest between a stated
probability and that of an independent run of 16 chains with the fitted weights, medians and
largest values over the repeats. Repeat r uses seed r. Times are processor time, nothing comes from
the cache; "list" includes the sample, which the web needs as well: to find that it says too little.
"""

import argparse
import os
import statistics
import time
import warnings

import numpy as np
from numpy.typing import NDArray

import pathprior as pp
from pathprior.beliefs.belief import Belief
from pathprior.errors import PathPriorWarning
from pathprior.kernels.prior.ties import NUM_TIES
from pathprior.prior.web.chains import Chains

WORDS = ("causes", "caused-by", "confounded", "not-associated")
NUM_BELIEFS = (4, 5, 6)
LEAST_NODES = 5
KEPT = 0.3
"""Share of the related pairs that are not drawn again."""


def draw_beliefs(dag: pp.Dag, num_beliefs: int, rng: np.random.Generator) -> list[Belief]:
    nodes = [dag.nodes[int(rng.integers(dag.num_nodes))]]
    beliefs: dict[frozenset[str], Belief] = {}
    while len(beliefs) < num_beliefs:
        x, y = nodes[int(rng.integers(len(nodes)))], dag.nodes[int(rng.integers(dag.num_nodes))]
        is_old = y in nodes
        if x == y or frozenset((x, y)) in beliefs or (is_old and len(nodes) < LEAST_NODES):
            continue
        word = WORDS[dag.relation(x, y)]
        if word != "not-associated" and rng.random() > KEPT:
            continue
        beliefs[frozenset((x, y))] = Belief(x, word, y, (round(float(rng.uniform(0.7, 0.97)), 4),))
        if not is_old:
            nodes.append(y)
    return list(beliefs.values())


def largest_gap(prior: pp.PathPrior) -> float:
    """Between what was stated and what the weights do by themselves."""
    size = len(prior.variables)
    chains = Chains(prior.pairs, size, num_chains=16, seed=12345)
    for log_beta in np.linspace(-np.log(size), 0, 40):
        chains.run(float(log_beta), prior.log_weights, num_records=1, sweeps=30)
    chains.run(0.0, prior.log_weights, num_records=1, sweeps=1000)
    codes = chains.run(0.0, prior.log_weights, num_records=500, sweeps=20).codes
    vectors = (codes[..., None] == np.arange(NUM_TIES)).mean(axis=(0, 1))
    return max(abs(held(prior, belief, vectors) - belief.stated[0]) for belief in prior.beliefs)


def held(prior: pp.PathPrior, belief: Belief, vectors: NDArray[np.float64]) -> float:
    """Probability of the belief's event; ``vectors`` are those of the rows of ``prior.pairs``."""
    (event,) = belief.named_events
    ends = prior.variables.index(belief.x), prior.variables.index(belief.y)
    for (i, j), vector in zip(prior.pairs.tolist(), vectors, strict=True):
        if ends == (i, j):
            return float(sum(vector[tie] for tie in event.ties))
        if ends == (j, i):
            return float(sum(vector[tie.reverse] for tie in event.ties))
    raise ValueError(f"no pair for {belief.phrase}")


def timed(beliefs: list[Belief], nodes: tuple[str, ...], counts: str) -> tuple[pp.PathPrior, float]:
    begin = time.process_time()
    prior = pp.fit_prior(beliefs, nodes, counts=counts)
    return prior, time.process_time() - begin


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    os.environ["PATHPRIOR_CACHE"] = "off"
    warnings.simplefilter("ignore", PathPriorWarning)  # the columns say it
    dag = pp.load_network("alarm").dag
    compiled = draw_beliefs(dag, 4, np.random.default_rng(0))
    for counts in ("listed", "web"):
        pp.fit_prior(compiled, dag.nodes, counts=counts, num_samples=1000, time_limit=1.0)
    print("beliefs  samples  list s  gap (most)      auto s (most)  webs  converged  gap (most)")
    for num_beliefs in NUM_BELIEFS:
        rows = []
        for seed in range(repeats):
            beliefs = draw_beliefs(dag, num_beliefs, np.random.default_rng(seed))
            listed, list_seconds = timed(beliefs, dag.nodes, "listed")
            auto, seconds = timed(beliefs, dag.nodes, "auto")
            converged = sum(web.has_converged for web in auto.webs)
            samples = listed.effective_samples or np.nan
            gaps = largest_gap(listed), largest_gap(auto)
            rows.append((samples, list_seconds, seconds, len(auto.webs), converged, *gaps))
        samples, lists, autos, webs, converged, before, after = map(list, zip(*rows, strict=True))
        print(
            f"{num_beliefs:7} {max(samples):8.1f} {statistics.median(lists):7.1f}  "
            f"{statistics.median(before):.3f} ({max(before):.3f})   "
            f"{statistics.median(autos):6.1f} ({max(autos):5.1f})  {sum(webs):4}  "
            f"{sum(converged):9}  {statistics.median(after):.3f} ({max(after):.3f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
