"""GES of causal-learn and of `ges` from PyPI, each run stopped after ten processor minutes.

    python benchmarks/slow_peers.py [--repeats N] [--limit SECONDS] [--setting NAME ROWS]

The same data sets as ``equivalence.py quality``, from the first seed on. causal-learn scores with
BDeu (equivalent sample size 1) plus a prior that expects one parent, which it does not let one
change; ``ges`` knows the Gaussian BIC only, here of the state numbers, so
its classes are judged by a score it did not maximise.
"""

import argparse
import multiprocessing
import resource
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection

import numpy as np
from equivalence import FIRST_SEED, SETTINGS
from numpy.typing import NDArray
from search import Sample, draw, load

import pathprior as pp
from pathprior.score.named import data_score


def causal_learn(sample: Sample) -> NDArray[np.bool_]:
    from causallearn.search.ScoreBased.GES import ges

    found = ges(
        np.ascontiguousarray(sample.table.codes.T, dtype=float),
        score_func="local_score_BDeu",
    )
    # graph[j, i] = 1 is an arrowhead at j on the edge between i and j, −1 a tail
    marks = found["G"].graph
    return np.asarray((marks == -1) & (marks.T != 0))


def gaussian_ges(sample: Sample) -> NDArray[np.bool_]:
    import ges

    found, _ = ges.fit_bic(np.ascontiguousarray(sample.table.codes.T, dtype=float))
    return np.asarray(found != 0)


PEERS: dict[str, Callable[[Sample], NDArray[np.bool_]]] = {
    "causal-learn GES": causal_learn,
    "ges (Gaussian)": gaussian_ges,
}


def answer(peer: str, sample: Sample, limit: int, channel: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    begin = time.process_time()
    adjacency = PEERS[peer](sample)
    channel.send((adjacency, time.process_time() - begin))


def run_capped(peer: str, sample: Sample, limit: int) -> tuple[NDArray[np.bool_], float] | None:
    """The peer's CPDAG and its processor seconds; None if it needs more than ``limit``."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=answer, args=(peer, sample, limit, sender))
    process.start()
    sender.close()
    found: tuple[NDArray[np.bool_], float] | None = None
    with suppress(EOFError):
        found = receiver.recv()
    process.join()
    if found is None and process.exitcode != -signal.SIGXCPU:
        raise SystemExit(f"{peer} failed; its message is above")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--limit", type=int, default=600)
    parser.add_argument("--setting", nargs=2, action="append", metavar=("NAME", "ROWS"))
    parser.add_argument("--peer", choices=list(PEERS), action="append")
    options = parser.parse_args()
    settings = [(name, int(rows)) for name, rows in options.setting or SETTINGS]
    print("| data | rows | seed | search | BDeu | SHD | s |\n|---|---|---|---|---|---|---|")
    for name, num_rows in settings:
        for seed in range(FIRST_SEED, FIRST_SEED + options.repeats):
            sample = draw(load(name), num_rows, seed)
            for peer in options.peer or PEERS:
                found = run_capped(peer, sample, options.limit)
                cells = ["", "", f"stopped after {options.limit}"]
                if found is not None:
                    adjacency, seconds = found
                    dag = pp.Cpdag(sample.table.variables, adjacency).to_dag()
                    score = data_score(dag, sample.table)
                    cells = [f"{score:.1f}", f"{pp.shd(dag, sample.truth)}", f"{seconds:.1f}"]
                cells = [name, str(num_rows), str(seed), peer, *cells]
                print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
