"""Whether asking what `Posterior.ask_next` says settles more than asking at random.

    python benchmarks/ask_next.py --rows FILE [--kinds belief experiment] [--networks child alarm]
                                  [--repeats 20]

In each repeat 200 rows are drawn from the network and a posterior from these, without beliefs. An
expert who knows the network is then asked five questions, one after the other: how two variables
are related. The answer is right nine times out of ten, otherwise one of the three other relations.
After each answer the graphs are weighed anew by how probable they make it, and the next question
asked of them. What is left open is the sum of the entropies of all relations under the weights, to
which what few effective graphs take off it is added again (Miller and Madow, 1955). Ten sequences
of random pairs are asked beside it. An experiment randomises one variable, and shows of every other
whether it changes, rightly nine times out of ten; one is made in each repeat, beside those on all
other variables. Every repeat is kept in FILE, one line each, and not repeated.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path

import numpy as np

import pathprior as pp
from pathprior.graph.relation import Relation
from pathprior.posterior.answers import spread
from pathprior.posterior.ask_next import MAX_GRAPHS, Relations, ask_next

NUM_ROWS = 200
NUM_QUESTIONS = 5
NUM_RANDOM = 10
RELIABILITY = 0.9
PRECISION = 0.01
SECONDS = 60.0
ALL = 10**6
"""More graphs than chains draw in this time."""


def open_bits(known):
    """The entropies of all relations, and the number of effective graphs they rest on."""
    effective = 1 / (known.weights**2).sum()
    shares = np.array([known.weights @ (known.codes == relation) for relation in range(4)])
    seen = (shares > 0).sum(axis=0)
    return known.entropies().sum() + (seen - 1).sum() / (2 * effective * np.log(2)), effective


def answer(true, rng):
    """The expert's."""
    return true if rng.random() < RELIABILITY else (true + rng.integers(1, 4)) % 4


def learn_from(known, pair, said):
    """The same graphs, weighed by how probable each makes the answer."""
    wrong = (1 - RELIABILITY) / 3
    weights = known.weights * np.where(known.codes[:, pair] == said, RELIABILITY, wrong)
    return replace(known, weights=weights / weights.sum())


def best(known, names, kind):
    """What is to be asked next and what it promises; of equal graphs as many as the weights say."""
    places = spread(known.weights, MAX_GRAPHS)
    drawn = replace(known, codes=known.codes[places], weights=np.full(len(places), 1 / len(places)))
    table = ask_next(drawn, names, kind=kind, top=1, about=None, reliability=RELIABILITY)
    return table.iloc[0]


def best_pair(known, names):
    first = best(known, names, "belief")
    x, y = names.index(first["x"]), names.index(first["y"])
    return int(np.flatnonzero((known.pairs == (x, y)).all(axis=1))[0]), float(first["gain"])


def interview(known, names, truth, rng, *, is_random):
    """Bits settled by all questions, what was promised, and effective graphs at the end."""
    before, _ = open_bits(known)
    promised = 0.0
    for _ in range(NUM_QUESTIONS):
        if is_random:
            pair = int(rng.integers(len(known.pairs)))
        else:
            pair, gain = best_pair(known, names)
            promised += gain
        known = learn_from(known, pair, answer(truth[pair], rng))
    after, effective = open_bits(known)
    return before - after, promised, effective


def changes(codes, pairs, variable):
    """Whether the other end of each pair with ``variable`` changes with it, by graph and pair."""
    first, second = pairs[:, 0] == variable, pairs[:, 1] == variable
    return np.concatenate(
        [codes[..., first] == Relation.CAUSES, codes[..., second] == Relation.CAUSED_BY], axis=-1
    )


def experiment(known, truth, variable, rng):
    """Bits settled by randomising a variable, and effective graphs afterwards."""
    true = changes(truth, known.pairs, variable)
    seen = true ^ (rng.random(len(true)) > RELIABILITY)
    num_right = (changes(known.codes, known.pairs, variable) == seen).sum(axis=1)
    log_weights = num_right * np.log(RELIABILITY / (1 - RELIABILITY)) + np.log(known.weights)
    weights = np.exp(log_weights - log_weights.max())
    after, effective = open_bits(replace(known, weights=weights / weights.sum()))
    return open_bits(known)[0] - after, effective


def ask_beliefs(known, names, truth, rng):
    settled, promised, effective = interview(known, names, truth, rng, is_random=False)
    at_random = [interview(known, names, truth, rng, is_random=True)[0] for _ in range(NUM_RANDOM)]
    return {
        "settled": float(settled) / NUM_QUESTIONS,
        "promised": promised / NUM_QUESTIONS,
        "random": float(np.mean(at_random)) / NUM_QUESTIONS,
        "effective": float(effective),
    }


def make_experiments(known, names, truth, rng):
    first = best(known, names, "experiment")
    chosen = names.index(first["variable"])
    results = [experiment(known, truth, v, rng) for v in range(len(names))]
    settled, effective = results[chosen]
    return {
        "settled": float(settled),
        "promised": float(first["gain"]),
        "random": float(np.mean([bits for bits, _ in results])),
        "effective": float(effective),
    }


KINDS = {"belief": ask_beliefs, "experiment": make_experiments}


def run(kinds, name, number):
    """One row for each kind of question, from the same posterior."""
    network = pp.load_network(name)
    data = network.sample(NUM_ROWS, seed=number)
    posterior = pp.sample_posterior(data, precision=PRECISION, time_limit=SECONDS, seed=number)
    names = posterior.variables
    known = Relations.of(posterior.draws, names, ALL)
    truth = np.array([network.dag.relation(names[x], names[y]) for x, y in known.pairs])
    common = {"network": name, "repeat": number, "open": float(open_bits(known)[0])}
    return [
        {"kind": kind}
        | common
        | KINDS[kind](known, names, truth, np.random.default_rng([13, number]))
        for kind in kinds
    ]


def run_all(options):
    """All repeats, those in the file not again."""
    file = options.rows
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    known = {(row["kind"], row["network"], row["repeat"]) for row in rows}
    with file.open("a") as stream:
        for name in options.networks:
            for number in range(options.repeats):
                kinds = [kind for kind in options.kinds if (kind, name, number) not in known]
                made = run(kinds, name, number) if kinds else []
                stream.writelines(json.dumps(row) + "\n" for row in made)
                stream.flush()
                rows += made
    return rows


def show(rows):
    print("kind       network  repeats  open   bits a question: asked  promised  at random   ratio")
    for kind, name in dict.fromkeys((row["kind"], row["network"]) for row in rows):
        chosen = [row for row in rows if (row["kind"], row["network"]) == (kind, name)]
        means = {
            what: np.mean([row[what] for row in chosen])
            for what in ("open", "settled", "promised", "random", "effective")
        }
        error = np.std([row["settled"] for row in chosen], ddof=1) / np.sqrt(len(chosen))
        other = np.std([row["random"] for row in chosen], ddof=1) / np.sqrt(len(chosen))
        print(
            f"{kind:10} {name:8} {len(chosen):7} {means['open']:6.1f}   "
            f"{means['settled']:.1f} ± {error:.1f}   {means['promised']:.1f}   "
            f"{means['random']:.1f} ± {other:.1f}   "
            f"{means['settled'] / means['random']:.2f}"
        )
        print(f"  effective graphs at the end: {means['effective']:.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--networks", nargs="+", default=["child", "alarm"])
    parser.add_argument("--repeats", type=int, default=20)
    options = parser.parse_args()
    show(run_all(options))


if __name__ == "__main__":
    main()
