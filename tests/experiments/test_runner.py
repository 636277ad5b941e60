import json
import os
import signal

import joblib
import pytest

from pathprior.errors import ExperimentError
from pathprior.experiments import runner
from pathprior.experiments.experiment import Claim, Experiment, Scale
from pathprior.experiments.runner import run_experiment


def tasks(scale, seed):
    count = {Scale.QUICK: 5, Scale.DEFAULT: 12, Scale.FULL: 40}[scale]
    return [{"repeat": repeat, "seed": seed + repeat} for repeat in range(count)]


def run(task):
    return [{**task, "value": task["seed"] / 7, "half": half} for half in ("a", "b")]


def fails_late(task):
    if task["repeat"] == 3:
        raise KeyboardInterrupt
    return run(task)


def dies(task):
    if task["repeat"] == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return run(task)


def timed(task):
    return [{**row, "seconds": 0.5} for row in run(task)]


def make(run, **options):
    return Experiment("toy", "A toy.", tasks, run, lambda rows: [], lambda rows: None, **options)


def runs(folder):
    return (folder / "runs.csv").read_bytes()


@pytest.fixture
def serial(tmp_path):
    run_experiment(make(run), tmp_path / "serial", scale=Scale.QUICK)
    return runs(tmp_path / "serial")


def test_rows_come_in_task_order(tmp_path):
    rows = run_experiment(make(run), tmp_path, scale=Scale.QUICK, seed=3)
    assert rows["repeat"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert rows["seed"].tolist() == [3, 3, 4, 4, 5, 5, 6, 6, 7, 7]


def test_processes_give_the_serial_rows(tmp_path, serial):
    run_experiment(make(run), tmp_path / "two", scale=Scale.QUICK, num_jobs=2)
    assert runs(tmp_path / "two") == serial


def test_an_interrupted_run_resumes(tmp_path, serial):
    folder = tmp_path / "resumed"
    with pytest.raises(KeyboardInterrupt):
        run_experiment(make(fails_late), folder, scale=Scale.QUICK)
    seen = []
    run_experiment(
        make(run), folder, scale=Scale.QUICK, on_progress=lambda done, total: seen.append(done)
    )
    assert seen == [3, 4, 5]
    assert runs(folder) == serial


@pytest.mark.skipif(os.name == "nt", reason="sends SIGKILL")
@pytest.mark.filterwarnings("ignore:A worker stopped")
def test_a_worker_that_dies_loses_nothing(tmp_path, serial):
    folder = tmp_path / "died"
    with pytest.raises(ExperimentError, match="a worker process died"):
        run_experiment(make(dies), folder, scale=Scale.QUICK, num_jobs=2)
    run_experiment(make(run), folder, scale=Scale.QUICK, num_jobs=2)
    assert runs(folder) == serial


def test_seconds_are_kept_apart(tmp_path, serial):
    rows = run_experiment(make(timed, timed_by=("repeat", "half")), tmp_path, scale=Scale.QUICK)
    assert "seconds" not in rows
    assert runs(tmp_path) == serial
    assert (tmp_path / "times.csv").read_text().splitlines()[:2] == [
        "repeat,half,seconds",
        "0,a,0.5",
    ]


def test_only_some_tasks(tmp_path):
    rows = run_experiment(make(run), tmp_path, scale=Scale.QUICK, only={"repeat": 2})
    assert rows["seed"].tolist() == [2, 2]
    with pytest.raises(ExperimentError, match="other settings"):
        run_experiment(make(run), tmp_path, scale=Scale.QUICK)
    with pytest.raises(ExperimentError, match="toy has no task with repeat=9"):
        run_experiment(make(run), tmp_path / "other", scale=Scale.QUICK, only={"repeat": 9})


def test_a_line_cut_short_is_repeated(tmp_path, serial):
    folder = tmp_path / "cut"
    run_experiment(make(run), folder, scale=Scale.QUICK)
    journal = folder / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-20])
    run_experiment(make(run), folder, scale=Scale.QUICK)
    assert runs(folder) == serial
    assert [json.loads(line)["task"] for line in journal.read_text().splitlines()] == [
        0,
        1,
        2,
        3,
        4,
    ]


def test_a_damaged_line_is_named(tmp_path):
    run_experiment(make(run), tmp_path, scale=Scale.QUICK)
    journal = tmp_path / "journal.jsonl"
    journal.write_text("garbage\n" + journal.read_text())
    with pytest.raises(ExperimentError, match=r"journal\.jsonl, line 1 is damaged"):
        run_experiment(make(run), tmp_path, scale=Scale.QUICK)


def test_other_settings_are_refused(tmp_path):
    run_experiment(make(run), tmp_path, scale=Scale.QUICK)
    with pytest.raises(ExperimentError, match="other settings"):
        run_experiment(make(run), tmp_path, scale=Scale.QUICK, seed=1)


def test_a_verdict_has_words():
    assert [Claim("s", holds, "n").verdict for holds in (True, False, None)] == [
        "holds",
        "does not hold",
        "undecided",
    ]


def test_no_jobs_are_refused(tmp_path):
    with pytest.raises(ExperimentError, match="0 jobs do nothing"):
        run_experiment(make(run), tmp_path, scale=Scale.QUICK, num_jobs=0)


def test_there_are_no_more_processes_than_cores(tmp_path, serial, monkeypatch):
    asked = []

    class Parallel(joblib.Parallel):
        def __init__(self, n_jobs, **options):
            asked.append(n_jobs)
            super().__init__(1, **options)

    monkeypatch.setattr(joblib, "Parallel", Parallel)
    run_experiment(make(run), tmp_path / "many", scale=Scale.QUICK, num_jobs=100_000)
    assert asked == [joblib.cpu_count()]
    assert runs(tmp_path / "many") == serial


@pytest.mark.parametrize("address", ["localhost:1", "nonsense://x:1"])
def test_a_dask_scheduler_that_is_not_there_is_one_line(address, tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(runner, "DASK_PATIENCE", 0.2)
    with pytest.raises(ExperimentError, match=f"no Dask scheduler at '{address}'"):
        run_experiment(make(run), tmp_path, scale=Scale.QUICK, dask=address)


def test_a_dask_cluster_gives_the_serial_rows(tmp_path, serial):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0"
    ) as cluster:
        folder = tmp_path / "dask"
        run_experiment(make(run), folder, scale=Scale.QUICK, dask=cluster.scheduler_address)
    assert runs(folder) == serial
