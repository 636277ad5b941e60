"""Belief webs: accuracy, time and memory of the fit, and what webs do for learning.

Run: OPENBLAS_NUM_THREADS=1 python benchmarks/webs.py PART [--repeats 20] [--time-limit 600]
[--tolerance 0.02] [--expected-parents none] [--beliefs 50 100] [--apart 3] [--seed 0] [--out .]

growth   one connected web of 10 … 500 beliefs about ALARM: time, memory, convergence
recover  beliefs that are the marginals of a known random tilt: are they met, is the tilt found?
large    200 variables, 500 beliefs
huge     1000 variables, 200 beliefs
learn    SHD of pp.learn at 500 rows against the number of beliefs
wrong    100 beliefs, one in ten given the true relation at 0.05: SHD, and what becomes of those
draw     the plot of learn

learn and wrong write one row at a time to webs-learn.csv and webs-wrong.csv in --out and go on
where a run was cut. One process, one thread; times are processor time, the time limit is the wall
clock's. Nothing comes from the cache. Repeat r uses seed r (wrong: 1000 + r).
"""

import argparse
import os
import resource
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

import pathprior as pp
from pathprior.beliefs.belief import Belief
from pathprior.counting.base import UNIFORM
from pathprior.graph.tie import Tie
from pathprior.prior.listed.problem import Constraint
from pathprior.prior.web.chains import Chains
from pathprior.prior.web.diagnostics import WebConvergenceWarning
from pathprior.prior.web.fit import fit_web
from pathprior.prior.web.settings import WebSettings

WORDS = ("causes", "caused-by", "confounded", "not-associated")
NUM_NODES = 37
NUM_ROWS = 500
NUM_BELIEFS = (0, 10, 50, 100, 300)


def true_web(dag: pp.Dag, num_beliefs: int, rng: np.random.Generator) -> list[Belief]:
    """Beliefs on random pairs in one component: the true relation, p ~ U[0.5, 0.99]."""
    nodes = dag.nodes
    every = [(i, j) for i in range(len(nodes)) for j in range(i)]
    while True:
        chosen = [every[k] for k in rng.choice(len(every), num_beliefs, replace=False)]
        if len(components(chosen)) == 1:
            break
        if num_beliefs < 2 * len(nodes):  # too few to connect all: grow one component
            chosen = grow(every, num_beliefs, rng)
            break
    return [
        Belief(
            nodes[i],
            WORDS[dag.relation(nodes[i], nodes[j])],
            nodes[j],
            (round(float(rng.uniform(0.5, 0.99)), 4),),
        )
        for i, j in chosen
    ]


def grow(
    every: list[tuple[int, int]], size: int, rng: np.random.Generator
) -> list[tuple[int, int]]:
    """A random connected set of pairs: each new one touches those before."""
    order = [every[k] for k in rng.permutation(len(every))]
    chosen = [order.pop()]
    touched = set(chosen[0])
    while len(chosen) < size:
        pair = next(pair for pair in order if touched & set(pair))
        order.remove(pair)
        chosen.append(pair)
        touched |= set(pair)
    return chosen


def components(pairs: list[tuple[int, int]]) -> list[set[int]]:
    parts: list[set[int]] = []
    for pair in pairs:
        joined = set(pair)
        apart = []
        for part in parts:
            if part & joined:
                joined |= part
            else:
                apart.append(part)
        parts = [*apart, joined]
    return parts


def growth(arguments: argparse.Namespace) -> None:
    dag = pp.load_network("alarm").dag
    print("beliefs  cpu s   MB  stopped              se     max se  gap    R-hat  met  conflicts")
    for num_beliefs in arguments.beliefs or (10, 20, 50, 100, 200, 300, 500):
        beliefs = true_web(dag, num_beliefs, np.random.default_rng(num_beliefs))
        begin = time.process_time()
        prior = fit(beliefs, dag.nodes, arguments)
        seconds = time.process_time() - begin
        (web,) = prior.webs
        print(
            f"{num_beliefs:7} {seconds:6.0f} {megabytes():4.0f}  "
            f"{web.stopped_because:19} {web.standard_error:6.4f} {web.max_standard_error:6.4f} "
            f"{web.max_residual:6.4f} {web.max_r_hat:5.2f}  {prior.is_coherent!s:5} "
            f"{len(prior.conflicts)}",
            flush=True,
        )


