"""Going on after the first search: better classes, what is said of them, and when it ends."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import pathprior as pp
from pathprior.cli.app import app
from pathprior.errors import SearchError
from pathprior.search import effort, pursuit
from pathprior.search.interrupt import StopRequest
from pathprior.search.stop_reason import StopReason
from tests.search.test_shakes import RULES, prior_within, together


def parities(seed, num_rows=300, copies=3):
    """Several variables, each the parity of four others: what no single edge says."""
    parts = [together(seed + k, num_rows).add_suffix(str(k)) for k in range(copies)]
    return pd.concat(parts, axis=1)


def checked(fit):
    """The steps lead from the start to the graph, and the scores are those of the graph."""
    names = fit.problem.rules.variables
    by_name = fit.dag.reorder(names)
    data_score = sum(
        fit.problem.scorer.local(v, np.flatnonzero(column).tolist())
        for v, column in enumerate(by_name.adjacency.T)
    )
    assert fit.data_score == pytest.approx(data_score)
    assert not fit.steps or fit.steps[-1].score == pytest.approx(fit.score)
    return fit


def test_it_finds_what_the_first_search_does_not():
    data = parities(0)
    quick = checked(pp.learn(data, effort="quick"))
    fit = checked(pp.learn(data))
    assert quick.optimality == "local"
    assert fit.score > quick.score + 1
    assert fit.resolved.effort == "default"
    assert fit.found_again <= fit.num_searches
    assert fit.optimality == f"found again {fit.found_again} times of {fit.num_searches}"
    again = pp.learn(data)
    assert (again.dag, again.steps, again.score) == (fit.dag, fit.steps, fit.score)


@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_it_ends_when_the_best_was_found_again():
    data = pp.load_network("insurance").sample(1000, seed=1)
    fit = pp.learn(data)
    assert fit.stopped_because is StopReason.FOUND_AGAIN
    assert fit.found_again == effort.TIMES_FOUND["default"]
    other = pp.learn(data, seed=5)
    assert other.score == pytest.approx(fit.score)


def test_it_ends_when_the_effort_is_spent(monkeypatch):
    monkeypatch.setattr(effort, "WORK", 10**4)
    monkeypatch.setattr(pursuit, "TIMES_FIRST", 0)
    fit = checked(pp.learn(parities(1)))
    assert fit.stopped_because is StopReason.SPENT
    monkeypatch.setattr(effort, "WORK", 10**7)
    assert checked(pp.learn(parities(1))).score >= fit.score


def test_watching_changes_nothing():
    data = parities(2, copies=2)
    plain, watched = pp.learn(data, search="equivalence"), []
    fit = pp.learn(
        data,
        search="equivalence",
        progress=lambda step, score, num_edges: watched.append(score),
    )
    assert (fit.dag, fit.steps) == (plain.dag, plain.steps)
    assert watched[-1] == pytest.approx(fit.score)


@given(st.integers(0, 1000))
@settings(max_examples=8)
def test_rules_and_certain_beliefs_hold(seed):
    prior, data = prior_within(), together(seed, 100)
    quick = pp.learn(data, prior, search="equivalence", effort="quick", seed=seed, **RULES)
    fit = checked(pp.learn(data, prior, search="equivalence", seed=seed, **RULES))
    assert fit.score >= quick.score - 1e-9
    assert fit.dag.adjacency.sum(axis=0).max() <= 2
    assert ("a", "h") in fit.dag.edges
    assert ("b", "h") not in fit.dag.edges
    tier = dict(zip("abcdefgh", (0, 0, 0, 1, 1, 2, 2, 2), strict=True))
    assert all(tier[x] <= tier[y] for x, y in fit.dag.edges)
    assert fit.dag.relation("b", "f").symbol == "⇒"
    assert fit.dag.relation("c", "d").symbol == "⇎"


@pytest.mark.filterwarnings("ignore::pathprior.errors.PathPriorWarning")
def test_a_required_true_edge_gains_nothing():
    network = pp.load_network("insurance")
    data = network.sample(1000, seed=3)
    fit = pp.learn(data, expected_parents=None)
    for edge in network.dag.edges[::9]:
        held = pp.learn(data, expected_parents=None, required=[edge])
        assert held.score <= fit.score + 0.5


def test_real_and_mixed_columns_and_experiments():
    rng = np.random.default_rng(4)
    reals = pd.DataFrame(rng.normal(size=(200, 22)), columns=[f"x{i:02d}" for i in range(22)])
    for v in range(2, 22):
        reals.iloc[:, v] += reals.iloc[:, rng.integers(v)] - 0.7 * reals.iloc[:, rng.integers(v)]
    mixed = reals.assign(kind=np.where(reals["x05"] > 0, "a", "b"))
    for data in (reals, mixed):
        quick = pp.learn(data, effort="quick")
        assert checked(pp.learn(data)).score >= quick.score - 1e-9
    was_set = pd.Series(np.where(rng.random(300) < 0.3, "h0", ""))
    data = parities(3, copies=1).assign(was_set=was_set)
    quick = pp.learn(data, interventions="was_set", search="equivalence", effort="quick")
    fit = checked(pp.learn(data, interventions="was_set", search="equivalence"))
    assert fit.score >= quick.score - 1e-9


def test_where_it_does_not_go_on():
    data = parities(5, 100)
    assert pp.learn(data, shakes=20).resolved.effort == "quick"
    assert pp.learn(data, search="turning").resolved.effort == "quick"
    assert effort.work_of("default", effort.MOST_NODES + 1, None) == 0
    assert effort.work_of("thorough", 5000, None) == effort.work_of("thorough", 150, None)
    assert effort.work_of("default", 5000, 10.0) == np.inf
    assert effort.work_of("quick", 30, 10.0) == 0


def test_restarts_come_on_top_of_the_effort():
    data = parities(5)
    alone = checked(pp.learn(data, search="equivalence"))
    fit = checked(pp.learn(data, search="equivalence", restarts=3))
    assert fit.resolved.effort == "default"
    assert fit.score >= alone.score
    assert fit.num_searches == alone.num_searches + 3
    assert alone.found_again <= fit.found_again <= alone.found_again + 3 or fit.score > alone.score
    assert pp.learn(data, effort="thorough", restarts=1, time_limit=1.0).num_searches >= 0


def test_restarts_say_how_often_they_agreed():
    data = pp.load_network("asia").sample(500, seed=1)
    fit = pp.learn(data, search="equivalence", restarts=4, effort="quick")
    assert fit.num_searches == 4
    assert fit.optimality == f"found again {fit.found_again} times of 4"


def test_a_time_limit_keeps_the_best_so_far():
    data = parities(6)
    fit = pp.learn(data, time_limit=1e-9)
    assert fit.stopped_because is StopReason.OUT_OF_TIME
    assert fit.optimality == "stopped early"
    easy = pp.load_network("alarm").sample(1000, seed=0)
    fit = pp.learn(easy, time_limit=60.0)  # in the place of the effort
    assert fit.stopped_because is StopReason.FOUND_AGAIN


def test_an_interrupt_keeps_the_best_so_far(monkeypatch):
    from contextlib import contextmanager

    from pathprior.search import learn as module

    stop = StopRequest()

    @contextmanager
    def interrupted():
        yield stop

    shake = pursuit.Pursuit._shake

    def shake_and_stop(self, own_stop):
        stop.interrupt()
        return shake(self, own_stop)

    monkeypatch.setattr(module, "stop_on_interrupt", interrupted)
    monkeypatch.setattr(pursuit.Pursuit, "_shake", shake_and_stop)
    fit = checked(pp.learn(parities(7)))
    assert fit.stopped_because is StopReason.INTERRUPTED
    assert fit.optimality == "stopped early"


def test_what_cannot_be():
    data = together(0, 50)
    with pytest.raises(SearchError, match="unknown effort 'much': choose one of quick"):
        pp.learn(data, effort="much")
    for wrong in (0, -1, "1", float("nan"), True):
        with pytest.raises(SearchError, match="time_limit must be a positive number of seconds"):
            pp.learn(data, time_limit=wrong)
    for how in ({"search": "greedy"}, {"shakes": 5}):
        with pytest.raises(SearchError, match="effort='thorough' goes on"):
            pp.learn(data, effort="thorough", **how)


def test_the_command_says_and_repeats_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pp.load_network("alarm").sample(1000, seed=0).to_csv("data.csv", index=False)
    run = CliRunner().invoke
    assert run(app, ["learn", "data.csv", "--effort", "quick", "--out", "q"]).exit_code == 0
    result = run(app, ["learn", "data.csv", "--time-limit", "60", "--out", "first"])
    assert result.exit_code == 0, result.output
    summary = json.loads((tmp_path / "first/summary.json").read_text())
    assert summary["settings"]["time_limit"] == 60
    assert summary["optimality"].startswith("found again")
    again = run(app, ["learn", "--from", "q/summary.json", "--out", "again"])
    assert "same network" in again.stdout
