"""What posterior probabilities are worth: Brier score and calibration against the true graph.

    python benchmarks/posterior_quality.py data --rows FILE [--repeats 20] [--plot PICTURE]
    python benchmarks/posterior_quality.py data --rows FILE --networks model
    python benchmarks/posterior_quality.py beliefs --rows FILE [--networks child] [--sizes 200]

Data sets are resampled, columns renamed and shuffled; everyone has the defaults. The network
``model`` is another for each data set, drawn from the prior that the posterior starts from: 20
variables with three states, the graph from the base, the tables from BDeu's. For every ordered pair
the probability of an edge and of a directed path, for every pair that of an edge either way, from

learn       the learned graph: 0 or 1
class       100 members of its Markov class, drawn at random
bootstrap   graphs learned from resampled rows, 100 at least, and as many more as fit into the
            processor time of the posterior
members     the same, of each learned class one member at random instead of the learned graph
posterior   ``sample_posterior``, stopped after ``--seconds`` of processor time at the next safe
            point, or when it has settled

``beliefs``: ten calibrated beliefs on pairs without a common variable, with and without. Every run
is kept in FILE, one line each, and not repeated; tables show what is there. Times are processor
seconds of one thread. ``--sample-size`` is the equivalent sample size for all; take another FILE.
"""

import argparse
import json
import warnings
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
from cliquepicking import MecSampler
from numpy.typing import NDArray
from reliability import (
    TARGETS,
    Answer,
    PosteriorAnswer,
    calibration_error,
    judge,
    plot,
    timed_by_the_processor,
)
from search import Sample, draw, load

import pathprior as pp
from pathprior.counting.expected_parents import AUTO, make_base
from pathprior.errors import PathPriorWarning
from pathprior.experiments.experts import Coherence, Experts, draw_beliefs
from pathprior.prior.path_prior import PathPrior
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE

NUM_MEMBERS = 100
NUM_BOOTSTRAPS = 100
NUM_BELIEFS = 10
NUM_NODES, NUM_STATES = 20, 3
"""Of networks drawn from the prior."""
MODEL = "model"
METHODS = {
    "data": ("learn", "class", "bootstrap", "members", "posterior"),
    "beliefs": ("learn", "learn, beliefs", "posterior", "posterior, beliefs"),
}
SHOWN = {"bootstrap": "#D55E00", "posterior": "#0072B2"}  # Okabe and Ito's palette

Row = dict[str, Any]


# -- what is asked ---------------------------------------------------------------------------------


def draw_members(dag: pp.Dag, count: int) -> Iterator[NDArray[np.bool_]]:
    """Members of the Markov class, each as likely as any other."""
    matrix = pp.Cpdag.from_dag(dag).adjacency
    sampler = MecSampler([(int(i), int(j)) for i, j in np.argwhere(matrix)])
    for _ in range(count):
        member = np.zeros_like(matrix)
        for i, j in sampler.sample_dag():
            member[i, j] = True
        yield member


def learn_resampled(
    sample: Sample, seconds: float, repeat: int, sample_size: float
) -> Iterator[pp.Dag]:
    """Graphs of so many seconds of bootstrapping, not below `NUM_BOOTSTRAPS`."""
    rng = np.random.default_rng([repeat, 2])
    num_rows, begin, count = len(sample.frame), process_time(), 0
    while count < NUM_BOOTSTRAPS or process_time() - begin < seconds:
        chosen = sample.frame.iloc[rng.integers(num_rows, size=num_rows)]
        yield pp.learn(chosen, equivalent_sample_size=sample_size).dag
        count += 1


def sample_for(
    sample: Sample, seconds: float, sample_size: float, prior: PathPrior | None = None
) -> pp.Posterior:
    with timed_by_the_processor():
        return pp.sample_posterior(
            sample.table, prior, equivalent_sample_size=sample_size, time_limit=seconds
        )


