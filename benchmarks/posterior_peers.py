"""The sampler beside sumu's: do independent runs agree, and what do they visit?

    python benchmarks/posterior_peers.py sumu --rows FILE [--networks asia child insurance alarm]
    python benchmarks/posterior_peers.py pathprior --rows FILE [--share 0.1]
    python benchmarks/posterior_peers.py show --rows FILE

1000 rows with renamed and shuffled columns, BDeu with equivalent sample size 1, all DAGs alike, two
seeds or more. sumu runs with the values of its documentation: 15 candidate parents a variable
chosen by "greedy-lite" and sets of up to 3 outside of them, 16 coupled chains over ordered
partitions, 10 000 steps of burning in and 10 000 of sampling, every tenth kept, and from each a
DAG. Its prior on the number of parents ("fair") is switched off by the option of its class
`LocalScore` for it, and ``tolerance`` has the default of its class `DAGR`. pathprior then gets the
processor time that sumu took, or a share of it. Every run is kept in FILE and not repeated; the two
may be in environments of their own.

sumu 0.1.2 must be compiled by Cython 0.29: delete the C++ files in its archive that belong to .pyx
files, then ``pip install "cython<3" "numpy<2" setuptools wheel`` and ``pip install
--no-build-isolation .`` in its folder.
"""

import argparse
import json
import warnings
from functools import partial
from itertools import combinations, product
from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from reliability import Answer, PosteriorAnswer
from search import Sample, draw, load

import pathprior as pp
from pathprior.errors import PathPriorWarning
from pathprior.posterior.diagnostics import diagnose_indicators
from pathprior.posterior.exact import family_scores
from tests.oracles.posterior import edge_posteriors

NUM_ROWS = 1000
DATA_SEED = 1
DOCUMENTED = {
    "scoref": "bdeu",
    "max_id": -1,
    "d": 3,
    "cp_algo": "greedy-lite",
    "mc3_chains": 16,
    "burn_in": 10_000,
    "iterations": 10_000,
    "thinning": 10,
    "tolerance": 2.0**-32,
}
NUM_CANDIDATES = 15
MOST_EXACT = 8
"""Variables up to which edge probabilities are summed exactly."""

Row = dict[str, Any]


def load_sample(network: str) -> Sample:
    return draw(load(network), NUM_ROWS, DATA_SEED)


# -- contestants -----------------------------------------------------------------------------------


def run_sumu(sample: Sample, seed: int) -> Row:
    import sumu
    from sumu.gadget import LocalScore

    codes = np.ascontiguousarray(sample.table.codes.T, dtype=np.int32)
    num_nodes = codes.shape[1]
    np.random.seed(seed)  # noqa: NPY002  # the generator that it draws from
    begin = process_time()
    with patch("sumu.gadget.LocalScore", partial(LocalScore, prior="uniform")):
        sampler = sumu.Gadget(
            data=sumu.Data(codes), ess=1, K=min(NUM_CANDIDATES, num_nodes - 1), **DOCUMENTED
        )
        families, scores = sampler.sample()
    seconds = process_time() - begin
    graphs = np.zeros((len(families), num_nodes, num_nodes), dtype=bool)
    for graph, dag in zip(graphs, families, strict=True):
        for child, *parents in dag:
            graph[list(parents[0]) if parents else [], child] = True
    dag = pp.Dag(sample.table.variables, graphs[-1])
    score = pp.score_graph(dag, sample.table, equivalent_sample_size=1.0)
    if abs(score - scores[-1]) > 1e-6:
        raise SystemExit(f"scores differ: {score} here, {scores[-1]} in sumu")
    return row(Answer(graphs), graphs[None], np.array(scores), seconds)


def run_pathprior(sample: Sample, seed: int, seconds: float) -> Row:
    begin = process_time()
    # the machine is shared: the limit of the wall clock is made one of processor time
    with patch("pathprior.posterior.sampling.monotonic", process_time):
        posterior = pp.sample_posterior(
            sample.table,
            expected_parents=None,
            equivalent_sample_size=1.0,
            constant_columns="keep",
            precision=1e-9,  # never reached
            time_limit=seconds,
            seed=seed,
        )
    answer = PosteriorAnswer(posterior)
    taken = process_time() - begin
    draws = posterior.draws
    graphs = np.stack([draws.edges_into(v) for v in range(len(answer.edges))], axis=-1)
    return row(answer, graphs, draws.scores, taken)


