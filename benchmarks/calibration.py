"""Whether posteriors are calibrated: graphs from the prior, data from graphs, and back again.

    python benchmarks/calibration.py --rows FILE [--runs 2000] [--plot PICTURE]
    python benchmarks/calibration.py --rows FILE --forget-beliefs --runs 200
    python benchmarks/calibration.py --rows FILE --unseen 0.1 [--runs 2000]

Simulation-based calibration (Talts, Betancourt, Simpson, Vehtari and Gelman, 2018). Six variables.
In each run a graph is drawn from the prior with beliefs, exactly, from all 3,781,503 of them; its
tables from the Dirichlet distributions that BDeu assumes; 50 rows from these; and 99 graphs from
the posterior, evenly spaced among those of `sample_posterior`. What the true graph says must then
rank uniformly among what the 99 say: ties are broken at random, the ranks counted in 20 bins and
held against chance by χ². The mean probability of a belief after the data must be the stated one.

With ``--forget-beliefs`` the posterior does without them, and ranks must show it. With ``--unseen``
tables do not depend on a parent with that chance, each by itself, and the posterior knows it. Every
run is kept in FILE, one line each, and not repeated.
"""

import argparse
import json
from math import log
from pathlib import Path

import numpy as np
from scipy.stats import binom, chisquare

import pathprior as pp
from pathprior.counting.robinson import num_labelled_dags
from pathprior.kernels.counting.enumerate import enumerate_parents
from pathprior.kernels.graph.relations import fill_ties
from pathprior.kernels.prior.ties import RELATION
from pathprior.network.network import table_shapes
from pathprior.posterior.indicators import all_pairs
from pathprior.report import style

NAMES = tuple("abcdef")
NUM_STATES = (2, 3, 2, 2, 3, 2)
BELIEFS = [
    pp.causes("a", "b", 0.8),
    pp.not_associated("c", "d", 0.6),
    pp.causes("e", "a", 0.5),
    pp.associated("b", "f", 0.9),
]
SAMPLE_SIZE = 10.0
"""Equivalent sample size: with less, most columns of the tables drawn are nearly constant."""
NUM_ROWS = 50
NUM_DRAWS = 99
NUM_BINS = 20
PAIRS = all_pairs(len(NAMES))
CAUSES, CAUSED_BY, UNRELATED = 0, 1, 3


class PriorGraphs:
    """Every DAG on the variables, with its probability under a prior."""

    def __init__(self, prior):
        size = len(NAMES)
        self._sets = np.empty((num_labelled_dags(size), size), np.int64)
        enumerate_parents(size, self._sets)
        log_weights = log_prior(self._sets.astype(np.uint64)[:, :, None], prior)
        self._sums = np.cumsum(np.exp(log_weights - log_weights.max()))

    def draw(self, rng):
        place = np.searchsorted(self._sums, rng.random() * self._sums[-1], side="right")
        adjacency = self._sets[place][None, :] >> np.arange(len(NAMES))[:, None] & 1
        return pp.Dag(NAMES, adjacency.astype(bool))


def relations(graphs, pairs):
    codes = np.empty((len(graphs), len(pairs)), np.uint8)
    fill_ties(graphs, pairs, codes)
    return RELATION[codes]


def log_prior(graphs, prior):
    """log Π λ + edges · log β of packed parent sets."""
    codes = relations(graphs, prior.pairs)
    weights = prior.log_weights[np.arange(codes.shape[1]), codes].sum(axis=1)
    return weights + log(prior.edge_odds) * np.bitwise_count(graphs).sum(axis=(1, 2))


def draw_network(dag, rng, unseen):
    """Tables from Dirichlet distributions with parameters size / (r q), r states, q columns.

    Those of the parents that are seen: along the others a table is the same.
    """
    states = tuple(tuple(str(k) for k in range(number)) for number in NUM_STATES)
    tables = []
    for shape in table_shapes(dag, states):
        is_gone = rng.random(len(shape) - 1) < unseen
        own = (*np.where(is_gone, 1, shape[:-1]).tolist(), shape[-1])
        table = rng.dirichlet(np.full(own[-1], SAMPLE_SIZE / np.prod(own)), size=own[:-1])
        tables.append(np.broadcast_to(table, shape).copy())
    return pp.BayesianNetwork(dag, states, tables)


def statistics(graphs, scores, prior):
    """What graphs say, by name: one number a graph."""
    codes = relations(graphs, PAIRS)
    between = {(NAMES[x], NAMES[y]): codes[:, k] for k, (x, y) in enumerate(PAIRS)}
    edge = {
        (x, y): graphs[:, NAMES.index(y), 0] >> np.uint64(NAMES.index(x)) & np.uint64(1)
        for x, y in (("a", "b"), ("f", "c"))
    }
    held = {
        "belief a ⇒ b": between["a", "b"] == CAUSES,
        "belief c ⇎ d": between["c", "d"] == UNRELATED,
        "belief e ⇒ a": between["a", "e"] == CAUSED_BY,
        "belief b, f associated": between["b", "f"] != UNRELATED,
    }
    return {
        "log posterior": scores,
        "log likelihood": scores - log_prior(graphs, prior),
        "edges": np.bitwise_count(graphs).sum(axis=(1, 2)),
        "pairs with a directed path": (codes <= CAUSED_BY).sum(axis=1),
        "beliefs that hold": sum(value.astype(int) for value in held.values()),
        **held,
        "edge a → b": edge["a", "b"],
        "edge f → c": edge["f", "c"],
        "path d ⇒ e": between["d", "e"] == CAUSES,
    }