def recover(arguments: argparse.Namespace) -> None:
    """Recovery of a random tilt that reaches fragmented graphs, so that ⇎ is common.

    On a third of the pairs log λ(⇎) ~ N(--apart, 1), on the others log λ ~ N(0, 1) on ⇒, ⇐ or ⇔.
    The stated probabilities are those of a long run with the tilt, so they are coherent; the fit
    is judged by a run of its own. The errors of the weights are compared with their standard
    errors, to which the fit and the stated probabilities contribute: one by one (root mean square,
    and the share within two), and all together as errors of probabilities, by the covariance of the
    events.
    """
    print(
        "beliefs  cpu s  stopped   gap: max  rms   log λ: rms  max  in errors  within 2  together"
        "   ⇎ stated"
    )
    for num_beliefs in arguments.beliefs or (50, 100, 300):
        rng = np.random.default_rng(num_beliefs)
        every = np.array([(i, j) for i in range(NUM_NODES) for j in range(i)])
        pairs = every[rng.choice(len(every), num_beliefs, replace=False)]
        is_apart = rng.random(num_beliefs) < 1 / 3
        favoured = np.where(is_apart, 3, rng.integers(0, 3, num_beliefs))
        tilt = np.where(
            is_apart, rng.normal(arguments.apart, 1.0, num_beliefs), rng.normal(size=num_beliefs)
        )
        field = np.zeros((num_beliefs, 4))
        field[np.arange(num_beliefs), favoured] = tilt
        held = run_tilted(pairs, field, favoured, seed=1)
        stated = held.mean(axis=(0, 1))
        constraints = [
            Constraint(k, k, event_of(favoured[k]), (stated[k], 1 - stated[k]), 10.0)
            for k in range(num_beliefs)
        ]
        begin = time.process_time()
        settings = WebSettings(arguments.tolerance, arguments.time_limit, arguments.seed)
        fit = fit_web(pairs, NUM_NODES, UNIFORM, constraints, settings, may_be_coherent=True)
        seconds = time.process_time() - begin
        fitted = run_tilted(pairs, fit.log_weights, favoured, seed=2).mean(axis=(0, 1))
        gaps = fitted - stated
        others = np.array([next(r for r in range(4) if r != f) for f in favoured])
        rows = np.arange(num_beliefs)
        is_known = stated > 0  # what the long run never saw has no weight
        errors = (fit.log_weights[rows, favoured] - fit.log_weights[rows, others] - tilt)[is_known]
        # a pair's two weights count from their mean: the error of the difference is larger
        fit_errors = (fit.log_weight_errors[rows, favoured] / (1 - fitted))[is_known]
        held = held[..., is_known]
        covariances = np.cov(held.reshape(-1, held.shape[-1]).T)
        off = held.mean(axis=0) - stated[is_known]
        stated_errors = deviation(np.linalg.solve(covariances, off.T).T)
        ratios = errors / np.hypot(fit_errors, stated_errors)
        expected = np.hypot(rms(deviation(off)), fit.diagnostics.standard_error)
        print(
            f"{num_beliefs:7} {seconds:6.0f}  {fit.diagnostics.stopped_because:19} "
            f"{np.abs(gaps).max():.4f} {rms(gaps):.4f}  "
            f"{rms(errors):.3f} {np.abs(errors).max():.3f}  "
            f"{rms(ratios):.2f} {(np.abs(ratios) <= 2).mean():.3f}  "
            f"{rms(covariances @ errors) / expected:.2f}  "
            f"{stated[is_apart].min():.2f}–{stated[is_apart].max():.2f}",
            flush=True,
        )


def run_tilted(pairs: np.ndarray, field: np.ndarray, favoured: np.ndarray, seed: int) -> np.ndarray:
    """Whether the favoured relations held in a long run, record × chain × pair."""
    chains = Chains(pairs, NUM_NODES, num_chains=64, seed=seed)
    chains.run(0.0, field, num_records=1, sweeps=4000)
    return chains.run(0.0, field, num_records=1000, sweeps=20).codes == favoured


