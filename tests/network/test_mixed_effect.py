"""Effects where some columns are of states and others real."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kstest

import pathprior as pp
from pathprior.data.door import read_dataset
from pathprior.data.scatter import Scatter
from pathprior.errors import NetworkError
from pathprior.network.embedding import Embedding
from pathprior.network.form_draws import form_draws
from pathprior.network.linear import fit_additive
from pathprior.network.logit import fit_logit
from pathprior.network.mixed_effect import MixedDraws, draw_response
from pathprior.network.regression import regression_posterior
from pathprior.network.response import Response
from pathprior.network.slope import Slope

NAMES = ("age", "drug", "dose", "level", "ill")
EDGES = [
    ("age", "drug"), ("age", "level"), ("drug", "dose"), ("dose", "level"), ("drug", "level"),
    ("level", "ill"), ("age", "ill"),
]  # fmt: skip
DAG = pp.Dag.from_edges(NAMES, EDGES)


def patients(num_rows: int, seed: int = 0) -> pd.DataFrame:
    """Of NAMES age, dose and level are real; drug raises dose by 2, which raises level by 1.5."""
    draw = np.random.default_rng(seed)
    age = draw.normal(50, 10, num_rows)
    drug = draw.random(num_rows) < 1 / (1 + np.exp(-(age - 50) / 10))
    dose = 2.0 * drug + draw.normal(size=num_rows)
    level = 0.1 * age + 1.5 * dose - 1.0 * drug + draw.normal(size=num_rows)
    chance = 1 / (1 + np.exp(-(level - 6 + 0.02 * age)))
    ill = draw.random(num_rows) < chance
    columns = (age, np.where(drug, "yes", "no"), dose, level, np.where(ill, "yes", "no"))
    return pd.DataFrame(dict(zip(NAMES, columns, strict=True)))


def ask(frame: pd.DataFrame, x: str, y: str, draws: int = 300) -> Response | Slope:
    forms = MixedDraws(read_dataset(frame), 2.0)
    return draw_response([DAG] * draws, [forms] * draws, x, y, 0)


def test_what_a_state_does_to_a_measurement() -> None:
    found = ask(patients(4000), "drug", "level")
    assert isinstance(found, Response)
    assert found.settings == ("no", "yes")
    assert found.y_states == ()
    difference = found.differences()
    assert difference["mean"][0] == pytest.approx(1.5 * 2.0 - 1.0, abs=0.1)
    assert difference["low"][0] < 2.0 < difference["high"][0]


def test_what_a_measurement_does_to_states_through_another() -> None:
    frame = patients(4000)
    found = ask(frame, "dose", "ill")
    assert isinstance(found, Response)
    doses = np.quantile(frame["dose"], [0.05, 0.25, 0.5, 0.75, 0.95])
    assert found.settings == pytest.approx(doses)
    # by simulation from the truth, dose being set
    draw = np.random.default_rng(1)
    age = draw.normal(50, 10, 200_000)
    drug = draw.random(200_000) < 1 / (1 + np.exp(-(age - 50) / 10))
    noise = draw.normal(size=200_000)
    table = found.table().set_index("state").loc["yes"]
    for dose, mean in zip(doses, table["mean"], strict=True):
        level = 0.1 * age + 1.5 * dose - drug + noise
        expected = np.mean(1 / (1 + np.exp(-(level - 6 + 0.02 * age))))
        assert mean == pytest.approx(expected, abs=0.03)
    assert found.draws.sum(axis=2) == pytest.approx(1.0)


def test_between_measurements_alone_it_is_the_slope_of_the_regression() -> None:
    frame = patients(500)
    found = ask(frame, "dose", "level", 2000)
    assert isinstance(found, Slope)
    design = np.column_stack([np.ones(500), frame["dose"], frame["age"], frame["drug"] == "yes"])
    weights, square, *_ = np.linalg.lstsq(design, frame["level"], rcond=None)
    error = np.sqrt(square[0] / 496 * np.linalg.inv(design.T @ design)[1, 1])
    assert found.draws.mean() == pytest.approx(weights[1], abs=0.4 * error)  # the prior pulls
    assert found.draws.std() == pytest.approx(error, rel=0.1)


def test_the_interval_is_that_of_a_regression_adjusted_for_causes() -> None:
    frame = patients(500, seed=3)
    found = ask(frame, "drug", "dose", 2000)
    groups = [frame["dose"][frame["drug"] == state] for state in ("no", "yes")]
    error = np.sqrt(sum(group.var() / len(group) for group in groups))
    gained = found.draws[:, 1, 0] - found.draws[:, 0, 0]
    assert gained.mean() == pytest.approx(groups[1].mean() - groups[0].mean(), abs=0.1 * error)
    assert gained.std() == pytest.approx(error, rel=0.1)


def test_without_a_path_nothing_changes() -> None:
    found = ask(patients(200), "ill", "age", 20)
    assert isinstance(found, Response)
    assert (found.differences()[["mean", "low", "high"]] == 0).all(axis=None)
    assert found.probability_of_none == 1.0


def test_every_pair_of_a_fit_and_of_a_posterior_has_an_effect() -> None:
    frame = patients(120)
    fit = pp.learn(frame)
    posterior = pp.sample_posterior(frame)
    for x in NAMES:
        for y in set(NAMES) - {x}:
            for source in (fit, posterior):
                found = source.effect(x, y, num_draws=10)
                assert np.isfinite(found.draws).all()
                assert f"setting {x} does to {y}" in str(found)
    with pytest.raises(NetworkError, match="two different variables"):
        fit.effect("age", "age")


def test_rows_that_were_set_are_not_averaged_over() -> None:
    frame = patients(600, seed=2)
    marks = pd.DataFrame(False, index=frame.index, columns=list(NAMES))
    marks.loc[:299, "age"] = True
    frame.loc[:299, "age"] = 90.0
    forms = MixedDraws(read_dataset(frame, interventions=marks), 2.0)
    found = draw_response([DAG] * 50, [forms] * 50, "ill", "age", 0)
    assert found.draws.mean() == pytest.approx(frame["age"][300:].mean(), abs=1.0)


def test_regressions_are_drawn_about_the_ones_that_are_estimated() -> None:
    frame = patients(80)
    drug = (frame["drug"] == "yes").to_numpy().astype(np.int64)
    family, sizes = [drug, frame["age"].to_numpy(), frame["level"].to_numpy()], [2, 0, 0]
    draw, generator = form_draws("level", family, sizes, 2.0), np.random.default_rng(0)
    drawn = [draw(generator) for _ in range(4000)]
    mean = fit_additive("level", family, sizes, alpha=2.0)
    drugs = np.array([form.weights[0][1] - form.weights[0][0] for form in drawn])
    # their prior on states is one on both, not on one of the two
    assert drugs.mean() == pytest.approx(mean.weights[0][1] - mean.weights[0][0], rel=0.05)
    ages = np.array([float(form.weights[1]) for form in drawn])
    assert ages.mean() == pytest.approx(float(mean.weights[1]), rel=0.05)


def test_regressions_on_measurements_are_drawn_as_slopes_are() -> None:
    frame = patients(40)
    values = frame[["age", "dose", "level"]].to_numpy().T
    draw, generator = form_draws("level", list(values), [0, 0, 0], 2.0), np.random.default_rng(0)
    found = np.array([np.array(draw(generator).weights) for _ in range(3000)])
    posterior = regression_posterior(Scatter.of(values), 2, [0, 1], 2.0)
    theirs = np.array([posterior.draw_weights(generator) for _ in range(3000)])
    for mine, other in zip(found.T, theirs.T, strict=True):
        assert kstest(mine, other).pvalue > 0.01


def test_logits_are_drawn_about_the_most_probable_weights() -> None:
    frame = patients(400)
    codes = (frame["ill"] == "yes").to_numpy().astype(np.int64)
    parents = [frame["age"].to_numpy(), frame["level"].to_numpy()]
    draw = form_draws("ill", [*parents, codes], [0, 0, 2], 2.0)
    generator = np.random.default_rng(0)
    drawn = np.array([draw(generator).weights[1][1] for _ in range(2000)])
    best = fit_logit("ill", codes, 2, Embedding.of(parents, [0, 0]), 2.0)
    assert drawn.mean() == pytest.approx(float(best.weights[1][1]), abs=3 * drawn.std() / 40)
    # a logistic regression's standard error
    z = np.column_stack([np.ones(400), *parents])
    chance = best.probabilities(parents)[:, 1]
    error = np.sqrt(np.linalg.inv(z.T @ (z * (chance * (1 - chance))[:, None]))[2, 2])
    assert drawn.std() == pytest.approx(error, rel=0.1)