def run(number, source, prior, unseen):
    """Ranks of the true graph, and the probabilities of the beliefs after the data."""
    rng = np.random.default_rng([7, number])
    truth = source.draw(rng)
    seed = int(rng.integers(2**32))
    data = draw_network(truth, rng, unseen).sample(NUM_ROWS, seed=seed)
    posterior = pp.sample_posterior(
        data,
        prior,
        score="bdeu",
        equivalent_sample_size=SAMPLE_SIZE,
        unseen=unseen,
        constant_columns="keep",
        method="chains",
        seed=seed,
    )
    draws = posterior.draws
    spaced = np.linspace(0, draws.scores.size - 1, NUM_DRAWS).round().astype(int)
    graphs = np.concatenate([truth.parent_words[None], draws.graphs[spaced]])
    scorer = posterior.problem.scorer  # on the data with their columns by name, as here
    families = (np.flatnonzero(column).tolist() for column in truth.adjacency.T)
    known = sum(scorer.local(v, parents) for v, parents in enumerate(families))
    known += log_prior(graphs[:1], prior)[0]
    scores = np.concatenate([[known], draws.scores.ravel()[spaced]])
    return {
        "run": number,
        "ranks": {
            name: rank(values, rng) for name, values in statistics(graphs, scores, prior).items()
        },
        "after": [
            posterior.probability(belief.x, belief.relation, belief.y)
            for belief in (BELIEFS if prior.pairs.size else [])
        ],
    }


def rank(values, rng):
    """How many of the others are below the first; equal ones are by an even chance for all."""
    rounded = np.asarray(values, dtype=float).round(6)
    below, equal = (rounded[1:] < rounded[0]).sum(), (rounded[1:] == rounded[0]).sum()
    return int(below + rng.integers(equal + 1))


def run_all(options):
    """All runs, those in the file not again."""
    file, is_told = options.rows, not options.forget_beliefs
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    kind = {"told": is_told, "unseen": options.unseen}
    rows = [row for row in rows if {"unseen": 0.0, **row}.items() >= kind.items()]
    known = {row["run"] for row in rows}
    missing = [number for number in range(options.runs) if number not in known]
    if missing:
        believed = pp.fit_prior(BELIEFS, NAMES)
        source, prior = PriorGraphs(believed), believed if is_told else pp.fit_prior((), NAMES)
        with file.open("a") as stream:
            for number in missing:
                rows.append({**kind, **run(number, source, prior, options.unseen)})
                stream.write(json.dumps(rows[-1]) + "\n")
                stream.flush()
    return [row for row in rows if row["run"] < options.runs]


def counts(rows, name):
    ranks = [row["ranks"][name] for row in rows]
    return np.bincount(np.array(ranks) * NUM_BINS // (NUM_DRAWS + 1), minlength=NUM_BINS)


def show(rows):
    print(f"{len(rows)} runs, {NUM_BINS} bins\n{'statistic':28}   χ²  p-value")
    found = {name: chisquare(counts(rows, name)) for name in rows[0]["ranks"]}
    for name, test in found.items():
        print(f"{name:28} {test.statistic:5.1f} {test.pvalue:8.3g}")
    smallest = min(test.pvalue for test in found.values())
    print(f"smallest p-value times their number: {min(1.0, smallest * len(found)):.3g}")
    after = np.array([row["after"] for row in rows])
    if after.size:
        print("belief               stated   mean after the data ± error")
        errors = after.std(axis=0, ddof=1) / np.sqrt(len(after))
        for belief, mean, error in zip(BELIEFS, after.mean(axis=0), errors, strict=True):
            words = f"{belief.x} {belief.relation} {belief.y}"
            print(f"{words:20} {belief.stated[0]:6}   {mean:.3f} ± {error:.3f}")


def draw(rows):
    """Histograms of ranks, and the band that 99 of 100 bins keep to by chance."""
    import matplotlib.pyplot as plt

    low, high = binom.ppf([0.005, 0.995], len(rows), 1 / NUM_BINS)
    figure, axes = plt.subplots(
        3, 4, figsize=(10, 6), sharex=True, sharey=True, layout="constrained"
    )
    edges = np.linspace(0, NUM_DRAWS + 1, NUM_BINS + 1)
    for ax, name in zip(axes.flat, rows[0]["ranks"], strict=True):
        found = counts(rows, name)
        ax.stairs(found, edges, fill=True, color=style.SEQUENTIAL[1], zorder=0)
        ax.axhspan(low, high, color=style.NEITHER, alpha=0.3, linewidth=0, zorder=1)
        ax.axhline(len(rows) / NUM_BINS, color=style.INK, linewidth=0.8, zorder=2)
        ax.stairs(found, edges, color=style.DATA, linewidth=1.2, zorder=3)
        ax.set_title(f"{name}, p = {chisquare(found).pvalue:.2f}", fontsize=9)
        ax.set(xlim=(0, NUM_DRAWS + 1), ylim=(0, 1.6 * len(rows) / NUM_BINS))
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=8)
    figure.supxlabel(f"rank of the true graph among {NUM_DRAWS} graphs from its posterior", size=10)
    figure.supylabel(f"runs of {len(rows)}; 99 % of bins are in the grey by chance", size=10)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=Path, required=True, help="file in which runs are kept")
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--forget-beliefs", action="store_true")
    parser.add_argument("--unseen", type=float, default=0.0, help="share of unseen edges")
    parser.add_argument("--plot", type=Path, help="file for the picture of the ranks")
    options = parser.parse_args()
    rows = run_all(options)
    show(rows)
    if options.plot is not None:
        draw(rows).savefig(options.plot, dpi=150)


if __name__ == "__main__":
    main()
