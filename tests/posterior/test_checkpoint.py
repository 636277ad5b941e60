"""Runs that are cut off, and go on to the bits of a run in one go."""

import os
import shutil
import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import pathprior as pp
from pathprior.errors import PathPriorWarning, PosteriorError, ResumedWarning
from pathprior.posterior import checkpoint
from pathprior.posterior.array_file import load_arrays, save_arrays
from pathprior.posterior.chains import Sampler, sample_chains
from pathprior.posterior.kept import KeptDraws, next_reading
from pathprior.posterior.settling import PosteriorStop
from pathprior.score.named import make_score
from pathprior.search.learn import learn_on
from tests.clocks import end_after
from tests.problems import make_problem
from tests.search.test_own_score import PlainBdeu

BELIEFS = [pp.causes("smoke", "dysp", 0.9), pp.not_associated("asia", "smoke", 0.8)]


@pytest.fixture(scope="module")
def data():
    return pp.load_network("asia").sample(200, seed=1)


@pytest.fixture(scope="module")
def whole(data):
    return pp.sample_posterior(data, BELIEFS, seed=3)


def assert_same(one, other):
    np.testing.assert_array_equal(one.draws.parents, other.draws.parents)
    np.testing.assert_array_equal(one.draws.scores, other.draws.scores)
    pd.testing.assert_frame_equal(one.errors, other.errors, check_exact=True)
    assert one.best == other.best
    assert one.stopped_because is other.stopped_because


def interrupt(monkeypatch, owner, name, number):
    """Press Ctrl-C during the call with this number, from 1; return how many there were."""
    calls = []
    function = getattr(owner, name)

    def call(*arguments):
        calls.append(arguments)
        if len(calls) == number:
            signal.raise_signal(signal.SIGINT)
        return function(*arguments)

    monkeypatch.setattr(owner, name, call)
    return calls


def step(sampler, kept):
    if sampler.is_settled:
        kept.add_up_to(next_reading(kept.num_drawn + 1))
    else:
        sampler.settle()


@pytest.mark.parametrize("score", [PlainBdeu(), make_score("bdeu", equivalent_sample_size=1.0)])
def test_state_holds_all_that_draws_depend_on(data, score, tmp_path, monkeypatch):
    monkeypatch.setattr("pathprior.posterior.kept.MOST", 4 * 250)  # so that some are thinned out
    problem = make_problem(data.iloc[:, :5], None, score)

    def start():
        sampler = sample_chains(problem, start=problem.start, num_chains=3, seed=7)
        return sampler, KeptDraws(sampler)

    sampler, kept = start()
    copy, others = start()
    for number in range(40):
        step(sampler, kept)
        # the copy moves to a new one at every point, burning in or not, through a file
        state = others.state()
        save_arrays(tmp_path / "state", {"format": "x"}, state, is_compressed=False)
        copy, others = start() if number % 10 == 0 else (copy, others)
        others.restore(load_arrays(tmp_path / "state", "x")[1])
        step(copy, others)
        for name, array in kept.state().items():
            np.testing.assert_array_equal(others.state()[name], array, err_msg=name)
    assert sampler.is_settled
    assert kept.num_drawn > 2000


@pytest.mark.parametrize(("owner", "name"), [(Sampler, "settle"), (KeptDraws, "add_up_to")])
@pytest.mark.parametrize("number", [1, 2])
def test_ctrl_c_returns_what_there_is_and_the_rest_follows(
    data, whole, tmp_path, monkeypatch, owner, name, number
):
    path = tmp_path / "folder" / "chains.npz"
    before = signal.getsignal(signal.SIGINT)
    calls = interrupt(monkeypatch, owner, name, number)
    with pytest.warns(PathPriorWarning) as said:
        part = pp.sample_posterior(data, BELIEFS, seed=3, checkpoint=path)
    assert len(calls) == number
    assert signal.getsignal(signal.SIGINT) is before
    assert part.stopped_because is PosteriorStop.INTERRUPTED
    texts = [str(warning.message) for warning in said]
    assert texts[-1].startswith("not settled to 0.02")
    assert len(texts) == 1 + texts[0].startswith("the chains were still burning in")
    assert part.draws.num_draws == (20 if len(texts) == 2 else 100 * number)
    assert len(texts) == (2 if owner is Sampler else 1)
    with pytest.warns(ResumedWarning, match="going on from"):
        rest = pp.sample_posterior(data, BELIEFS, seed=3, checkpoint=path)
    assert_same(rest, whole)


