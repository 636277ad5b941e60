"""Whether every move of the chains keeps the posterior: draws against enumeration.

Run: OPENBLAS_NUM_THREADS=1 python -m benchmarks.posterior_moves [--cases 27] [--chains 1000]

Random posteriors on four and on five variables: few rows, beliefs of which two are hard, an edge
weight, every second one with rules, every fourth with K2; long and short lists. Each move by itself
and all together, in chains that start from the posterior itself: so no start has to be forgotten,
and a move need not reach every graph by itself. "sampler" are the chains as they are shipped, from
dispersed starts and after their own burning in, a fifth as many.

The last graphs of the chains are independent, so that the number of those with an edge or a
relation is binomial. z is its deviation in standard errors √(p (1 − p) / N), p the probability that
enumeration gives; "rms" is the root of the mean of z², 1 on average. "usual" are the events that at
least 25 chains should have, and not have: their z are nearly normal. The largest should be below
"bound", which chance passes in one of 1000 studies, and "beyond 4" are as many as stand before "of"
where chance gives what stands after it. "p" are the exact binomial p-values of all events, however
rare, and "Bonferroni" is the smallest times their number. A set of moves holds if that is above
0.001 and the rms between 0.8 and 1.2.

"means" are the means of all ten draws of a chain, more exact and judged by their own variance, of
events with a probability between 0.1 and 0.9.
"""

import argparse
from time import process_time

import numpy as np
from scipy.stats import norm

from pathprior.kernels.posterior.run import MOVES
from pathprior.posterior.chains import MIX, sample_chains
from tests.posterior.cases import all_events, cases, compare, exact, places, pool, stationary_draws

NUM_NODES = (4, 5)
SETS = {**{name: {name: 1.0} for name in MOVES}, "all": MIX}
STUDIED = (*SETS, "sampler")
NUM_DRAWS = 10
TOGETHER = 20
"""Chains of one sampler, few for the sake of memory."""
LEVEL = 0.001


def draw(name, problem, *, num_chains, margin, seed):
    """Graphs by chain and draw, as places among all DAGs."""
    if name == "sampler":
        seeds = np.random.SeedSequence(seed).generate_state(num_chains // (5 * TOGETHER))
        samplers = (
            sample_chains(problem, start=problem.start, num_chains=TOGETHER, seed=int(number))
            for number in seeds
        )
        return np.concatenate([places(one.advance(NUM_DRAWS)[0]) for one in samplers])
    return stationary_draws(
        problem, SETS[name], num_chains=num_chains, num_draws=NUM_DRAWS, margin=margin, seed=seed
    )


def z_of_means(drawn, probabilities, num_nodes):
    """Means over each chain, in errors from their own variance."""
    table = all_events(num_nodes)
    expected = probabilities @ table
    is_usual = (expected > 0.1) & (expected < 0.9)
    means = np.stack([table[chain][:, is_usual].mean(axis=0) for chain in drawn])
    error = means.std(axis=0, ddof=1) / np.sqrt(len(means))
    return (means.mean(axis=0) - expected[is_usual]) / error


def study(name, num_cases, num_chains):
    """All cases of one set of moves, and one line on it."""
    begun = process_time()
    found, means = [], []
    for num_nodes in NUM_NODES:
        for case, (problem, margin) in enumerate(cases(num_nodes, num_cases)):
            probabilities = exact(problem)
            # draws of its own for every set: shared starts would show one deviation in all of them
            seed = [list(STUDIED).index(name), num_nodes, case]
            drawn = draw(name, problem, num_chains=num_chains, margin=margin, seed=seed)
            found.append(compare(drawn[:, -1], probabilities, num_nodes))
            means.append(z_of_means(drawn, probabilities, num_nodes))
    show(name, pool(found), np.concatenate(means), process_time() - begun)


def show(name, last, means, seconds):
    usual = np.abs(last.usual_z)
    holds = last.bonferroni > LEVEL and 0.8 < last.rms < 1.2
    print(
        f"{name:14} {len(last.z):6} {last.rms:6.3f} {len(usual):6} {usual.max():6.2f} "
        f"{bound(len(usual)):6.2f} {beyond(usual):>12} {len(last.p_values):6} "
        f"{last.bonferroni:10.3g} {'yes' if holds else 'NO':>5}   "
        f"{len(means):6} {np.sqrt((means**2).mean()):6.3f} {np.abs(means).max():6.2f} "
        f"{beyond(means):>12} {seconds:7.0f}",
        flush=True,
    )


def bound(number):
    """|z| that the largest of so many normal ones passes with a chance of at most `LEVEL`."""
    return norm.isf(LEVEL / number / 2)


def beyond(z):
    return f"{np.count_nonzero(np.abs(z) > 4)} of {2 * norm.sf(4) * len(z):.2f}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=27, help="for each number of variables")
    parser.add_argument("--chains", type=int, default=1000)
    parser.add_argument("--moves", nargs="+", choices=STUDIED, default=STUDIED)
    options = parser.parse_args()
    print(f"{'':50} last graphs, {'':14} means")
    print(
        "moves               z    rms  usual max|z|  bound     beyond 4      p Bonferroni holds   "
        "     z    rms max|z|     beyond 4 seconds"
    )
    for name in options.moves:
        study(name, options.cases, options.chains)


if __name__ == "__main__":
    main()