def deviation(of_chains: np.ndarray) -> np.ndarray:
    """Standard errors of averages over chains."""
    return of_chains.std(axis=0, ddof=1) / np.sqrt(len(of_chains))


def event_of(relation: int) -> tuple[int, ...]:
    """The event, 0 or 1, of each tie: 0 where it comes with the relation."""
    return tuple(0 if tie.relation == relation else 1 for tie in Tie)


def large(arguments: argparse.Namespace) -> None:
    fit_random(200, 500, arguments)


def huge(arguments: argparse.Namespace) -> None:
    fit_random(1000, 200, arguments)


def fit_random(num_nodes: int, num_beliefs: int, arguments: argparse.Namespace) -> None:
    """Beliefs about a random DAG with 1.25 parents on average."""
    rng = np.random.default_rng(0)
    nodes = tuple(f"v{i}" for i in range(num_nodes))
    order = rng.permutation(num_nodes)
    upper = np.triu(rng.random((num_nodes, num_nodes)) < 2.5 / num_nodes, k=1)
    dag = pp.Dag(nodes, upper[np.ix_(order, order)])
    beliefs = true_web(dag, num_beliefs, rng)
    begin = time.process_time()
    prior = fit(beliefs, nodes, arguments)
    print(f"{time.process_time() - begin:.0f} s, {megabytes():.0f} MB: {prior.webs[0].sentence}")
    changes = prior.table["change"].abs()
    print(f"coherent {prior.is_coherent}; |change|: mean {changes.mean():.3f}")


def learn(arguments: argparse.Namespace) -> None:
    network = pp.load_network("alarm")
    rows = Rows(arguments.out / "webs-learn.csv", ["repeat", "beliefs"])
    for repeat in range(arguments.repeats):
        rng = np.random.default_rng(repeat)
        data = shuffled(network.sample(NUM_ROWS, seed=repeat), rng)
        for num_beliefs in NUM_BELIEFS:
            beliefs = true_web(network.dag, num_beliefs, rng) if num_beliefs else []
            if not rows.has(repeat=repeat, beliefs=num_beliefs):
                row = learned(network, data, beliefs, arguments)
                rows.add(repeat=repeat, beliefs=num_beliefs, **row)


def wrong(arguments: argparse.Namespace) -> None:
    network = pp.load_network("alarm")
    rows = Rows(arguments.out / "webs-wrong.csv", ["repeat"])
    for repeat in range(arguments.repeats):
        rng = np.random.default_rng(1000 + repeat)
        data = shuffled(network.sample(NUM_ROWS, seed=repeat), rng)
        beliefs = true_web(network.dag, 100, rng)
        if rows.has(repeat=repeat):
            continue
        spoiled = [Belief(b.x, b.relation, b.y, (0.05,)) for b in beliefs[:10]]
        without = learned(network, data, [], arguments)
        row = learned(network, data, [*spoiled, *beliefs[10:]], arguments)
        prior = row.pop("prior")
        table = prior.table.set_index(["x", "y"])
        fitted = [float(table.loc[(b.x, b.y), "fitted"]) for b in spoiled]
        others = without_weights(prior, network.dag, spoiled)
        rows.add(
            repeat=repeat,
            shd_without=without["shd"],
            fitted=" ".join(f"{p:.3f}" for p in fitted),
            others=" ".join(f"{p:.3f}" for p in others),
            **row,
        )


def without_weights(prior: pp.PathPrior, dag: pp.Dag, some: list[Belief]) -> list[float]:
    """Probability of the true relation on the pairs of ``some``, their own weights set to 1."""
    place = {frozenset(pair): row for row, pair in enumerate(prior.pairs.tolist())}
    index = {name: i for i, name in enumerate(prior.variables)}
    rows = [place[frozenset((index[b.x], index[b.y]))] for b in some]
    field = prior.log_weights.copy()
    field[rows] = 0.0
    chains = Chains(prior.pairs, len(prior.variables), num_chains=8, seed=1)
    chains.run(0.0, field, num_records=1, sweeps=3000)
    codes = chains.run(0.0, field, num_records=1000, sweeps=10).codes
    true = [dag.relation(*(prior.variables[i] for i in prior.pairs[row])) for row in rows]
    return [float((codes[..., row] == int(r)).mean()) for row, r in zip(rows, true, strict=True)]


