"""Whether priors hold what was stated: a grid of single beliefs, and random sets of several.

Run: python benchmarks/prior_fits.py [grid|sets] [--sets 5000] [--seed 0]

A fit passes if every stated probability is within tolerance of the fitted one, if a warning says
that it is not, or if the beliefs are incoherent. Half of the random sets are read off a positive
joint over all DAGs on three to five variables, so that they are coherent whatever the program says;
the others have probabilities drawn at random, and those on up to four variables are held against
one linear program over all DAGs, which knows nothing of ours.
"""

import argparse
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from pathprior.beliefs.belief import Belief
from pathprior.beliefs.event import Event
from pathprior.errors import PathPriorError, PathPriorWarning
from pathprior.graph.dag import Dag
from pathprior.prior.belief_table import BaselineWarning
from pathprior.prior.fit import fit_prior

TOLERANCE, WEB_TOLERANCE = 1e-6, 0.02
EVENTS = ("causes", "caused-by", "confounded", "associated", "direct")
SIZES = (3, 4, 5, 8, 13, 20, 50, 100, 200, 500)
PROBABILITIES = (0.001, 0.01, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 0.99, 0.999)
EXPECTED_PARENTS = (0.3, 1, 3, None)
SET_SIZES = (3, 4, 5, 6, 8, 15, 50)
"""Variables of random sets, of which at most five are spoken of."""


def judge(beliefs: list[Belief], num_nodes: int, expected_parents: float | None) -> tuple[str, str]:
    """What became of one fit, in a word, and the words of what went wrong."""
    variables = [f"v{i}" for i in range(num_nodes)]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", BaselineWarning)
        try:
            prior = fit_prior(beliefs, variables, expected_parents=expected_parents)
        except PathPriorError as error:
            return "refused", str(error)
    words = "; ".join(str(w.message) for w in said if issubclass(w.category, PathPriorWarning))
    if not prior.is_coherent:
        return "incoherent", words
    miss = float(prior.table["change"].abs().max())
    if miss <= (WEB_TOLERANCE if prior.webs else TOLERANCE):
        return "met", words
    return ("unmet, said" if words else "UNMET, SILENT"), f"missed by {miss:.3g}; {words}"


def grid() -> Iterator[tuple[str, str, str]]:
    """Every cell of the grid: what it is, what became of it, and why."""
    for event, size, p, parents in product(EVENTS, SIZES, PROBABILITIES, EXPECTED_PARENTS):
        if parents is None or parents < (size - 1) / 2:
            belief = Belief("v0", event, "v1", (p,))
            yield f"{event} {p:g}, {size} variables, {parents}", *judge([belief], size, parents)


@cache
def all_ties(num_nodes: int) -> NDArray[np.int8]:
    """The tie of each ordered pair, (DAG, x, y), in all DAGs; seven million cells at five nodes."""
    pairs = [(i, j) for i in range(num_nodes) for j in range(i)]
    names = [str(i) for i in range(num_nodes)]
    seen = {
        tuple(sorted((order[i], order[j]) for bit, (i, j) in zip(bits, pairs, strict=True) if bit))
        for order in permutations(range(num_nodes))
        for bits in product((0, 1), repeat=len(pairs))
    }
    ties = np.zeros((len(seen), num_nodes, num_nodes), np.int8)
    for row, edges in enumerate(sorted(seen)):
        dag = Dag.from_edges(names, [(names[i], names[j]) for i, j in edges])
        for i, j in permutations(range(num_nodes), 2):
            ties[row, i, j] = int(dag.tie(names[i], names[j]))
    return ties


def holds(belief: Belief, num_nodes: int) -> NDArray[np.bool_]:
    """In which of all DAGs the named event of a belief holds."""
    x, y = int(belief.x[1:]), int(belief.y[1:])
    return np.isin(all_ties(num_nodes)[:, x, y], sorted(belief.named_events[0].ties))


def is_feasible(beliefs: list[Belief], num_nodes: int) -> bool:
    """Whether some distribution over all DAGs has the stated probabilities."""
    rows = np.array([holds(b, num_nodes) for b in beliefs], float)
    left = np.vstack([rows, np.ones(rows.shape[1])])
    right = [*(b.stated[0] for b in beliefs), 1.0]
    return bool(linprog(np.zeros(rows.shape[1]), A_eq=left, b_eq=right).success)


def draw_set(rng: np.random.Generator, *, is_joint: bool) -> tuple[list[Belief], int, int]:
    """Two to seven beliefs, the variables they speak of, and the variables there are."""
    size = int(rng.choice(SET_SIZES))
    num_nodes = min(size, int(rng.integers(3, 6)))
    events = list(Event)
    about = []
    for _ in range(int(rng.integers(2, 8))):
        i, j = rng.choice(num_nodes, 2, replace=False)
        about.append(Belief(f"v{i}", str(rng.choice(events)), f"v{j}", (0.5,)))
    about = list(dict.fromkeys(about))
    if is_joint:
        num_dags = len(all_ties(num_nodes))
        joint = np.exp(rng.normal(0, rng.uniform(0.5, 6), num_dags))
        stated = [float(joint[holds(b, num_nodes)].sum() / joint.sum()) for b in about]
    else:
        stated = rng.uniform(0.001, 0.999, len(about)).round(3).tolist()
    beliefs = [Belief(b.x, b.relation, b.y, (p,)) for b, p in zip(about, stated, strict=True)]
    return beliefs, num_nodes, size


def sets(number: int, seed: int) -> Iterator[tuple[str, str, str]]:
    """Random sets: what each is, what became of it, and why."""
    for k in range(number):
        rng = np.random.default_rng([seed, k])
        is_joint = k % 2 == 0
        beliefs, num_nodes, size = draw_set(rng, is_joint=is_joint)
        parents = EXPECTED_PARENTS[int(rng.integers(4))]
        if parents is not None and parents >= (size - 1) / 2:
            parents = None
        outcome, words = judge(beliefs, size, parents)
        if outcome == "incoherent" and (
            is_joint or (size == num_nodes <= 4 and is_feasible(beliefs, num_nodes))
        ):
            outcome = "COHERENT, CALLED INCOHERENT"
        named = ", ".join(b.phrase for b in beliefs)
        yield f"set {k} of {size} variables, {parents}: {named}", outcome, words


def report(title: str, found: Iterable[tuple[str, str, str]]) -> bool:
    """Print how often what became of fits, and each that is wrong; whether none is."""
    begin, counts = time.perf_counter(), Counter[str]()
    for name, outcome, words in found:
        counts[outcome] += 1
        if sum(counts.values()) % 500 == 0:
            print(f"  {sum(counts.values())} done", file=sys.stderr, flush=True)
        if outcome not in ("met", "incoherent"):
            print(f"  {outcome}: {name}: {words}", flush=True)
    told = ", ".join(f"{outcome} {number}" for outcome, number in counts.most_common())
    print(f"{title}: {sum(counts.values())} fits in {time.perf_counter() - begin:.0f} s: {told}")
    return not any(outcome.isupper() for outcome in counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="*", choices=["grid", "sets", []], default=[])
    parser.add_argument("--sets", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    what = given.what or ["grid", "sets"]
    passed = [report("grid", grid())] if "grid" in what else []
    passed += [report("sets", sets(given.sets, given.seed))] if "sets" in what else []
    sys.exit(not all(passed))


if __name__ == "__main__":
    main()