def test_what_has_settled_is_given_again(data, whole, tmp_path, monkeypatch):
    path = tmp_path / "chains.npz"
    pp.sample_posterior(data, BELIEFS, seed=3, checkpoint=path)
    calls = interrupt(monkeypatch, KeptDraws, "add_up_to", 0)
    fit = pp.learn(data, BELIEFS, seed=3)
    with pytest.warns(ResumedWarning):
        again = fit.posterior(seed=3, checkpoint=path)
    assert_same(again, whole)
    assert not calls


def test_time_that_was_up_before_graphs_counted(data, tmp_path, whole, monkeypatch):
    path = tmp_path / "chains.npz"
    end_after(monkeypatch, Sampler, "settle")
    with (
        pytest.warns(PathPriorWarning, match="still burning in"),
        pytest.warns(PathPriorWarning, match="not settled"),
    ):
        part = pp.sample_posterior(data, BELIEFS, seed=3, checkpoint=path)
    assert part.stopped_because is PosteriorStop.TIME_LIMIT
    monkeypatch.undo()
    with pytest.warns(ResumedWarning, match="in burning in"):
        assert_same(pp.sample_posterior(data, BELIEFS, seed=3, checkpoint=path), whole)


@pytest.mark.parametrize("change", [lambda a: a[:-1], lambda a: a[None], lambda a: a.astype("f4")])
@pytest.mark.parametrize("name", ["chain1.local", "parents", "scores", "burn_in0.level"])
def test_arrays_of_another_shape_or_kind_are_refused(kept_file, tmp_path, data, name, change):
    arrays = dict(np.load(kept_file))
    if arrays[name].ndim == 0 and change(np.ones(2)).shape == (1,):
        arrays[name] = np.full(2, arrays[name])
    np.savez(tmp_path / "chains.npz", **arrays | {name: change(arrays[name])})
    with pytest.raises(PosteriorError, match=f"its array {name} is not of the shape"):
        pp.sample_posterior(data, BELIEFS, seed=3, checkpoint=tmp_path / "chains.npz")


@pytest.mark.parametrize("name", ["num_drawn", "chain0.codes", "more"])
def test_missing_arrays_and_further_ones_are_refused(kept_file, tmp_path, data, name):
    arrays = dict(np.load(kept_file))
    if arrays.pop(name, None) is None:
        arrays[name] = np.zeros(2)
    np.savez(tmp_path / "chains.npz", **arrays)
    with pytest.raises(PosteriorError, match=f"its array {name} is not"):
        pp.sample_posterior(data, BELIEFS, seed=3, checkpoint=tmp_path / "chains.npz")