class Rows:
    """A table on disk that grows row by row."""

    def __init__(self, path: Path, key: list[str]) -> None:
        self.path, self.key = path, key
        self.done = (
            {tuple(row) for row in pd.read_csv(path)[key].to_numpy().tolist()}
            if path.is_file()
            else set()
        )

    def has(self, **key: int) -> bool:
        return tuple(key[name] for name in self.key) in self.done

    def add(self, **row: object) -> None:
        row.pop("prior", None)
        frame = pd.DataFrame([row])
        frame.to_csv(self.path, mode="a", header=not self.path.is_file(), index=False)
        print(*row.values(), flush=True)


def fit(
    beliefs: list[Belief], nodes: tuple[str, ...], arguments: argparse.Namespace
) -> pp.PathPrior:
    return pp.fit_prior(
        beliefs,
        nodes,
        expected_parents=arguments.expected_parents,
        counts="web",
        tolerance=arguments.tolerance,
        time_limit=arguments.time_limit,
    )


def learned(
    network: pp.BayesianNetwork,
    data: pd.DataFrame,
    beliefs: list[Belief],
    arguments: argparse.Namespace,
) -> dict[str, object]:
    """SHD with ``beliefs`` in one web, and how its fit went."""
    if not beliefs:
        return {
            "shd": pp.shd(pp.learn(data, constant_columns="keep").cpdag, network.dag),
            "cpu": 0.0,
            "converged": True,
            "gap": 0.0,
            "se": 0.0,
        }
    begin = time.process_time()
    prior = fit(beliefs, network.dag.nodes, arguments)
    seconds = time.process_time() - begin
    (web,) = prior.webs
    return {
        "shd": pp.shd(pp.learn(data, prior, constant_columns="keep").cpdag, network.dag),
        "cpu": round(seconds, 1),
        "converged": web.has_converged,
        "gap": round(web.max_residual, 4),
        "se": round(web.standard_error, 4),
        "prior": prior,
    }


def shuffled(data: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    return data[list(rng.permutation(data.columns.to_numpy()))]


def draw(arguments: argparse.Namespace) -> None:
    """Mean SHD against the number of beliefs, with a 95 % band over the repeats."""
    import matplotlib.pyplot as plt

    frame = pd.read_csv(arguments.out / "webs-learn.csv")
    summary = frame.groupby("beliefs")["shd"].agg(["mean", "sem", "count"])
    half = 1.96 * summary["sem"]
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    blue = "#0072B2"  # Okabe and Ito's palette
    places = np.arange(len(summary))
    axes.fill_between(
        places, summary["mean"] - half, summary["mean"] + half, color=blue, alpha=0.2, lw=0
    )
    axes.plot(places, summary["mean"], color=blue, marker="o")
    axes.set_xticks(places, [str(k) for k in summary.index])
    axes.set_ylim(bottom=0)
    axes.set_xlabel("beliefs in one web")
    axes.set_ylabel(f"SHD, ALARM, {NUM_ROWS} rows")
    axes.set_title(f"mean of {summary['count'].min()} runs, 95 % band", fontsize=10)
    figure.savefig(arguments.out / "webs-learn.png", dpi=150)
    print(summary.round(2).to_string())


def read_parents(text: str) -> float | str | None:
    if text == "auto":
        return text
    return None if text == "none" else float(text)


def rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values**2)))


def megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "part", choices=["growth", "recover", "large", "huge", "learn", "wrong", "draw"]
    )
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--time-limit", type=float, default=600.0)
    parser.add_argument("--tolerance", type=float, default=0.02)
    parser.add_argument("--expected-parents", type=read_parents, default="auto")
    parser.add_argument("--beliefs", type=int, nargs="*", help="sizes for growth and recover")
    parser.add_argument("--seed", type=int, default=0, help="seed of the fits of recover")
    parser.add_argument("--apart", type=float, default=3.0, help="mean log λ(⇎) of recover")
    parser.add_argument("--out", type=Path, default=Path())
    arguments = parser.parse_args()
    os.environ["PATHPRIOR_CACHE"] = "off"
    warnings.simplefilter("ignore", WebConvergenceWarning)  # the tables say it
    globals()[arguments.part](arguments)


if __name__ == "__main__":
    main()
