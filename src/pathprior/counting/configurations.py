"""`count_configurations`: the reference measure U, exactly where that is possible, else sampled."""

from collections.abc import Sequence

import numpy as np

from pathprior.counting.answer import Question
from pathprior.counting.base import UNIFORM, check_edge_odds, check_weighted
from pathprior.counting.exhaustive import MAX_NODES
from pathprior.counting.progress import Progress, silent
from pathprior.counting.result import ConfigurationCounts
from pathprior.counting.shape import Pair, read_pairs
from pathprior.counting.solution import Sampling, Solver
from pathprior.errors import CountingError
from pathprior.graph.alphabets import Alphabets

MAX_PLACEMENTS = 1000
"""A batch of samples holds as many codes of each DAG."""

METHODS = ("auto", "enumerate", "exact", "full", "fact")


def count_configurations(
    pairs: Sequence[Pair],
    num_nodes: int,
    *,
    direct: Sequence[Pair] = (),
    method: str = "auto",
    edge_odds: float = UNIFORM,
    num_samples: int = 10**6,
    laplace: float = 1e-3,
    placements: int = 8,
    seed: int = 0,
    cache: bool = True,
    progress: Progress = silent,
) -> ConfigurationCounts:
    """Count, or estimate, how many DAGs have each configuration of relations of ``pairs``.

    U_C = N_C / N for every valid configuration C, where N_C of the N labelled DAGs on
    ``num_nodes`` nodes have the relations C. With ``edge_odds`` β other than 1, N_C and N are the
    weights β^edges of these DAGs, added up.

    Parameters
    ----------
    pairs
        Pairs of node labels (any hashable), each pair once.
    num_nodes
        Number of nodes of the DAGs, those in pairs included.
    direct
        Those of the pairs, in either direction, whose edges are told from longer paths: code 4 is
        x → y and 5 is x ← y, and 0 and 1 are paths without the edge.
    method
        ``"enumerate"``: every DAG, up to 6 nodes.
        ``"exact"``: sums over reach classes, for up to 4 belief nodes in all (then the joint is
        exact), or in each connected component (then each component is). In integers up to about
        50 nodes (4 belief nodes) or 150 (3), else in floats with a bound on their rounding; from
        120 nodes (4 belief nodes) or 250 on, extrapolated from fewer nodes with a bound of 10⁻⁹.
        ``"full"``: the paper's FULL_l, a sample of the joint: Û_C = (S_C + l) / (S + c·l).
        ``"fact"``: the paper's FACT_l: components as if independent, V_C = Π_i S_{C_i} / S, then
        Û_C = (S·V_C + l) / (S + c·l). ``.components`` are corrected each on its own.
        ``"auto"``: enumerate or exact for the joint where that is possible; else every component
        by itself, exact up to 4 belief nodes and ``"full"`` beyond.
    edge_odds
        What each edge multiplies the weight of a DAG by: below 1 sparse DAGs, 1 all alike. Other
        than 1 exact sums are in floats (decimals where these lose too much), for up to 1000, 400
        and 120 nodes with 2, 3 and 4 belief nodes, and samples for up to 1000.
        `baseline` shows what it means for one pair.
    num_samples
        DAGs to sample, S.
    laplace
        The correction l, in DAGs. Small, as the paper advises (§5); positive, so that no valid
        configuration is thought impossible.
    placements
        How often the belief nodes are placed at random on each sampled DAG. U does not depend on
        names, so all placements are valid draws; a DAG still counts once. 1 is the paper's.
    seed
        Sampled results are a function of it.
    cache
        Whether to use the disk cache (see `pathprior.counting.cache`). It never changes results.
    progress
        Called with (done, total) during long work.

    Returns
    -------
    ConfigurationCounts
        U with its method, exactness and standard errors, jointly and per component.

    Raises
    ------
    CountingError
        For pairs, sizes or methods that make no sense or are out of reach.

    Examples
    --------
    >>> triangle = [("x", "y"), ("y", "z"), ("x", "z")]
    >>> counts = count_configurations(triangle, 5)
    >>> counts.counts[0], counts.is_exact
    (2800, True)
    """
    shape = read_pairs(pairs, num_nodes)
    told_apart = _alphabets(direct, pairs)
    _check_options(method, num_samples, laplace, placements, seed)
    num_nodes = int(num_nodes)
    edge_odds = check_edge_odds(edge_odds)
    if edge_odds != UNIFORM:
        check_weighted(num_nodes)
    sampling = Sampling(num_samples, placements, seed)
    solver = Solver(num_nodes, sampling, cache, progress, edge_odds)
    question = Question(tuple((x, y) for x, y in pairs), shape, laplace, solver, told_apart)
    if method == "enumerate" or (method == "auto" and num_nodes <= MAX_NODES):
        return question.joint("enumerate")
    if method == "full":
        return question.full()
    if method == "fact":
        return question.fact()
    if solver.can_sum(shape):
        return question.joint("exact")
    if method == "exact":
        return question.product(lambda part: True)
    return question.product(solver.can_sum)


def _alphabets(direct: Sequence[Pair], pairs: Sequence[Pair]) -> Alphabets:
    """Those that tell edges of the pairs ``direct`` from longer paths."""
    places = {frozenset(pair): k for k, pair in enumerate(pairs)}
    for pair in direct:
        if frozenset(pair) not in places:
            raise CountingError(f"{pair!r} is direct, but not among the pairs; add it to them")
    return Alphabets(edges=tuple(sorted({places[frozenset(pair)] for pair in direct})))


def _check_options(
    method: str, num_samples: int, laplace: float, placements: int, seed: int
) -> None:
    if method not in METHODS:
        raise CountingError(f"unknown method {method!r}; choose one of {', '.join(METHODS)}")
    for name, value, least in (
        ("num_samples", num_samples, 1),
        ("placements", placements, 1),
        ("seed", seed, 0),
    ):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
            raise CountingError(f"{name} is {value!r}; give a whole number, {least} or more")
    if placements > MAX_PLACEMENTS:
        raise CountingError(f"placements is {placements}; give at most {MAX_PLACEMENTS}")
    if not 0 <= laplace < np.inf:
        raise CountingError(f"laplace is {laplace!r}; give a number, 0 or more")
