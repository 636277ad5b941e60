"""How the defaults of the prior were chosen: expected parents, sample size, strength and repair.

    python benchmarks/base.py {parents,sizes} --rows FILE [--half {first,second}] [--repeats N]
    python benchmarks/base.py strengths --rows FILE [--repeats N]
    python benchmarks/base.py peers --rows FILE [--repeats N]
    python benchmarks/base.py margins --rows FILE [--repeats N]
    python benchmarks/base.py averaged --rows FILE [--repeats N]
    python benchmarks/base.py weak [--repeats N]
    python benchmarks/base.py times [--repeats N]

Mean SHD of CPDAGs to the truth over resampled data sets with shuffled and renamed columns.
``parents``: by ``expected_parents``. ``sizes``: by equivalent sample size, under the default base.
``strengths``: by repair and strength of 18 beliefs of calibrated and misled experts, who know the
base, of 1 and 1.5 expected parents. ``peers``: the defaults beside a uniform base with sample size
1, the same with 2 nats per edge, and peers with their structure priors at their defaults, as far as
they are installed; a peer's run is stopped after two minutes and left out.
``margins``: the default base by sample size, on the same data as 2 nats per edge with sample size
1, and by how much each is better, with standard errors.
``averaged``: BDeu by sample size, and averaged over sample sizes, also on networks of pgmpy's files
that no default was chosen by; and by how much the default is better than each.
``weak``: how often one weak dependence among 20 columns is found, with and without a true belief.
``times``: what the base costs a search. Runs are kept in FILE, one line each, and not repeated;
tables show what is there.

Defaults were chosen on the first half of the networks and checked on the second.
"""

import argparse
import gzip
import json
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from importlib import resources
from itertools import product
from math import exp
from multiprocessing import TimeoutError
from multiprocessing.pool import Pool
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
from equivalence import tetrad_runner
from search import Sample, draw, pyagrum_runner, pybnesian_runner

import pathprior as pp
from pathprior.counting.base import expected_edges
from pathprior.counting.expected_parents import make_base
from pathprior.errors import PathPriorWarning
from pathprior.experiments.experts import Coherence, Experts, draw_beliefs

PARENTS = ("none", 0.5, 1, 1.5, 2, 3)
BELIEVED_PARENTS = (1.0, 1.5)
SAMPLE_SIZES = (0.1, 1, 3, 10, "best")
MARGIN_SIZES = (1, 1.5, 2, 3)
SEARCHED_SIZES = (0.1, 0.3, 1, 3, 10, 30)
"""Sample sizes of which "best" takes the one with the highest score."""
FITTINGS = (*product(("soft",), (0.3, 1, 3, 10)), ("independent", 1), ("gema", 1))
ROWS = (100, 300, 1000, 3000, 10000)
HALVES = {
    "first": (
        "asia",
        "insurance",
        "hepar2",
        *(f"{n}x{k}a" for n in (8, 20, 50) for k in (1, 2, 3)),
    ),
    "second": (
        *("child", "alarm", "win95pts"),
        *(f"{n}x{k}b" for n in (12, 30, 100) for k in (1, 2, 3)),
    ),
}
"""Bundled networks, and random ones: ``20x2a`` has 20 nodes with 2 parents on average."""

HELD_OUT = ("cancer", "earthquake", "survey", "sachs", "water", "hailfinder", "barley", "mildew")
"""Networks in pgmpy's files that had no part in any choice."""

Row = dict[str, Any]


def random_network(num_nodes: int, mean_parents: float, seed: int) -> pp.BayesianNetwork:
    """Edges at random between ordered nodes, as many as asked for; two to four states."""
    rng = np.random.default_rng(seed)
    names = [f"v{i:03d}" for i in range(num_nodes)]
    upper = np.argwhere(np.triu(np.ones((num_nodes, num_nodes), dtype=bool), 1))
    count = min(len(upper), round(mean_parents * num_nodes))
    edges = upper[rng.choice(len(upper), count, replace=False)]
    dag = pp.Dag.from_edges(names, [(names[u], names[v]) for u, v in edges])
    states = {name: int(rng.integers(2, 5)) for name in names}
    return pp.BayesianNetwork.random(dag, states, seed=seed)


