"""Whether a change of the house left all answers alone: recorded before it, compared after it.

    python benchmarks/same_answers.py record FILE     at the commit before
    python benchmarks/same_answers.py compare FILE    at the commit after

Fits of priors, searches of every kind and chains on the bundled networks, with a belief of each
event, hard ones, statements and missing cells. Every number is written with all its bits; what
differs is named, with the largest difference. About a minute, once the kernels are compiled.
"""

import argparse
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pathprior as pp
from pathprior.beliefs.belief import Belief

Numbers = list[float]
ROWS = 500
NETWORKS = ("asia", "child", "insurance", "alarm", "hepar2", "win95pts")
SEARCHES: dict[str, dict[str, Any]] = {
    "default": {"effort": "quick"},
    "greedy": {"search": "greedy", "effort": "quick"},
    "swap": {"search": "greedy", "swap_equivalent": True, "effort": "quick"},
    "tabu": {"search": "greedy", "tabu": 10, "effort": "quick"},
    "limited": {"max_parents": 3, "effort": "quick"},
}


def beliefs_of(names: list[str], seed: int) -> list[Belief]:
    """Beliefs of every event, on pairs that chain together."""
    x = [names[k] for k in np.random.default_rng(seed).permutation(len(names))[:8]]
    return [
        pp.causes(x[0], x[1], 0.8),
        pp.not_causes(x[1], x[2], 0.9),
        pp.associated(x[2], x[3], 0.95),
        pp.confounded(x[3], x[4], 0.6),
        pp.direct(x[4], x[5], 0.85),
        pp.relation(x[5], x[6], (0.1, 0.7, 0.1, 0.1)),
        pp.not_associated(x[6], x[7], 1.0),
        pp.causes(x[0], x[7], 1.0),
    ]


def statements_of(names: list[str], seed: int) -> list[pp.Statement]:
    """What two sources say, at no probability."""
    x = [names[k] for k in np.random.default_rng(seed + 1).permutation(len(names))[:6]]
    return [
        pp.says("a", x[0], "causes", x[1]),
        pp.says("a", x[2], "direct", x[3]),
        pp.says("b", x[1], "associated", x[4]),
        pp.says("b", x[4], "causes", x[5]),
    ]


def answers() -> Iterator[tuple[str, Callable[[], Numbers]]]:
    """Every answer by its name, not yet computed."""
    for seed, name in enumerate(NETWORKS):
        data = pp.load_network(name).sample(ROWS, seed=seed)
        beliefs = beliefs_of(list(data.columns), seed)
        told = statements_of(list(data.columns), seed)
        holed = data.mask(np.random.default_rng(seed).random(data.shape) < 0.05)
        prior = cache(partial(pp.fit_prior, beliefs, data.columns))
        yield f"{name} prior", lambda p=prior: of_prior(p())
        for search, options in SEARCHES.items():
            yield (
                f"{name} {search} alone",
                lambda d=data, o=options: of_fit(pp.learn(d, **o)),
            )
            yield (
                f"{name} {search}",
                lambda d=data, p=prior, o=options: of_fit(pp.learn(d, p(), **o)),
            )
        yield (
            f"{name} statements",
            lambda d=data, p=prior, t=told: of_fit(pp.learn(d, p(), statements=t, effort="quick")),
        )
        yield f"{name} missing", lambda d=holed: of_fit(pp.learn(d, missing="em", effort="quick"))
        if name in NETWORKS[:2]:
            yield from _of_posteriors(name, data, holed, prior, told)
        if name == "asia":
            yield "asia exact", lambda d=data, p=prior: of_fit(pp.learn(d, p(), search="exact"))


def _of_posteriors(
    name: str,
    data: pd.DataFrame,
    holed: pd.DataFrame,
    prior: Callable[[], pp.PathPrior],
    told: list[pp.Statement],
) -> Iterator[tuple[str, Callable[[], Numbers]]]:
    short: dict[str, Any] = {"method": "chains", "precision": 0.2, "time_limit": 1e6}
    yield f"{name} chains", lambda: of_posterior(pp.sample_posterior(data, prior(), **short))
    yield (
        f"{name} chains, statements",
        lambda: of_posterior(pp.sample_posterior(data, prior(), statements=told, **short)),
    )
    if name == "asia":
        yield (
            f"{name} chains, missing",
            lambda: of_posterior(
                pp.sample_posterior(
                    holed, prior(), statements=told, missing="em", num_jobs=2, **short
                )
            ),
        )


def of_prior(prior: pp.PathPrior) -> Numbers:
    """Weights and fitted probabilities."""
    return [*prior.log_weights.ravel().tolist(), *prior.tie_marginals.ravel().tolist()]


def of_fit(fit: pp.Fit) -> Numbers:
    """The graph, its scores, and what holds each edge up."""
    support = fit.edge_support().select_dtypes(["number", "bool"]).to_numpy(dtype=float)
    if len(fit.prior.beliefs):
        held = fit.beliefs_held().select_dtypes(["number", "bool"]).to_numpy(dtype=float)
    else:
        held = np.zeros(0)
    return [
        fit.score,
        fit.data_score,
        fit.prior_score,
        float(len(fit.steps)),
        *fit.dag.reorder(sorted(fit.dag.nodes)).adjacency.astype(float).ravel().tolist(),
        *support.ravel().tolist(),
        *held.ravel().tolist(),
    ]


def of_posterior(posterior: pp.Posterior) -> Numbers:
    """Probabilities of all edges and paths."""
    return [
        *posterior.edges.select_dtypes("number").to_numpy(dtype=float).ravel().tolist(),
        *posterior.paths.select_dtypes("number").to_numpy(dtype=float).ravel().tolist(),
    ]


def compute() -> dict[str, list[str]]:
    """All answers, their numbers in hexadecimal."""
    found = {}
    for name, answer in answers():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                numbers = answer()
            except pp.errors.PathPriorError as error:
                print(f"{name}: {error}", file=sys.stderr)
                numbers = []
        found[name] = [float(number).hex() for number in numbers]
        print(f"{name}: {len(numbers)} numbers", file=sys.stderr)
    return found


def differences(before: dict[str, list[str]], after: dict[str, list[str]]) -> list[str]:
    """A line for each answer that differs."""
    lines = []
    for name in before.keys() | after.keys():
        one, other = before.get(name), after.get(name)
        if one == other:
            continue
        if one is None or other is None or len(one) != len(other):
            lines.append(f"{name}: not the same shape")
            continue
        gaps = [
            abs(float.fromhex(a) - float.fromhex(b))
            for a, b in zip(one, other, strict=True)
            if a != b
        ]
        lines.append(
            f"{name}: {len(gaps)} of {len(one)} numbers differ, by {max(gaps):.2g} at most"
        )
    return sorted(lines)


def main() -> None:
    """Record or compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["record", "compare"])
    parser.add_argument("file", type=Path)
    arguments = parser.parse_args()
    found = compute()
    if arguments.what == "record":
        arguments.file.write_text(json.dumps(found))
        return
    lines = differences(json.loads(arguments.file.read_text()), found)
    print("\n".join(lines) or f"{len(found)} answers, every bit the same")
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    main()