@pytest.fixture(scope="module")
def kept_file(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("kept") / "chains.npz"
    pp.sample_posterior(data, BELIEFS, seed=3, checkpoint=path)
    return path


def test_ctrl_c_while_the_start_is_learned_ends_it_too(data, monkeypatch):
    calls = interrupt(monkeypatch, Sampler, "settle", 0)
    monkeypatch.setattr(
        "pathprior.posterior.sample.learn_on",
        lambda *arguments, **options: _interrupted(learn_on(*arguments, **options)),
    )
    with (
        pytest.warns(PathPriorWarning, match="still burning in"),
        pytest.warns(PathPriorWarning, match="not settled"),
    ):
        found = pp.sample_posterior(data, BELIEFS)
    assert found.stopped_because is PosteriorStop.INTERRUPTED
    assert not calls


def _interrupted(fit):
    from dataclasses import replace

    from pathprior.search.stop_reason import StopReason

    return replace(fit, stopped_because=StopReason.INTERRUPTED)


OTHERS = {
    "data": ([1], {}),
    "beliefs": (["beliefs"], {}),
    "seed": ([], {"seed": 4}),
    "chains": ([], {"num_chains": 2}),
    "score": ([], {"score": "k2"}),
    "rules": ([], {"forbidden": [("lung", "asia")]}),
    "version": (["version"], {}),
}


@pytest.mark.parametrize("what", OTHERS)
def test_chains_of_another_run_are_not_used(data, tmp_path, monkeypatch, what):
    path = tmp_path / "chains.npz"
    options = {"seed": 3, "precision": 0.1}
    pp.sample_posterior(data, BELIEFS, **options, checkpoint=path)
    with pytest.warns(ResumedWarning):
        pp.sample_posterior(data.copy(), list(BELIEFS), **options, checkpoint=path)
    changes, others = OTHERS[what]
    beliefs = BELIEFS
    if 1 in changes:  # one cell
        data = data.copy()
        data.iloc[0, 0] = "yes" if data.iloc[0, 0] == "no" else "no"
    if "beliefs" in changes:
        beliefs = [pp.causes("smoke", "dysp", 0.91), BELIEFS[1]]
    if "version" in changes:
        monkeypatch.setattr(checkpoint, "versions", lambda: {"pathprior": "0.0.1"})
    options |= others
    with pytest.warns(PathPriorWarning, match="with other data, beliefs, options or versions"):
        found = pp.sample_posterior(data, beliefs, **options, checkpoint=path)
    assert_same(found, pp.sample_posterior(data, beliefs, **options))


def test_a_file_that_is_no_checkpoint_stays(data, tmp_path):
    path = tmp_path / "data.csv"
    data.to_csv(path)
    before = path.read_bytes()
    with pytest.raises(PosteriorError, match="no checkpoint, or damaged"):
        pp.sample_posterior(data, BELIEFS, checkpoint=path)
    assert path.read_bytes() == before


KILLED = """
import os, signal
from pathprior.cli import main
from pathprior.posterior import checkpoint
from pathprior.posterior.{module} import {owner}
checkpoint.INTERVAL = 0
calls, function = [], {owner}.{name}
def call(*arguments):
    calls.append(arguments)
    if len(calls) == {number}:
        os.kill(os.getpid(), signal.{signal})
    return function(*arguments)
{owner}.{name} = call
# a shell starts background jobs, such as the tests themselves, with SIGINT ignored
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
IN_BURNING_IN = {"module": "chains", "owner": "Sampler", "name": "settle", "number": 2}
IN_DRAWING = {"module": "kept", "owner": "KeptDraws", "name": "add_up_to", "number": 2}


def run_command(folder, script="from pathprior.cli import main; main()"):
    options = ["asia.csv", "--beliefs", "beliefs.csv", "--out", "out", "--seed", "3"]
    command = [sys.executable, "-c", script, "posterior", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(data, tmp_path_factory):
    """Inputs, and what the command makes of them in one go."""
    folder = tmp_path_factory.mktemp("whole")
    data.to_csv(folder / "asia.csv", index=False)
    pp.BeliefSet(BELIEFS).to_csv(folder / "beliefs.csv")
    assert run_command(folder).returncode == 0
    assert not (folder / "out" / "chains.npz").exists()
    return folder


@pytest.mark.skipif(os.name == "nt", reason="sends signals")
@pytest.mark.parametrize(
    ("name", "moment"),
    [
        pytest.param("SIGKILL", IN_DRAWING, id="killed while drawing"),
        pytest.param("SIGINT", IN_BURNING_IN, id="interrupted while burning in"),
        pytest.param("SIGKILL", IN_BURNING_IN, id="killed", marks=pytest.mark.slow),
        pytest.param("SIGINT", IN_DRAWING, id="interrupted", marks=pytest.mark.slow),
    ],
)
def test_a_command_that_was_cut_off_goes_on(folder, tmp_path, name, moment):
    for file in ("asia.csv", "beliefs.csv"):
        shutil.copy(folder / file, tmp_path)
    first = run_command(tmp_path, KILLED.format(signal=name, **moment))
    out = tmp_path / "out"
    assert (out / "chains.npz").exists()
    if name == "SIGKILL":
        assert first.returncode == -signal.SIGKILL
        assert not (out / "posterior.npz").exists()
    else:
        assert first.returncode == 0, first.stderr
        assert "warning: not settled" in first.stderr
        assert "the same command goes on from there" in first.stdout
        part = pp.load_posterior(out / "posterior.npz")
        assert part.stopped_because is PosteriorStop.INTERRUPTED
    second = run_command(tmp_path)
    assert second.returncode == 0, second.stderr
    assert "resuming: going on from out/chains.npz" in second.stderr
    assert second.stderr.count("\n") == 1
    assert not (out / "chains.npz").exists()
    for path in out.iterdir():
        assert path.read_bytes() == (folder / "out" / path.name).read_bytes(), path.name