@lru_cache(maxsize=4)
def load(name: str, repeat: int) -> pp.BayesianNetwork:
    """A bundled network, one of pgmpy's, or a random one, which is another in each repeat."""
    if name in HELD_OUT:
        return read_peers_network(name)
    if name.isalpha() or not name[0].isdigit():
        return pp.load_network(name)
    num_nodes, _, rest = name.partition("x")
    return random_network(int(num_nodes), int(rest[:-1]), 1000 * repeat + ord(rest[-1]))


def read_peers_network(name: str) -> pp.BayesianNetwork:
    """A network from the files of the package pgmpy."""
    packed = resources.files("pgmpy.utils") / "example_models" / f"{name}.bif.gz"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.bif"
        file.write_bytes(gzip.decompress(packed.read_bytes()))
        return pp.read_bif(file)


def distance(found: pp.Dag, truth: pp.Dag) -> int:
    return pp.compare(found, truth).shd


def read_parents(value: str | float) -> float | None:
    return None if value == "none" else float(value)


# -- what is run -----------------------------------------------------------------------------------


def parents_runs(network: str, num_rows: int, repeat: int) -> Iterator[Row]:
    sample = draw(load(network, repeat), num_rows, repeat)
    most = (len(sample.truth.nodes) - 1) / 2
    for parents in PARENTS:
        value = read_parents(parents)
        if value is not None and value >= most:
            continue
        begin = process_time()
        fit = pp.learn(sample.table, expected_parents=value)
        yield {
            "option": str(parents),
            "shd": distance(fit.dag, sample.truth),
            "edges": fit.dag.num_edges,
            "seconds": process_time() - begin,
        }


def size_runs(network: str, num_rows: int, repeat: int) -> Iterator[Row]:
    sample = draw(load(network, repeat), num_rows, repeat)
    fits = {size: pp.learn(sample.table, equivalent_sample_size=size) for size in SEARCHED_SIZES}
    best = max(fits.values(), key=lambda fit: fit.score)
    for size in SAMPLE_SIZES:
        fit = best if size == "best" else fits[float(size)]
        yield {"option": str(size), "shd": distance(fit.dag, sample.truth)}


def strength_runs(network: str, num_rows: int, repeat: int) -> Iterator[Row]:
    sample = draw(load(network, repeat), num_rows, repeat)
    for parents in BELIEVED_PARENTS:
        for row in belief_runs(sample, parents, repeat):
            yield {"parents": parents, **row}


def belief_runs(sample: Sample, parents: float, repeat: int) -> Iterator[Row]:
    """With the beliefs of each kind of experts, fitted in each way, and without."""
    nodes = sample.truth.nodes
    fit = pp.learn(sample.table, expected_parents=parents)
    yield {"option": "no beliefs", "experts": "none", "shd": distance(fit.dag, sample.truth)}
    for experts in (Experts.CALIBRATED, Experts.MISLED):
        stated = draw_beliefs(
            sample.truth,
            num_components=3 if len(nodes) >= 12 else 2,
            component_size=4,
            coherence=Coherence.ANY,
            experts=experts,
            rng=np.random.default_rng([repeat, list(Experts).index(experts)]),
            edge_odds=make_base(parents, len(nodes)).edge_odds,
        )
        for repair, strength in FITTINGS:
            beliefs = [
                pp.relation(belief.x, belief.y, belief.stated, strength=strength)
                for belief in stated
            ]
            prior = pp.fit_prior(
                beliefs, nodes, expected_parents=parents, repair=repair, counts="listed"
            )
            fit = pp.learn(sample.table, prior)
            yield {
                "option": f"{repair} {strength:g}" if repair == "soft" else repair,
                "experts": str(experts),
                "shd": distance(fit.dag, sample.truth),
            }


def two_nats(num_nodes: int) -> float:
    """The expected parents for which every edge costs two nats."""
    return expected_edges(num_nodes, exp(-2)) / num_nodes


