"""Evidence that carries the model's doubt: other models of the tables, and what rows can show."""

from math import log

import numpy as np
import pandas as pd
import pytest
from scipy.special import gammaln

import pathprior as pp
from pathprior.data.door import read_dataset
from pathprior.network.detection import detect
from pathprior.posterior.doubts import RULED_OUT, other_models
from pathprior.report.belief_rows import agreements
from tests.oracles.posterior import everything
from tests.oracles.score import local_score

# Counts of two studies; a row for each state of the first three columns, a number for each of the
# last. A trial of financial aid and arrest after release, 432 men: Rossi, Berk and Lenihan (1980).
AID = [
    [15, 6], [23, 7], [20, 2], [17, 10], [31, 10], [24, 12], [8, 13], [11, 5], [1, 1],
    [11, 7], [29, 3], [23, 5], [19, 10], [29, 9], [28, 2], [5, 6], [15, 3], [9, 3],
]  # fmt: skip
# Weight change after quitting smoking, in thirds, by age in thirds: NHEFS.
WEIGHT = [
    [141, 148, 146], [161, 104, 47], [113, 150, 153], [29, 39, 71], [60, 47, 49], [18, 34, 56],
]  # fmt: skip


def table(names, states, counts):
    every = pd.MultiIndex.from_product(states, names=names)
    rows = np.repeat(np.arange(len(every)), np.ravel(counts))
    return every.to_frame(index=False).iloc[rows].reset_index(drop=True)


@pytest.fixture(scope="module")
def trial():
    names = ["aid", "convictions", "age", "arrest"]
    ages, convictions = ["to 20", "21 to 25", "26 on"], ["0 or 1", "2 to 4", "5 on"]
    return table(names, [["no", "yes"], convictions, ages, ["no", "yes"]], AID)


@pytest.fixture(scope="module")
def weights():
    states = [["no", "yes"], ["middle", "old", "young"], ["loss", "same", "gain"]]
    return table(["quit", "age", "weight"], states, WEIGHT)


def told(data, x, y, **options):
    tiers = [[name for name in data.columns if name != y], [y]]
    posterior = pp.sample_posterior(data, [pp.causes(x, y, 0.7)], tiers=tiers, **options)
    return posterior, posterior.beliefs().iloc[0]


@pytest.mark.parametrize("beside", [[], ["convictions"], ["convictions", "age"]], ids=len)
@pytest.mark.parametrize("score", ["bdeu", "averaged-bdeu", "families"])
def test_the_trial_is_not_called_evidence_against(trial, beside, score):
    arms = trial.groupby("aid")["arrest"].apply(lambda column: (column == "yes").mean())
    assert arms.round(3).to_dict() == {"no": 0.306, "yes": 0.222}
    data = trial[["aid", *beside, "arrest"]]
    posterior, row = told(data, "aid", "arrest", score=score)
    assert row["evidence"] == "not detectable with these 432 rows"
    assert not row["is_contradicted"]
    assert agreements(posterior.beliefs()) == [None]
    assert row["low"] > -log(10) - 0.1  # no worse than one unseen edge
    assert (
        "A difference of 10 points in the probability of arrest would have shown in these 432 rows "
        "with probability 0.31." in row["sentence"]
    )
    effect = posterior.effect("aid", "arrest")
    assert "No detectable effect" in str(effect)
    assert ("with probability 0.31" in str(effect)) == (effect.probability_of_none >= 0.5)


@pytest.mark.parametrize("beside", [[], ["age"]], ids=len)
def test_the_weight_change_is_called_evidence_for(weights, beside):
    _, row = told(weights[["quit", *beside, "weight"]], "quit", "weight", score="averaged-bdeu")
    assert row["evidence"] == "very strong for"
    assert row["low"] > 5
    assert row["weakest"] == row["low"] <= row["log_bayes_factor"] <= row["high"]


def test_a_model_that_explains_it_better_is_named(weights):
    _, row = told(weights, "quit", "weight", score="bdeu")
    assert row["evidence"] in ("hardly any", "some for")
    assert row["high"] > 5
    assert "By tables, sample sizes averaged, which these columns speak for by" in row["sentence"]


