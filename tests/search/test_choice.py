"""The score of real columns that ``"auto"`` chooses, by evidence."""

import json

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.search.weighed import WeighedScore, weighed_line

ALL = {"bge", "ranks", "additive", "additive-ranks"}
EDGES = {("a", "c"), ("b", "c"), ("c", "d")}


def columns(kind: str, num_rows: int = 500) -> pd.DataFrame:
    """Of a → c ← b, c → d: linear or bent, warped by increasing functions or not."""
    draw = np.random.default_rng(1)
    a, b, *noise = draw.normal(size=(4, num_rows))
    if "bent" in kind:
        c = 2 * np.sin(1.5 * a) + b**2 / 2 + 0.3 * noise[0]
        d = np.cos(1.5 * c) + 0.3 * noise[1]
    else:
        c = a - b + noise[0]
        d = 0.8 * c + noise[1]
    frame = pd.DataFrame({"d": d, "a": a, "c": c, "b": b})
    return np.sinh(2 * frame).astype(float) if "warped" in kind else frame


@pytest.mark.parametrize(
    ("kind", "score"),
    [("linear", "bge"), ("bent", "additive"), ("warped linear", "ranks")],
)
def test_the_score_that_made_the_columns_is_chosen(kind: str, score: str) -> None:
    fit = pp.learn(columns(kind))
    assert fit.resolved.score == fit.weighed[0].name == score
    assert {one.name for one in fit.weighed} == ALL
    evidence = [one.evidence for one in fit.weighed]
    assert evidence == sorted(evidence, reverse=True)
    skeleton = {frozenset(edge) for edge in fit.dag.edges}
    assert skeleton == {frozenset(edge) for edge in EDGES}
    assert f"{score} explains these columns better than" in str(fit)


def test_evidence_of_values_is_their_score_and_ranks_feel_no_warp() -> None:
    plain, warped = pp.learn(columns("bent")), pp.learn(columns("warped bent"))
    assert warped.resolved.score == "additive-ranks"
    assert plain.weighed[0].evidence == plain.score
    both = [{one.name: one.evidence for one in fit.weighed} for fit in (plain, warped)]
    gaps = [found["additive-ranks"] - found["ranks"] for found in both]
    assert gaps[0] == pytest.approx(gaps[1], abs=1e-6)


def test_columns_with_atoms_are_ranked() -> None:
    frame = columns("linear").clip(lower=0)
    fit = pp.learn(frame)
    assert fit.resolved.score == "ranks"
    assert fit.weighed == ()
    assert fit.settings.score == "auto"


def test_scores_that_cannot_be_searched_as_asked_are_left_out() -> None:
    fit = pp.learn(columns("bent"), search="equivalence")
    assert {one.name for one in fit.weighed} == {"bge", "ranks"}


def test_many_rows_are_weighed_by_some_and_learned_from_by_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pathprior.search.choice.MAX_ROWS", 200)
    frame = columns("bent")
    fit = pp.learn(frame)
    assert fit.resolved.score == "additive"
    named = pp.learn(frame, score="additive")
    assert fit.score == named.score
    assert fit.weighed[0].evidence > fit.score


def test_where_values_are_missing_bge_draws_them() -> None:
    frame = columns("bent", 60)
    frame.loc[3, "a"] = np.nan
    fit = pp.learn(frame, missing="em")
    assert (fit.resolved.score, fit.weighed) == ("bge", ())


def test_shape_does_not_overrule_a_belief_where_it_was_not_asked() -> None:
    draw = np.random.default_rng(2)
    x = draw.normal(size=400)
    frame = pd.DataFrame({"x": x, "y": np.tanh(2 * x) + 0.3 * draw.normal(size=400)})
    belief = [pp.causes("y", "x", 0.9)]
    chosen, by_data = pp.learn(frame, belief), pp.learn(frame, belief, directions="data")
    assert chosen.resolved.score == by_data.resolved.score == "additive"
    assert chosen.dag.edges == (("y", "x"),)
    assert by_data.dag.edges == (("x", "y"),)


def test_a_posterior_takes_no_directions_from_shapes_unasked() -> None:
    draw = np.random.default_rng(2)
    x = draw.normal(size=300)
    frame = pd.DataFrame({"x": x, "y": np.tanh(2 * x) + 0.3 * draw.normal(size=300)})
    fit = pp.learn(frame)
    assert fit.resolved.score == "additive"
    posterior = fit.posterior()
    assert posterior.probability("x", "causes", "y") == pytest.approx(0.5, abs=0.01)
    (said,) = posterior.left_out
    assert said.startswith("Graphs are weighed by bge: by additive, which found the network")
    named = pp.learn(frame, score="additive").posterior()
    assert named.probability("x", "causes", "y") > 0.99


def test_the_line_and_the_record_hold_all(tmp_path) -> None:
    weighed = [WeighedScore("ranks", -10.0), WeighedScore("bge", -1244.5)]
    assert weighed_line(weighed) == "ranks explains these columns better than bge by 1,234.5 nats."
    from pathprior.report.write import write_fit

    fit = pp.learn(columns("linear", 100))
    files = write_fit(fit, tmp_path)
    kept = json.loads(files.summary.read_text("utf-8"))
    assert kept["weighed"] == {one.name: one.evidence for one in fit.weighed}