def margin_runs(network: str, num_rows: int, repeat: int) -> Iterator[Row]:
    sample = draw(load(network, repeat), num_rows, repeat)
    parents = two_nats(len(sample.truth.nodes))
    fit = pp.learn(sample.table, expected_parents=parents, equivalent_sample_size=1)
    yield {"option": "2 nats", "shd": distance(fit.dag, sample.truth)}
    for size in MARGIN_SIZES:
        fit = pp.learn(sample.table, equivalent_sample_size=size)
        yield {"option": str(size), "shd": distance(fit.dag, sample.truth)}


def averaged_runs(network: str, num_rows: int, repeat: int) -> Iterator[Row]:
    sample = draw(load(network, repeat), num_rows, repeat)
    for name, size in (("bdeu", 3), ("bdeu", 1), ("bdeu", 2), (AVERAGED, 3)):
        begin = process_time()
        fit = pp.learn(sample.table, score=name, equivalent_sample_size=size)
        yield {
            "option": name if name == AVERAGED else str(size),
            "shd": distance(fit.dag, sample.truth),
            "seconds": process_time() - begin,
        }


AVERAGED = "averaged-bdeu"


def peer_runs(network: str, num_rows: int, repeat: int) -> Iterator[Row]:
    sample = draw(load(network, repeat), num_rows, repeat)
    num_nodes = len(sample.truth.nodes)
    old = {"uniform, size 1": None, "2 nats per edge, size 1": two_nats(num_nodes)}
    for name, parents in old.items():
        fit = pp.learn(sample.table, expected_parents=parents, equivalent_sample_size=1)
        yield {"option": name, "shd": distance(fit.dag, sample.truth)}
    yield {"option": "pathprior", "shd": distance(pp.learn(sample.table).dag, sample.truth)}
    for name in PEERS:
        dag = run_peer(name, sample)
        yield {"option": name, "shd": None if dag is None else distance(dag, sample.truth)}


PEERS: dict[str, Callable[[], Callable[[Sample], pp.Dag]]] = {
    "pybnesian": pybnesian_runner,
    "pyAgrum": pyagrum_runner,
    "Tetrad fGES": lambda: tetrad_runner(structure_prior=1.0),
}
"""Peers with the priors on structures that they have by default."""
PEER_SECONDS = 120


def run_peer(name: str, sample: Sample) -> pp.Dag | None:
    """What a peer finds, in a process of its own; None if it was stopped."""
    try:
        return worker(name).apply_async(_answer, (name, sample)).get(PEER_SECONDS)
    except TimeoutError:
        worker(name).terminate()
        worker.cache_clear()
        return None


@lru_cache
def worker(name: str) -> Pool:
    return Pool(1)


@lru_cache
def _runner(name: str) -> Callable[[Sample], pp.Dag]:
    return PEERS[name]()


def _answer(name: str, sample: Sample) -> pp.Dag:
    return _runner(name)(sample)


RUNS = {
    "parents": parents_runs,
    "sizes": size_runs,
    "strengths": strength_runs,
    "peers": peer_runs,
    "margins": margin_runs,
    "averaged": averaged_runs,
}


def run_all(
    what: str, networks: Iterable[str], sizes: Iterable[int], repeats: int, file: Path
) -> pd.DataFrame:
    """All runs, those in ``file`` not again."""
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    known = {(row["network"], row["rows"], row["repeat"]) for row in rows}
    with file.open("a") as stream:
        # repeats outermost: what is there after a while is a fair part of the whole
        for repeat, network, num_rows in product(range(repeats), networks, sizes):
            if (network, num_rows, repeat) in known:
                continue
            for found in RUNS[what](network, num_rows, repeat):
                row = {"network": network, "rows": num_rows, "repeat": repeat, **found}
                rows.append(row)
                stream.write(json.dumps(row) + "\n")
            stream.flush()
    frame = pd.DataFrame(rows)
    return frame[frame["network"].isin(list(networks))]


def show(frame: pd.DataFrame) -> None:
    """Mean SHD by network and rows, then the mean over all of the ratio to the first option."""
    index = ["network", "rows", *(name for name in ("parents", "experts") if name in frame)]
    options = list(dict.fromkeys(frame["option"]))
    table = frame.pivot_table(index=index, columns="option", values="shd", sort=False)[options]
    pd.set_option("display.width", 200, "display.max_rows", 1000)
    print(table.round(1).to_string())
    print(f"repeats: {frame['repeat'].nunique()}")
    stopped = frame[frame["shd"].isna()].groupby("option").size()
    if len(stopped):
        print("stopped:", stopped.to_dict())
    if "experts" not in frame:
        logs = np.log(table.add(1.0)).dropna()
        print("geometric mean of SHD + 1:", np.exp(logs.mean()).round(3).to_dict())