def row(
    answer: Answer, graphs: NDArray[np.bool_], scores: NDArray[np.float64], seconds: float
) -> Row:
    """``graphs`` by chain, draw, parent and child."""
    indicators = graphs.reshape(*graphs.shape[:2], -1)
    return {
        "seconds": round(seconds, 2),
        "graphs": int(scores.size),
        "mean": float(scores.mean()),
        "highest": float(scores.max()),
        "effective": float(diagnose_indicators(indicators, np.inf).effective_samples.min()),
        "edges": np.round(answer.edges, 5).tolist(),
        "paths": np.round(answer.paths, 5).tolist(),
    }


# -- running and showing ---------------------------------------------------------------------------


def run_all(options: argparse.Namespace, rows: list[Row]) -> None:
    """All runs of one contestant, those in the file not again."""
    is_sumu = options.what == "sumu"
    method = "sumu" if is_sumu else f"pathprior × {options.share:g}"
    known = {(row["network"], row["method"], row["seed"]): row for row in rows}
    for network, seed in product(options.networks, options.seeds):
        if (network, method, seed) in known:
            continue
        sample = load_sample(network)
        if is_sumu:
            found = run_sumu(sample, seed)
        else:
            seconds = options.share * known[network, "sumu", seed]["seconds"]
            found = run_pathprior(sample, seed, seconds)
        rows.append({"network": network, "method": method, "seed": seed, **found})
        with options.rows.open("a") as stream:
            stream.write(json.dumps(rows[-1]) + "\n")


def show(rows: list[Row]) -> None:
    """Largest differences between runs, and from the exact values; scores; effective samples."""
    names = "data | sampler | s | edges | paths | from exact | mean score | highest | effective"
    print(f"| {names} |\n|" + "---|" * 9)
    for network in dict.fromkeys(row["network"] for row in rows):
        exact = exact_edges(network)
        for method in sorted({row["method"] for row in rows if row["network"] == network}):
            runs = [row for row in rows if (row["network"], row["method"]) == (network, method)]
            off = (
                "" if exact is None else f"{max(largest(run['edges'], exact) for run in runs):.3f}"
            )
            cells = [network, method, _join(runs, "seconds", ".0f")]
            cells += [f"{disagreement(runs, target):.3f}" for target in ("edges", "paths")]
            cells += [off, _join(runs, "mean", ".1f"), _join(runs, "highest", ".1f")]
            cells += [_join(runs, "effective", ".0f")]
            print("| " + " | ".join(cells) + " |")
        sample = load_sample(network)
        fit = pp.learn(sample.table, expected_parents=None, equivalent_sample_size=1.0)
        print(f"| {network} | learn | | | | | | {fit.score:.1f} | |")


def _join(runs: list[Row], name: str, form: str) -> str:
    return ", ".join(format(run[name], form) for run in runs)


def disagreement(runs: list[Row], target: str) -> float:
    pairs = combinations([run[target] for run in runs], 2)
    return max((largest(a, b) for a, b in pairs), default=np.nan)


def largest(a: Any, b: Any) -> float:
    return float(np.abs(np.asarray(a) - np.asarray(b)).max())


def exact_edges(network: str) -> NDArray[np.float64] | None:
    """Edge probabilities summed over all DAGs, where there are few variables."""
    sample = load_sample(network)
    if len(sample.truth.nodes) > MOST_EXACT:
        return None
    fit = pp.learn(sample.table, expected_parents=None, equivalent_sample_size=1.0)
    place = [fit.problem.rules.variables.index(name) for name in sample.table.variables]
    # 1000 rows tell parent sets apart by more than the 300 bits that suffice in the tests
    with patch("tests.oracles.posterior.BITS", 1000):
        return edge_posteriors(family_scores(fit.problem))[np.ix_(place, place)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["sumu", "pathprior", "show"])
    parser.add_argument("--rows", type=Path, required=True, help="file in which runs are kept")
    parser.add_argument("--networks", nargs="*", default=["asia", "child", "insurance", "alarm"])
    parser.add_argument("--seeds", nargs="*", type=int, default=[1, 2])
    parser.add_argument("--share", type=float, default=1.0, help="of the time that sumu took")
    options = parser.parse_args()
    warnings.simplefilter("ignore", PathPriorWarning)
    file: Path = options.rows
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    if options.what == "show":
        show(rows)
    else:
        run_all(options, rows)


if __name__ == "__main__":
    main()
