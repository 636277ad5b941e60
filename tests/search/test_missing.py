"""Learning from data with missing values."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli.app import app
from pathprior.data.dataset import Dataset
from pathprior.data.door import read_dataset
from pathprior.errors import DataError
from pathprior.score.bdeu import Bdeu
from pathprior.score.score import Scorer
from pathprior.search import structural_em
from pathprior.search.interrupt import StopRequest
from pathprior.search.result import StopReason

ASIA = pp.load_network("asia")


def gappy(frame, share, seed=0):
    """Leave out cells completely at random."""
    return frame.mask(np.random.default_rng(seed).random(frame.shape) < share)


def skeleton(dag):
    return {frozenset(edge) for edge in dag.edges}


@pytest.fixture
def few_rounds(monkeypatch):
    monkeypatch.setattr(structural_em, "NUM_ROUNDS", 4)


DATA = gappy(ASIA.sample(500, seed=1), 0.08)


def test_em_learns_nearly_what_complete_data_teach():
    frame = ASIA.sample(2000, seed=4)
    complete = pp.learn(frame)
    fit = pp.learn(gappy(frame, 0.2), missing="em")
    dropped = pp.learn(gappy(frame, 0.2), missing="drop")
    assert pp.shd(fit.dag, complete.dag) <= 1
    assert pp.shd(fit.dag, ASIA.dag) < pp.shd(dropped.dag, ASIA.dag)


def test_a_fit_says_what_was_missing_and_how_far_rounds_agreed():
    fit = pp.learn(DATA, missing="em")
    missing = fit.missing
    assert missing.by_column == DATA.isna().sum().to_dict()
    assert missing.num_cells == DATA.isna().sum().sum()
    assert (missing.num_rows, missing.num_rows_used) == (500, 500)
    assert len(missing.rounds) == structural_em.NUM_ROUNDS // 2
    distances = [pp.shd(fit.dag, dag) for dag in fit.rounds]
    assert missing.mean_distance == np.mean(distances)
    assert min(distances) == 0
    table = missing.agreement()
    pairs = table[table.is_found][["x", "y"]].itertuples(index=False, name=None)
    assert {frozenset(pair) for pair in pairs} == skeleton(fit.dag)
    for x, y, share in zip(table["x"], table["y"], table["share"], strict=True):
        have = [(x, y) in dag.edges or (y, x) in dag.edges for dag in fit.rounds]
        assert share == np.mean(have)
    assert "cells were missing (" in str(fit)
    assert f"The graphs of the last {len(fit.rounds)} rounds differ" in " ".join(str(fit).split())


def test_the_graph_is_the_one_nearest_to_the_later_rounds():
    fit = pp.learn(DATA, missing="em", seed=5)
    totals = [sum(pp.shd(a, b) for b in fit.rounds) for a in fit.rounds]
    assert sum(pp.shd(fit.dag, b) for b in fit.rounds) == min(totals)


def test_a_fit_is_consistent_with_the_draws_that_it_keeps():
    fit = pp.learn(DATA, missing="em")
    data = fit.problem.data
    assert data.observed is None
    assert np.array_equal(data.imputed, DATA.isna().to_numpy().T)
    known = read_dataset(DATA, missing="em")
    assert np.array_equal(data.coded.codes[known.observed], known.coded.codes[known.observed])
    assert pp.score_graph(fit.dag, data) == pytest.approx(fit.data_score)
    assert fit.network().dag == fit.dag
    assert fit.effect("smoke", "lung", num_draws=10).x == "smoke"


@pytest.mark.parametrize(("share", "expected"), [(0.01, 30), (0.1, 30), (0.2, 60), (0.6, 90)])
def test_more_gaps_take_more_rounds(share, expected):
    known = read_dataset(ASIA.sample(100, seed=1))
    imputed = (np.arange(800) < 800 * share).reshape(8, 100)
    assert structural_em.count_rounds(replace(known, imputed=imputed)) == expected


def test_it_is_a_function_of_the_seed_and_not_of_the_order_of_columns():
    first, again = pp.learn(DATA, missing="em"), pp.learn(DATA, missing="em")
    turned = pp.learn(DATA[DATA.columns[::-1]], missing="em")
    assert first.dag == again.dag
    assert first.score == again.score
    assert set(turned.dag.edges) == set(first.dag.edges)
    other = pp.learn(DATA, missing="em", seed=1)
    assert not np.array_equal(other.problem.data.coded.codes, first.problem.data.coded.codes)


@pytest.mark.parametrize("missing", ["em", "state", "drop"])
def test_complete_data_teach_the_same_whatever_is_asked(missing):
    frame = ASIA.sample(300, seed=2)
    plain, fit = pp.learn(frame), pp.learn(frame, missing=missing)
    assert fit.dag == plain.dag
    assert fit.score == plain.score
    assert fit.missing is None


def test_missing_as_a_state_and_dropped_rows():
    fit = pp.learn(DATA, missing="state")
    assert fit.network().states["asia"] == ("yes", "no", "missing")
    assert "a state there" in str(fit.missing)
    few = DATA.drop(columns="asia")
    fit = pp.learn(few, missing="drop")
    assert fit.missing.num_rows_used == len(few.dropna())
    assert fit.dag == pp.learn(few.dropna()).dag
    assert f"{len(few.dropna())} of 500 rows are complete" in str(fit.missing)


def test_rules_and_hard_beliefs_hold_in_every_round(few_rounds):
    fit = pp.learn(
        DATA,
        [pp.causes("smoke", "dysp", 1.0), pp.causes("asia", "xray", 0.9)],
        missing="em",
        forbidden=[("lung", "either")],
        required=[("bronc", "smoke")],
        max_parents=2,
    )
    for dag in (fit.dag, *fit.rounds):
        assert dag.relation("smoke", "dysp") is pp.Relation.CAUSES
        assert ("lung", "either") not in dag.edges
        assert ("bronc", "smoke") in dag.edges
        assert dag.adjacency.sum(axis=0).max() <= 2
    assert fit.has_beliefs


@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_gaps_in_rows_from_experiments(kind, few_rounds):
    trial = ASIA.sample(150, seed=2, do={"bronc": None})
    frame = pd.concat([ASIA.sample(500, seed=1), trial], ignore_index=True)
    target = frame.pop("target")
    frame = gappy(frame, 0.1).assign(target=target)
    fit = pp.learn(frame, missing="em", interventions="target", interventions_kind=kind)
    assert ("smoke", "bronc") in fit.cpdag.settled_edges
    assert fit.problem.data.intervened.sum() == 150
    assert fit.missing.num_cells == frame.drop(columns="target").isna().sum().sum()


def real_and_mixed():
    """A chain of real columns, and one of states that follows it."""
    draw = np.random.default_rng(0)
    a = draw.normal(size=400)
    b = a + draw.normal(size=400)
    c = b + draw.normal(size=400)
    d = np.where(c + draw.logistic(size=400) > 0, "high", "low")
    return pd.DataFrame({"a": a, "b": b, "c": c}), pd.DataFrame({"a": a, "b": b, "c": c, "d": d})


@pytest.mark.parametrize("frame", real_and_mixed(), ids=["real", "mixed"])
def test_gaps_in_real_and_mixed_columns(frame, few_rounds):
    fit = pp.learn(gappy(frame, 0.1), missing="em")
    assert {frozenset(e) for e in fit.dag.edges} == {
        frozenset(e) for e in pp.learn(frame).dag.edges
    }
    assert fit.network().dag == fit.dag
    trial = gappy(frame, 0.1)
    given = ["b"] * 30 + [None] * 370
    fit = pp.learn(trial, missing="em", interventions=given)
    assert fit.problem.data.intervened.sum() == 30


def test_a_changed_mechanism_of_which_one_row_tells(few_rounds):
    frame = gappy(real_and_mixed()[0], 0.1)
    given = ["b"] + [None] * 399
    fit = pp.learn(frame, missing="em", interventions=given, interventions_kind="soft")
    assert fit.missing.treatment == "em"


def test_units_do_not_matter(few_rounds):
    """By powers of two, which change no rounding: that decides among equal graphs of a class."""
    frame = gappy(real_and_mixed()[0], 0.1)
    first, second = (pp.learn(f, missing="em") for f in (frame, frame * 2.0**20))
    assert first.dag == second.dag
    assert first.network().means() * 2.0**20 == pytest.approx(second.network().means())
    assert pp.learn(frame * 1e6 + 1e3, missing="em").cpdag == first.cpdag


def test_scores_see_real_columns_in_units_of_what_was_observed():
    """So that the prior of BGe does not move with the draws."""
    frame = gappy(real_and_mixed()[0], 0.1)
    fit = pp.learn(frame, missing="em")
    moments = fit.problem.scorer.moments
    assert moments.means == pytest.approx(frame.mean().to_numpy())
    assert moments.scales == pytest.approx(frame.std(ddof=0).to_numpy())
    completed = fit.problem.data.reals.values
    assert fit.network().means() == pytest.approx(completed.mean(axis=1), abs=0.02)


class _Python(Bdeu):
    """BDeu that is asked family by family."""

    def bind(self, dataset):
        inner = super().bind(dataset)

        class Asked(Scorer):
            is_score_equivalent = True

            def local(self, child, parents):
                return inner.local(child, parents)

            def estimate(self, dag, *, equivalent_sample_size):
                return inner.estimate(dag, equivalent_sample_size=equivalent_sample_size)

        return Asked()


@pytest.mark.parametrize("score", [pp.Bde(ASIA, 5.0), _Python(), "bic", "k2"], ids=str)
def test_every_score_takes_the_draws(score, few_rounds):
    frame = DATA if isinstance(score, pp.Bde) else DATA.drop(columns=["asia", "either"])
    fit = pp.learn(frame, missing="em", score=score)
    assert len(fit.rounds) == 2


def test_draws_that_rule_the_last_graph_out_are_no_end():
    """The prior network has zeros, where cells may be drawn none the less."""
    frame = gappy(ASIA.sample(400, seed=0), 0.2, seed=50)
    fit = pp.learn(frame, missing="em", score=pp.Bde(ASIA, 5.0))
    assert fit.data_score > -np.inf


def test_restarts_go_on_from_the_round_that_is_kept(few_rounds):
    plain = pp.learn(DATA, missing="em")
    fit = pp.learn(DATA, missing="em", restarts=5)
    assert np.array_equal(fit.problem.data.coded.codes, plain.problem.data.coded.codes)
    assert fit.score >= plain.score


def test_an_interrupt_keeps_the_rounds_so_far(monkeypatch):
    stop = StopRequest()
    from contextlib import contextmanager

    from pathprior.search import learn as module

    @contextmanager
    def interrupted():
        yield stop

    draw = structural_em.draw_again

    def draw_and_stop(*given, **options):
        stop.interrupt()
        return draw(*given, **options)

    monkeypatch.setattr(module, "stop_on_interrupt", interrupted)
    monkeypatch.setattr(structural_em, "draw_again", draw_and_stop)
    fit = pp.learn(DATA, missing="em")
    assert fit.stopped_because is StopReason.INTERRUPTED
    assert len(fit.rounds) == 1


def test_the_command_draws_counts_and_repeats(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    DATA.to_csv("data.csv", index=False)
    run = CliRunner().invoke
    assert isinstance(run(app, ["learn", "data.csv"]).exception, DataError)
    result = run(app, ["learn", "data.csv", "--missing", "em", "--out", "first", "--report"])
    assert result.exit_code == 0
    assert "cells were missing" in result.stdout
    summary = json.loads((tmp_path / "first/summary.json").read_text())
    assert summary["settings"]["missing"] == "em"
    assert summary["missing"]["by_column"] == DATA.isna().sum().to_dict()
    assert summary["missing"]["num_rounds_compared"] == structural_em.NUM_ROUNDS // 2
    assert "Missing values" in (tmp_path / "first/report.html").read_text()
    again = run(app, ["learn", "--from", "first/summary.json", "--out", "again"])
    assert "The same network as then" in again.stdout


def test_a_constant_column_stays_alone_among_gaps(few_rounds):
    frame = DATA.assign(const="x")
    frame.loc[::7, "const"] = None
    with pytest.warns(pp.errors.PathPriorWarning, match="same value in all rows.*'const'"):
        fit = pp.learn(frame, missing="em")
    assert not any("const" in edge for edge in fit.dag.edges)


def test_a_data_set_with_gaps_is_taken_too():
    known = read_dataset(DATA, missing="em")
    bare = Dataset(known.variables, known.coded, known.reals, known.observed)
    assert pp.learn(bare, missing="em").dag == pp.learn(DATA, missing="em").dag
    with pytest.raises(DataError, match="misses"):
        pp.learn(replace(bare, name="x"))