def show_margins(frame: pd.DataFrame) -> None:
    """By how much each option is above the first one, data set by data set."""
    index = ["network", "rows", "repeat"]
    table = frame.pivot_table(index=index, columns="option", values="shd", sort=False)
    first, *others = list(dict.fromkeys(frame["option"]))
    groups = table[others].sub(table[first], axis=0).groupby(level=[0, 1], sort=False)
    mean, error = groups.mean(), groups.sem()
    print((mean.map("{:+.2f}".format) + " ± " + error.map("{:.2f}".format)).to_string())


# -- one weak dependence ---------------------------------------------------------------------------


def weak_dependence(repeats: int) -> None:
    """600 rows of 20 independent columns but two: how often these two are found joined."""
    found = {"no beliefs": 0, "associated 0.9": 0}
    names = [f"x{i:02d}" for i in range(20)]
    prior = pp.fit_prior([pp.associated(names[0], names[1], 0.9)], names)
    for repeat in range(repeats):
        rng = np.random.default_rng(repeat)
        values = rng.random((600, 20)) < 0.5
        agrees = rng.random(600) < WEAK
        values[:, 1] = np.where(agrees, values[:, 0], ~values[:, 0])
        frame = pd.DataFrame(values.astype(int), columns=names)
        for name, given in (("no beliefs", None), ("associated 0.9", prior)):
            dag = pp.learn(frame, given).dag
            found[name] += dag.relation(names[0], names[1]).symbol != "⇎"
    print(f"found in so many of {repeats} samples:", found)


WEAK = 0.58
"""Chance that the second column equals the first."""


# -- what the base costs ---------------------------------------------------------------------------


def times(repeats: int) -> None:
    """Processor time of searches of 1000 rows with a base, over that without.

    Once with edge odds next to 1, for which the same graphs are visited, and once with the default.
    """
    for network in ("asia", "child", "insurance", "alarm", "hepar2", "win95pts"):
        samples = [draw(pp.load_network(network), 1000, repeat) for repeat in range(repeats)]
        num_nodes = len(samples[0].truth.nodes)
        nearly_uniform = expected_edges(num_nodes, 1 - 1e-9) / num_nodes
        for search in ("equivalence", "greedy"):
            options = {"none": None, "nearly none": nearly_uniform, "auto": "auto"}
            least = {name: np.full(repeats, np.inf) for name in options}
            for turn, (repeat, sample), (name, parents) in product(
                range(4), enumerate(samples), options.items()
            ):
                begin = process_time()
                pp.learn(sample.table, expected_parents=parents, search=search)
                if turn > 0:  # the first turn warms
                    least[name][repeat] = min(least[name][repeat], process_time() - begin)
            total = {name: seconds.sum() for name, seconds in least.items()}
            print(
                f"{network:10} {search:12} {1000 * total['none'] / repeats:8.2f} ms; "
                f"same graphs {total['nearly none'] / total['none']:.3f}, "
                f"default {total['auto'] / total['none']:.3f}",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=[*RUNS, "weak", "times"])
    parser.add_argument("--rows", type=Path, help="file in which runs are kept")
    parser.add_argument("--half", choices=HALVES, default="first")
    parser.add_argument("--networks", nargs="*", help="instead of a half")
    parser.add_argument("--sizes", nargs="*", type=int, default=ROWS)
    parser.add_argument("--repeats", type=int, default=20)
    options = parser.parse_args()
    warnings.simplefilter("ignore", PathPriorWarning)
    if options.what in ("weak", "times"):
        (weak_dependence if options.what == "weak" else times)(options.repeats)
        return
    if options.rows is None:
        parser.error("--rows FILE is needed")
    networks = options.networks or HALVES[options.half]
    frame = run_all(options.what, networks, options.sizes, options.repeats, options.rows)
    show(frame)
    if options.what in ("margins", "averaged"):
        show_margins(frame)


if __name__ == "__main__":
    main()