def by_definition(data, prior, row, score):
    """Log factor of a belief where the families of its two variables go by another score."""
    names = list(data.columns)
    codes = data.to_numpy().T
    states = [len(set(column)) for column in codes.tolist()]
    every = everything(len(names))
    total = log(prior.edge_odds) * every.adjacencies.sum(axis=(1, 2)).astype(float)
    x, y = names.index(row.x), names.index(row.y)
    for k, dag in enumerate(every.adjacencies):
        for v in range(len(names)):
            which = score if v in (x, y) else ("bdeu", 2.0)
            parents = np.flatnonzero(dag[:, v]).tolist()
            total[k] += local_score(
                codes, states, v, parents, score=which[0], equivalent_sample_size=which[1]
            )
    for (i, j), weights in zip(prior.pairs, prior.log_weights, strict=True):
        total += weights[every.relations[:, i, j]]
    shares = np.exp(total - total.max())
    held = every.relations[:, x, y] == 0
    after = shares[held].sum() / shares.sum()
    return log(after / (1 - after)) - log(row.fitted / (1 - row.fitted))


def test_other_models_weigh_the_families_of_the_pair():
    rng = np.random.default_rng(3)
    a = rng.integers(0, 2, 60)
    b = np.where(rng.random(60) < 0.7, a, rng.integers(0, 2, 60))
    c = np.where(rng.random(60) < 0.6, b, rng.integers(0, 3, 60))
    data = pd.DataFrame({"a": a, "b": b, "c": c})
    prior = pp.fit_prior([pp.causes("a", "c", 0.7)], data.columns)
    found = pp.sample_posterior(data, prior, score="bdeu", unseen=0)
    row = next(found.beliefs().itertuples())
    scores = [
        ("bdeu", 2.0),
        ("bdeu", 0.5),
        ("bdeu", 8.0),
        ("averaged-bdeu", 2.0),
        ("families", 2.0),
    ]
    expected = [by_definition(data, prior, row, score) for score in scores]
    assert found.doubts.factors[:, 0] == pytest.approx(expected, abs=1e-6)
    assert row.log_bayes_factor == pytest.approx(expected[0])


def test_chains_say_what_enumeration_says():
    asia = pp.load_network("asia").sample(300, seed=2)[["smoke", "bronc", "lung", "dysp"]]
    belief = [pp.causes("smoke", "bronc", 0.6)]
    exact = pp.sample_posterior(asia, belief)
    drawn = pp.sample_posterior(asia, belief, method="chains", precision=0.01)
    np.testing.assert_allclose(drawn.doubts.factors, exact.doubts.factors, atol=0.4)
    np.testing.assert_allclose(drawn.doubts.fits, exact.doubts.fits, atol=0.4)


def test_models_that_data_rule_out_do_not_count(weights):
    posterior, row = told(weights, "quit", "weight", score="averaged-bdeu")
    factors, fits = posterior.doubts.factors[:, 0], posterior.doubts.fits[:, 0]
    assert (fits < fits.max() - RULED_OUT).any()
    counts = fits >= fits.max() - RULED_OUT
    counts[0] = True
    assert (row["low"], row["high"]) == pytest.approx(
        (factors[counts].min(), factors[counts].max())
    )


def test_other_scores_have_no_other_models():
    data = pd.DataFrame({"a": [0, 1, 1, 0] * 9, "b": [0, 1, 0, 1] * 9})
    found = pp.sample_posterior(data, [pp.causes("a", "b", 0.6)], score="bic")
    assert found.doubts.models == ("as asked",)
    fit = pp.learn(data, score="averaged-bdeu")
    assert [name for name, _ in other_models(fit.problem)][-1] == "additive effects or tables"


def test_they_are_kept_in_the_file(trial, tmp_path):
    posterior, _ = told(trial, "aid", "arrest")
    posterior.save(tmp_path / "posterior.npz")
    again = pp.load_posterior(tmp_path / "posterior.npz")
    pd.testing.assert_frame_equal(again.beliefs(), posterior.beliefs())


# -- what two columns show -------------------------------------------------------------------------