# -- what is run -----------------------------------------------------------------------------------


def load_truth(name: str, repeat: int) -> pp.BayesianNetwork:
    """A bundled network, or one drawn from the prior of graph and tables."""
    if name != MODEL:
        return load(name)
    odds = make_base(AUTO, NUM_NODES).edge_odds
    (matrix,) = pp.sample_dags(NUM_NODES, 1, repeat, edge_odds=odds)
    dag = pp.Dag(tuple(f"v{v:02d}" for v in range(NUM_NODES)), matrix)
    rng = np.random.default_rng([repeat, 4])
    tables = []
    for node in dag.nodes:
        configurations = (NUM_STATES,) * len(dag.parents(node))
        size = DEFAULT_SAMPLE_SIZE / NUM_STATES ** (len(configurations) + 1)
        tables.append(rng.dirichlet(np.full(NUM_STATES, size), size=configurations))
    states = tuple(str(state) for state in range(NUM_STATES))
    return pp.BayesianNetwork(dag, (states,) * NUM_NODES, tables)


def data_runs(sample: Sample, seconds: float, repeat: int, sample_size: float) -> Iterator[Row]:
    begin = process_time()
    dag = pp.learn(sample.frame, equivalent_sample_size=sample_size).dag
    yield row("learn", Answer([dag.adjacency]), sample, process_time() - begin)
    members = Answer(draw_members(dag, NUM_MEMBERS))
    yield row("class", members, sample, process_time() - begin)

    begin = process_time()
    posterior = sample_for(sample, seconds, sample_size)
    answer = PosteriorAnswer(posterior)
    taken = process_time() - begin
    yield {**row("posterior", answer, sample, taken), **settled(posterior)}

    begin = process_time()
    dags = list(learn_resampled(sample, taken, repeat, sample_size))
    used = process_time() - begin
    learned = row("bootstrap", Answer(dag.adjacency for dag in dags), sample, used)
    yield {**learned, "graphs": len(dags)}
    members = Answer(next(draw_members(dag, 1)) for dag in dags)
    yield {**row("members", members, sample, process_time() - begin), "graphs": len(dags)}


def belief_runs(sample: Sample, seconds: float, repeat: int, sample_size: float) -> Iterator[Row]:
    nodes = sample.truth.nodes
    beliefs = draw_beliefs(
        sample.truth,
        num_components=NUM_BELIEFS,
        component_size=2,
        coherence=Coherence.ANY,
        experts=Experts.CALIBRATED,
        rng=np.random.default_rng([repeat, 3]),
        edge_odds=make_base(AUTO, len(nodes)).edge_odds,
    )
    prior = pp.fit_prior(beliefs, nodes)
    for given, ending in ((None, ""), (prior, ", beliefs")):
        begin = process_time()
        dag = pp.learn(sample.table, given, equivalent_sample_size=sample_size).dag
        yield row(f"learn{ending}", Answer([dag.adjacency]), sample, process_time() - begin)
        begin = process_time()
        posterior = sample_for(sample, seconds, sample_size, given)
        answer = PosteriorAnswer(posterior)
        taken = process_time() - begin
        yield {**row(f"posterior{ending}", answer, sample, taken), **settled(posterior)}


def row(method: str, answer: Answer, sample: Sample, seconds: float) -> Row:
    return {"method": method, "seconds": round(seconds, 3), **judge(answer, sample.truth)}


def settled(posterior: pp.Posterior) -> Row:
    errors = posterior.errors
    return {
        "graphs": posterior.draws.scores.size,
        "error": float(errors["error"].max()),
        "r_hat": float(errors["r_hat"].max()),
    }


RUNS = {"data": data_runs, "beliefs": belief_runs}


