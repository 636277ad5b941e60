"""Whether two independent runs of the sampler agree, and how fast.

Run: OPENBLAS_NUM_THREADS=1 python benchmarks/posterior.py [--seconds 15] [--networks asia child]

Two seeds, four chains each, 1000 rows, all DAGs alike, BDeu with sample size 1: the largest
difference of the probability of an edge and of a directed path, after so many processor seconds of
sampling, preparing and burning in included.
"""

import argparse
from time import process_time

import numpy as np

import pathprior as pp
from pathprior.posterior.chains import sample_chains

CHUNK = 250


def indicators(draws):
    """Edges and directed paths of packed draws: chains × draws × nodes × nodes."""
    num_nodes = draws.shape[-2]
    bits = np.unpackbits(draws.astype("<u8").view(np.uint8), axis=-1, bitorder="little")
    edges = bits[..., :num_nodes].swapaxes(-1, -2)
    leads = (edges | np.eye(num_nodes, dtype=np.uint8)).astype(np.float32)
    for _ in range(int(np.ceil(np.log2(num_nodes)))):
        leads = np.minimum(leads @ leads, 1)
    return edges, leads


def run(fit, seed, seconds):
    begun = process_time()
    sampler = sample_chains(fit.task, start=fit.dag, num_chains=4, seed=seed)
    prepared = process_time() - begun
    sampler.advance(1)
    spent = process_time() - begun
    burnt = spent - prepared
    edges, paths, scores = [], [], []
    while spent < seconds:
        begun = process_time()
        draws, score = sampler.advance(CHUNK)
        spent += process_time() - begun
        some_edges, some_paths = indicators(draws)
        edges.append(some_edges.mean(axis=1))
        paths.append(some_paths.mean(axis=1))
        scores.append(score)
    return np.array(edges), np.array(paths), np.concatenate(scores, axis=1), prepared, burnt


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--networks", nargs="+", default=["asia", "child", "insurance", "alarm"])
    options = parser.parse_args()
    print("network    edges  paths  prepare burn-in   draws  mean score of the chains")
    for name in options.networks:
        data = pp.load_network(name).sample(1000, seed=1)
        fit = pp.learn(data, expected_parents=None, equivalent_sample_size=1.0)
        first, second = (run(fit, seed, options.seconds) for seed in (1, 2))
        edges, paths = (
            np.abs(first[k].mean(axis=(0, 1)) - second[k].mean(axis=(0, 1))).max() for k in (0, 1)
        )
        levels = " ".join(f"{level:.1f}" for level in first[2].mean(axis=1))
        print(
            f"{name:10} {edges:.3f}  {paths:.3f}  {first[3]:6.1f} {first[4]:6.1f} "
            f"{first[2].shape[1]:8}  {levels} (learn {fit.score:.1f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
