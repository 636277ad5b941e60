"""How fast counting and sampling are, and how they grow. Run: python benchmarks/counting.py

Off by default; takes about a minute. Times are medians of processor seconds of one core, so that a
busy machine matters less; kernels are compiled before timing.
"""

import argparse
from functools import partial
from itertools import combinations
from math import log
from statistics import median
from time import process_time

from rich.console import Console
from rich.table import Table

from pathprior.counting.exact import exact_table, num_exact_terms, weighted_table
from pathprior.counting.exhaustive import enumerate_table
from pathprior.counting.progress import silent
from pathprior.counting.sampling import CodeLayout, stream_codes
from pathprior.counting.shape import Shape, read_pairs
from pathprior.counting.tally import Tally
from pathprior.counting.validity import valid_configurations

NODES = (10, 37, 100)
EIGHTEEN_PAIRS = [
    (f"{component}{x}", f"{component}{y}")
    for component in range(3)
    for x, y in combinations("abcd", 2)
]

console = Console()


def seconds(work, repeats=1):
    def once():
        start = process_time()
        work()
        return process_time() - start

    return median(once() for _ in range(repeats))


def growth(first, last, sizes):
    """Exponent e of time ~ n^e between the first and the last size."""
    return log(last / first) / log(sizes[-1] / sizes[0])


def sample(shape, groups, num_nodes, num_samples, placements):
    layout = CodeLayout.of(shape, groups)
    tallies = [Tally(1) for _ in groups]
    for codes in stream_codes(layout, num_nodes, num_samples, placements, 0):
        for tally, words in zip(tallies, layout.words, strict=True):
            tally.add(codes[:, :, words])


def sampling_rows(num_samples):
    for placements in (1, 8):
        rates = []
        for num_nodes in NODES:
            # three components of four nodes need 12 nodes; ten nodes hold two of them
            shape = read_pairs(EIGHTEEN_PAIRS[: 12 if num_nodes < 12 else 18], num_nodes)
            groups = shape.components()
            sample(shape, groups, num_nodes, 100, placements)
            work = partial(sample, shape, groups, num_nodes, num_samples, placements)
            rates.append(num_samples / seconds(work, 3))
        exponent = growth(1 / rates[1], 1 / rates[-1], NODES[1:])
        yield f"{placements} placements", [f"{rate:,.0f}" for rate in rates], exponent


def exact_rows(max_terms, is_sparse):
    """Uniform DAGs, or those with edge odds of one in n."""
    for num_beliefs in (2, 3, 4):
        times = []
        for num_nodes in NODES:
            if num_exact_terms(num_beliefs, num_nodes) > max_terms:
                times.append(None)
                continue
            work = partial(exact_table, num_beliefs, num_nodes, silent)
            if is_sparse:
                work = partial(weighted_table, num_beliefs, num_nodes, 1 / num_nodes, silent)
            times.append(seconds(work, 1 if num_beliefs == 4 else 3))
        timed = [(n, t) for n, t in zip(NODES, times, strict=True) if t is not None]
        exponent = growth(timed[0][1], timed[-1][1], [n for n, _ in timed])
        yield f"{num_beliefs} belief nodes", times, exponent


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--max-terms", type=int, default=10**9, help="skip longer exact sums")
    options = parser.parse_args()

    table = Table(title="DAGs per second on one core, configurations of 18 pairs included")
    for heading in ("", "n = 10 (12 pairs)", "n = 37", "n = 100", "time ~ n^"):
        table.add_column(heading, justify="right")
    for label, rates, exponent in sampling_rows(options.samples):
        table.add_row(label, *rates, f"{exponent:.1f}")
    console.print(table)

    exact_table(2, 10, silent, max_integer_seconds=0)  # compile
    weighted_table(2, 10, 0.1, silent)
    for is_sparse, kind in ((False, "Exact counts"), (True, "Exact sums with edge odds 1 / n")):
        table = Table(title=f"{kind}, seconds, nothing pruned (products formed)")
        for heading in ("", *(f"n = {n}" for n in NODES), "time ~ n^"):
            table.add_column(heading, justify="right")
        for label, times, exponent in exact_rows(options.max_terms, is_sparse):
            num_beliefs = int(label.split()[0])
            terms = [num_exact_terms(num_beliefs, n) for n in NODES]
            cells = [
                f"{'skipped' if time is None else f'{time:.3f}'} ({num_terms:,})"
                for time, num_terms in zip(times, terms, strict=True)
            ]
            table.add_row(label, *cells, f"{exponent:.1f}")
        console.print(table)

    table = Table(title="Listing and enumeration, seconds")
    table.add_column("")
    table.add_column("", justify="right")
    six = list(combinations(range(6), 2))
    five = list(combinations(range(5), 2))
    chain = [(i, i + 1) for i in range(12)]
    enumerate_table(Shape(((0, 1),)), 3)
    for label, work in (
        ("all 3,781,503 DAGs on 6 nodes, 15 pairs", lambda: enumerate_table(Shape(tuple(six)), 6)),
        ("41,099 valid configurations of 5 nodes", lambda: valid_configurations(five, 37)),
        (
            "4^12 configurations of a chain of 12",
            lambda: valid_configurations(chain, 37, max_rows=2 * 10**7),
        ),
    ):
        table.add_row(label, f"{seconds(work):.3f}")
    console.print(table)


if __name__ == "__main__":
    main()