def run_all(options: argparse.Namespace) -> pd.DataFrame:
    """All runs, those in the file not again."""
    file: Path = options.rows
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    known = {(row["network"], row["rows"], row["repeat"]) for row in rows}
    list(RUNS[options.what](draw(load("child"), 100, seed=0), 0.1, 0, 1.0))  # compiles what is run
    with file.open("a") as stream:
        # repeats outermost: what is there after a while is a fair part of the whole
        for repeat, name, size in product(range(options.repeats), options.networks, options.sizes):
            if (name, size, repeat) in known:
                continue
            sample = draw(load_truth(name, repeat), size, repeat)
            key = {"network": name, "rows": size, "repeat": repeat}
            new = [
                {**key, **found}
                for found in RUNS[options.what](
                    sample, options.seconds, repeat, options.sample_size
                )
            ]
            stream.write("".join(json.dumps(found) + "\n" for found in new))
            stream.flush()
            rows += new
    return pd.DataFrame(rows)


# -- tables and picture ----------------------------------------------------------------------------


def show(frame: pd.DataFrame, methods: tuple[str, ...]) -> None:
    """Brier scores with standard errors, calibration errors, the last method less each other."""
    last, others = methods[-1], methods[:-1]
    print("1000 × Brier score ± standard error (1000 × calibration error)\n")
    print(f"| data | rows | | {' | '.join(methods)} |\n|" + "---|" * (3 + len(methods)))
    for (network, size), chosen in frame.groupby(["network", "rows"], sort=False):
        runs = {name: chosen[chosen["method"] == name] for name in methods}
        for target in TARGETS:
            cells = []
            for found in runs.values():
                off = 1000 * calibration_error(found, target)
                cells.append(f"{mean_error(1000 * found[target])} ({off:.0f})")
            print(f"| {network} | {size} | {target} | {' | '.join(cells)} |")
    print(f"\n1000 × Brier score, {last} less the other; in how many data sets it is lower\n")
    print(f"| data | rows | | {' | '.join(others)} | data sets |\n|" + "---|" * (3 + len(methods)))
    for (network, size), chosen in frame.groupby(["network", "rows"], sort=False):
        for target in TARGETS:
            scores = 1000 * chosen.pivot(index="repeat", columns="method", values=target)
            less = scores[list(others)].rsub(scores[last], axis=0)
            cells = [f"{mean_error(less[name])} ({(less[name] < 0).sum()})" for name in others]
            print(f"| {network} | {size} | {target} | {' | '.join(cells)} | {len(scores)} |")
    print("\nmedians of processor seconds, graphs, largest Monte Carlo error, largest R-hat\n")
    columns = ["seconds", "graphs", "error", "r_hat"]
    table = frame.groupby(["network", "rows", "method"], sort=False)[columns].median()
    print(table.round(3).to_string())


def mean_error(values: pd.Series) -> str:
    return f"{values.mean():.1f} ± {values.sem():.1f}"


def show_plot(frame: pd.DataFrame, picture: Path) -> None:
    is_model = frame["network"] == MODEL
    groups = {f"{size} rows": chosen for size, chosen in frame[~is_model].groupby("rows")}
    if is_model.any():
        groups["truth from the prior"] = frame[is_model]
    plot(groups, SHOWN, picture)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=list(RUNS))
    parser.add_argument("--rows", type=Path, required=True, help="file in which runs are kept")
    parser.add_argument("--networks", nargs="*", default=["alarm", "insurance", "child"])
    parser.add_argument("--sizes", nargs="*", type=int, default=[200, 1000])
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--sample-size", type=float, default=DEFAULT_SAMPLE_SIZE)
    parser.add_argument("--plot", type=Path, help="file for the reliability plot")
    options = parser.parse_args()
    warnings.simplefilter("ignore", PathPriorWarning)
    frame = run_all(options)
    frame = frame[frame["network"].isin(options.networks) & frame["rows"].isin(options.sizes)]
    show(frame, METHODS[options.what])
    if options.plot:
        show_plot(frame, options.plot)


if __name__ == "__main__":
    main()
