"""Whether intervals of effects hold the true effect as often as they say.

    python benchmarks/effects.py --rows FILE [--runs 500]

In each run a graph on five variables is drawn from the prior (one parent on average), its
parameters from the prior that the score assumes, and 100 rows from these. Of the posterior of these
rows, over every graph, 90 % intervals are asked for

- the pair with the most probable path, which is a function of the data, as it may be,
- and a pair at random, whose effect is often none.

Columns of states: P(y | do(x)) for the first state of x and the last of y, and the risk difference
of the last state of x against the first. Real columns: the slope. An interval that holds a true 0
because most graphs have no path counts too, so the share for a random pair may be above 90 %.
Every run is kept in FILE, one line each, and not repeated.
"""

import argparse
import json
from pathlib import Path

import numpy as np

import pathprior as pp
from pathprior.counting.sampling import sample_dags
from pathprior.network.network import table_shapes

NAMES = tuple("abcde")
NUM_STATES = (2, 3, 2, 2, 3)
NUM_ROWS = 100
SAMPLE_SIZE = 10.0
"""Of BDeu: with less, most columns of the tables drawn are nearly constant."""
ALPHA = 1.0
"""α_μ of BGe; α_w is p + α_μ + 1."""
ROUNDING = 1e-12


def draw_states(dag, rng):
    states = tuple(tuple(str(k) for k in range(number)) for number in NUM_STATES)
    tables = [
        rng.dirichlet(np.full(shape[-1], SAMPLE_SIZE / np.prod(shape)), size=shape[:-1])
        for shape in table_shapes(dag, states)
    ]
    return pp.BayesianNetwork(dag, states, tables)


def draw_reals(dag, rng):
    """Regressions from the normal-Wishart prior with T = t I, t = α²/(α + 1)."""
    t = ALPHA**2 / (ALPHA + 1)
    weights, deviations = [], []
    for name in dag.nodes:
        size = len(dag.parents(name))
        variance = t / rng.chisquare(ALPHA + size + 2)
        weights.append(rng.normal(scale=np.sqrt(variance / t), size=size))
        deviations.append(np.sqrt(variance))
    return pp.GaussianNetwork(dag, [0.0] * dag.num_nodes, weights, deviations)


def questions(posterior, rng):
    """The pair with the most probable path, and one at random."""
    chances = {
        (x, y): posterior.probability(x, "causes", y) for x in NAMES for y in NAMES if x != y
    }
    likely = max(chances, key=chances.get)
    return {"likely": likely, "random": list(chances)[rng.integers(len(chances))]}


def run(kind, number, edge_odds):
    rng = np.random.default_rng([11, number])
    seed = int(rng.integers(2**32))
    dag = pp.Dag(NAMES, sample_dags(len(NAMES), 1, seed, edge_odds=edge_odds)[0])
    truth = draw_states(dag, rng) if kind == "states" else draw_reals(dag, rng)
    data = truth.sample(NUM_ROWS, seed=seed)
    posterior = pp.sample_posterior(
        data, equivalent_sample_size=SAMPLE_SIZE, constant_columns="keep"
    )
    size = SAMPLE_SIZE if kind == "states" else ALPHA
    held = {}
    for which, (x, y) in questions(posterior, rng).items():
        found = posterior.effect(x, y, equivalent_sample_size=size, seed=seed)
        expected = truth.effect(x, y)
        if kind == "reals":
            held[f"slope, {which}"] = holds(found.table().iloc[0], expected)
            continue
        table = expected.to_numpy()
        rows = found.table()
        last = found.y_states[-1]
        first = rows[(rows["set_to"] == found.x_states[0]) & (rows["state"] == last)].iloc[0]
        held[f"probability, {which}"] = holds(first, table[0, -1])
        rows = found.differences()
        gained = rows[(rows["set_to"] == found.x_states[-1]) & (rows["state"] == last)].iloc[0]
        held[f"difference, {which}"] = holds(gained, table[-1, -1] - table[0, -1])
    return {"kind": kind, "run": number, "held": held}


def holds(row, truth):
    return bool(row["low"] - ROUNDING <= truth <= row["high"] + ROUNDING)


def run_all(options):
    """All runs, those in the file not again."""
    file = options.rows
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    known = {(row["kind"], row["run"]) for row in rows}
    edge_odds = pp.fit_prior((), NAMES).edge_odds
    with file.open("a") as stream:
        for kind in ("states", "reals"):
            for number in range(options.runs):
                if (kind, number) not in known:
                    rows.append(run(kind, number, edge_odds))
                    stream.write(json.dumps(rows[-1]) + "\n")
                    stream.flush()
    return [row for row in rows if row["run"] < options.runs]


def show(rows):
    print("what                    runs   share of 90 % intervals that hold the truth ± error")
    for name in dict.fromkeys(name for row in rows for name in row["held"]):
        held = np.array([row["held"][name] for row in rows if name in row["held"]])
        error = held.std(ddof=1) / np.sqrt(len(held))
        print(f"{name:22} {len(held):5}   {held.mean():.3f} ± {error:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=500)
    options = parser.parse_args()
    show(run_all(options))


if __name__ == "__main__":
    main()
