"""The experiments at a toy size: what they compute, and that verdicts and pictures are made."""

import json
from dataclasses import replace

import pytest

from pathprior.errors import ExperimentError
from pathprior.experiments import figure2
from pathprior.experiments.catalogue import EXPERIMENTS
from pathprior.experiments.experiment import Scale
from pathprior.experiments.runner import run_experiment
from pathprior.experiments.verdict import write_verdict


@pytest.fixture
def run_few(tmp_path):
    """Run some tasks of an experiment; return its rows and its verdicts by claim."""

    def run_few(name, is_chosen=lambda task: True, *, change=None, **options):
        experiment = EXPERIMENTS[name]
        tasks = [
            {**task, **(change or {})}
            for task in experiment.tasks(Scale.QUICK, 0)
            if is_chosen(task)
        ]
        small = replace(experiment, tasks=lambda scale, seed: tasks)
        rows = run_experiment(small, tmp_path, scale=Scale.QUICK, **options)
        claims = write_verdict(small, rows, tmp_path, command="test")
        written = json.loads((tmp_path / "verdict.json").read_text(encoding="utf-8"))
        assert [claim.sentence for claim in claims] == [c["sentence"] for c in written["claims"]]
        assert (tmp_path / "plot.png").stat().st_size < 150_000
        assert (tmp_path / "plot.svg").stat().st_size > 1000
        return rows, {claim.sentence: claim.verdict for claim in claims}

    return run_few


def test_names_are_the_documented_ones():
    assert list(EXPERIMENTS) == ["table1", "misleading", "figure1", "figure2", "networks", "grid"]


@pytest.mark.parametrize("name", list(EXPERIMENTS))
@pytest.mark.parametrize("scale", list(Scale))
def test_tasks_are_distinct_and_follow_the_seed(name, scale):
    tasks = EXPERIMENTS[name].tasks(scale, 3)
    assert len({tuple(task.items()) for task in tasks}) == len(tasks)
    assert all(isinstance(task["seed"], int) for task in tasks)
    assert tasks != EXPERIMENTS[name].tasks(scale, 4)


def test_table1_holds(run_few):
    rows, verdicts = run_few("table1")
    assert set(verdicts.values()) == {"holds"}
    assert {"paper", "ours"} <= set(rows.columns)


@pytest.mark.slow
def test_misleading_holds(run_few):
    # few samples: the printed digits themselves are checked in tests/paper
    change = {"num_samples": 50_000}
    _, verdicts = run_few("misleading", lambda task: task["num_nodes"] == 10, change=change)
    assert list(verdicts.values())[1:] == ["holds", "holds"]


@pytest.mark.slow
def test_figure1(run_few):
    def is_chosen(task):
        if task["panel"] == "bcd":
            return task["repeat"] < 3
        return task["panel"] == "§5.1" or task["num_nodes"] in (10, 15)

    rows, verdicts = run_few("figure1", is_chosen)
    assert verdicts["R1, counted exactly: KL(U ‖ FACT) falls at every step from n = 10 to n = 35."]
    errata = [sentence for sentence, verdict in verdicts.items() if verdict == "does not hold"]
    assert len([sentence for sentence in errata if sentence.startswith("§5.1")]) == 2
    ratio = rows[rows["panel"] == "§5.1"].set_index("num_nodes")["value"]
    assert (ratio.loc[:9] > 1).all()
    assert (ratio.loc[10:] < 1).all()


def test_figure2_counts_25_dags_and_orients_what_it_finds(run_few):
    assert len(figure2._candidates()) == 25
    rows, verdicts = run_few("figure2", lambda task: task["first"] == 0)
    assert len(rows) == 50 * 20 * 5
    assert verdicts["(a) When it is found with the belief, it is always oriented right."] == "holds"
    by_size = rows[rows["truth"] == "chain"].groupby(["prior", "num_rows"])["is_found"].mean()
    assert by_size["causal", 200] > by_size["causal", 10]


@pytest.mark.slow
def test_networks(run_few, tmp_path):
    rows, verdicts = run_few("networks", lambda task: task["repeat"] < 2, only={"experts": "true"})
    assert len(rows) == 2 * 2 * 7 * 10
    assert "seconds" not in rows
    assert "seconds" in (tmp_path / "times.csv").read_text().splitlines()[0]
    paired = rows.groupby(["network", "repeat"])["seed"].nunique()
    assert (paired == 1).all()
    assert len(verdicts) > 10


@pytest.mark.slow
def test_grid(run_few):
    rows, verdicts = run_few("grid", lambda task: task["num_components"] < 5 and task["repeat"] < 2)
    assert not ((rows["coherence"] == "incoherent") & (rows["component_size"] == 2)).any()
    assert len(verdicts) == 10


def test_settings_nobody_has_are_refused(tmp_path):
    with pytest.raises(ExperimentError, match="table1 has no task with experts=true"):
        run_experiment(EXPERIMENTS["table1"], tmp_path, only={"experts": "true"})
