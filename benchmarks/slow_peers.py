"""GES of causal-learn and of `ges` from PyPI beside ours, each run stopped after ten minutes.

    python benchmarks/slow_peers.py [--quick] [--repeats N] [--setting NAME ROWS] [--peer NAME]

The same data sets as ``equivalence.py quality``, from the first seed on; processor minutes.
causal-learn scores with BDeu (equivalent sample size 1) plus a prior that expects one parent, which
it does not let one change; ``ges`` knows the Gaussian BIC only, here of the state numbers, so its
classes are judged by a score it did not maximise. ``--quick`` swaps the peers' slowest functions
for faster ones of the same value (`quick_peers.py`): the classes are theirs, the seconds are not.
Without it ``ges`` needs 19 GB for random220. With ``--rows FILE`` every run is kept in a file and
not repeated; take another file for ``--quick``.
"""

import argparse
import math
import multiprocessing
import resource
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
from equivalence import FIRST_SEED, SETTINGS, Rows
from numpy.typing import NDArray
from quick_peers import hurry_causal_learn, hurry_ges
from search import SAME_SCORE, Sample, draw, load

import pathprior as pp
from pathprior.score.graph import score_graph
from pathprior.search.learn import learn

OURS = "equivalence"


def causal_learn(sample: Sample, quick: bool) -> NDArray[np.bool_]:
    from causallearn.search.ScoreBased.GES import ges

    if quick:
        hurry_causal_learn(sample.table.codes)
    found = ges(
        np.ascontiguousarray(sample.table.codes.T, dtype=float),
        score_func="local_score_BDeu",
    )
    # graph[j, i] = 1 is an arrowhead at j on the edge between i and j, −1 a tail
    marks = found["G"].graph
    return np.asarray((marks == -1) & (marks.T != 0))


def gaussian_ges(sample: Sample, quick: bool) -> NDArray[np.bool_]:
    import ges
    from ges.scores.gauss_obs_l0_pen import GaussObsL0Pen

    if quick:
        hurry_ges()
    data = np.ascontiguousarray(sample.table.codes.T, dtype=float)
    try:
        found, _ = ges.fit_bic(data)
    except np.linalg.LinAlgError:  # constant or equal columns; its other method bears them
        found, _ = ges.fit(GaussObsL0Pen(data, method="raw"))
    return np.asarray(found != 0)


PEERS: dict[str, Callable[[Sample, bool], NDArray[np.bool_]]] = {
    "causal-learn GES": causal_learn,
    "ges (Gaussian)": gaussian_ges,
}


def answer(peer: str, sample: Sample, quick: bool, limit: int, channel: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    begin = time.process_time()
    adjacency = PEERS[peer](sample, quick)
    channel.send((adjacency, time.process_time() - begin))


def run_capped(
    peer: str, sample: Sample, quick: bool, limit: int
) -> tuple[NDArray[np.bool_] | None, float]:
    """The peer's CPDAG, None if it was stopped, and its processor seconds."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=answer, args=(peer, sample, quick, limit, sender))
    process.start()
    sender.close()
    found = (None, float(limit))
    with suppress(EOFError):
        found = receiver.recv()
    process.join()
    if found[0] is None and process.exitcode != -signal.SIGXCPU:
        raise SystemExit(f"{peer} failed; its message is above")
    return found


def judge(search: str, sample: Sample, quick: bool, limit: int) -> list[float]:
    """BDeu, SHD to the true class, both NaN if it was stopped, and processor seconds."""
    if search == OURS:
        begin = time.process_time()
        dag = learn(sample.table, search="equivalence", **SAME_SCORE).dag
        seconds = time.process_time() - begin
    else:
        adjacency, seconds = run_capped(search, sample, quick, limit)
        if adjacency is None:
            return [math.nan, math.nan, seconds]
        dag = pp.Cpdag(sample.table.variables, adjacency).to_dag()
    return [
        score_graph(dag, sample.table, equivalent_sample_size=1.0),
        pp.shd(dag, sample.truth),
        seconds,
    ]


def run(
    settings: list[tuple[str, int]],
    peers: list[str],
    repeats: int,
    rows: Rows,
    *,
    quick: bool,
    limit: int,
) -> None:
    judge(OURS, draw(load("asia"), 100, seed=0), quick, limit)  # warm
    print("| data | rows | seed | search | BDeu | SHD | s |\n|" + "---|" * 7)
    for name, num_rows in settings:
        for seed in range(FIRST_SEED, FIRST_SEED + repeats):
            sample = draw(load(name), num_rows, seed)
            for search in [OURS, *peers]:
                key = (name, num_rows, search, seed)
                if key not in rows.known:
                    rows.put(key, judge(search, sample, quick, limit))
                score, distance, taken = rows.known[key]
                cells = [f"{score:.1f}", f"{distance}", f"{taken:.3g}"]
                if math.isnan(score):
                    cells[:2] = ["", "stopped"]
                cells = [name, str(num_rows), str(seed), search, *cells]
                print("| " + " | ".join(cells) + " |", flush=True)


def summarise(settings: list[tuple[str, int]], peers: list[str], repeats: int, rows: Rows) -> None:
    """Means over the data sets for which a search gave a class, and how often ours did better."""
    print("\n| data | rows | search | data sets | mean BDeu | mean SHD | median s |", end="")
    print(" BDeu ours higher | SHD ours lower, equal, higher |\n|" + "---|" * 9)
    for name, num_rows in settings:
        runs = {
            search: np.array(
                [
                    rows.known[name, num_rows, search, seed]
                    for seed in range(FIRST_SEED, FIRST_SEED + repeats)
                ]
            )
            for search in [OURS, *peers]
        }
        for search, found in runs.items():
            done = ~np.isnan(found[:, 0])
            theirs, ours = found[done], runs[OURS][done]
            cells = [name, str(num_rows), search, f"{done.sum()} of {repeats}"]
            if done.any():
                cells += [f"{theirs[:, 0].mean():.1f}", f"{theirs[:, 1].mean():.1f}"]
                cells += [f"{np.median(theirs[:, 2]):.3g}"]
                cells += [f"{(ours[:, 0] > theirs[:, 0] + 1e-6).sum()}"]
                sides = np.sign(ours[:, 1] - theirs[:, 1])
                cells += [", ".join(f"{(sides == side).sum()}" for side in (-1, 0, 1))]
            print("| " + " | ".join(cells) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--limit", type=int, default=600)
    parser.add_argument("--setting", nargs=2, action="append", metavar=("NAME", "ROWS"))
    parser.add_argument("--peer", choices=list(PEERS), action="append")
    parser.add_argument("--rows", type=Path, metavar="FILE")
    options = parser.parse_args()
    settings = [(name, int(rows)) for name, rows in options.setting or SETTINGS]
    peers = options.peer or list(PEERS)
    rows = Rows(options.rows)
    run(settings, peers, options.repeats, rows, quick=options.quick, limit=options.limit)
    summarise(settings, peers, options.repeats, rows)


if __name__ == "__main__":
    main()