def bic_factor(counts):
    """Of dependence in a table, by its definition."""
    total = counts.sum()
    fits = counts * np.log(
        np.maximum(counts, 1e-300) * total / np.outer(counts.sum(1), counts.sum(0))
    )
    return fits[counts > 0].sum() - 0.5 * (counts.shape[0] - 1) * (counts.shape[1] - 1) * log(total)


def test_the_chance_to_show_is_that_of_drawn_tables(trial):
    found = detect(read_dataset(trial), "aid", "arrest")
    counts = pd.crosstab(trial["aid"], trial["arrest"]).to_numpy()
    assert found.statistic - found.needed == pytest.approx(2 * (bic_factor(counts) - 1))
    rng, share = np.random.default_rng(0), counts.sum(axis=0)[1] / counts.sum()
    drawn = rng.binomial(216, [share - 0.05, share + 0.05], size=(4000, 2))
    shown = [bic_factor(np.stack([216 - row, row], axis=1)) >= 1 for row in drawn]
    assert found.chance == pytest.approx(np.mean(shown), abs=0.03)


def test_the_chance_agrees_with_bdeu(trial):
    """A factor of BDeu is no factor of BIC, but shows an effect about as often."""
    found = detect(read_dataset(trial), "aid", "arrest")
    rng, total, shown = np.random.default_rng(1), 432, []
    for rows in rng.binomial(216, [0.214, 0.314], size=(2000, 2)):
        cells = np.stack([216 - rows, rows], axis=1)
        by_arm = gammaln(cells + 0.5).sum() - gammaln(217).sum() * 2 - 4 * gammaln(0.5)
        both = cells.sum(axis=0)
        alone = gammaln(both + 1.0).sum() - gammaln(total + 2.0) + gammaln(2.0)
        shown.append(by_arm - alone >= 1)
    assert found.chance == pytest.approx(np.mean(shown), abs=0.12)


def test_numbers_are_looked_at_too():
    rng = np.random.default_rng(0)
    data = pd.DataFrame(rng.normal(size=(200, 2)), columns=["u", "v"])
    found = detect(read_dataset(data), "u", "v")
    assert not found.is_seen
    assert "A correlation of 0.1 would have shown in these 200 rows" in found.sentence
    shown = []
    for _ in range(4000):
        u, w = rng.normal(size=(2, 200))
        r = np.corrcoef(u, 0.1 * u + np.sqrt(0.99) * w)[0, 1]
        shown.append(-200 * np.log(1 - r**2) >= np.log(200) + 2)
    assert found.chance == pytest.approx(np.mean(shown), abs=0.02)


def test_what_cannot_be_told_is_not():
    data = pd.DataFrame({"a": [0, 1] * 20, "b": np.linspace(0, 1, 40), "c": ["x"] * 40})
    dataset = read_dataset(data)
    assert detect(dataset, "a", "b") is None
    assert detect(dataset, "a", "c") is None


def test_absence_is_no_sure_thing_where_nothing_could_show():
    rng = np.random.default_rng(5)
    data = pd.DataFrame({name: rng.integers(0, 2, 40) for name in "ab"})
    found = pp.sample_posterior(data, [pp.not_associated("a", "b", 0.6)], unseen=0)
    assert found.beliefs()["evidence"][0] == "not detectable with these 40 rows"
    clear = pd.DataFrame({"a": [0, 0, 1, 1] * 1250, "b": [0, 1] * 2500})
    found = pp.sample_posterior(clear, [pp.not_associated("a", "b", 0.6)], unseen=0)
    assert found.beliefs()["evidence"][0].endswith(" for")


def test_what_a_path_the_other_way_refutes_is_detectable():
    """a → b → c: c causes a is refuted by direction, though a and c hardly depend on each other."""
    rng = np.random.default_rng(1)
    a = rng.integers(0, 2, 400)
    b = np.where(rng.random(400) < 0.8, a, 1 - a)
    c = np.where(rng.random(400) < 0.62, b, 1 - b)
    data = pd.DataFrame({"a": a, "b": b, "c": c})
    assert not detect(read_dataset(data), "a", "c").is_seen
    found = pp.sample_posterior(
        data, [pp.causes("c", "a", 0.6)], required=[("a", "b")], forbidden=[("c", "b")]
    ).beliefs()
    assert "not detectable" not in found["evidence"][0]
