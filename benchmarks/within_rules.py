"""Priors within rules: what a fit of beliefs about ALARM takes, and how near chains come.

Beliefs are about random pairs, the true relation given p ~ U[0.5, 0.99] (``--vectors`` spreads the
rest over the other relations, one belief with four probabilities). Tiers cut ALARM's variables, in
a topological order, into equal parts. The gap is the largest between a fitted probability and that
of an independent run of chains with the fitted weights, also in its standard errors. Processor
time; run with OPENBLAS_NUM_THREADS=1.
"""

import argparse
import os
import tempfile
import warnings
from time import process_time

import numpy as np

import pathprior as pp
from pathprior.prior.web.chains import Chains

WORDS = (pp.causes, None, pp.confounded, pp.not_associated)
NUM_CHAINS, NUM_RECORDS = 32, 1000


def some_beliefs(dag, rng, number, vectors):
    """Beliefs about random pairs."""
    names, found, seen = dag.nodes, [], set()
    while len(found) < number:
        x, y = (names[k] for k in rng.choice(len(names), 2, replace=False))
        if frozenset((x, y)) in seen:
            continue
        seen.add(frozenset((x, y)))
        relation, p = int(dag.relation(x, y)), float(rng.uniform(0.5, 0.99))
        if vectors:
            vector = np.full(4, (1 - p) / 3)
            vector[relation] = p
            found.append(pp.relation(x, y, vector.tolist()))
        elif relation == 1:
            found.append(pp.causes(y, x, p))
        else:
            found.append(WORDS[relation](x, y, p))
    return found


def gap(prior, seed):
    """How far an independent run is from the fitted probabilities, in its errors and by itself."""
    chains = Chains(
        prior.pairs,
        len(prior.variables),
        num_chains=NUM_CHAINS,
        seed=seed,
        direct=prior.alphabets.edges,
        rules=prior.rules,
    )
    field = np.maximum(prior.log_weights, -50.0)
    log_beta = float(np.log(prior.edge_odds))
    for _ in range(5):
        chains.run(log_beta, field, num_records=40, sweeps=5, is_learning=True)
    codes = chains.run(log_beta, field, num_records=NUM_RECORDS, sweeps=2).codes
    by_chain = (codes[..., None] == np.arange(6)).mean(axis=0)
    errors = by_chain.std(axis=0, ddof=1) / np.sqrt(NUM_CHAINS)
    gaps = np.abs(by_chain.mean(axis=0) - prior.tie_marginals)
    fitted = np.array([web.max_standard_error for web in prior.webs]).max(initial=0.0)
    return float(gaps.max()), float((gaps / np.hypot(errors, fitted + 1e-9)).max())


def main() -> None:
    """Fit, and look."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beliefs", type=int, default=20)
    parser.add_argument("--tiers", type=int, default=2)
    parser.add_argument("--max-parents", type=int)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--vectors", action="store_true")
    asked = parser.parse_args()
    os.environ["PATHPRIOR_CACHE"] = tempfile.mkdtemp()
    warnings.simplefilter("ignore", pp.errors.PathPriorWarning)
    dag = pp.load_network("alarm").dag
    order = np.array(dag.topological_order)
    tiers = [part.tolist() for part in np.array_split(order, asked.tiers)]
    rules = {"tiers": tiers if asked.tiers > 1 else None, "max_parents": asked.max_parents}
    pp.fit_prior([pp.causes(*order[:2], 0.5)], dag.nodes, counts="web", tolerance=0.2, **rules)
    for seed in range(asked.repeats):
        beliefs = some_beliefs(dag, np.random.default_rng(seed), asked.beliefs, asked.vectors)
        begin = process_time()
        prior = pp.fit_prior(beliefs, dag.nodes, seed=seed, **rules)
        seconds = process_time() - begin
        how = prior.webs[0].sentence if prior.webs else "no chains"
        largest, in_errors = gap(prior, seed + 1000)
        print(
            f"seed {seed}: {seconds:.1f} s, gap {largest:.3f} ({in_errors:.1f} errors); {how}",
            flush=True,
        )


if __name__ == "__main__":
    main()
